"""What multiplies a number: k, million, bn, the 多 of 三十多万, and an m that is no metre.

A bare m or b after a number means a million or a billion of money only where money is spoken of,
or where nothing else is said at all.
"""

from __future__ import annotations

import re
from dataclasses import replace

from graphsvc.language.amounts.reading import Reading
from graphsvc.language.amounts.units import CURRENCIES, UNITS

BIG = {
    "": 1.0,
    "百": 1e2,
    "千": 1e3,
    "万": 1e4,
    "亿": 1e8,
    "百万": 1e6,
    "千万": 1e7,
    "万亿": 1e12,
    "百亿": 1e10,
    "千亿": 1e11,
}
# A grand is a thousand where nothing follows that it could be a quality of: two grand pianos.
_ALONE = r"$|[^\w\s]|[ ](?:a|an|per|for|in|on|to|and|or|each|at|from|is|was|cash|more|less)\b"
_SCALE = re.compile(
    rf"[ ]?(?:(?P<k>k|thousand|grand(?={_ALONE}))|(?P<m>mn|million)|(?P<b>bn|billion)|(?P<t>trillion))(?![a-z0-9])"
    r"|(?P<money_m>m)(?![a-z0-9/²])|(?P<money_b>b)(?![a-z0-9])|(?P<w>w)(?![a-z0-9])"
)
_AND_A_HALF = re.compile(r"[ ]and a half(?=[ ](?:grand|thousand|million|billion|trillion)\b)")
_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12, "money_m": 1e6, "money_b": 1e9, "w": 1e4}
_MORE = re.compile(r"[多余]([百千]?[万亿]{0,2})")
_ABOUT = re.compile(r"(?<=[十百千万亿0])来(?P<scale>[百千]?[万亿]{0,2})")
_HAN_MONEY = re.compile(r"(?:[价款钱薪资算费额本付花奖收润利]|粉丝|用户|[播阅销读览]\D?量)\D{0,6}$")
_HAN_MONEY_AFTER = re.compile(
    r"(?:的[\u4e00-\u9fff]{0,3}|[\u4e00-\u9fff]{1,2})[价款钱薪资算费额奖润债贷金]|的?(?:粉丝?|用户|人(?!民币))"
)
_MONEY = (
    r"budgets?|revenues?|sales|profits?|costs?|prices?|priced|salary|salaries|funding|funds?|raised?|raising|paid|pays?"
    r"|payments?|invest(?:ed|ment)?|valued?|valuation|worth|spend|spent|spending|income|deal|loans?|debt|loss(?:es)?"
    r"|turnover|fees?|earn(?:ed|ings)?|grants?|bill(?:ed)?|money|capital|bonus|cash|offer(?:ed)?|sold"
)
_MONEY_BEFORE = re.compile(rf"\b(?:{_MONEY})\b[^.;!?\n]{{0,24}}$")
_MONEY_AFTER = re.compile(
    rf"[ ](?:(?:in|of) )?(?:{_MONEY})\b|[ ](?:users|people|customers|downloads|views|followers)\b"
)


def with_scale(line: str, reading: Reading) -> Reading:
    """多 makes a range up to the next round number; 来 says about; k, million, bn and their like multiply."""
    more = _MORE.match(line, reading.end)
    if more and more[1] in BIG:
        factor = BIG[more[1]]
        upper = (reading.low + _step(reading.low)) * factor
        return replace(reading, end=more.end(), low=reading.low * factor, high=upper, scaled=True)
    about = _ABOUT.match(line, reading.end)
    if about and about["scale"] in BIG and (about["scale"] or line[about.end() : about.end() + 1] in _UNIT_STARTS):
        return reading.times(BIG[about["scale"]], end=about.end())
    half = _AND_A_HALF.match(line, reading.end)
    if half and reading.high is None:
        reading = replace(reading, end=half.end(), low=reading.low + 0.5)
    scale = _SCALE.match(line, reading.end)
    if scale is None or scale.lastgroup is None or not _multiplies(line, reading, scale):
        return reading
    return reading.times(_SCALES[scale.lastgroup], end=scale.end())


_UNIT_STARTS = frozenset(unit[0] for unit in UNITS if not unit[0].isascii())


def _multiplies(line: str, reading: Reading, scale: re.Match[str]) -> bool:
    kind = scale.lastgroup or ""
    if kind == "w":
        return (
            line.startswith(("元", "块", "人民币"), scale.end())
            or _han_money(line, reading)
            or _HAN_MONEY_AFTER.match(line, scale.end()) is not None
        )
    return not kind.startswith("money") or reading.unit in CURRENCIES or _speaks_of_money(line, reading, scale.end())


def _speaks_of_money(line: str, reading: Reading, end: int) -> bool:
    """A money word close by, or nothing else in the text: "0.8m" is asked for as 800000."""
    if _MONEY_AFTER.match(line, end) or _han_money(line, reading):
        return True
    if len(line) < end + 8 and line.strip() == line[reading.start : end]:
        return True
    return _MONEY_BEFORE.search(line, max(0, reading.start - 40), reading.start) is not None


def _han_money(line: str, reading: Reading) -> bool:
    return _HAN_MONEY.search(line, max(0, reading.start - 8), reading.start) is not None


def _step(value: float) -> float:
    """The place value of the last digit that is no zero: 30 steps by 10, 三万 by 10000."""
    step = 1.0
    while step * 10 <= value and value % (step * 10) == 0:
        step *= 10
    return step
