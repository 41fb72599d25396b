"""Which stretch of a memory is quoted: the sentence that answers, never a greeting, a signature or a bare fragment.

What carries neither a predicate nor a value tells nothing by itself and is quoted with its neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphsvc.models.answer import Value
from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract.frame import Frame
from graphsvc.retrieve.extract.terms import Covered
from graphsvc.retrieve.extract.words import Reading

Span = tuple[int, int]
# A fragment of so many words tells something without a verb that was read: "Dress is on me, sage green".
_TELLING = 4


def quoted(
    memory: Memory, value: Value | None, *, covered: Covered, frame: Frame, reading: Reading, tokens: Sequence[str]
) -> Span:
    """The sentence with the value, else the one that covers most of the question, widened where it is bare."""
    spans = reading.sentences
    chosen = _with_value(value, spans)
    if chosen is None and value is not None:
        return value.start, value.end
    if chosen is None:
        telling = [index for index, span in enumerate(spans) if not _framed(span, frame, reading.text)]
        chosen = max(telling or range(len(spans)), key=lambda at: _worth(spans[at], covered, reading, tokens))
    first = last = chosen
    while _bare(memory, (spans[first][0], spans[last][1]), frame, reading) and last - first < len(spans) - 1:
        # A fragment belongs to what it follows; the first one, a heading or a greeting, to what comes after.
        if first > 0:
            first -= 1
        else:
            last += 1
    return spans[first][0], spans[last][1]


def _with_value(value: Value | None, spans: Sequence[Span]) -> int | None:
    if value is None:
        return None
    return next((index for index, (start, end) in enumerate(spans) if start <= value.start < end), None)


def _worth(span: Span, covered: Covered, reading: Reading, tokens: Sequence[str]) -> tuple[float, int, int]:
    places = zip(covered.terms, covered.places, strict=True)
    found = sum(t.weight for t, there in places if any(span[0] <= start < span[1] for start, _ in there))
    text = reading.text[slice(*span)].casefold()
    return found, sum(len(token) for token in tokens if token in text), -span[0]


def _framed(span: Span, frame: Frame, text: str) -> bool:
    """Whether a sentence is all greeting or all closing."""
    return all(frame.holds(place) or not text[place].isalnum() for place in range(*span))


def _bare(memory: Memory, span: Span, frame: Frame, reading: Reading) -> bool:
    """Whether a stretch says nothing: no value, no predicate, hardly a word beside greeting and closing."""
    if _framed(span, frame, reading.text):
        return True
    facts = memory.facts
    if any(span[0] <= one.start < span[1] for one in facts.amounts):
        return False
    if any(span[0] <= one.start < span[1] and not frame.holds(one.start) for one in facts.times):
        return False
    for claim in facts.claims:
        said = claim.predicate
        if said is not None and span[0] <= said[0] < span[1] and not frame.holds(said[0]):
            return False
    words = [word for word in reading.within(*span) if word.content and not frame.holds(word.start)]
    return len(words) < _TELLING
