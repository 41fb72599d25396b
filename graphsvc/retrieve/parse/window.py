"""Which stretch of the past a question's own clause happened in.

Times still to come are a question's subject. In a question of direction, so is a time that stands
inside what was sent ("the February report"): only one that dates the sending is a window.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from graphsvc.models.facts import Anchor, Granularity, TimeExpression
from graphsvc.models.question import TimeWindow

_KNOWN = frozenset({Anchor.ABSOLUTE, Anchor.SPEAKER})
# "6月改规范之前", "before June's change": the change may have come on any day of June.
_CHANGE_AFTER = re.compile(r"[^，,。？?]{1,12}?(?:之前|以前|前)")
_CHANGE = re.compile(r"[改换涨降调变升搬修更提合取退装]")
_BEFORE_OWN = re.compile(r"^before\b.*", re.IGNORECASE)
_POSSESSIVE = re.compile(r"^['’]s \w+")
_JOINED = re.compile(
    r"\s*(?:和|与|跟|及|、|或|到|至|,|，|and|or|to|vs\.?|versus)\s*(?:in |on |the )?\s*", re.IGNORECASE
)
_SENDING_ZH = re.compile(r"(?:发|寄|写|转|回|传|递|抄送|汇报|收到)[了过给来出]?\S{0,6}?的\s*$|(?:关于|有关|提到)\s*$")
_INSIDE_EN = re.compile(r"\b(?:the|a|an|my|our|his|her|their|about|of|for|regarding)\s+$|['’]s\s+$", re.IGNORECASE)
_NOUN_AFTER = re.compile(r"^\s+(?!(?:and|or|did|was|is|to|from|by|with|about|on|in|at)\b)\w+|^['’]s\b", re.IGNORECASE)
# "5月营业额多少": what was counted is over; what is to be paid, planned or done may be to come.
_BARE_MONTH = re.compile(r"(?:\d{1,2}|十[一二]?|[一二三四五六七八九])月份?")
_TO_COME = re.compile(
    r"[价钱费票租薪]|预[算计订定]|计划|目标|将|会|要(?!价)|打算|准备|得(?!了|分)|应该|需|还[有剩]|安排|几[点号]|什么时候|哪[天里儿]|下次|还款|月供|课|假"
)
# Characters beside a time that tell whether it stands inside what was sent.
_BESIDE = 60
_COUNTED = frozenset({"amount", "yes_no"})


def meant_past(text: str, kind: str, times: Sequence[TimeExpression], now: datetime) -> list[TimeExpression]:
    """The times of a question, a bare month ahead taken for the last one where a count of it is asked for."""
    if kind not in _COUNTED or _TO_COME.search(text):
        return list(times)
    return [_a_year_before(time) if _is_ahead(time, now) else time for time in times]


def _is_ahead(time: TimeExpression, now: datetime) -> bool:
    bare = time.granularity is Granularity.MONTH and _BARE_MONTH.fullmatch(time.text) is not None
    return bare and time.begin is not None and time.begin > now


def _a_year_before(time: TimeExpression) -> TimeExpression:
    begin, until = (None if end is None else end.replace(year=end.year - 1) for end in (time.begin, time.until))
    return time.model_copy(update={"begin": begin, "until": until})


def window(text: str, times: Sequence[TimeExpression], now: datetime, *, directed: bool) -> TimeWindow | None:
    """The first stretch of the past the question names, two named side by side as one."""
    for at, time in enumerate(times):
        if not _past(time, now) or (directed and _inside_the_sent(text, time)):
            continue
        begin, until = time.begin, _until(text, time)
        other = times[at + 1] if at + 1 < len(times) else None
        if other is not None and begin and until and _past(other, now) and _side_by_side(text, time, other):
            begin, until = min(begin, other.begin or begin), max(until, other.until or until)
        if _changed_in(text, time):
            begin = None
        return TimeWindow(begin=begin, until=until)
    return None


def _past(time: TimeExpression, now: datetime) -> bool:
    """A stretch without a begin ("before March") is the past where its end is not still to come."""
    if time.anchor not in _KNOWN:
        return False
    known = time.begin or time.until
    return known is not None and (known < now if time.begin else known <= now)


def _until(text: str, time: TimeExpression) -> datetime | None:
    """`before June` ends with May; `before June's change` may reach into June."""
    reaches = time.begin is None and _BEFORE_OWN.match(time.text) and _POSSESSIVE.match(text[time.end :])
    return _end_of_its_month(time.until) if reaches and time.until is not None else time.until


def _end_of_its_month(first: datetime) -> datetime:
    """The end of the month that `first` opens; `first` itself where it opens none."""
    if first.day != 1:
        return first
    return first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)


def _changed_in(text: str, time: TimeExpression) -> bool:
    after = _CHANGE_AFTER.match(text[time.end :])
    return after is not None and _CHANGE.search(after.group()) is not None


def _side_by_side(text: str, one: TimeExpression, other: TimeExpression) -> bool:
    return _JOINED.fullmatch(text[one.end : other.start]) is not None


def _inside_the_sent(text: str, time: TimeExpression) -> bool:
    before, after = text[max(0, time.start - _BESIDE) : time.start], text[time.end : time.end + _BESIDE]
    if _SENDING_ZH.search(before):
        return True
    return _INSIDE_EN.search(before) is not None and _NOUN_AFTER.match(after) is not None
