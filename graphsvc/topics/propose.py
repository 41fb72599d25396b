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
from graphsvc.topics.cluster import UNRELATED, IntArray, centred, clusters, joining_bar, namespace_means, shares_of
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
        """What was proposed under this id, of the memories that are still there; raises `NotFound`."""
        kept = self.ledger.read(namespace)
        held = gather(self.store, namespace)
        row_of = {memory.id: row for row, memory in enumerate(held.memories)}
        if any(one.id == proposal_id for one in kept.topics):
            rows = [(one.id, [row_of[key] for key in one.memory_ids if key in row_of]) for one in kept.topics]
            groups = [Group(key, np.array(found, dtype=np.int64)) for key, found in rows if found]
            topics = describe(held, groups, self.space, self.ontology)
            found_topic = next((topic for topic in topics if topic.id == proposal_id), None)
            if found_topic is not None:
                return found_topic
        for one in kept.senses:
            found_sense = self.senses.again(held, one) if one.id == proposal_id else None
            if found_sense is not None:
                return found_sense
        raise NotFound(
            "no such proposal", where=proposal_id, remedy="see graphsvc ontology propose, in the same namespace"
        )

    def _clusters(self, held: Held, considered: IntArray, least: int) -> list[IntArray]:
        """Rows of `held`; the means are those of all its memories, so that a topic is seen against the others."""
        if len(considered) < least:
            return []
        shares = shares_of([memory.language for memory in held.memories])
        means = namespace_means(held.vectors, shares, self.space.space().means)
        placed = centred(held.vectors[considered], shares[considered], means)
        bar = joining_bar(self.space, [domain.examples for domain in self.ontology.domains if not domain.background])
        return [considered[rows] for rows in clusters(placed, bar, least=least)]


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
