"""Whether a memory holds what is asked, graded for the calibrator: near misses must be told from answers.

Plain measures, none of them a verdict. What only paraphrases the question shares no word with it: where
words do not meet, a measure is None and says nothing, never that something is absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.bind import when_factor
from graphsvc.retrieve.extract.choose import Weighed, party_of, weigh
from graphsvc.retrieve.extract.contrast import contrast, substituted
from graphsvc.retrieve.extract.focus import absence, focus_of
from graphsvc.retrieve.extract.frame import frame_of
from graphsvc.retrieve.extract.needed import unmet
from graphsvc.retrieve.extract.polarity import yes_no
from graphsvc.retrieve.extract.terms import Covered, cover, terms_of
from graphsvc.retrieve.extract.wanted import Asks, Part, Wanted, wanted
from graphsvc.retrieve.extract.words import Reading, read, shown

Span = tuple[int, int]
# An object or complement of a yes/no question that stands nowhere leaves it unanswered.
_UNMET = 0.7
# A clause in the first person binds its sender as a name in it would be bound.
_SENDER_BOUND = 0.9
_UNTYPED = frozenset({Asks.NONE, Asks.CHOICE, Asks.YES_NO})


@dataclass(frozen=True, slots=True)
class Fit:
    """How far a memory holds what is asked; every share is in [0, 1], None where nothing can be told.

    `kind_present`: the best-fitting value of the asked kind, None where nothing typed is asked.
    `slot_bound`: how much of the question's words found here stands by that value; of the best clause, untyped.
    `covered`: the weighted share of the question's content words that stand in the memory.
    `uncovered_focus`: how far the head noun of what is asked is missing: 1 absent, between as another noun's modifier.
    `substituted`: the share of the question's word pairs whose first word another stands in for ("half marathon").
    `contrast`: another member of a closed class stands by the value (left for right, last year for this, brother).
    `other_value`: the memory tells of another attribute of the same thing.
    `asks`: what sort of thing is asked for, `worth`: what the best value comes to by kind, nearness and standing, 0
    where one is asked for and none is there.
    `clause_share`: the share of the question's content words that one clause holds; `others_covered`: of those that
    are no nouns, the share that stand in the memory.
    `value_clause`: the clause of the best value, by number; `head`: where the head of what is asked stands in the
    question; `absent`: which of the question's terms, by their order in `terms_of`, the memory has not.
    """

    kind_present: float | None
    slot_bound: float | None
    covered: float
    uncovered_focus: float | None
    substituted: float
    contrast: float
    other_value: bool
    asks: Asks = Asks.NONE
    worth: float | None = None
    clause_share: float | None = None
    others_covered: float | None = None
    value_clause: int | None = None
    head: Span | None = None
    absent: tuple[int, ...] = ()

    @property
    def agreement(self) -> float | None:
        """One number in [0, 1] that rises with the fit, for ordering; None where no word meets.

        A product of what speaks against: a missing value, a value not bound, a missing head, a stand-in.
        """
        if self.slot_bound is None:
            return None
        kind = 0.7 if self.kind_present is None else 0.25 + 0.75 * self.kind_present
        head = 1.0 - 0.5 * (self.uncovered_focus or 0.0)
        against = (1.0 - 0.5 * self.substituted) * (1.0 - 0.6 * self.contrast)
        return kind * (0.4 + 0.6 * self.slot_bound) * (0.4 + 0.6 * self.covered) * head * against


def fit(memory: Memory, question: Question, idf: Mapping[str, float] | None = None) -> Fit:
    """Judge one memory; `idf` maps word keys (`words.key_of`) to weights that replace equal ones."""
    asked = wanted(question)
    reading = read(memory.text)
    memory = shown(memory, reading)
    covered = cover(terms_of(question, idf), reading)
    weighed = [] if asked.asks in _UNTYPED else weigh(memory, question, asked, covered, reading)
    best = max(weighed, key=lambda one: one.worth, default=None)
    share = covered.found / covered.weight if covered.weight else 0.0
    kind = _kind(asked, weighed)
    bound = _bound(asked, covered, reading, best)
    answered = False
    if asked.asks is Asks.YES_NO and not share:
        bound = None
    if asked.asks is Asks.YES_NO and bound is not None:
        said, bound = yes_no(memory, question, covered, reading)
        answered = said is not None
    if asked.asks is Asks.PERSON and asked.part is not Part.OWNER and bound is not None:
        frame = frame_of(memory, reading)
        if party_of(memory, question, frame=frame, covered=covered, reading=reading, best=best) is not None:
            kind, bound = 1.0, max(bound, _SENDER_BOUND)
    head = focus_of(question, covered)
    missing = absence(head, covered, reading, memory) if share else None
    if answered:
        missing = 0.0
    elif asked.asks is Asks.YES_NO and missing is not None:
        lacking = unmet(question, covered, reading, None)
        missing = max(missing, _UNMET + (1.0 - _UNMET) * lacking if lacking else 0.0)
    swapped = substituted(question, covered, reading)
    against = contrast(question, covered, reading, None if best is None else best.slot.value)
    if best is not None and when_factor(best.slot.value, question, memory, reading) < 1.0:
        against = max(against, 0.7)
    other = share > 0 and ((missing or 0.0) > 0.5 or kind == 0.0 or swapped > 0)
    return Fit(
        kind,
        bound,
        share,
        missing,
        swapped,
        against,
        other,
        asks=asked.asks,
        worth=None if asked.asks in _UNTYPED else max((one.worth for one in weighed), default=0.0),
        clause_share=_clause_share(covered, reading),
        others_covered=_others_covered(covered),
        value_clause=None if best is None else reading.clause_at(best.slot.value.start),
        head=None if head is None else (head.word.start, head.word.end),
        absent=tuple(row for row, places in enumerate(covered.places) if not places),
    )


def _clause_share(covered: Covered, reading: Reading) -> float | None:
    """The share of the question's content words that the clause with most of them holds; None without such words."""
    held = [0.0] * len(reading.clauses)
    for term, places in zip(covered.terms, covered.places, strict=True):
        for at in {reading.clause_at(start) for start, _ in places} if not term.sort else ():
            held[at] += term.weight
    return max(held) / covered.weight if covered.weight else None


def _others_covered(covered: Covered) -> float | None:
    """The share of the content words that are no nouns by the dictionary, English ones all, that the memory has."""
    there = [
        bool(places)
        for term, places in zip(covered.terms, covered.places, strict=True)
        if not term.sort and not term.word.noun
    ]
    return sum(there) / len(there) if there else None


def _kind(asked: Wanted, weighed: Iterable[Weighed]) -> float | None:
    if asked.asks in _UNTYPED:
        return None
    return max((min(1.0, one.slot.fit) for one in weighed), default=0.0)


def _bound(asked: Wanted, covered: Covered, reading: Reading, best: Weighed | None) -> float | None:
    """How closely the value stands by the question's words; of untyped questions, how much one clause holds."""
    if not any(covered.places):
        return None
    if best is not None:
        return best.bound
    weights = [0.0] * len(reading.clauses)
    for term, places in zip(covered.terms, covered.places, strict=True):
        for at in {reading.clause_at(start) for start, _ in places}:
            weights[at] += term.weight
    total = sum(term.weight for term, places in zip(covered.terms, covered.places, strict=True) if places)
    share = max(weights) / total
    return share if asked.asks in _UNTYPED else 0.5 * share
