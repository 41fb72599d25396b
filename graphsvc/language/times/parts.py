"""Parts of the day, the month and the year, and the stretch that each one is.

Parts of the day follow dictionaries and the terms of weather reports: 早上 is the morning before 上午, a night
begins at eight. They overlap, as they do in speech.
"""

from __future__ import annotations

from enum import StrEnum


class Third(StrEnum):
    """A part of a month or a year; `START` and `END` are its first and last days, closer than `EARLY` and `LATE`.

    `OUTSET` is closer still, as 伊始 is.
    """

    OUTSET = "outset"
    START = "start"
    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"
    END = "end"


class Part(StrEnum):
    """A part of the day; English has `MORNING` where Chinese has the hours about sunrise and two mornings."""

    SMALL_HOURS = "small_hours"
    DAWN = "dawn"
    EARLY_MORNING = "early_morning"
    MORNING = "morning"
    FORENOON = "forenoon"
    NOON = "noon"
    AFTERNOON = "afternoon"
    DUSK = "dusk"
    EVENING = "evening"
    NIGHT = "night"
    LATE_NIGHT = "late_night"


# Hours from the day's midnight; a night runs into the next day.
PART_HOURS = {
    Part.SMALL_HOURS: (0, 6),
    Part.DAWN: (4, 7),
    Part.EARLY_MORNING: (6, 10),
    Part.MORNING: (5, 12),
    Part.FORENOON: (7, 12),
    Part.NOON: (11, 14),
    Part.AFTERNOON: (12, 18),
    Part.DUSK: (17, 20),
    Part.EVENING: (18, 24),
    Part.NIGHT: (20, 30),
    Part.LATE_NIGHT: (22, 30),
}
# First and last day of a part of the month; the last one ends with the month.
MONTH_DAYS = {
    Third.OUTSET: (1, 4), Third.START: (1, 6), Third.EARLY: (1, 11), Third.MIDDLE: (11, 21), Third.LATE: (21, None),
    Third.END: (25, None),
}  # fmt: skip
YEAR_MONTHS = {
    Third.OUTSET: (1, 2),
    Third.START: (1, 3),
    Third.EARLY: (1, 3),
    Third.MIDDLE: (6, 8),
    Third.LATE: (10, 13),
    Third.END: (11, 13),
}
_MORNINGS = frozenset({Part.SMALL_HOURS, Part.DAWN, Part.EARLY_MORNING, Part.MORNING})
_NIGHTS = frozenset({Part.NIGHT, Part.LATE_NIGHT})


def hour_of(hour: int, part: Part | None) -> int:
    """The hour of 24 that a clock hour means in a part of the day; 晚上12点 is the next midnight.

    半夜1点 is an hour after the first one. Raises `ValueError` for an hour there is not.
    """
    if hour > 24:
        raise ValueError("no such hour")
    if part in {Part.AFTERNOON, Part.DUSK} and hour < 12:
        return hour + 12
    if part in _NIGHTS and 0 < hour < 5:
        return hour
    if (part is Part.EVENING or part in _NIGHTS) and hour <= 12:
        late = hour in {12, 0} or hour < 5
        return 24 + hour % 12 if late else hour + 12
    if part is Part.NOON and hour < 4:
        return hour + 12
    if part in _MORNINGS and hour == 12:
        return 0
    return hour
