"""Which hour people mean who say "see you at 5" or 五点见: that of the daytime, from seven in the morning to six.

Without a day it is the next one to come: of today, or of today's other half where that of the daytime is over,
or of tomorrow. A day that the sentence has named before is its day.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from graphsvc.language.times.calendar import Reading
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.parts import Part
from graphsvc.models.facts import Granularity

_HALF = 12
# 7 to 12 are as written, 1 to 6 are of the afternoon.
_FIRST_HOUR = 7
_SENTENCE_END = re.compile(r"[.!?;。\n]")
_FARTHEST = 60


def appointed(frame: Frame, at: datetime, line: str, start: int, last: Reading | None) -> Frame:
    """The frame of an hour at `start` with its half of the day; `last` is the reading before it, if any."""
    if frame.hour is None or not 1 <= frame.hour <= _HALF or frame.part is not None:
        return frame
    if not frame.has_date() and last is not None:
        frame = _on_day_of(frame, line, start, last)
    if frame.part is not None:
        return frame
    hour = frame.hour or 0
    daytime = hour % _HALF + (_HALF if hour % _HALF < _FIRST_HOUR else 0)
    if frame.has_date():
        return replace(frame, hour=daytime)
    moment = at.replace(hour=daytime, minute=frame.minute or 0, second=0, microsecond=0)
    if moment < at:
        moment += timedelta(hours=_HALF if daytime < _HALF and moment + timedelta(hours=_HALF) >= at else 2 * _HALF)
    return replace(frame.on(moment.date()), hour=moment.hour)


def _on_day_of(frame: Frame, line: str, start: int, last: Reading) -> Frame:
    """The frame on the day that its sentence has named: on Friday, let's meet at 5."""
    begin, near = last.interval.begin, 0 <= start - last.end <= _FARTHEST
    if begin is None or not near or _SENTENCE_END.search(line, last.end, start):
        return frame
    if last.interval.granularity not in {Granularity.DAY, Granularity.HALF_DAY}:
        return frame
    late = last.interval.granularity is Granularity.HALF_DAY and begin.hour >= _HALF
    return replace(frame.on(begin.date()), part=Part.EVENING if late else None)
