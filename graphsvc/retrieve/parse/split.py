"""The parts of a compound or comparing question, each with its wording made complete.

Not to split is better than to split wrongly: a joint counts only between two halves that each ask,
or between two like things that are compared or asked about one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphsvc.models.question import QuestionPart
from graphsvc.retrieve.parse import split_en, split_zh
from graphsvc.retrieve.parse.occasions import occasions
from graphsvc.retrieve.parse.parties import Span

_HAN = re.compile(r"[\u4e00-\u9fff]")
_SENTENCE = re.compile(r"[^?？]+[?？]?")
_SHORTEST = 4


def parts_of(text: str, names: Sequence[Span], times: Sequence[Span]) -> tuple[QuestionPart, ...]:
    """The parts of a question, two or more; none of a simple one. `names` and `times` are spans of the text."""
    said = _sentences(text)
    if len(said) > 1:
        return tuple(said)
    whole = text.rstrip("?？ \n")
    splitter = split_zh if _HAN.search(text) and not split_en.asks(whole) else split_en
    found = splitter.compared(whole, names, times) or occasions(whole, names) or splitter.joined(whole, names)
    return tuple(found) if len(found) > 1 else ()


def _sentences(text: str) -> list[QuestionPart]:
    """Questions set side by side with a mark each."""
    found = []
    for one in _SENTENCE.finditer(text):
        piece = one.group().strip()
        if not piece.endswith(("?", "？")) or len(piece) < _SHORTEST:
            if piece:
                return []
            continue
        start = one.start() + len(one.group()) - len(one.group().lstrip())
        found.append(QuestionPart(start=start, end=start + len(piece), text=piece))
    return found if all(split_en.asks(p.text) or split_zh.asks(p.text) for p in found) else []
