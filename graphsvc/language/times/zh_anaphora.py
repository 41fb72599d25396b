"""Days and years that Chinese names by the one before them in the text: 3月5日开会，当晚回来; 2019年结婚，次年生子.

They are read where a clause begins with them and the text has dated something shortly before; elsewhere they
hang on what nobody dated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graphsvc.language.numerals import integer
from graphsvc.language.times import walk, zh
from graphsvc.language.times.calendar import Reading, add_months
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.parts import Part
from graphsvc.models.facts import Anchor, Granularity

_NUMBER = r"第(?P<{}>\d{{1,2}}|[二三四五六七八九十]{{1,3}})"
_WORD = re.compile(
    rf"(?:(?P<day>次日|翌日|隔天|隔日|当[天日晚]|同日|同一天|那天)|{_NUMBER.format('days')}[天日]"
    rf"|(?P<year>次年|翌年|同年)|{_NUMBER.format('years')}年|(?P<month>次月|翌月|同月|当月)|{_NUMBER.format('months')}个?月)"
    r"(?!级)(?:的)?"
)
_NEXT = frozenset("次翌隔")
_CLAUSE_STARTS = frozenset(",.。;；!?、 \n到至在于并而但从自")
_DAYS = frozenset({Granularity.DAY, Granularity.HALF_DAY, Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND})
_FARTHEST = 60


@dataclass(frozen=True, slots=True)
class Known:
    """What a text has dated last, and what its ordinals count from: 第二天 and 第三天 count from one day."""

    last: Reading
    first: Reading

    def then(self, line: str, reading: Reading) -> Known:
        word = _WORD.match(line, reading.start)
        if word is None or not word[0].startswith("第"):
            return Known(reading, reading)
        return Known(reading, self.first if _ahead(word) > 1 else self.last)


def read(line: str, start: int, at: datetime, known: Known) -> tuple[Reading, Frame] | None:
    """The day, month or year named at `start`, counted from the last one that was dated, and its frame."""
    word = _WORD.match(line, start)
    if word is None or (start and line[start - 1] not in _CLAUSE_STARTS):
        return None
    ahead = _ahead(word)
    counted_from = known.first if ahead > 1 else known.last
    begin = counted_from.interval.begin
    if begin is None or not 0 < start - known.last.end <= _FARTHEST:
        return None
    relative = counted_from.anchor is not Anchor.ABSOLUTE
    if word["year"] or word["years"]:
        frame = Frame(year=begin.year + ahead, relative=relative)
    elif word["month"] or word["months"]:
        moved = add_months(begin.replace(day=1), ahead)
        frame = Frame(year=moved.year, month=moved.month, relative=relative)
    elif counted_from.interval.granularity in _DAYS:
        frame = Frame().on((begin + timedelta(days=ahead)).date())
        if word[0].startswith("当晚"):
            frame = replace(frame, part=Part.EVENING)
    else:
        return None
    parsed = zh.parse(line, word.end(), at, within=frame)
    if parsed is not None:
        return walk.reading_of(start, parsed.end, parsed.frame, at), parsed.frame
    return walk.reading_of(start, word.end(), frame, at), frame


def _ahead(word: re.Match[str]) -> int:
    """How many units after the one it counts from."""
    number = word["days"] or word["years"] or word["months"]
    return (integer(number) or 1) - 1 if number else int(word[0][0] in _NEXT)
