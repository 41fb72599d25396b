"""Values nobody typed: what stands after the verb where the question has its "what", and places.

Chinese leaves its question word where the answer stands: 属什么 is answered by 属虎. Only verbs that give one
thing to one subject are read so: who eats rice may eat noodles too.
"""

from __future__ import annotations

import re

from graphsvc.change.stated import clauses
from graphsvc.change.values import places_of
from graphsvc.change.words import content_words, shared
from graphsvc.language.hanwords import cut
from graphsvc.language.normalise import HAN
from graphsvc.models.answer import Value
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.asked import WHERE
from graphsvc.retrieve.checks.statements import Located

_IN_SITU = re.compile(r"(?P<verb>[是叫姓属归住为选排])(?:的是)?(?:在|于|成)?(?:什么|啥|哪(?!年|天|月)[个家里儿种位]?)")
_STEPS = re.compile(r"\b(?:from|in|at|to|near)\s+$|[在到于从住为是去至]\s*$", re.IGNORECASE)
OPEN = "open"
_LONGEST = 6


def locate_open(memory: Memory, question: Question) -> Located | None:
    """The one place, or the one thing after the asked verb; None where there is neither."""
    found = places(memory, question) if WHERE.search(question.text) else _after_verb(memory, question)
    if len(found) != 1:
        return None
    span = next((s for s in clauses(memory.text) if s[0] <= found[0].start < s[1]), (0, len(memory.text)))
    return Located(span, tuple(found))


def places(memory: Memory, question: Question) -> list[Value]:
    """Places that stand as such, after a preposition, and are not the question's own."""
    return [
        value
        for value in places_of(memory)
        if value.text.casefold() not in question.text.casefold()
        and _STEPS.search(memory.text[max(0, value.start - 8) : value.start])
    ]


def _after_verb(memory: Memory, question: Question) -> list[Value]:
    asked = _IN_SITU.search(question.text)
    if asked is None:
        return []
    verb = asked["verb"]
    found = []
    for match in re.finditer(rf"{verb}(?:的是|了|在|于)?(?P<what>[{HAN}]{{1,{_LONGEST}}})", memory.text):
        what = cut(match["what"])[0]
        if content_words(what) and not shared(content_words(what), content_words(question.text)):
            start = match.start("what")
            found.append(Value(type=OPEN, text=what, start=start, end=start + len(what), normalised=what))
    return found
