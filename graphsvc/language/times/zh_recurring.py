"""Chinese times that recur: 每周三下午3点, 一季度一交, 两周一次, 按月付. They keep no interval.

"So often in so long" is a count of units beside a count of times: 一年一度. As 一月 is January too and 一季度 the
first quarter, the second count must be of times, or 一 with a verb that ends its phrase.
"""

from __future__ import annotations

import re
from datetime import datetime

from graphsvc.language.times import zh
from graphsvc.language.times.calendar import Reading
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.zh_relative import TO, UNIT, UNITS, N, unknown
from graphsvc.models.facts import Anchor, Granularity

_EVERY = re.compile(
    r"每(?:个|逢|隔)?[ ]?(?:(?P<week>(?:周|星期|礼拜)"
    r"(?P<weekday>[一二三四五六日天末](?:(?:、|和|至|到|-)(?:周|星期)?[一二三四五六日天])*)?)"
    r"|(?P<month>月(?:的)?(?:底|初|末|\d{1,2}[日号]|[一二三四五六七八九十]{1,3}[日号])?)|(?P<year>年)|(?P<quarter>季度)"
    r"|(?P<day>天|日|工作日|早上|晚上|早|晚)|(?P<hour>小时|钟头)"
    rf"|(?P<count>{N})(?:个半)?(?P<unit>{UNIT}))(?![节度])(?:的)?"
)
_EVERY_UNITS = {
    "month": Granularity.MONTH, "year": Granularity.YEAR, "quarter": Granularity.QUARTER,
    "day": Granularity.DAY, "hour": Granularity.HOUR,
}  # fmt: skip
_TIMES = r"(?:\d{1,2}|[一二两三四五六七八九十几])[次回趟遍顿餐届度更](?![性方数都也])"
# A verb of one character after 一, but no unit, 一日, and none that makes a word with 一: 一般, 一样, 一起.
_EACH_TIME = (
    r"一[^\W\d_a-z日号年月周天夜个季分秒点时刻年些下般样起定直切共律向旦边致同生块路带再半]"
    r"(?=$|[^\w]|[的地吧呢啊])"
)
_RATE = re.compile(
    r"(?<![这那每前上下过近后头第整今去本\d一二两三四五六七八九十几])"
    rf"(?:(?P<n>\d{{1,2}}|[一二两三四五六七八九十半几]|十[一二五])(?P<unit>{UNIT}|月)(?:里|内)?"
    rf"(?:{_TIMES}|(?<=[月年周天日度期拜]){_EACH_TIME})"
    r"|[按逐](?P<by>天|日|周|月|季度|季|年)(?=[交付缴结算支领发还收报计递]|$|[^\w])"
    r"|隔(?P<other>[天日周月年])[一两]次)"
)
_BY_UNITS = UNITS | {"季": Granularity.QUARTER}


def recurring(line: str, start: int, at: datetime) -> Reading | None:
    """每周三下午3点, 每月5号, 每半年, 一月一次: without an interval, as fine as what is said last."""
    match = _EVERY.match(line, start)
    if match is None:
        return _rate(line, start)
    unit = next((grain for name, grain in _EVERY_UNITS.items() if match[name]), Granularity.WEEK)
    if match["unit"]:
        unit = UNITS[match["unit"]]
    if match["weekday"] or (match["month"] and match["month"] != "月"):
        unit = Granularity.DAY
    end = match.end()
    detail = zh.parse(line, end, at, first=Frame())
    if detail is None:
        return Reading(start, end, unknown(unit), Anchor.RECURRING)
    frame, wide = detail.frame, match["year"] or match["month"]
    if frame.hour is not None:
        unit = Granularity.HOUR if frame.minute is None else Granularity.MINUTE
        end = _range_end(line, detail.end, at, frame)
    elif frame.part is not None:
        unit, end = Granularity.HALF_DAY, detail.end
    elif wide and frame.has_date():
        unit = Granularity.DAY if frame.day is not None else Granularity.MONTH
        end = _range_end(line, detail.end, at, frame)
    return Reading(start, end, unknown(unit), Anchor.RECURRING)


def _rate(line: str, start: int) -> Reading | None:
    """一月一次, 一季度一交, 一天三顿, 按月付."""
    match = _RATE.match(line, start)
    if match is None:
        return None
    unit = _BY_UNITS[match["unit"] or match["by"] or match["other"]]
    return Reading(start, match.end(), unknown(unit), Anchor.RECURRING)


def _range_end(line: str, end: int, at: datetime, frame: Frame) -> int:
    """Where the range ends that a recurring time begins: 每周六上午9点到11点."""
    to = TO.match(line, end)
    last = zh.parse(line, to.end(), at, first=frame) if to else None
    return last.end if last is not None else end
