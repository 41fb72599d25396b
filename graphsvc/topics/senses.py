"""Propose senses for words that a namespace uses in several ways the library does not list.

Every word used often enough is looked at where it stands, by the token states it was stored with.
Any word lies differently in talk of different subjects; so only those are proposed whose uses lie
further apart than is usual among the words of the namespace.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphsvc.encoding.base import Encoder, Passages, Span, encode_words
from graphsvc.language.centroids import Centroids, ExampleSpace, softmax
from graphsvc.language.normalise import fold
from graphsvc.language.passage import passage_of
from graphsvc.language.segment import index_tokens
from graphsvc.language.senses import Induced, Occurrence, induce
from graphsvc.language.senses import ProposedSense as Found
from graphsvc.language.senses.induce import LEAST_OF_A_WORD
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.models.topics import ProposedMeaning, ProposedSense
from graphsvc.store.base import Store
from graphsvc.topics.describe import examples_of, group_id, suggested_id
from graphsvc.topics.gather import Held
from graphsvc.topics.ledger import KeptSense
from graphsvc.topics.words import as_written, can_name, is_han, telling_words, terms
from ontology.model import Ontology, SenseWord

MOST_WORDS = 200  # the most used ones; each costs some milliseconds
# A word stands out when it is this many median deviations above the median of the words looked at.
_STANDS_OUT = 2.0
_FEW = 10
_SHOWN_CUES = 12  # of a use that was shown before
_MOST_NAMED = 0.5  # share of its uses as a name that makes a word a name
_LATIN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


@dataclass(frozen=True)
class SenseFinder:
    """Finds new senses of one store's words for one library."""

    store: Store
    encoder: Encoder
    space: ExampleSpace
    ontology: Ontology

    def propose(self, held: Held) -> list[ProposedSense]:
        """Words that stand out, the furthest apart first."""
        row_of = {memory.id: row for row, memory in enumerate(held.memories)}
        found = [self._induce(held, word, rows) for word, rows in _often_used(held)]
        bar = _bar([one.apart for one in found])
        standing = sorted((one for one in found if one.senses and one.apart > bar), key=lambda one: -one.apart)
        proposals = []
        for one in standing:
            members = [key for sense in one.senses for key in sense.members]
            key = group_id("sense", held.namespace, [one.surface, *members])
            proposal = self._proposal(held, key, one, row_of)
            if proposal is not None:
                proposals.append(proposal)
        return proposals

    def again(self, held: Held, kept: KeptSense) -> ProposedSense | None:
        """What was proposed, of the uses that are still stored; nothing when none is."""
        row_of = {memory.id: row for row, memory in enumerate(held.memories)}
        rows = sorted(row_of[key] for use in kept.uses for key in use if key in row_of)
        found = self._induce(held, index_tokens(kept.surface)[0], rows)
        # A library that has grown since may see one sense in them; what was shown can be accepted all the same.
        return self._proposal(held, kept.id, found, row_of) or self._as_shown(held, kept, row_of)

    def _as_shown(self, held: Held, kept: KeptSense, row_of: Mapping[MemoryId, int]) -> ProposedSense | None:
        uses = [members for use in kept.uses if (members := tuple(key for key in use if key in row_of))]
        texts = [[terms(held.memories[row_of[key]].text) for key in members] for members in uses]
        surface = index_tokens(kept.surface)[0]
        cues = [
            tuple(one.word for one in words if one.word != surface)[:_SHOWN_CUES] for words in telling_words(texts, ())
        ]
        senses = tuple(Found(surface, None, told, (), members) for told, members in zip(cues, uses, strict=True))
        return self._proposal(held, kept.id, Induced(surface, senses), row_of) if senses else None

    def _induce(self, held: Held, word: str, rows: Sequence[int]) -> Induced:
        memories = [held.memories[row] for row in rows]
        stored = self.store.vectors(held.namespace, [memory.id for memory in memories])
        occurrences = []
        for row, memory in zip(rows, memories, strict=True):
            span = span_of(word, memory.text)
            if span is not None and memory.id in stored:
                vector, states = stored[memory.id]
                passage = passage_of(memory)
                offset = len(passage) - len(memory.text)
                read = Passages(vector[None], None if states is None else (states,))
                place = (span[0] + offset, span[1] + offset)
                (own,) = encode_words(self.encoder, [passage], [[place]], passages=read)
                # Beyond the states a word has no vector of its own; there the sentence says nothing of it either.
                if own[0].any():
                    subjects = self._subjects(held, row)
                    occurrences.append(Occurrence(memory.id, memory.text, span, own[0], vector, subjects))
        return induce(word, occurrences)

    def _subjects(self, held: Held, row: int) -> dict[str, float]:
        centred = self.space.space().centre(held.vectors[row], held.memories[row].text)
        shares = softmax(self._centroids.logits(centred)).tolist()
        return {
            key: share for key, share in zip(self._centroids.ids, shares, strict=True) if key not in self._background
        }

    def _proposal(self, held: Held, key: str, found: Induced, row_of: Mapping[MemoryId, int]) -> ProposedSense | None:
        """The proposal, or nothing when the library lists a sense of each subject already."""
        word = self._known.get(found.surface)
        listed = set() if word is None else {sense.domain for sense in word.senses}
        new = [sense for sense in found.senses if sense.domain is None or sense.domain not in listed]
        if not new:
            return None
        taken = set() if word is None else {sense.id.removeprefix(f"{word.id}.") for sense in word.senses}
        meanings = []
        for sense in new:
            meanings.append(_meaning(held, sense, row_of, taken))
            taken.add(meanings[-1].suggested_id)
        texts = [held.memories[row_of[MemoryId(key)]].text for sense in new for key in sense.members]
        surface = as_written(found.surface, texts)
        return ProposedSense(id=key, surface=surface, word=None if word is None else word.id, meanings=tuple(meanings))

    @cached_property
    def _centroids(self) -> Centroids:
        return self.space.fit({domain.id: domain.examples for domain in self.ontology.domains})

    @cached_property
    def _background(self) -> frozenset[str]:
        return frozenset(domain.id for domain in self.ontology.domains if domain.background)

    @cached_property
    def _known(self) -> dict[str, SenseWord]:
        """Words of the library by the search token of each written form."""
        known = {}
        for word in self.ontology.sense_words:
            for surface in word.surfaces.all:
                for token in terms(surface) if " " not in surface else ():
                    known[token] = word
        return known


def span_of(word: str, text: str) -> Span | None:
    """Where a search token first stands in a text, in characters of the original."""
    folded = fold(text)
    if is_han(word):
        start = folded.text.find(word)
        return None if start < 0 else folded.span(start, start + len(word))
    for form in _LATIN.finditer(folded.text):
        if word in index_tokens(form.group())[:1]:
            return folded.span(form.start(), form.end())
    return None


def _often_used(held: Held) -> list[tuple[str, list[int]]]:
    """Search tokens with the rows of their memories, the most used first; names are left out."""
    rows: dict[str, list[int]] = defaultdict(list)
    named: dict[str, int] = defaultdict(int)
    for row, memory in enumerate(held.memories):
        names = _names_in(memory)
        for term in terms(memory.text):
            rows[term].append(row)
            named[term] += term in names
    often = [
        (term, found)
        for term, found in rows.items()
        if len(found) >= LEAST_OF_A_WORD and named[term] < _MOST_NAMED * len(found)
    ]
    return sorted(often, key=lambda one: (-len(one[1]), one[0]))[:MOST_WORDS]


def _names_in(memory: Memory) -> frozenset[str]:
    return frozenset(term for mention in memory.facts.mentions for term in terms(mention.text))


def _bar(apart: Sequence[float]) -> float:
    """What is usual among the words, and more; few words show nothing usual."""
    looked = [value for value in apart if value > 0]
    if len(looked) < _FEW:
        return 0.0
    middle = float(np.median(looked))
    return middle + _STANDS_OUT * float(np.median(np.abs(np.array(looked) - middle)))


def _meaning(held: Held, sense: Found, row_of: Mapping[MemoryId, int], taken: set[str]) -> ProposedMeaning:
    rows = np.array([row_of[MemoryId(key)] for key in sense.members], np.int64)
    texts = [held.memories[int(row)].text for row in rows]
    cues = tuple(dict.fromkeys(as_written(cue, texts) for cue in sense.cues if can_name(cue)))
    return ProposedMeaning(
        suggested_id=suggested_id(cues[:1], taken, sense.domain or "sense"),
        cues=cues,
        domain=sense.domain,
        size=len(rows),
        examples=examples_of(held, rows),
        memory_ids=tuple(MemoryId(key) for key in sense.members),
    )
