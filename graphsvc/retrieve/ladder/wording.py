"""In which language the ladder speaks, and how it quotes."""

from __future__ import annotations

import re
from datetime import datetime

from graphsvc.language.normalise import HAN

_HAN = re.compile(f"[{HAN}]")
LONGEST_QUOTE = 60


def has_han(text: str) -> bool:
    """Whether a text is answered in Chinese: it holds a Han character."""
    return _HAN.search(text) is not None


def quote(text: str, *, han: bool) -> str:
    """The beginning of a memory's text on one line, in quotation marks."""
    line = " ".join(text.split())
    short = line if len(line) <= LONGEST_QUOTE else f"{line[: LONGEST_QUOTE - 1].rstrip()}…"
    return f"「{short}」" if han else f'"{short}"'


def date(moment: datetime) -> str:
    return moment.date().isoformat()
