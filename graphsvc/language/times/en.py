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
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.holidays import HOLIDAY_NAMES

Build = Callable[[Frame, "re.Match[str]", datetime], "Frame | None"]
Capital = Callable[[int], bool]

# Edges of Latin words only: a Han character may stand beside a date in English.
_W = "a-z0-9_à-ɏ"
_EDGE = f"(?<![{_W}'-])"
_END = f"(?![{_W}-])"
_END_WORD = f"(?![{_W}])"
_SHORT_DAY = r"(?:mon|tues?|wed|thur?s?|fri|sat|sun)\b\.?"
_SHORT_MONTHS = "|".join(f"{name}|{name[:3]}\\b\\.?" for name in build.MONTHS)
_CLEAR_MONTHS = "|".join(name for name in build.MONTHS if name not in {"march", "may", "august"})
WEEKDAY = f"(?:{'|'.join(build.WEEKDAYS)})"
_MONTH = rf"(?P<month>{_SHORT_MONTHS}|sept\b\.?)"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d:]|[ ]?(?:am|pm|%|million|percent))"
_LAST_DAY = r"(?:(?:-| to | through )(?P<last>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d:]))?"
_YEAR = rf"(?P<year>(?:19|20)\d\d)(?![{_W}]|[-/]\d)"
_OF_YEAR = rf"(?:(?:,? of |,? |'s ){_YEAR})?"
_OF_SOME_YEAR = rf"(?:(?: of)? (?:(?P<step>last|this|next) year|{_YEAR}))?"
_THIRD = r"(?:(?:the )?(?P<third>early|beginning|start|mid|middle|late|end)(?:[ -]of[ -]|[ -]))"
_STEP = "(?P<step>" + "|".join(sorted(build.STEPS, key=len, reverse=True)) + ")"
_ORDINAL = "(?P<number>" + "|".join(build.ORDINALS) + ")"
_NAMED_DAYS = "|".join(sorted(build.DAYS, key=len, reverse=True))
_HOLIDAYS = "|".join(re.escape(name) for name in HOLIDAY_NAMES if name.isascii())
_WEEKDAY_FIRST = rf"(?:(?:{WEEKDAY}|{_SHORT_DAY}),? (?:the )?)?"
_HALF_DAY = r"(?P<half>am|pm|a\.m\.?|p\.m\.?)(?![a-z])"
_DATED_BY = re.compile(
    r"(?<![a-z-])(?:in|of|by|on|since|until|till|after|from|this|last|next|during|before|around|through|every|year) $"
)
_ON = re.compile(r"(?<![a-z-])(?:on|by|until|till|since|from) $")
_LONGEST_PREPOSITION = 8


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


@dataclass(frozen=True, slots=True)
class Parsed:
    """A frame with the end of what was read."""

    frame: Frame
    end: int


def _date(pattern: str, builder: Build, *, named: bool = False, before: re.Pattern[str] | None = None) -> Rule:
    return Rule(Field.DATE, re.compile(pattern), builder, named=named, before=before)


def _clock(pattern: str, builder: Build) -> Rule:
    return Rule(Field.CLOCK, re.compile(pattern), builder)


_NO_STEP, _NO_THIRD, _NO_YEAR = "(?P<step>)", "(?P<third>)", "(?P<year>)"
RULES = (
    _date(
        rf"{_EDGE}({_NAMED_DAYS})(?! of)(?!'s (?:world|child))(?: (morning|afternoon|evening|night))?{_END}",
        build.named_day,
    ),
    _date(rf"{_EDGE}tonight{_END}", build.tonight),
    _date(rf"{_EDGE}(this|last) (morning|afternoon|evening|night){_END}", build.this_part),
    _date(
        rf"{_EDGE}(last|past|previous|this coming|this|next|coming) ({WEEKDAY}|{_SHORT_DAY}){_END}",
        build.stepped_weekday,
    ),
    _date(rf"{_EDGE}{_WEEKDAY_FIRST}{_MONTH} (?:the )?{_DAY}{_LAST_DAY}{_OF_YEAR}", build.month_day, named=True),
    _date(
        rf"{_EDGE}{_WEEKDAY_FIRST}{_DAY}{_LAST_DAY} (?:of )?{_MONTH}{_OF_YEAR}(?![a-z])", build.month_day, named=True
    ),
    _date(rf"{_EDGE}{_THIRD}(?:(?P<step>last|this|next) )?{_MONTH}{_OF_YEAR}{_END_WORD}", build.month),
    _date(rf"{_EDGE}{_NO_THIRD}{_NO_STEP}{_MONTH}(?:,? of |,? ){_YEAR}", build.month, named=True),
    _date(rf"{_EDGE}{_NO_THIRD}{_NO_YEAR}(?P<step>last|this|next) {_MONTH}{_END_WORD}", build.month, named=True),
    _date(
        rf"{_EDGE}{_NO_THIRD}{_NO_STEP}{_NO_YEAR}(?P<month>march|may|august){_END}",
        build.month,
        named=True,
        before=_DATED_BY,
    ),
    _date(rf"{_EDGE}{_NO_THIRD}{_NO_STEP}{_NO_YEAR}(?P<month>{_CLEAR_MONTHS}){_END}", build.month, named=True),
    _date(
        rf"{_EDGE}(?:{_THIRD}(?:the )?)?{_STEP} (?P<unit>weekend|week|month|quarter|year){_END}",
        build.unit,
    ),
    _date(rf"{_EDGE}{_THIRD}the {_NO_STEP}(?P<unit>week|month|quarter|year){_END}", build.unit),
    _date(
        rf"{_EDGE}(?:(?P<early_year>(?:19|20)\d\d)[ -]?)?(?P<number>q[1-4]){_OF_SOME_YEAR}{_END_WORD}", build.quarter
    ),
    _date(rf"{_EDGE}(?:the )?(?P<early_year>){_ORDINAL} quarter{_OF_SOME_YEAR}{_END_WORD}", build.quarter),
    _date(
        rf"{_EDGE}(?:the )?(?P<number>first|second) half of "
        rf"(?:(?P<step>last|this|next) year|the year|{_YEAR}){_END_WORD}",
        build.half,
    ),
    _date(rf"{_EDGE}(?P<number>h[12]){_NO_STEP} {_YEAR}", build.half),
    _date(rf"{_EDGE}{_THIRD}{_YEAR}(?!,\d)", build.whole_year),
    _date(rf"{_NO_THIRD}{_YEAR}(?![%]|[.,]\d| [a-z]+s\b| people\b)", build.whole_year, before=_DATED_BY),
    _date(
        rf"(?<![{_W}./-])((?:19|20)\d\d)[-/.](0?[1-9]|1[0-2])[-/.]([0-2]?\d|3[01])(?!\d|[-/.]\d)",
        build.iso,
    ),
    _date(rf"(?<![{_W}./-])(\d{{1,2}})[/.](\d{{1,2}})[/.]((?:19|20)\d\d)(?![{_W}]|[-/.]\d)", build.slashed),
    _date(
        rf"{_EDGE}(?P<name>{_HOLIDAYS})(?: {_YEAR})?(?![{_W}-]| (?:tree|card|party|present|gift|song|carol))",
        build.named_holiday,
    ),
    _date(rf"{_EDGE}({WEEKDAY}){_END}", build.weekday),
    _date(rf"{_EDGE}({_SHORT_DAY}){_END}", build.weekday, named=True, before=_ON),
    _clock(rf"(?<![{_W}:./-])(1[0-2]|[1-9])(?:-| to )(1[0-2]|[1-9])[ ]?{_HALF_DAY}", build.clock_range),
    _clock(rf"(?<![{_W}:./-])(?P<hour>\d{{1,2}})(?::(?P<minute>[0-5]\d))?[ ]?{_HALF_DAY}", build.clock),
    _clock(
        r"(?<![\w:.])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?P<half>)(?![\w:]|\.\d)",
        build.clock,
    ),
    _clock(rf"(?<![{_W}:./-])(?P<hour>1[0-2]|[1-9])(?P<minute>)(?P<half>) o'clock", build.clock),
    _clock(rf"{_EDGE}(?:noon|midnight){_END}", build.noon),
    Rule(
        Field.PART,
        re.compile(rf" (?:in the |at )?(morning|afternoon|evening|night){_END}"),
        build.part,
        alone=False,
    ),
)
_OPENERS = """
the this last past previous next coming current today tonight tomorrow yesterday day noon midnight early late mid middle
beginning start end first second third fourth 1st 2nd 3rd 4th
"""


def _openers() -> str:
    """First words an expression may have, but for figures and holidays."""
    short = [name[:3] for name in (*build.WEEKDAYS, *build.MONTHS)]
    return "|".join([*_OPENERS.split(), *short, "q[1-4]", "h[12]"])


OPENERS = rf"{_EDGE}(?:{_openers()}|{_HOLIDAYS})"
# A figure that may begin a date or a clock time.
FIGURE_OPENERS = (
    rf"(?<![\d{_W}.,:/])\d{{1,4}}(?=[-:/.]\d|(?:st|nd|rd|th)\b|[ ]?(?:am|pm|a\.m|p\.m)|[ ]to[ ]\d|[ ]o'clock|[ -]q[1-4]"
    rf"|[ ](?:of[ ])?(?:{'|'.join(name[:3] for name in build.MONTHS)}))|{_EDGE}(?:19|20)\d\d"
)
_JOINT = re.compile(r",? (?:at |on |in the |around |about |of )?(?:the )?|, ?")


@dataclass(frozen=True, slots=True)
class Source:
    """Folded text with the moment of speaking; `capital` tells which of its letters were written large."""

    line: str
    at: datetime
    capital: Capital

    def parse(self, start: int, *, first: Frame | None = None) -> Parsed | None:
        """Read a date with its clock time, in either order; `first` is the beginning of a range to be ended."""
        frame, filled, end = Frame(), set[Field](), start
        while True:
            joint = _JOINT.match(self.line, end) if filled else None
            step = self._step(joint.end(), frame, filled | {Field.PART}) if joint else None
            step = step or self._step(end, frame, filled)
            if step is None:
                break
            rule, end, frame = step
            filled.add(rule.field)
        if not filled:
            return None
        return Parsed(frame.following(first) if first is not None else frame, end)

    def _step(self, place: int, frame: Frame, filled: set[Field]) -> tuple[Rule, int, Frame] | None:
        for rule in RULES:
            if rule.field in filled or (not filled and not rule.alone):
                continue
            match = rule.pattern.match(self.line, place)
            if match is None or not self._stands(rule, match):
                continue
            built = rule.build(frame, match, self.at)
            if built is not None:
                return rule, match.end(), built
        return None

    def _stands(self, rule: Rule, match: re.Match[str]) -> bool:
        """Whether a word that may also be a name or a verb is used as a date here."""
        if rule.named and not self.capital(match.start("month") if "month" in match.re.groupindex else match.start()):
            return False
        place = match.start()
        return rule.before is None or bool(rule.before.search(self.line, max(0, place - _LONGEST_PREPOSITION), place))
