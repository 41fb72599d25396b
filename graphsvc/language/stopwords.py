"""Words that carry a question's grammar and not its subject, already folded and stemmed."""

from __future__ import annotations

# Single characters that join other words; they never start or end a name's pair of characters.
GLUE = frozenset(
    "的了是在把被和与及或也都就还又很太最没不有我你您他她它们这那哪谁去来到要会给对从让叫请问说找地得着过吗呢吧啊嘛"
)

_ZH = """
的 了 是 在 和 与 及 或 也 都 就 还 又 很 吗 呢 吧 啊 嘛 呀 哦 把 被 给 对 从 向 让 这 那 哪 谁 几
我 你 您 他 她 它 们 个 着 过 地 得 有 要 会 请 问
我们 你们 他们 她们 它们 咱们 自己 这个 那个 这些 那些 这里 那里 这样 那样 什么 什么样 怎么 怎么样
怎样 如何 哪个 哪些 哪里 哪儿 哪天 哪位 哪年 几个 几点 几号 多少 多久 多大 多长 为什么 为何 是否 是不是
有没有 请问 告诉 知道 帮我 一下 一个 关于 的话 以及 还是 或者 因为 所以 但是 如果 可以 能否 能不能
可不可以 时候 什么时候 何时 现在 已经 已 即
"""
_EN = """
a an the this that these those i you he she it we they me him her us them my your his its our their mine yours i'm
am is are was were be been being do does did done doing don't doesn't didn't have has had having
will would shall should can could may might must
of to in on at for with from by about into over under as and or but if then than so not no nor too very just also
who whom whose what which when where why how what's who's where's when's how's it's
there here all any some please tell know
"""


def _stop_words() -> frozenset[str]:
    return frozenset(_ZH.split()) | frozenset(_EN.split())


STOP_WORDS = _stop_words()
