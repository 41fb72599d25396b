"""Read an English date with its clock time, in either order: tomorrow at 3pm, 14:30 on 5 May, last Friday morning.

Words that are also names or verbs (May, March, Sun) count only where the words beside them, or a
capital, make them dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from graphsvc.language.times.en_clock import CLOCKS
from graphsvc.language.times.en_rules import DATES
from graphsvc.language.times.en_words import Field, Rule
from graphsvc.language.times.frame import Frame

_RULES = (*DATES, *CLOCKS)
Capital = Callable[[int], bool]

# Months that are also words or names of people, and so need their capital.
_MAY_BE_A_WORD = re.compile(r"(?:mar|may|march|august|sat|sun|dec|jan)(?![a-z])")
_LONGEST_PREPOSITION = 30
_JOINT = re.compile(
    r",? (?:at |on |in the |around |about |of |for |from |between |before |(?:at )?around )?(?:the )?|, ?"
    r"|[ ]?-[ ]?(?=\d{1,2}:)"
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A frame with the end of what was read."""

    frame: Frame
    end: int


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
            step = step or self._step(end, frame, filled, ends=first is not None)
            if step is None:
                break
            rule, end, frame = step
            filled.add(rule.field)
        if not filled:
            return None
        return Parsed(frame.following(first) if first is not None else frame, end)

    def _step(
        self, place: int, frame: Frame, filled: set[Field], *, ends: bool = False
    ) -> tuple[Rule, int, Frame] | None:
        for rule in _RULES:
            if rule.field in filled or (not filled and not rule.alone and not ends):
                continue
            match = rule.pattern.match(self.line, place)
            if match is None or not self._stands(rule, match, ends=ends):
                continue
            built = rule.build(frame, match, self.at)
            if built is not None:
                return rule, match.end(), built
        return None

    def _stands(self, rule: Rule, match: re.Match[str], *, ends: bool) -> bool:
        """Whether a word that may also be a name or a verb is used as a date here, as at the end of a range it is."""
        if rule.named:
            place = match.start("month") if "month" in match.re.groupindex else match.start()
            if _MAY_BE_A_WORD.match(self.line, place) and not self.capital(place):
                return False
        place = match.start()
        return (
            ends
            or rule.before is None
            or bool(rule.before.search(self.line, max(0, place - _LONGEST_PREPOSITION), place))
        )
