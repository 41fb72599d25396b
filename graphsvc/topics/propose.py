"""Propose topics the library has no domain for, out of the memories it could not label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphsvc.errors import NotFound
from graphsvc.language.centroids import ExampleSpace
from graphsvc.models.memory import Memory
from graphsvc.models.topics import Proposals, ProposedSense, ProposedTopic
from graphsvc.store.base import Store
from graphsvc.topics.cluster import (
    UNRELATED,
    IntArray,
    agreement_bar,
    centred,
    clusters,
    joining_bar,
    namespace_means,
    shares_of,
)
from graphsvc.topics.describe import Group, describe, group_id, nearness
from graphsvc.topics.gather import Held, domain_of, gather
from graphsvc.topics.ledger import KeptProposals, KeptSense, KeptTopic, Ledger
from graphsvc.topics.senses import SenseFinder
from ontology.model import Ontology

LEAST = 4  # memories of a topic
# Clustering costs the square of what it looks at: 4,000 memories take 64 MB and a second or two.
MOST = 4_000
# A closed library gives a new subject its nearest domain, seldom surely: of thirteen sentences about bees five had
# none, five one below this, three a surer one.
UNSURE = 0.8
SMALL_TALK = 0.9  # mean probability of the background


@dataclass(frozen=True, slots=True)
class Proposer:
    """Proposes for one store and library."""

    store: Store
    space: ExampleSpace
    ontology: Ontology
    senses: SenseFinder
    ledger: Ledger

    def propose(self, namespace: str, *, least: int = LEAST, most: int = MOST, below: float = UNSURE) -> Proposals:
        """Groups of at least `least` memories without a domain, or with one less likely than `below`.

        The newest `most` are looked at. Groups that the library takes for small talk are left out. What is
        proposed is remembered for `find`.
        """
        held = gather(self.store, namespace)
        unlabelled = [domain_of(memory, self.ontology) is None for memory in held.memories]
        unsure = [_surest(memory) < below for memory in held.memories]
        wanted = [row for row, open_ in enumerate(zip(unlabelled, unsure, strict=True)) if any(open_)]
        considered = np.array(wanted[:most], dtype=np.int64)
        groups = [
            Group(group_id("topic", namespace, [held.memories[int(row)].id for row in rows]), rows)
            for rows in self._clusters(held, considered, least)
            if nearness(held, rows, self.space, self.ontology).background < SMALL_TALK
        ]
        topics = tuple(describe(held, groups, self.space, self.ontology))
        senses = tuple(self.senses.propose(held))
        self.ledger.keep(namespace, _kept(topics, senses))
        return Proposals(
            namespace=namespace,
            memories=len(held.memories),
            unlabelled=sum(unlabelled),
            unsure=len(wanted) - sum(unlabelled),
            considered=len(considered),
            criterion=f"joined while the mean cosine exceeds that of {UNRELATED:.0%} of unrelated sentences",
            topics=topics,
            senses=senses,
        )

    def find(self, namespace: str, proposal_id: str) -> ProposedTopic | ProposedSense:
        """What was proposed under this id, now or a few times before, of the memories that are still there.

        Raises `NotFound`.
        """
        held = gather(self.store, namespace)
        for kept in self.ledger.rounds(namespace):
            found = self._again(held, kept, proposal_id)
            if found is not None:
                return found
        raise NotFound(
            "no such proposal", where=proposal_id, remedy="see graphsvc ontology propose, in the same namespace"
        )

    def _again(self, held: Held, kept: KeptProposals, proposal_id: str) -> ProposedTopic | ProposedSense | None:
        """A proposal of one time, described beside the others of that time."""
        row_of = {memory.id: row for row, memory in enumerate(held.memories)}
        if any(one.id == proposal_id for one in kept.topics):
            rows = [(one.id, [row_of[key] for key in one.memory_ids if key in row_of]) for one in kept.topics]
            groups = [Group(key, np.array(found, dtype=np.int64)) for key, found in rows if found]
            topics = describe(held, groups, self.space, self.ontology)
            return next((topic for topic in topics if topic.id == proposal_id), None)
        sense = next((one for one in kept.senses if one.id == proposal_id), None)
        return None if sense is None else self.senses.again(held, sense)

    def _clusters(self, held: Held, considered: IntArray, least: int) -> list[IntArray]:
        """Rows of `held`, those of `considered` that belong together.

        The middle is that of the other memories, whose subjects the library knows: a new subject that fills a
        namespace would else be taken off itself.
        """
        if len(considered) < least:
            return []
        shares = shares_of([memory.language for memory in held.memories])
        known = np.setdiff1d(np.arange(len(held.memories)), considered)
        means = namespace_means(held.vectors[known], shares[known], self.space.space().means)
        placed = centred(held.vectors[considered], shares[considered], means)
        domains = [domain.examples for domain in self.ontology.domains if not domain.background]
        bar, agreement = joining_bar(self.space, domains), agreement_bar(self.space, domains)
        return [considered[rows] for rows in clusters(placed, bar, least=least, agreement=agreement)]


def _surest(memory: Memory) -> float:
    return max((label.probability for label in memory.facts.labels), default=0.0)


def _kept(topics: Sequence[ProposedTopic], senses: Sequence[ProposedSense]) -> KeptProposals:
    return KeptProposals(
        topics=tuple(KeptTopic(id=one.id, memory_ids=one.memory_ids) for one in topics),
        senses=tuple(
            KeptSense(id=one.id, surface=one.surface, uses=tuple(use.memory_ids for use in one.meanings))
            for one in senses
        ),
    )
