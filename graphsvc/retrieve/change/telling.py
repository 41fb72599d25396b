"""What the chain of a question about a change amounts to: yes or no, how often, since when, at a span of a memory.

The words are a memory's own; only the normalised value is counted or derived from the edges.
"""

from __future__ import annotations

from graphsvc.change.stated import clauses
from graphsvc.language.change import CHANGE
from graphsvc.models.answer import Value
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.change.asked import Sought
from graphsvc.retrieve.change.chain import Chain
from graphsvc.retrieve.parse.wording import worded

# "Has it always been so": that it changed is a no.
_ALWAYS = worded(r"一直|始终|从来|没变|没改|\balways\b|\ball along\b|\bnever\b|\bstill the same\b")


def value_of(chain: Chain, sought: Sought, question: Question) -> Value | None:
    """The value of a question about a change; None where the chain cannot tell."""
    last = chain.memories[-1]
    match sought:
        case Sought.WHETHER:
            return _at_the_change(last, "yes_no", "no" if _ALWAYS.search(question.text) else "yes")
        case Sought.TIMES:
            return _at_the_change(last, "amount", str(len(chain.memories) - 1))
        case Sought.SINCE:
            return _since(chain, question)
        case _:
            return None


def _at_the_change(memory: Memory, kind: str, normalised: str) -> Value:
    """The clause that tells of the change, else the first."""
    spans = clauses(memory.text)
    start, end = next((span for span in spans if CHANGE.search(memory.text, *span)), spans[0])
    return Value(
        type=kind,
        text=memory.text[start:end],
        start=start,
        end=end,
        normalised=normalised,
        memory_id=memory.id,
    )


def _since(chain: Chain, question: Question) -> Value | None:
    """Since when the one in force has been so: at its words for that moment, else at those that tell of the change."""
    current = next(iter(chain.in_force(question.asked_at)), None)
    begun = [tie.since for tie in chain.ties if tie.later == current]
    if current is None or not begun:
        return None
    memory = next(one for one in chain.memories if one.id == current)
    since = min(begun)
    said = next((time for time in memory.facts.times if time.begin == since), None)
    if said is None:
        return _at_the_change(memory, "time", since.isoformat())
    return Value(
        type="time",
        text=memory.text[said.start : said.end],
        start=said.start,
        end=said.end,
        normalised=since.isoformat(),
        memory_id=memory.id,
    )
