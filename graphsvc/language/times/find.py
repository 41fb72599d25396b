"""Walk a text once, try the grammars where a time may begin, and join the ends of ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from graphsvc.language.normalise import fold
from graphsvc.language.times import zh, zh_relative
from graphsvc.language.times.calendar import Interval, Reading
from graphsvc.language.times.frame import Frame, resolve
from graphsvc.models.facts import Anchor, Granularity, TimeExpression

_ZH_OPENING = re.compile(
    r"[今昨前明后大去上下本这当来第春元清端中七国除重圣双五六教情妇劳儿青建植万平腊早凌夜深傍晚半周星礼月年最过近此未接往提每零〇一二三四五六七八九十两\d]|(?<![a-z0-9])q[1-4]"
)
_TO = re.compile(r"[ ]?(?:-|~|—|至|到)[ ]?")
_SINCE = re.compile(r"(?:以来|至今|到现在|起至今)")


def find_times(text: str, at: datetime) -> list[TimeExpression]:
    """Times in order of place, with spans of the text as written; `at` is aware, its zone is the reader's."""
    folded = fold(text)
    local = at.replace(tzinfo=None)
    expressions = []
    for reading in _chinese(folded.text, local):
        start, end = folded.span(reading.start, reading.end)
        expressions.append(
            TimeExpression(
                start=start,
                end=end,
                text=text[start:end],
                begin=_aware(reading.interval.begin, at),
                until=_aware(reading.interval.until, at),
                granularity=reading.interval.granularity,
                anchor=reading.anchor,
            )
        )
    return expressions


def _aware(moment: datetime | None, at: datetime) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=at.tzinfo)


def _chinese(line: str, at: datetime) -> Iterator[Reading]:
    """Readings of the Chinese grammar, never overlapping."""
    waiting = {match.start(): match for match in zh_relative.events(line)}
    done = 0
    for opening in _ZH_OPENING.finditer(line):
        start = opening.start()
        if start < done:
            continue
        reading = _read(line, start, at)
        if reading is not None:
            yield reading
            done = reading.end


def _read(line: str, start: int, at: datetime) -> Reading | None:
    try:
        return zh_relative.recurring(line, start, at) or zh_relative.offset(line, start, at) or _dated(line, start, at)
    except (ValueError, OverflowError):
        return None


def _dated(line: str, start: int, at: datetime) -> Reading | None:
    parsed = zh.parse(line, start, at)
    if parsed is None:
        return None
    interval, anchor = resolve(parsed.frame, at)
    return Reading(start, parsed.end, interval, anchor)
