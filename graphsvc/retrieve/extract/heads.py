"""What the head noun of a question measures: the rate of a loan is a percentage, not a sum.

The noun right before the question word in Chinese, right after "what is the …" and before its first preposition in
English. Closed classes: nouns that name a measure themselves.
"""

from __future__ import annotations

import re

from graphsvc.retrieve.extract.dimensions import Dimension

_ZH: tuple[tuple[Dimension, str], ...] = (
    (
        Dimension.PERCENTAGE,
        r"(?<![汇心频功速])率|比例|占比|百分比|比重|[涨跌增降]幅|折扣|浓度|酒精度|含量",
    ),
    (Dimension.TEMPERATURE, r"[水气室油炉体高低烤]温|温度|气温"),
    (Dimension.DURATION, r"工期|时长|期限|年限|[保质]{2}期|保修期|周期|用时|耗时|租期|学制|工龄|孕期"),
    (Dimension.WEIGHT, r"体重|重量|净重|毛重|载重"),
    (Dimension.LENGTH, r"身高|长度|宽度|高度|深度|厚度|直径|距离|里程"),
    (Dimension.AREA, r"面积"),
    (Dimension.SPEED, r"速度|时速|车速|网速|转速"),
    (Dimension.AGE, r"年龄|岁数|年纪"),
    (
        Dimension.MONEY,
        r"[首月]付|首期|月供|贷款|尾款|货款|定金|订金|押金|租金|奖金|薪水|工资|月薪|年薪|[售定单报成总房车票油菜底原现进]价|成交价"
        r"|价格|[\u4e00-\u9fff]费|费用|房租|月租|租金|保额|营业额|销售额|流水|预算|成本|利润|收入|支出|余额|存款|罚款|红包",
    ),
)
_EN: tuple[tuple[Dimension, str], ...] = (
    (Dimension.PERCENTAGE, r"(?<!heart )(?<!exchange )rate|percentage|share|proportion|ratio|discount|humidity"),
    (Dimension.TEMPERATURE, r"temperature"),
    (Dimension.DURATION, r"duration|lead time|warranty(?: period)?|notice period|term|waiting time|turnaround"),
    (Dimension.WEIGHT, r"weight"),
    (Dimension.LENGTH, r"height|width|depth|length|distance|diameter"),
    (Dimension.AREA, r"area|floor space"),
    (Dimension.SPEED, r"speed"),
    (
        Dimension.MONEY,
        r"price|cost|fee|fare|rent|salary|wage|deposit|down payment|loan|mortgage|budget|turnover|revenue|income"
        r"|bill|fine|tuition|balance|profit|premium",
    ),
)
_ASK_ZH = (
    r"(?:现在|目前|最后|最终|一共|总共|大概|到底|具体)*(?:[是有为要达到涨降定]|等于)?(?:了|到|在)?"
    r"(?:多少|几|什么|$|[?？吗呢])"
)
_HEADS_ZH = tuple((dimension, re.compile(rf"(?:{nouns})(?:{_ASK_ZH})")) for dimension, nouns in _ZH)
_HEADS_EN = tuple(
    (
        dimension,
        re.compile(
            r"\b(?:what(?:'s|\s+(?:is|was|are|were))|how (?:big|high|large|much) (?:is|was))\s+"
            rf"(?:(?!(?:of|on|for|in|at|to|with)\b)[\w'’-]+\s+){{0,5}}?(?:{nouns})s?\b(?!\s+[a-z]+(?:er|ion)\b)",
            re.IGNORECASE,
        ),
    )
    for dimension, nouns in _EN
)
# A degree may be written without its scale, a rate as a bare figure.
_BESIDE = {Dimension.TEMPERATURE: frozenset({Dimension.NUMBER})}
# A first instalment is told as a sum or as a share of the price.
_INSTALMENT = re.compile(r"首付|首期|定金|订金|deposit|down payment", re.IGNORECASE)


def measured_by_head(text: str) -> tuple[frozenset[Dimension], int, int] | None:
    """The dimensions the head noun may have and its place in the question; None where it names no measure."""
    best: tuple[frozenset[Dimension], int, int] | None = None
    for dimension, pattern in (*_HEADS_ZH, *_HEADS_EN):
        found = pattern.search(text)
        if found is not None and (best is None or found.end() < best[2]):
            kinds = frozenset({dimension}) | _BESIDE.get(dimension, frozenset())
            if dimension is Dimension.MONEY and _INSTALMENT.search(found.group()):
                kinds |= {Dimension.PERCENTAGE}
            best = kinds, found.start(), found.end()
    return best
