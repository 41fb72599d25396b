"""What the rules of English dates and clock times are made of: edges, months, days, hours, what may stand before."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graphsvc.language.times import en_build as build
from graphsvc.language.times import en_build_clock as clocks
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.holidays import HOLIDAY_NAMES

Build = Callable[[Frame, "re.Match[str]", datetime], "Frame | None"]

# Edges of Latin words only: a Han character may stand beside a date in English, a dash after a figure.
W = "a-z0-9_à-ɏ"
EDGE = f"(?<![{W}'])(?<![{W.replace('0-9', '')}]-)"
END = f"(?![{W}-])"
END_WORD = f"(?![{W}])"
SHORT_DAY = r"(?:mon|tues?|wed|thur?s?|fri|sat|sun)\b\.?"
SHORT_MONTHS = "|".join(f"{name}|{name[:3]}(?![a-z])\\.?" for name in build.MONTHS)
CLEAR_MONTHS = "|".join(name for name in build.MONTHS if name not in {"march", "may", "august"})
WEEKDAY = f"(?:{'|'.join(build.WEEKDAYS)})"
MONTH = rf"(?P<month>{SHORT_MONTHS}|sept(?![a-z])\.?)"
ORDINAL_DAYS = "|".join(sorted(build.DAY_WORDS, key=len, reverse=True))
FIGURE_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
NO_FIGURE = r"(?![\d:]|\.\d\d|[ ]?(?:am|pm|a\.m|p\.m|%|million|percent))"
DAY = rf"(?:(?P<day>{FIGURE_DAY}{NO_FIGURE}|(?:{ORDINAL_DAYS})(?![a-z-]))(?: day)?)"
LAST_DAY = rf"(?:[ ]?(?:-| to (?:the )?| through (?:the )?| and (?:the )?)[ ]?(?P<last>{FIGURE_DAY})(?![\d:./]))?"
YEAR = rf"(?P<year>(?:1[5-9]|20)\d\d)(?![{W}]|[-/.]\d)"
OF_YEAR = rf"(?:(?:[ ]?,? (?:of|in) |[ ]?,[ ]?| |'s |-){YEAR}|(?: of | ')(?P<short_year>\d\d)(?![\d:]))?"
OF_SOME_YEAR = rf"(?:(?:,? of| in|,)?[ -](?:(?P<step>last|this|next|the) year|{YEAR}))?"
THIRD = (
    r"(?:(?:the )?(?P<third>(?:early|mid|late|end)(?=[ -])|(?:beginning|start|middle)(?= of ))"
    r"(?:[ -]of[ -]|[ -])(?:the )?)"
)
STEP = "(?P<step>" + "|".join(sorted(build.STEPS, key=len, reverse=True)) + ")"
ORDINAL = "(?P<number>" + "|".join(build.ORDINALS) + ")"
NAMED_DAYS = "|".join(sorted(build.DAYS, key=len, reverse=True))
HOLIDAYS = "|".join(re.escape(name) for name in HOLIDAY_NAMES if name.isascii())
WEEKDAY_FIRST = rf"(?:(?:{WEEKDAY}|{SHORT_DAY}),? (?:the )?)?"
WEEKDAY_AFTER = rf"(?:[ ]?[(](?:{WEEKDAY}|{SHORT_DAY})[)])?"
# "At 9 a" is a clock time, "950 a month" and "11 a piece" are not: an article has its noun behind it.
_NO_ARTICLE = (
    r"(?=$|[.,;!?)]|[ ](?:on|in|to|and|or|at|till?|until|for|with|sharp|today|tomorrow|tonight|yesterday|this|next|last"
    r"|the|(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?\b|[-\d]))"
)
_NO_RATE = r"(?= |$|[.,;])(?! (?:hour|day|night|week|month|year|person|head|piece|kg|kilo|item|unit)s?\b)"
HALF_DAY = (
    rf"(?P<half>am|pm|a[.]?[ ]?m[.]?|p[.]?[ ]?m[.]?|p [.] m [.]|a [.] m [.]|a{_NO_ARTICLE}|p{_NO_RATE})(?![a-z0-9_])"
)
HOUR_WORDS = "|".join(clocks.HOUR_WORDS)
MINUTE_WORDS = "|".join(sorted(clocks.MINUTE_WORDS, key=len, reverse=True))
PART = "(morning|afternoon|evening|night)"
DATED_BY = re.compile(
    r"(?<![a-z-])(?:in|of|by|on|since|until|till|after|from|this|last|next|during|before|around|through|every|year"
    r"|between|to|than|>=|> =|throughout|(?:19|20)\d\d(?:,| and| or)) $"
)
ON = re.compile(r"(?<![a-z-])(?:on|by|until|till|since|from|week|or|this|next|and|before|after) $")
# A figure is a day or a clock time only after these.
DAY_BY = re.compile(
    rf"(?<![a-z-])(?:on|by|until|till|since|from|to|before|after|between|for|due|or|date|{WEEKDAY}|{SHORT_DAY}),? $"
    r"|\d/\d{1,2}(?:/\d{4})?(?:,? |-|,? (?:or|and|to) )$"
)
THE_BY = re.compile(r"(?<![a-z-])(?:on|by|until|till|since|before|after|from|to) $")
AT = re.compile(r"(?<![a-z-])(?:at|by|until|till|from|to|before|after|between|around|about|since) $")


class Field(StrEnum):
    """What a rule fills; each is filled once."""

    DATE = "date"
    PART = "part"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Rule:
    """One part of an expression; a `named` word needs its capital, `before` is what must stand before it."""

    field: Field
    pattern: re.Pattern[str]
    build: Build
    named: bool = False
    alone: bool = True
    before: re.Pattern[str] | None = None


def date_rule(pattern: str, builder: Build, *, named: bool = False, before: re.Pattern[str] | None = None) -> Rule:
    return Rule(Field.DATE, re.compile(pattern), builder, named=named, before=before)


def clock_rule(pattern: str, builder: Build, *, before: re.Pattern[str] | None = None, alone: bool = True) -> Rule:
    return Rule(Field.CLOCK, re.compile(pattern), builder, before=before, alone=alone)


NO_STEP, NO_THIRD, NO_YEAR = "(?P<step>)", "(?P<third>)", "(?P<year>)"
