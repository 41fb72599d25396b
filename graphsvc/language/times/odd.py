"""Dates of a day, a month's name and a year in an order or with a zone that our own rules do not read, by dateparser.

dateparser finds dates in words such as "we" and "may", so it is never asked to search: it is given stretches
that hold all three parts, and its answer stands only when it has the day and the year that are written.
It is imported at the first such stretch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice

from graphsvc.language.times.calendar import Reading, containing
from graphsvc.models.facts import Anchor, Granularity

_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?"
_DAY, _YEAR, _CLOCK = r"\d{1,2}(?:st|nd|rd|th)?", r"(?:1[5-9]|20)\d\d", r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?"
_GAP = r"(?:[-/._]|[.,]? )"
# Zones that mean one offset alone; CST, IST and BST each mean several.
_ZONE = r"(?:(?:gmt|utc)(?: ?[+-]\d\d:?\d\d)?|z|cet|cest|eet|est|edt|pst|pdt|jst|[+-]\d\d:?\d\d)"
_ORDERS = "|".join(
    _GAP.join(order)
    for order in (
        (_DAY, _MONTH, _YEAR), (_MONTH, _DAY, _YEAR), (_YEAR, _MONTH, _DAY), (_YEAR, _DAY, _MONTH),
        (_DAY, _YEAR, _MONTH), (_MONTH, _YEAR, _DAY), (_MONTH, _DAY, _CLOCK, _YEAR),
    )
)  # fmt: skip
_STRETCH = re.compile(
    rf"(?<![a-z0-9])(?:{_WEEKDAY})(?:{_ORDERS})(?![a-z0-9])"
    rf"(?:,?(?:[ :]| at ){_CLOCK}(?![\d:]))?(?:(?<=[\dm]) ?{_ZONE}(?![a-z0-9]))?"
)
_CLOCK_IN = re.compile(_CLOCK)
# As logs of web servers write it: 23/Sep/2020:10:00:00.
_CLOCK_AFTER_YEAR = re.compile(r"(\d{4}):(?=\d\d:)")
_SETTINGS = {"STRICT_PARSING": True, "DATE_ORDER": "DMY"}
_ASKED = 50


def odd_dates(line: str, read: Sequence[Reading], at: datetime) -> Iterator[Reading]:
    """Readings of whole stretches that none of those `read` covers; `at` gives the zone they are brought to."""
    known = {(one.start, one.end) for one in read}
    stretches = (found for found in _STRETCH.finditer(line) if found.span() not in known)
    for found in islice(stretches, _ASKED):
        moment = _parsed(found[0])
        if moment is None or str(moment.year) not in found[0] or str(moment.day) not in found[0]:
            continue
        clock = _CLOCK_IN.search(found[0])
        if moment.tzinfo is not None:
            moment = moment.astimezone(at.tzinfo)
        grain = Granularity.DAY
        if clock:
            grain = Granularity.SECOND if clock[0].count(":") > 1 else Granularity.MINUTE
        yield Reading(*found.span(), containing(moment.replace(tzinfo=None), grain), Anchor.ABSOLUTE)


def _parsed(words: str) -> datetime | None:
    """What dateparser makes of words that hold a whole date."""
    # Takes a third of a second, which texts without such dates need not wait for.
    import dateparser  # type: ignore[import-untyped] # noqa: PLC0415 # no stubs are published with it

    parsed = dateparser.parse(_CLOCK_AFTER_YEAR.sub(r"\1 ", words), languages=["en"], settings=_SETTINGS)
    return parsed if isinstance(parsed, datetime) else None
