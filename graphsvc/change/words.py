"""The words that tell what a clause is about, and the closed classes that say how it is said.

Verbs that only link, words of degree and grammar are left out; verbs of saying lead to the source of a
statement, verbs of change to its being newer. Words of two forms of one stem count as one word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from graphsvc.language.hanwords import cut
from graphsvc.language.normalise import HAN
from graphsvc.language.stopwords import STOP_WORDS

_PIECE = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+(?:[-.'’][^\W_{HAN}]+)*")
HAN_RUN = re.compile(rf"[{HAN}]+")
_POSSESSIVE = re.compile(r"['’]s?$")
_ENDING = re.compile(r"(?:ies|ied|ing|ed|es|s|e|y)$")
_LINKING = """
到 来 去 在 有 是 为 约 共 一共 总共 大概 大约 左右 定 定在 定为 上 下 里 中 内 于 由 用 做 起 从 自 至 及 其 该 每
已经 已 可能 应该 应为 好像 似乎 大家 目前
当前 现在 如今 到底 究竟 还 再 才 只 仅 即 均 皆 另 请 各 某 此 能 会 年 月 日 号 点 天 时 分 份 人 个 次 元 块
多 少 不 没 没有 未 别 非 无 并 所 者 以 是否 记得 通知 提醒 说明 数 么 呢 一 位 得 完 掉
下周 上周 这周 本周 共计 合计 总计 属于 家 那位 那个 那块 这块 位于 我方 我司 改 换 变 成 就 结果
get got gets come came comes go goes went go take takes took taken make makes made put need needs let say says said
number total reminder note update please hi hello yes ok okay well really still exactly currently now today
much many long far around only per according also never ever always remember think thinks approx approximately
roughly nearly almost become becomes became been use used uses one ones thing things there's i've we've
"""
_LIGHT = frozenset(_LINKING.split())
_NOMINAL = frozenset("年月日号点天时分份人个次元块位家会上下里中内")
_ENDING_ONLY = frozenset("会人家号位")
# Before a value these say that it is a part of a whole, which never contradicts the whole.
PARTITIVE = re.compile(
    r"其中|当中|之中|余下|剩下|剩余|\bof (?:which|that|those|them)\b|\bof the total\b|\bremaining\b", re.IGNORECASE
)
# What follows is what it became, up to the end of the clause.
BECAME = re.compile(
    r"[改换变调涨降升跌搬移转](?:成|为|到|至)了?|应为|应是|\b(?:moved?|changed|switched|raised|lowered|up|down) to\b"
)
# Said of the state that holds: with another value of the same slot, the value before it is past.
NOW = re.compile(r"现在|如今|目前|从此|今后|以后|\bnow\b|\bthese days\b|\bcurrently\b", re.IGNORECASE)
# With a value of the asked-for kind these say that there was another before.
NEW = re.compile(r"新|又|\bnew\b|\bagain\b", re.IGNORECASE)
_SAYING = (
    "说|讲|称|表示|认为|觉得|记得|回忆|告诉|反映|声称|坚称|咬定|报告(?![厅会书单])|通报|登记(?![表处])|显示(?![器屏])|记载"
    "|上写|写的|写着|写明|记的|记着|测得|自己也测|测了"
)
_SAYS = (
    "says|said|reckons|claims|claimed|insists|insisted|told|tells|reports|reported|maintains|swears|shows|states|writes"
    "|wrote|thinks|remembers|recalls|logged|measured|recorded"
)
_REPORT = re.compile(
    rf"(?:^|[，,。；;:：\s])(?![别听])(?P<zh>[^，,。；;:：\s的跟和向给]{{1,10}}?)"
    rf"(?:一口|那边|这边|里|上|自己|都|也|他|她)?(?<![瞎胡乱])(?:{_SAYING})"
    r"|(?<![收数证依根单票])据(?P<by>[^，,。；;:：\s]{1,8}?)(?:说|称|讲|了解|显示|记载|[，,])|(?:按|按照|根据)(?P<under>[^，,。；;\s]{1,8})"
    rf"|\b(?P<en>(?:my |the |our |his |her )?(?:[\w'’]+ ){{0,2}}[\w'’]+) (?:{_SAYS})\b"
    r"|\b(?:according to|as per) (?P<per>(?:\w+ ){0,2}\w+)|\bby the (?P<old>(?:\w+ )?\w+)(?=[.,;]|$)",
    re.IGNORECASE,
)
HEADER = re.compile(rf"^\s*(?P<name>[{HAN}]{{1,8}}|[A-Z][\w .]{{0,24}})[:：]")
_HEDGED = re.compile(
    r"好像|似乎|可能|也许|大概是|应该是吧|估计|听说|据说|不确定|没准|说不定|\b(?:maybe|perhaps|probably|possibly|apparently|"
    r"i think|i guess|i believe|might|not sure|seems?|seemingly|supposedly|allegedly|rumou?r|i heard)\b",
    re.IGNORECASE,
)
_SHORTEST_STEM = 4
_LONGEST_ENDING = 4


Placed = tuple[str, int, int]
Spans = Sequence[tuple[int, int]]


@lru_cache(maxsize=4096)
def placed_words(text: str) -> tuple[Placed, ...]:
    """The folded words of a text that carry its subject, each with its span, in order."""
    found: list[Placed] = []
    for piece in _PIECE.finditer(text):
        start = piece.start()
        if "\u4e00" <= piece.group()[0] <= "\u9fff":
            cuts = cut(piece.group())
            for place, word in enumerate(cuts):
                kept = _in_compound(cuts, place) or not (word in STOP_WORDS or word in _LIGHT)
                found += [(word, start, start + len(word))] if kept else []
                start += len(word)
        else:
            word = _POSSESSIVE.sub("", piece.group().casefold())
            found += [(word, start, piece.end())] if word and word not in STOP_WORDS and word not in _LIGHT else []
    return tuple(found)


def _in_compound(cuts: Sequence[str], place: int) -> bool:
    """Whether a counting character is part of a word the dictionary does not hold as one, such as 年会 and 次卧."""
    if cuts[place] not in _NOMINAL:
        return False
    before = cuts[place - 1] if place else ""
    after = cuts[place + 1] if place + 1 < len(cuts) and cuts[place] not in _ENDING_ONLY else ""
    return any(
        len(word) == 1 and (word in _NOMINAL or not (word in STOP_WORDS or word in _LIGHT)) for word in (before, after)
    )


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that carry its subject, each once."""
    return tuple(dict.fromkeys(word for word, _, _ in placed_words(text)))


def words_in(text: str, span: tuple[int, int], masks: Spans = ()) -> tuple[str, ...]:
    """Those inside a span and outside every mask."""
    begin, until = span
    placed = placed_words(text)
    found: dict[str, None] = {}
    masked = masked_by(text, masks) if masks else b""
    for at in range(bisect_left(placed, begin, key=_start), len(placed)):
        word, start, end = placed[at]
        if start >= until:
            break
        if 1 not in masked[start:end]:
            found[word] = None
    return tuple(found)


def masked_by(text: str, masks: Spans) -> bytearray:
    """One byte for each character, 1 where a mask covers it."""
    marks = bytearray(len(text))
    for start, end in masks:
        marks[start:end] = b"\x01" * (min(end, len(text)) - start)
    return marks


def _start(placed: Placed) -> int:
    return placed[1]


def same_word(one: str, other: str) -> bool:
    """One word in two forms: hardness and hard, 盖 and 盖好, 参保 and 参保地."""
    if one == other:
        return True
    if one[0] != other[0] and one[-1] != other[-1]:
        return False
    short, long = sorted((one, other), key=len)
    if one.isascii() and other.isascii():
        stem = _ENDING.sub("", short) or short
        if any(map(str.isdigit, one + other)) or len(stem) < _SHORTEST_STEM - 1:
            return False
        return long.startswith(stem) and len(long) - len(stem) <= _LONGEST_ENDING
    return len(short) * 2 >= len(long) and (long.startswith(short) or (len(short) > 1 and long.endswith(short)))


def pairs(some: Iterable[str], others: Collection[str]) -> list[tuple[str, str]]:
    """Those of `some` with each form of them among `others`."""
    return [
        (one, other)
        for one in some
        for other in others
        if (one[0] == other[0] or one[-1] == other[-1]) and same_word(one, other)
    ]


def among(word: str, words: Collection[str]) -> bool:
    if word in words:
        return True
    first, last = word[0], word[-1]
    # Two forms of one word begin or end alike; asking that here spares most of the calls.
    return any((other[0] == first or other[-1] == last) and same_word(word, other) for other in words)


def shared(some: Iterable[str], others: Collection[str]) -> tuple[str, ...]:
    """Those of `some` that `others` hold too."""
    return tuple(word for word in some if among(word, others))


def apart(some: Iterable[str], others: Collection[str]) -> tuple[str, ...]:
    """Those of `some` that `others` do not hold."""
    return tuple(word for word in some if not among(word, others))


def reported(text: str, start: int = 0, end: int | None = None) -> tuple[str, tuple[int, int]] | None:
    """Who is named as the source inside `text[start:end]`, and the span of the words that say so."""
    found = _REPORT.search(text, start, len(text) if end is None else end)
    if found is None:
        return None
    name = next(part for part in found.groups() if part)
    if any(map(str.isdigit, name)) and (found["under"] or found["old"] or found["per"]):
        return None  # "按3.55%算" and "by the 20th" name no source
    return name.strip().casefold(), found.span()


def header(text: str) -> str | None:
    """The name a line begins with, before a colon."""
    found = HEADER.match(text)
    return None if found is None else found["name"]


def hedged(text: str) -> bool:
    return _HEDGED.search(text) is not None
