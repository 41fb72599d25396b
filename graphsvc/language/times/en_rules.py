"""The grammar of English dates and clock times: last Friday, the end of June, 5 May 2024, Q3, at 3pm.

A date, a part of the day and a clock time may come in any order, each once. Words that are
also names or verbs (May, March, Sun) count only where the words beside them make them dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graphsvc.language.times import en_build as build
from graphsvc.language.times import en_spans as spans
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.holidays import HOLIDAY_NAMES

Build = Callable[[Frame, "re.Match[str]", datetime], "Frame | None"]

# Edges of Latin words only: a Han character may stand beside a date in English, a dash after a figure.
_W = "a-z0-9_à-ɏ"
_EDGE = f"(?<![{_W}'])(?<![{_W.replace('0-9', '')}]-)"
_END = f"(?![{_W}-])"
_END_WORD = f"(?![{_W}])"
_SHORT_DAY = r"(?:mon|tues?|wed|thur?s?|fri|sat|sun)\b\.?"
_SHORT_MONTHS = "|".join(f"{name}|{name[:3]}(?![a-z])\\.?" for name in build.MONTHS)
_CLEAR_MONTHS = "|".join(name for name in build.MONTHS if name not in {"march", "may", "august"})
WEEKDAY = f"(?:{'|'.join(build.WEEKDAYS)})"
_MONTH = rf"(?P<month>{_SHORT_MONTHS}|sept(?![a-z])\.?)"
_ORDINAL_DAYS = "|".join(sorted(build.DAY_WORDS, key=len, reverse=True))
_FIGURE_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_NO_FIGURE = r"(?![\d:]|\.\d\d|[ ]?(?:am|pm|a\.m|p\.m|%|million|percent))"
_DAY = rf"(?:(?P<day>{_FIGURE_DAY}{_NO_FIGURE}|(?:{_ORDINAL_DAYS})(?![a-z-]))(?: day)?)"
_LAST_DAY = rf"(?:[ ]?(?:-| to | through | and )[ ]?(?P<last>{_FIGURE_DAY})(?![\d:./]))?"
_YEAR = rf"(?P<year>(?:1[5-9]|20)\d\d)(?![{_W}]|[-/.]\d)"
_OF_YEAR = rf"(?:(?:[ ]?,? (?:of|in) |[ ]?,[ ]?| |'s |-){_YEAR}|(?: of | ')(?P<short_year>\d\d)(?![\d:]))?"
_OF_SOME_YEAR = rf"(?:(?:,? of| in|,)?[ -](?:(?P<step>last|this|next|the) year|{_YEAR}))?"
_THIRD = (
    r"(?:(?:the )?(?P<third>(?:early|mid|late|end)(?=[ -])|(?:beginning|start|middle)(?= of ))"
    r"(?:[ -]of[ -]|[ -])(?:the )?)"
)
_STEP = "(?P<step>" + "|".join(sorted(build.STEPS, key=len, reverse=True)) + ")"
_ORDINAL = "(?P<number>" + "|".join(build.ORDINALS) + ")"
_NAMED_DAYS = "|".join(sorted(build.DAYS, key=len, reverse=True))
_HOLIDAYS = "|".join(re.escape(name) for name in HOLIDAY_NAMES if name.isascii())
_WEEKDAY_FIRST = rf"(?:(?:{WEEKDAY}|{_SHORT_DAY}),? (?:the )?)?"
_WEEKDAY_AFTER = rf"(?:[ ]?[(](?:{WEEKDAY}|{_SHORT_DAY})[)])?"
_HALF_DAY = r"(?P<half>am|pm|a[.]?[ ]?m[.]?|p[.]?[ ]?m[.]?|p [.] m [.]|a [.] m [.]|[ap](?= |$|[.,;]))(?![a-z])"
_HOUR_WORDS = "|".join(build.HOUR_WORDS)
_MINUTE_WORDS = "|".join(sorted(build.MINUTE_WORDS, key=len, reverse=True))
_PART = "(morning|afternoon|evening|night)"
_DATED_BY = re.compile(
    r"(?<![a-z-])(?:in|of|by|on|since|until|till|after|from|this|last|next|during|before|around|through|every|year"
    r"|between|to|than|(?:19|20)\d\d(?:,| and| or)) $"
)
_ON = re.compile(r"(?<![a-z-])(?:on|by|until|till|since|from|week|or|this|next|and|before|after) $")
# A figure is a day or a clock time only after these.
_DAY_BY = re.compile(
    rf"(?<![a-z-])(?:on|by|until|till|since|from|to|before|after|between|for|due|or|date|{WEEKDAY}|{_SHORT_DAY}),? $"
    r"|\d/\d{1,2}(?:/\d{4})?(?:,? |-|,? (?:or|and|to) )$"
)
_THE_BY = re.compile(r"(?<![a-z-])(?:on|by|until|till|since|before|after|from|to) $")
_AT = re.compile(r"(?<![a-z-])(?:at|by|until|till|from|to|before|after|between|around|about|since) $")


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


def _date(pattern: str, builder: Build, *, named: bool = False, before: re.Pattern[str] | None = None) -> Rule:
    return Rule(Field.DATE, re.compile(pattern), builder, named=named, before=before)


def _clock(pattern: str, builder: Build, *, before: re.Pattern[str] | None = None, alone: bool = True) -> Rule:
    return Rule(Field.CLOCK, re.compile(pattern), builder, before=before, alone=alone)


_NO_STEP, _NO_THIRD, _NO_YEAR = "(?P<step>)", "(?P<third>)", "(?P<year>)"
RULES = (
    _date(
        rf"{_EDGE}({_NAMED_DAYS})(?! of)(?!'s (?:world|child))(?: {_PART})?{_END}",
        build.named_day,
    ),
    _date(rf"{_EDGE}(?:tonight|tonite){_END}", build.tonight),
    _date(rf"{_EDGE}(this|last) {_PART}{_END}", build.this_part),
    _date(rf"{_EDGE}(?:the )?end of ({_NAMED_DAYS}){_END}", spans.end_of_named_day),
    _date(rf"{_EDGE}(?:the )?end of (?:the )?day{_END}|{_EDGE}(?:the )?eod{_END}", spans.end_of_day),
    _date(
        rf"{_EDGE}(last|past|previous|this coming|this|next|coming) ({WEEKDAY}|{_SHORT_DAY}){_END}",
        build.stepped_weekday,
    ),
    _date(
        rf"{_EDGE}(?P<day>{WEEKDAY}|{_SHORT_DAY}),? (?:of |in )?(?:the )?{_STEP} week{_END}"
        rf"|{_EDGE}(?P<step_first>last|this|next|previous) week(?:'s|,| on)? "
        rf"(?P<day_last>{WEEKDAY}|{_SHORT_DAY}){_END}",
        spans.weekday_of_week,
    ),
    _date(
        rf"{_EDGE}{_WEEKDAY_FIRST}{_MONTH}(?:[ /-](?:the )?)?{_DAY}{_LAST_DAY}{_WEEKDAY_AFTER}{_OF_YEAR}",
        build.month_day,
        named=True,
    ),
    _date(
        rf"{_EDGE}{_WEEKDAY_FIRST}(?:the )?{_DAY}{_LAST_DAY}[ -]?(?:of )?{_MONTH}{_OF_YEAR}(?![a-z])",
        build.month_day,
        named=True,
    ),
    _date(rf"(?<![{_W}])(?P<year>(?:19|20)\d\d)[-/ ]{_MONTH}[-/ ]{_DAY}(?P<last>)(?P<short_year>)", build.month_day),
    _date(
        rf"{_EDGE}(?:the )?(?P<nth>first|second|third|fourth|fifth|last|[1-5](?:st|nd|rd|th)) "
        rf"(?P<unit>week|weekend|{WEEKDAY}|day) (?:of|in) "
        rf"(?:(?:the )?(?P<step>last|this|next) )?(?:{_MONTH}|(?:the )?(?P<whole>month|year)){_OF_YEAR}{_END_WORD}",
        spans.nth,
    ),
    _date(
        rf"{_EDGE}(?:the )?week (?P<number>\d{{1,2}})(?: of {_YEAR})?(?![\d:.,]\d|[ ]?%){_END_WORD}", spans.week_number
    ),
    _date(rf"{_EDGE}{_THIRD}(?:(?P<step>last|this|next) )?{_MONTH}{_OF_YEAR}{_END_WORD}", build.month),
    _date(rf"{_EDGE}{_NO_THIRD}{_NO_STEP}{_MONTH}(?:[ ]?,? of |[ ]?,[ ]?|[ ]|[-/]){_YEAR}", build.month, named=True),
    _date(rf"(?<![{_W}/-]){_NO_THIRD}{_NO_STEP}(?P<month_figure>0[1-9]|1[0-2])[-/]{_YEAR}", build.month_figure),
    _date(rf"{_EDGE}{_NO_THIRD}{_NO_YEAR}(?P<step>last|this|next) {_MONTH}{_END_WORD}", build.month, named=True),
    _date(
        rf"{_EDGE}{_NO_THIRD}{_NO_STEP}{_NO_YEAR}(?P<month>march|may|august){_END}",
        build.month,
        named=True,
        before=_DATED_BY,
    ),
    _date(rf"{_EDGE}{_NO_THIRD}{_NO_STEP}{_NO_YEAR}(?P<month>{_CLEAR_MONTHS}){_END}", build.month, named=True),
    _date(
        rf"{_EDGE}{_NO_THIRD}{_NO_STEP}{_NO_YEAR}{_MONTH}(?![a-z0-9/-])",
        build.month,
        before=re.compile(r"(?<![a-z-])(?:in|since|until|till|to|from|by|of|mid|late|early) $"),
    ),
    _date(
        rf"{_EDGE}(?P<earlier>earlier|later)(?: in)? (?:(?P<step>this|the|last|next|previous)) "
        rf"(?P<unit>week|month|quarter|year){_END}",
        spans.side_of_unit,
    ),
    _date(
        rf"{_EDGE}(?:{_THIRD})?{_STEP} (?:calendar |fiscal )?(?P<unit>weekend|week|month|quarter|year)"
        rf"(?:'s (?P<number>first|second|third|fourth) quarter)?{_END}",
        build.unit,
    ),
    _date(rf"{_EDGE}{_THIRD}{_NO_STEP}(?P<number>)(?P<unit>week|month|quarter|year){_END}", build.unit),
    _date(rf"{_EDGE}(?:year to date|ytd){_END}", spans.year_to_date),
    _date(rf"{_EDGE}(?:the |at the |over the )?weekend{_END}", spans.weekend),
    _date(
        rf"{_EDGE}(?:(?P<early_year>(?:19|20)\d\d)[ -]?)?(?P<number>q[1-4]){_OF_SOME_YEAR}{_END_WORD}", build.quarter
    ),
    _date(rf"{_EDGE}(?:the )?(?P<early_year>){_ORDINAL} quarter{_OF_SOME_YEAR}{_END_WORD}", build.quarter),
    _date(
        rf"{_EDGE}(?:the )?(?P<number>first|second) half of "
        rf"(?:(?P<step>last|this|next) year|the year|{_YEAR}){_END_WORD}",
        build.half,
    ),
    _date(rf"{_EDGE}(?P<number>h[12]){_NO_STEP}[ -]{_YEAR}", build.half),
    _date(rf"{_EDGE}{_NO_STEP}(?P<year>(?:19|20)\d\d)[ -]?(?P<number>h[12]){_END}", build.half),
    _date(rf"{_EDGE}{_THIRD}{_YEAR}(?!,\d)", build.whole_year),
    _date(rf"{_EDGE}(?:the )?(?P<decade>(?:1[5-9]|20)\d0)'?s{_END}", spans.decade),
    _date(rf"(?<![{_W}.,]){_NO_THIRD}{_YEAR}(?![%]|[.,]\d| [a-z]+s\b| people\b)", build.whole_year, before=_DATED_BY),
    _date(
        rf"(?<![\d./])(?<!\d-)(?:{_WEEKDAY_FIRST})((?:19|20)\d\d)([-/. ])(0?[1-9]|1[0-2])\2([0-2]?\d|3[01])"
        r"(?!\d|[-/.]\d)",
        build.iso,
    ),
    _date(
        rf"(?<![{_W}./])(?<!\d-)(\d{{1,2}})([/.-])(\d{{1,2}})\2((?:19|20)\d\d)(?![{_W}]|[/.]\d|-\d+(?![\d/]))",
        build.slashed,
    ),
    _date(
        rf"(?<![{_W}./])(?<!\d-\d-)(?:{_WEEKDAY_FIRST})(1[0-2]|0?[1-9])()/(3[01]|[12]\d|0?[1-9])"
        rf"(?:,? ((?:19|20)\d\d))?(?![{_W}/%])",
        build.slashed,
        before=_DAY_BY,
    ),
    _date(
        rf"{_EDGE}(?P<name>{_HOLIDAYS})(?:,?(?: of| in)? {_YEAR})?"
        rf"(?![{_W}-]| (?:tree|card|party|present|gift|song|carol))",
        build.named_holiday,
    ),
    _date(
        rf"{_EDGE}(?:{WEEKDAY}|{_SHORT_DAY})(?:,? the|,)? "
        rf"(?P<day>\d{{1,2}}(?:st|nd|rd|th)|{_ORDINAL_DAYS})(?![a-z0-9/-])",
        build.day_of_month,
    ),
    _date(
        rf"the (?P<day>(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)|{_ORDINAL_DAYS})"
        r"(?=$|[,.;:!?)]|[ ](?:at|and|or|to|by|for|from|until|till|if|when|with|so|but)(?![a-z]))",
        build.day_of_month,
        before=_THE_BY,
    ),
    _date(rf"{_EDGE}({WEEKDAY}){_END}", build.weekday),
    _date(rf"{_EDGE}({_SHORT_DAY}){_END}", build.weekday, before=_ON),
    _clock(
        rf"(?<![{_W}:./-])(?P<first>\d{{1,2}})(?::(?P<first_minute>[0-5]\d))?[ ]?(?:-| - |to | to | and )[ ]?"
        rf"(?P<last>\d{{1,2}})(?::(?P<last_minute>[0-5]\d))?[ ]?{_HALF_DAY}",
        build.clock_range,
    ),
    _clock(
        rf"(?<![{_W}:./-])(?P<first>\d{{1,2}}|{_HOUR_WORDS})(?P<first_minute>)(?:-| - | to | and )"
        rf"(?P<last>\d{{1,2}}|{_HOUR_WORDS})(?P<last_minute>)"
        r"(?= (?:o'?clock|in the (?:morning|afternoon|evening)|tomorrow|yesterday|today|tonight"
        rf"|(?:next|last|this) {WEEKDAY}))"
        r"(?P<half>)(?: o'?clock)?",
        build.clock_range,
    ),
    _clock(
        rf"(?<![{_W}:./-])(?P<hour>1[0-2]|0?[1-9])(?:[:.]?(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?)?"
        rf"[ ]?{_HALF_DAY}",
        build.clock,
    ),
    _clock(
        r"(?<![\w:.])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?P<half>)(?![\w:]|\.\d)",
        build.clock,
    ),
    _clock(
        rf"(?<![{_W}:./-])(?P<hour>1[0-2]|[1-9]|{_HOUR_WORDS})(?P<minute>)(?P<half>) ?o'?clock(?: sharp)?", build.clock
    ),
    _clock(
        rf"{_EDGE}(?P<minutes>half|(?:a )?quarter|\d{{1,2}}|{_MINUTE_WORDS})(?: min(?:ute)?s?)? (?P<side>past|to) "
        rf"(?P<hour>1[0-2]|[1-9]|{_HOUR_WORDS})(?: o'?clock)?(?:[ ]?{_HALF_DAY})?(?!:\d){_END}",
        build.minutes_past,
    ),
    _clock(
        rf"(?<![{_W}:./-])(?P<hour>{_HOUR_WORDS}) (?P<minute>{_MINUTE_WORDS})(?: minutes?)?"
        rf"(?:[ ]?{_HALF_DAY}|(?P<none>){_END})",
        build.clock,
        before=_AT,
    ),
    _clock(
        rf"(?P<hour>1[0-2]|[1-9]|{_HOUR_WORDS})(?P<minute>)(?P<half>)"
        r"(?=$|[,.;!?](?!\d)|[ ](?:in the|on|tomorrow|tonight|today)(?![a-z]))",
        build.clock,
        before=re.compile(r"(?<![a-z-])(?:at|around) $"),
        alone=False,
    ),
    _clock(
        rf"{_EDGE}(?P<hour>1[0-2]|[1-9]|{_HOUR_WORDS})(?P<minute>)(?P<half>)(?= in the (?:morning|afternoon|evening))",
        build.clock,
    ),
    _clock(r"(?<= at )(?P<hour>1[0-2]|[1-9])[.](?P<minute>[0-5]\d)(?P<half>)(?![\d%])", build.clock),
    _clock(
        r"(?P<first>1[0-2]|[1-9])(?::(?P<first_minute>[0-5]\d))?(?:-| - | to | and )"
        r"(?P<last>1[0-2]|[1-9]):(?P<last_minute>[0-5]\d)(?P<half>)(?![\w:])",
        build.clock_range,
        before=_AT,
    ),
    _clock(rf"{_EDGE}lunch ?time{_END}", build.lunch),
    _clock(rf"{_EDGE}(?:noon|midnight|midday){_END}", build.noon),
    Rule(
        Field.PART,
        re.compile(rf" ?(?:in the |at )?(?:(?:early|late) )?{_PART}{_END}"),
        build.part,
        alone=False,
    ),
    Rule(Field.PART, re.compile(rf"{_EDGE}(?:early |late )?in the {_PART}(?= at |,? \d| [a-z]+ o'?clock)"), build.part),
)
_OPENERS = """
the this last past previous next coming current today tonight tonite tomorrow yesterday day noon midnight midday early
earlier late later mid middle lunchtime lunch week weekend year ytd eod in half quarter five ten fifteen twenty
beginning start end first second third fourth 1st 2nd 3rd 4th
"""


def _openers() -> str:
    """First words an expression may have, but for figures and holidays."""
    short = [name[:3] for name in (*build.WEEKDAYS, *build.MONTHS)]
    return "|".join(
        [*_OPENERS.split(), *short, *build.HOUR_WORDS, *(word[:5] for word in build.DAY_WORDS), "q[1-4]", "h[12]"]
    )


OPENERS = rf"{_EDGE}(?:{_openers()}|{_HOLIDAYS})"
# A figure that may begin a date or a clock time.
FIGURE_OPENERS = (
    rf"(?<![\d.,:/])(?<![a-z])\d{{1,4}}(?=[-:/.]\d|(?:st|nd|rd|th)\b|[ ]?(?:am|pm|a[. ]|p[. ]|[ap]\b)"
    rf"|[ ](?:to|and|-)[ ][a-z\d]|[ ]o'?clock|[ -][qh][1-4]|[ ]in[ ]the|[ ](?:min|past)|[ -][adfjmnos][a-z]{{2}}"
    r"|[ ]\d\d?[ ]\d"
    rf"|[-/ ]?(?:of[ ])?(?:{'|'.join(name[:3] for name in build.MONTHS)}))|{_EDGE}(?:19|20)\d\d"
)
