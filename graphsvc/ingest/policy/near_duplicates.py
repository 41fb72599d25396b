"""Tell whether two memories say the same in nearly the same words, of the same thing, by the same mouth.

The law is one-sided: a repeat that is missed costs a line in an answer, a memory wrongly taken for a repeat is
hidden. So all must agree: wording, values, claims, senses, who says it to whom, what it is part of, and, of what
happened or was done, the occasion. Nothing here looks at vectors: budgets of 80万 and 60万 are .977 alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from graphsvc.ingest.policy.wording import Wording, wording_of
from graphsvc.language.normalise import fold
from graphsvc.language.times import en_tense, zh_tense
from graphsvc.language.times.frame import Tense
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Claim, HolderKind
from graphsvc.models.graph import ROLE_EDGES, Edge, EdgeType, Node, NodeKind
from graphsvc.models.memory import Memory, MemoryStatus
from graphsvc.store.base import Store

ORIGIN = "near_duplicate"
# Anything shorter ("OK", 同意) leans on what was said before it.
LEAST_WORDS = 3.0
# What is done anew each time it is said; told again within the hour it is one message sent twice.
_DONE = """
question request promise approve reject cancel complain thank apologise congratulate remind schedule report_status
quote_price pay deliver measure hand_over
"""
_DONE_ANEW = frozenset(_DONE.split())
_ONE_OCCASION = timedelta(hours=1)
# Here 过 is part of a word and marks nothing as over.
_COMPOUND = re.compile("过[敏程滤渡于分度]")
# Words that point at what stands around them; another talk or document may put something else there.
_POINTING_EN = """
this that these those it its he she they him her his their them here there you your same above such hereof herein
"""
_POINTING = frozenset([*_POINTING_EN.split(), *"这那它他她此该本你您其"])
_CLAUSED = frozenset({"contract", "policy"})
_MOST_CANDIDATES = 4
# A value written out in words, a greeting and the like make one writing that much longer than another.
_WRITTEN_OUT = 40

Signature = frozenset[tuple[object, ...]]


def near_duplicate(memory: Memory, candidates: Iterable[Memory]) -> MemoryId | None:
    """The earliest by validity among the candidates that says the same as the memory and still stands, if any."""
    wording = wording_of(memory)
    near = (one for one in candidates if stands(one) and _may_be_same(memory, one))
    found = [one for one in near if _same(memory, wording, one, wording_of(one))]
    return min(found, key=lambda one: (one.begins, one.id)).id if found else None


def says_same(one: Memory, other: Memory) -> bool:
    """Whether two memories of one namespace are near-duplicates; symmetric, and true of no memory and itself."""
    return _same(one, wording_of(one), other, wording_of(other))


def stands(memory: Memory) -> bool:
    """Whether nothing overturned it, nor what it quotes."""
    return memory.status is MemoryStatus.ACTIVE and memory.ended_at is None and not memory.stale_sources


def repeats(one: Memory, other: Memory, recorded_at: datetime) -> Edge:
    """The edge between two that say the same, from the later by validity to the earlier."""
    earlier, later = sorted((one, other), key=lambda memory: (memory.begins, memory.recorded_at, memory.id))
    return Edge(
        source=Node(NodeKind.MEMORY, later.id),
        target=Node(NodeKind.MEMORY, earlier.id),
        type=EdgeType.REPEATS,
        event_time=later.event_time,
        valid_from=later.begins,
        recorded_at=recorded_at,
        whole=True,
        origin=ORIGIN,
    )


@dataclass(slots=True)
class NearDuplicates:
    """Finds the near-duplicates of one batch's memories; what came earlier in the batch counts as stored.

    `found` holds what each memory that was asked for repeats.
    """

    store: Store
    namespace: str
    found: dict[MemoryId, MemoryId] = field(default_factory=dict)
    _batch: dict[tuple[str, ...], list[Memory]] = field(default_factory=dict)

    def of(self, memory: Memory, tokens: Sequence[str]) -> Memory | None:
        """The memory that this one repeats, by its search tokens among the stored, or none."""
        wording = wording_of(memory)
        if wording.words < LEAST_WORDS:
            return None
        earlier = self._batch.setdefault(wording.tokens, [])
        candidates = {one.id: one for one in (*self._stored(tokens), *earlier) if one.id != memory.id}
        earlier.append(memory)
        found = near_duplicate(memory, candidates.values())
        if found is None:
            return None
        self.found[memory.id] = found
        return candidates[found]

    def _stored(self, tokens: Sequence[str]) -> list[Memory]:
        hits = self.store.match(self.store.select(self.namespace), tokens, _MOST_CANDIDATES)
        return self.store.get(self.namespace, [hit.id for hit in hits])


def _may_be_same(one: Memory, other: Memory) -> bool:
    """What can be told without reading either text again: the same amounts, about the same length."""
    lengths = sorted((len(one.text), len(other.text)))
    amounts = [sorted((a.value, a.high or a.value) for a in memory.facts.amounts) for memory in (one, other)]
    return lengths[1] <= 2 * lengths[0] + _WRITTEN_OUT and amounts[0] == amounts[1]


def _same(one: Memory, mine: Wording, other: Memory, theirs: Wording) -> bool:
    return (
        one.id != other.id
        and one.namespace == other.namespace
        and (mine.tokens, mine.time) == (theirs.tokens, theirs.time)
        and mine.words >= LEAST_WORDS
        and _signature(one) == _signature(other)
        and not _other_senses(one, other)
        and _same_mouth(one, other)
        and _same_place(one, other)
        and _same_around(one, mine, other)
        and (mine.dated or _one_occasion(one, other))
    )


def _signature(memory: Memory) -> Signature:
    return frozenset(_claimed(claim) for claim in memory.facts.claims)


def _claimed(claim: Claim) -> tuple[object, ...]:
    holder = claim.holder
    # The speaker's name is known where the sender is; who that is, is compared apart.
    key = None if holder.kind is HolderKind.SPEAKER else holder.key
    return claim.polarity, claim.certainty, claim.attitude, claim.quoted, holder.kind, key, holder.relation


def _other_senses(one: Memory, other: Memory) -> bool:
    """Whether a word was told to have one sense here and another there."""
    told = {sense.surface: sense.sense for sense in one.facts.senses if sense.sense is not None}
    return any(told.get(sense.surface, sense.sense) != sense.sense for sense in other.facts.senses if sense.sense)


def _same_mouth(one: Memory, other: Memory) -> bool:
    """One sender, or none on one side where nobody speaks of himself; written to the same people, where known."""
    mine, theirs = _taking_part(one, EdgeType.SENT_BY), _taking_part(other, EdgeType.SENT_BY)
    speaks = any(claim.holder.kind is HolderKind.SPEAKER for claim in one.facts.claims)
    if mine != theirs and (speaks or (mine and theirs)):
        return False
    return all(
        not (sent := _taking_part(one, role)) or not (got := _taking_part(other, role)) or sent == got
        for role in ROLE_EDGES
        if role is not EdgeType.SENT_BY
    )


def _taking_part(memory: Memory, role: EdgeType) -> frozenset[str]:
    known = frozenset(str(party.entity) for party in memory.parties if party.role is role)
    if known or role is not EdgeType.SENT_BY or memory.sender is None:
        return known
    return frozenset({memory.sender.casefold()})


def _same_place(one: Memory, other: Memory) -> bool:
    """The same clause of the same document where it has clauses; no free field of one name with two values."""
    parts = [(m.clause_id, m.section, m.level, m.role_in_context, m.valid_to) for m in (one, other)]
    if parts[0] != parts[1]:
        return False
    files = [m.source.file if m.source is not None else None for m in (one, other)]
    claused = one.clause_id or one.section or {one.document_type, other.document_type} & _CLAUSED
    if claused and files[0] != files[1]:
        return False
    return all(other.metadata.get(name, value) == value for name, value in one.metadata.items())


def _same_around(one: Memory, wording: Wording, other: Memory) -> bool:
    """Said in one talk or document, or else whole by itself: tied to a name or a holder, and pointing at nothing."""
    if _around(one) == _around(other):
        return True
    kinds = {HolderKind.SPEAKER, HolderKind.OTHER}
    tied = bool(one.facts.mentions) or any(claim.holder.kind in kinds for claim in one.facts.claims)
    return tied and _POINTING.isdisjoint(wording.tokens)


def _around(memory: Memory) -> tuple[str | None, str | None]:
    return memory.conversation_id, memory.source.file if memory.source is not None else None


def _one_occasion(one: Memory, other: Memory) -> bool:
    """What happened or is done anew each time is one thing only when it was said at one time."""
    if abs(one.event_time - other.event_time) <= _ONE_OCCASION:
        return True
    return not any(_happened(memory) for memory in (one, other))


def _happened(memory: Memory) -> bool:
    labels = memory.facts.labels
    if labels and labels[0].intent in _DONE_ANEW:
        return True
    line = _COMPOUND.sub("  ", fold(memory.text).text)
    places = [min(claim.start, len(line)) for claim in memory.facts.claims] or [0]
    return any(
        Tense.PAST in {zh_tense.tense_of(line, place, place), en_tense.tense_of(line, place, place)} for place in places
    )
