"""English years and what is made of them: nineteen ninety-six, the early 1990s, the 80s, the 19th century, last summer.

A century is written 1800 to 1899, as it is spoken of; seasons are the meteorological ones of the north.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from graphsvc.language.numerals import parse_words
from graphsvc.language.times import calendar
from graphsvc.language.times.calendar import Interval, add_months
from graphsvc.language.times.en_build import DAY_WORDS, STEPS
from graphsvc.language.times.frame import Frame
from graphsvc.models.facts import Granularity

_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_UNITS = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_REST = rf"(?:{_TENS})(?:[ -](?:{_UNITS}))?|{_TEENS}|{_UNITS}"
SPOKEN_YEAR = (
    rf"(?:(?P<century>(?:six|seven|eight|nine)teen|twenty)[ -](?:(?P<oh>oh|o|zero)[ -](?P<digit>{_UNITS})"
    rf"|(?P<rest>(?:{_TENS})(?:[ -](?:{_UNITS}))?|{_TEENS})|(?P<hundred>hundred))"
    rf"|two thousand(?:(?: and)? (?P<after>{_REST}))?)"
)
DECADE_WORDS = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
    "nineties": 90,
}  # fmt: skip
_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
# Years of a decade, tenths of a century.
_PARTS = {"early": (0, 4), "mid": (3, 7), "late": (6, 10)}


def spoken(frame: Frame, match: re.Match[str], _: datetime) -> Frame:
    """Twenty nineteen, nineteen oh five, two thousand and twenty."""
    if match["century"] is None:
        return replace(frame, year=2000 + _value(match["after"]))
    last = _value(match["digit"] or match["rest"])
    return replace(frame, year=100 * _value(match["century"]) + last)


def _value(words: str | None) -> int:
    return int(parse_words(words.replace("-", " ")) or 0) if words else 0


def decade(frame: Frame, match: re.Match[str], _: datetime) -> Frame:
    """The 1990s, the '80s, the late nineties; two figures are of the twentieth century but for 00 and 10."""
    if match["decade"]:
        first = int(match["decade"])
    else:
        short = DECADE_WORDS[match["word"]] if match["word"] else int(match["short"])
        first = (2000 if short < 20 else 1900) + short
    begin, end = _PARTS.get(match["third"] or "", (0, 10))
    return _years(frame, first + begin, first + end)


def century(frame: Frame, match: re.Match[str], _: datetime) -> Frame | None:
    """The early 19th century, the twentieth century."""
    words = match["number"]
    number = DAY_WORDS[words] if words in DAY_WORDS else int(words[:-2])
    if not 1 <= number <= 30:
        return None
    begin, end = _PARTS.get(match["third"] or "", (0, 10))
    first = 100 * number - 100
    return _years(frame, max(first + 10 * begin, 1), first + 10 * end)


def stepped_decade(frame: Frame, match: re.Match[str], at: datetime) -> Frame:
    """This decade is of the tens of the current year."""
    step = {"decade": 10, "century": 100}[match["unit"]]
    first = at.year // step * step + STEPS[match["step"]] * step
    return replace(_years(frame, max(first, 1), first + step), relative=True)


def season(frame: Frame, match: re.Match[str], at: datetime) -> Frame | None:
    """Summer 2024, last winter, this spring: last is the latest one over, next the first to come."""
    if match["year_of"]:
        return _season(frame, datetime(int(match["year_of"]), _MONTHS[match["season_of"]], 1), relative=False)
    month = _MONTHS[match["season"]]
    step = match["step"] or "this"
    begin = datetime(at.year, month, 1)
    if step in {"last", "past", "previous"} and add_months(begin, 3) > at:
        begin = add_months(begin, -12)
    elif step in {"next", "coming", "following"} and begin <= at:
        begin = add_months(begin, 12)
    elif step == "this" and month == _MONTHS["winter"] and at.month <= 2:
        begin = add_months(begin, -12)
    return _season(frame, begin, relative=True)


def _season(frame: Frame, begin: datetime, *, relative: bool) -> Frame:
    span = Interval(begin, add_months(begin, 3), Granularity.RANGE)
    return replace(frame, span=span, year=begin.year, relative=relative)


def _years(frame: Frame, first: int, last: int) -> Frame:
    span = Interval(calendar.year(first).begin, calendar.year(last).begin, Granularity.RANGE)
    return replace(frame, span=span, year=first)
