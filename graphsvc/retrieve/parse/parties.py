"""Write a question with each party as one sign, so that a rule of direction reads grammar and no names.

A named person or organisation, the asker ("I", 我) and the asker's side ("we", 我们) become one sign
each, and so does an expression of time; what stands between them is left as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_FIRST = 0xE000
_MOST = 200
ME = "\ue800"
WE = "\ue801"
TIME = "\uf000"
PARTY = "[\ue000-\ue8ff]"
_SPEAKER = re.compile(
    r"(?P<we>我们|咱们|咱|我方|我司|俺们|\b(?:we|us)\b)|(?P<me>[我俺](?![方司国校队])|\b(?:i|me)\b)", re.IGNORECASE
)
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Signed:
    """A question in signs: `text` is what rules read, `places` where each named sign stood."""

    text: str
    places: Mapping[str, Span]


def signed(text: str, names: Sequence[Span], times: Sequence[Span]) -> Signed:
    """Put signs for `names` and `times`, and for the asker wherever no name covers the word."""
    pieces: dict[Span, str] = {}
    places: dict[str, Span] = {}
    for number, span in enumerate(sorted(names)[:_MOST]):
        if not _covered(span, pieces):
            sign = chr(_FIRST + number)
            pieces[span] = sign
            places[sign] = span
    for found in _SPEAKER.finditer(text):
        if not _covered(found.span(), pieces):
            pieces[found.span()] = WE if found["we"] else ME
    for span in times:
        if not _covered(span, pieces):
            pieces[span] = TIME
    return Signed(_written(text, pieces), places)


def _covered(span: Span, pieces: Mapping[Span, str]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in pieces)


def _written(text: str, pieces: Mapping[Span, str]) -> str:
    out: list[str] = []
    at = 0
    for start, end in sorted(pieces):
        out += [text[at:start], pieces[start, end]]
        at = end
    return "".join(out) + text[at:]
