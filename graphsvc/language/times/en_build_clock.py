"""How an English clock time adds to a frame: 3 pm, half past six, from 4 to 6:30 pm, noon.

A builder gives nothing when the words make no time there, such as 15pm or an hour of a month.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from graphsvc.language.times.en_build import ONE_TO_NINE
from graphsvc.language.times.frame import Frame

HOUR_WORDS = {word: hour for hour, word in enumerate((*ONE_TO_NINE, "ten", "eleven", "twelve"), 1)}
MINUTE_WORDS = (
    {word: 10 * tens for tens, word in enumerate(["ten", "twenty", "thirty", "forty", "fifty"], 1)}
    | {"five": 5, "fifteen": 15}
    | {
        f"{word}{dash}{unit}": 10 * tens + n
        for tens, word in enumerate(["twenty", "thirty", "forty", "fifty"], 2)
        for n, unit in enumerate(ONE_TO_NINE, 1)
        for dash in " -"
    }
)


def _hour(words: str) -> int:
    return HOUR_WORDS[words] if words in HOUR_WORDS else int(words)


def clock(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.is_wider_than_a_day():
        return None
    hour, half = _hour(match["hour"]), match["half"]
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = _of_half(hour, half)
    if hour > 23:
        return None
    words = match["minute"]
    minute = MINUTE_WORDS.get(words) or (int(words) if words and words.isdigit() else None)
    second = match.groupdict().get("second")
    part = None if half else frame.part
    return replace(frame, hour=hour, minute=minute, second=int(second) if second else None, part=part)


def appointment(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """See you at 5: which half of the day is meant is settled with its day."""
    read = clock(frame, match, at)
    return None if read is None else replace(read, half_unsaid=True)


def _of_half(hour: int, half: str) -> int:
    return hour % 12 + (12 if half[0] == "p" else 0)


def minutes_past(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """Twenty past eight, a quarter to nine, half past six."""
    words, hour = match["minutes"].removeprefix("a "), _hour(match["hour"])
    minutes = (
        {"half": 30, "quarter": 15}.get(words) or MINUTE_WORDS.get(words) or (int(words) if words.isdigit() else 0)
    )
    if frame.is_wider_than_a_day() or not 0 < minutes < 60:
        return None
    if match["half"]:
        hour = _of_half(hour, match["half"])
    if match["side"] == "to":
        hour, minutes = (hour - 1) % 24 or 12, 60 - minutes
    return replace(frame, hour=hour, minute=minutes, part=None if match["half"] else frame.part)


def clock_range(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """From 4 to 6:30 pm: the half of the day is the end's, and the beginning's where that leaves it first."""
    first, last, half = _hour(match["first"]), _hour(match["last"]), match["half"]
    if not (1 <= first <= 12 and 1 <= last <= 12) or frame.is_wider_than_a_day():
        return None
    if half:
        late = half[0] == "p"
        first_late = late and (first % 12, int(match["first_minute"] or 0)) < (
            last % 12,
            int(match["last_minute"] or 0),
        )
        first, last = first % 12 + 12 * first_late, last % 12 + 12 * late
    minute = int(match["first_minute"]) if match["first_minute"] else None
    return replace(
        frame,
        hour=first,
        minute=minute,
        last_hour=last,
        last_minute=int(match["last_minute"] or 0),
        part=None if half else frame.part,
    )


def lunch(frame: Frame, _: re.Match[str], __: datetime) -> Frame | None:
    """Lunchtime is from eleven to one."""
    return None if frame.is_wider_than_a_day() else replace(frame, hour=11, last_hour=13, part=None)


def noon(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    if frame.is_wider_than_a_day():
        return None
    return replace(frame, hour=24 if match[0] == "midnight" else 12, minute=0, part=None)
