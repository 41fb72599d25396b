"""Chinese counts in several units from the moment of speaking: 一年零三个月前, 1小时30分钟后, 3个月零5天内.

They are as fine as the last unit that is said.
"""

from __future__ import annotations

import re
from datetime import datetime

from graphsvc.language.numerals import parse_numeral
from graphsvc.language.times import walk
from graphsvc.language.times.calendar import Reading, counted, shift
from graphsvc.models.facts import Anchor, Granularity

_UNITS = {
    "年": Granularity.YEAR, "个月": Granularity.MONTH, "周": Granularity.WEEK, "个星期": Granularity.WEEK,
    "个礼拜": Granularity.WEEK, "天": Granularity.DAY, "个小时": Granularity.HOUR, "小时": Granularity.HOUR,
    "个钟头": Granularity.HOUR, "分钟": Granularity.MINUTE, "分": Granularity.MINUTE, "秒钟": Granularity.SECOND,
    "秒": Granularity.SECOND,
}  # fmt: skip
_ORDER = {
    Granularity.SECOND: 0, Granularity.MINUTE: 1, Granularity.HOUR: 2, Granularity.DAY: 3, Granularity.WEEK: 4,
    Granularity.MONTH: 5, Granularity.YEAR: 6,
}  # fmt: skip
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_PART = rf"(?:\d{{1,3}}|[一二两三四五六七八九十百]{{1,4}}|半)(?:{_UNIT})"
_COMPOUND = re.compile(
    rf"(?<![\d.第零一二三四五六七八九十百几数多])(?P<parts>{_PART}(?:[零又加]?{_PART}){{1,3}})"
    r"(?P<way>之前|以前|前|之后|以后|过后|后|以内|之内|内|以来)(?![台院排面端])"
)
_EACH = re.compile(rf"(?P<n>\d{{1,3}}|[一二两三四五六七八九十百]{{1,4}}|半)(?P<unit>{_UNIT})")


def compound(line: str, start: int, at: datetime) -> Reading | None:
    """The reading of counts whose units grow finer; 四年三年前 is none."""
    match = _COMPOUND.match(line, start)
    if match is None:
        return None
    way, moved, units = match["way"], at, list[Granularity]()
    sign = -1 if "前" in way or "来" in way else 1
    for part in _EACH.finditer(match["parts"]):
        parsed = (0.5, None) if part["n"] == "半" else parse_numeral(part["n"])
        unit = _UNITS[part["unit"]]
        if parsed is None or parsed[1] is not None or (units and _ORDER[unit] >= _ORDER[units[-1]]):
            return None
        moved = shift(moved, sign * parsed[0], unit)
        units.append(unit)
    if "内" in way or "来" in way:
        window = walk.past_window if sign < 0 else walk.coming_window
        return Reading(start, match.end(), window(at, moved, units[-1]), Anchor.SPEAKER)
    return Reading(start, match.end(), counted(moved, 1, units[-1]), Anchor.SPEAKER)
