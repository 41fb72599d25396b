"""Whose fact a candidate states, against whose the question asks for.

"My brother hates coriander" answers what the brother hates, and says nothing of the speaker. Where the
grammar leaves the holder open, so does the verdict.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphsvc.language.claims import memory_agreement
from graphsvc.language.normalise import fold_key
from graphsvc.models.base import EntityId
from graphsvc.models.facts import Holder, HolderAgreement, HolderKind
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.store.directory import Directory

_SELF = re.compile(r"我(?![们方司国校])|咱(?!们)|本人|用户|\b(?:I|me|my|mine|myself)\b|\bthe user\b", re.IGNORECASE)
_SOMEBODY = frozenset({HolderKind.SPEAKER, HolderKind.OTHER})


@dataclass(frozen=True, slots=True)
class Whose:
    """Judges the candidates of one question; `names` are all names of each person who speaks in them or asks."""

    holder: Holder
    asker: Collection[str]
    tokens: Sequence[str]
    names: Mapping[EntityId, frozenset[str]]

    def __call__(self, memory: Memory) -> HolderAgreement:
        speaker = frozenset(
            name
            for party in memory.parties
            if party.role is EdgeType.SENT_BY
            for name in self.names.get(party.entity, ())
        )
        return memory_agreement(
            self.holder, memory.facts.claims, memory.text, self.tokens, speaker, asker_names=self.asker
        )


def whose(question: Question, tokens: Sequence[str], memories: Iterable[Memory], directory: Directory) -> Whose | None:
    """The judge of a question's candidates; None where it asks for nobody's fact in particular.

    A question that leaves its subject out ("stop on the 22nd?") is not about whoever asks it.
    """
    if question.holder is None or question.holder.kind not in _SOMEBODY:
        return None
    name = question.holder.key  # who asks may go by name: "What does Lin eat?", asked by Lin
    named = name is not None and name in fold_key(question.text)
    if question.holder.kind is HolderKind.SPEAKER and not named and not _SELF.search(question.text):
        return None
    people = {
        party.entity
        for memory in memories
        if memory.facts.claims
        for party in memory.parties
        if party.role is EdgeType.SENT_BY and party.entity.startswith("person:")
    }
    if question.asked_by is not None:
        people.add(question.asked_by)
    found = directory.identities(sorted(people)) if people else []
    names = {member: frozenset(one.aliases) for one in found for member in one.members}
    asker = names.get(question.asked_by, frozenset()) if question.asked_by is not None else frozenset()
    return Whose(question.holder, asker, tokens, names)
