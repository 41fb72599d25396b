"""Pairs to fine-tune an encoder with, made of what a namespace holds.

Three kinds: `neighbour`, a turn and the one after it in its conversation; `label`, two memories of
one domain and intent, of different conversations; `sense`, two memories that use a word in one
sense, with those that use it in another as negatives. A memory is the query of a label or sense
once, for its nearest, so that a common one does not drown the rest. Choice and order are repeatable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from graphsvc.language.normalise import fold
from graphsvc.models.base import Record
from graphsvc.models.memory import Memory
from graphsvc.topics.gather import Held, domain_of
from ontology.model import Ontology

NEGATIVES = 4
BEFORE = 2  # earlier turns given as context

Mask = NDArray[np.bool_]
Codes = NDArray[np.int64]


class PairKind(StrEnum):
    NEIGHBOUR = "neighbour"
    LABEL = "label"
    SENSE = "sense"


class Pair(Record):
    """`context` are the turns before the query, oldest first; `negatives` should come out further than `positive`."""

    kind: PairKind
    query: str
    context: tuple[str, ...]
    positive: str
    label: str | None
    sense: str | None
    negatives: tuple[str, ...]


class _Frame:
    """Memories with what each is about and where it was said, as numbers; -1 is unknown or no conversation."""

    def __init__(self, held: Held, ontology: Ontology) -> None:
        self.held = held
        self.domains = [domain_of(memory, ontology) for memory in held.memories]
        self.domain_codes = _codes(self.domains)
        self.talk_codes = _codes([memory.conversation_id for memory in held.memories])
        self.before = _turns_before(held.memories)
        self._wordings = [fold(memory.text).text for memory in held.memories]

    def text(self, row: int) -> str:
        return self.held.memories[row].text

    def context(self, row: int) -> tuple[str, ...]:
        return tuple(self.text(one) for one in self.before.get(row, ()))

    def of_other_domains(self, row: int) -> Mask:
        """Memories known to be about something else, in other conversations; none while the memory's own is unknown."""
        code = self.domain_codes[row]
        if code < 0:
            return np.zeros(len(self.domain_codes), np.bool_)
        others: Mask = (self.domain_codes >= 0) & (self.domain_codes != code) & self.of_other_talks(row)
        return others

    def of_other_talks(self, row: int) -> Mask:
        code = self.talk_codes[row]
        apart: Mask = (self.talk_codes != code) | (self.talk_codes < 0)
        return apart

    def nearest(self, row: int, among: Mask, most: int) -> list[int]:
        """Those of `among` most like the memory, each another wording, ties by place."""
        cosines = np.where(among, self.held.vectors @ self.held.vectors[row], -np.inf)
        found: list[int] = []
        wordings = {self._wordings[row]}
        for one in np.argsort(-cosines, kind="stable")[: int(among.sum())]:
            if len(found) == most:
                break
            if self._wordings[one] not in wordings:
                wordings.add(self._wordings[one])
                found.append(int(one))
        return found


def training_pairs(held: Held, ontology: Ontology) -> Iterator[Pair]:
    """All pairs of a namespace: neighbours, then labels, then senses."""
    frame = _Frame(held, ontology)
    yield from _neighbours(frame)
    yield from _same_label(frame)
    yield from _same_sense(frame)


def _turns_before(memories: Sequence[Memory]) -> dict[int, tuple[int, ...]]:
    """For each row of a conversation the rows before it, oldest first."""
    talks: dict[str, list[int]] = defaultdict(list)
    for row in sorted(range(len(memories)), key=lambda one: (memories[one].event_time, memories[one].id)):
        talk = memories[row].conversation_id
        if talk is not None:
            talks[talk].append(row)
    return {row: tuple(rows[max(0, at - BEFORE) : at]) for rows in talks.values() for at, row in enumerate(rows)}


def _neighbours(frame: _Frame) -> Iterator[Pair]:
    for row in sorted(frame.before):
        for query in frame.before[row][-1:]:
            yield _pair(PairKind.NEIGHBOUR, frame, query, row, frame.of_other_domains(query))


def _same_label(frame: _Frame) -> Iterator[Pair]:
    intents = _codes([_intent(memory) for memory in frame.held.memories])
    for row, domain in enumerate(frame.domains):
        if domain is not None:
            alike = (frame.domain_codes == frame.domain_codes[row]) & (intents == intents[row])
            for found in frame.nearest(row, alike & frame.of_other_talks(row), 1):
                yield _pair(PairKind.LABEL, frame, row, found, frame.of_other_domains(row))


def _same_sense(frame: _Frame) -> Iterator[Pair]:
    """Only told senses count; an unresolved word teaches nothing."""
    used: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row, memory in enumerate(frame.held.memories):
        for surface, sense in sorted({(fold(s.surface).text, s.sense) for s in memory.facts.senses if s.sense}):
            used[surface][sense].append(row)
    for _, senses in sorted(used.items()):
        whole = _mask(frame, [row for rows in senses.values() for row in rows])
        for sense, rows in sorted(senses.items()):
            own = _mask(frame, rows)
            for row in rows:
                for found in frame.nearest(row, own, 1):
                    yield _pair(PairKind.SENSE, frame, row, found, whole & ~own, sense=sense)


def _pair(kind: PairKind, frame: _Frame, query: int, positive: int, unlike: Mask, *, sense: str | None = None) -> Pair:
    return Pair(
        kind=kind,
        query=frame.text(query),
        context=frame.context(query),
        positive=frame.text(positive),
        label=frame.domains[query] if frame.domains[query] == frame.domains[positive] else None,
        sense=sense,
        negatives=tuple(frame.text(one) for one in frame.nearest(query, unlike, NEGATIVES)),
    )


def _codes(values: Sequence[str | None]) -> Codes:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(one for one in values if one is not None))}
    return np.array([-1 if value is None else numbers[value] for value in values], np.int64)


def _mask(frame: _Frame, rows: Sequence[int]) -> Mask:
    mask = np.zeros(len(frame.held.memories), np.bool_)
    mask[list(rows)] = True
    return mask


def _intent(memory: Memory) -> str | None:
    return memory.facts.labels[0].intent if memory.facts.labels else None
