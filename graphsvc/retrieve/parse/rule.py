"""A rule of direction: a pattern over a question in signs whose groups `by`, `to` and `cc` are parties."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """`told` marks verbs of telling, whose addressee need not be on the list of recipients."""

    pattern: re.Pattern[str]
    told: bool = False


def sent(pattern: str) -> Rule:
    """A rule about what was sent."""
    return Rule(re.compile(pattern, re.IGNORECASE))


def told(pattern: str) -> Rule:
    """A rule about what was said."""
    return Rule(re.compile(pattern, re.IGNORECASE), told=True)
