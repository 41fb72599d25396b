"""Days and years that Chinese names by the one before them in the text: 3月5日开会，当晚回来; 2019年结婚，次年生子.

They are read where a clause begins with them and the text has dated something shortly before; elsewhere they
hang on what nobody dated.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from graphsvc.language.times import walk, zh
from graphsvc.language.times.calendar import Reading
from graphsvc.language.times.frame import Frame, Part
from graphsvc.models.facts import Anchor, Granularity

_WORD = re.compile(
    "(?P<day>次日|翌日|第二天|隔天|隔日|当[天日晚]|同日|同一天|那天)(?:的)?|(?P<year>次年|翌年|第二年|同年)(?:的)?"
)
_NEXT = frozenset("次翌第隔")
_CLAUSE_STARTS = frozenset(",.。;；!?、 \n到至在于并而但")
_DAYS = frozenset({Granularity.DAY, Granularity.HALF_DAY, Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND})
_FARTHEST = 60


def read(line: str, start: int, at: datetime, known: Reading | None) -> Reading | None:
    """The day or year named at `start`, counted from the last one that was dated."""
    if known is None or known.interval.begin is None or not 0 < start - known.end <= _FARTHEST:
        return None
    word = _WORD.match(line, start)
    if word is None or line[start - 1] not in _CLAUSE_STARTS:
        return None
    ahead = word[0][0] in _NEXT
    if word["year"]:
        frame = Frame(year=known.interval.begin.year + ahead, relative=known.anchor is not Anchor.ABSOLUTE)
    elif known.interval.granularity in _DAYS:
        frame = Frame().on((known.interval.begin + timedelta(days=ahead)).date())
        if word["day"].endswith("晚"):
            frame = replace(frame, part=Part.EVENING)
    else:
        return None
    parsed = zh.parse(line, word.end(), at, first=frame)
    if parsed is not None and (parsed.frame.year, parsed.frame.month or 0) >= (frame.year, frame.month or 0):
        return walk.reading_of(start, parsed.end, parsed.frame, at)
    return walk.reading_of(start, word.end(), frame, at)
