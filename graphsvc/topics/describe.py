"""Describe groups of memories for a person: a name, an id, keywords, examples, and the domain they nearly have."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from pypinyin import lazy_pinyin

from graphsvc.encoding.base import FloatArray
from graphsvc.language.centroids import ExampleSpace, softmax
from graphsvc.language.normalise import fold
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Language
from graphsvc.models.topics import Example, ProposedTopic
from graphsvc.topics.cluster import IntArray
from graphsvc.topics.gather import Held, domain_of
from graphsvc.topics.words import Telling, as_written, is_han, subject_terms, telling_words
from ontology.model import Ontology

# A domain is near when the members give it a third of their belief, and more than to no subject at all.
CLOSE = 1 / 3
KEYWORDS = 12
EXAMPLES = 12  # of each language, as the library's own domains have
_OWN = 0.8  # least share of a keyword's use that is the group's
_MOSTLY = 0.5  # and of one where there are none of those
_SEVERAL, _HELD_BY = 2, 0.1  # least members that hold a keyword, and least share of them
_NAMED_BY = 3
_LONGEST_EXAMPLE = 300  # characters


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of `Held` that belong together, under the id they were proposed by."""

    id: str
    rows: IntArray


class Nearness(NamedTuple):
    """`share` is the mean probability of the likeliest domain, which is named when it is close."""

    domain: str | None
    share: float
    background: float


def group_id(prefix: str, namespace: str, ids: Iterable[str]) -> str:
    """An id that says which memories a proposal was made of."""
    digest = hashlib.sha256("\x00".join((namespace, *sorted(ids))).encode()).hexdigest()
    return f"{prefix}-{digest[:8]}"


def describe(held: Held, groups: Sequence[Group], space: ExampleSpace, ontology: Ontology) -> list[ProposedTopic]:
    """One proposal a group, in order."""
    inside = {int(row) for group in groups for row in group.rows}
    read = [subject_terms(memory.text) for memory in held.memories]
    # The library's examples show which words are common, however little the namespace holds. A stray without a
    # domain is as likely of a group's own subject, so its words are not held against the group's.
    rest = [
        found
        for row, (found, memory) in enumerate(zip(read, held.memories, strict=True))
        if row not in inside and domain_of(memory, ontology) is not None
    ]
    rest += [subject_terms(text) for domain in ontology.domains for text in domain.examples.all]
    told = telling_words([[read[row] for row in group.rows] for group in groups], rest)
    taken = {domain.id for domain in ontology.domains}
    known = {fold(word).text for domain in ontology.domains for word in domain.keywords.all}
    topics = []
    for group, words in zip(groups, told, strict=True):
        near = nearness(held, group.rows, space, ontology)
        topic = _topic(held, group, words, known, taken)
        topics.append(topic.model_copy(update={"close_to": near.domain, "closeness": near.share}))
        taken.add(topic.suggested_id)
    return topics


def nearness(held: Held, rows: IntArray, space: ExampleSpace, ontology: Ontology) -> Nearness:
    """What the library's centroids make of these memories."""
    centroids = space.fit({domain.id: domain.examples for domain in ontology.domains})
    seen = [space.space().centre(held.vectors[row], held.memories[row].text) for row in rows]
    mean = np.mean([softmax(centroids.logits(one)) for one in seen], axis=0)
    shares = dict(zip(centroids.ids, mean.tolist(), strict=True))
    background = max((shares.get(domain.id, 0.0) for domain in ontology.domains if domain.background), default=0.0)
    named = [domain.id for domain in ontology.domains if not domain.background and domain.id in shares]
    best = max(named, key=lambda key: shares[key], default=None)
    share = 0.0 if best is None else shares[best]
    close = share >= CLOSE and share > background
    return Nearness(best if close else None, round(share, 4), round(background, 4))


def examples_of(held: Held, rows: IntArray, *, most: int = EXAMPLES) -> tuple[Example, ...]:
    """The members nearest to their middle, each wording once, at most `most` of each language."""
    middle = _unit(held.vectors[rows].mean(axis=0))
    order = rows[np.argsort(-(held.vectors[rows] @ middle), kind="stable")]
    chosen: list[Example] = []
    counts = {True: 0, False: 0}
    seen: set[str] = set()
    for row in order:
        memory = held.memories[int(row)]
        text = memory.text.strip()[:_LONGEST_EXAMPLE]
        chinese = memory.language is Language.ZH
        if counts[chinese] < most and fold(text).text not in seen:
            seen.add(fold(text).text)
            counts[chinese] += 1
            chosen.append(Example(id=memory.id, text=text))
    return tuple(chosen)


def suggested_id(words: Sequence[str], taken: Collection[str], fallback: str) -> str:
    """An id of ASCII letters from the first words, Chinese ones romanised; numbered where it is taken."""
    parts = [re.sub(r"[^a-z0-9]+", "", "".join(lazy_pinyin(word)).casefold()) for word in words]
    base = "_".join(part for part in parts if part) or fallback
    number, found = 1, base
    while found in taken:
        number += 1
        found = f"{base}_{number}"
    return found


def _topic(
    held: Held, group: Group, words: Sequence[Telling], known: Collection[str], taken: Collection[str]
) -> ProposedTopic:
    members = [held.memories[int(row)] for row in group.rows]
    texts = [memory.text for memory in members]
    chinese = 2 * sum(memory.language is Language.ZH for memory in members) >= len(members)
    named = {
        han: _without_parts([as_written(one.word, texts) for one in words if is_han(one.word) is han][: 2 * _NAMED_BY])
        for han in (True, False)
    }
    names = {han: found[:_NAMED_BY] for han, found in named.items()}
    first = names[chinese] or names[not chinese]
    enough = max(_SEVERAL, _HELD_BY * len(members))
    own = [word for han in (chinese, not chinese) for word in _telling(words, known, enough, han=han)]
    name_zh, name_en = "、".join(names[True]) or None, ", ".join(names[False]) or None
    return ProposedTopic(
        id=group.id,
        suggested_id=suggested_id(first[:2], taken, group.id.replace("-", "_")),
        name=((name_zh or name_en) if chinese else (name_en or name_zh)) or group.id,
        name_zh=name_zh,
        name_en=name_en,
        keywords=tuple(_without_parts([as_written(word, texts) for word in own])[:KEYWORDS]),
        size=len(members),
        close_to=None,
        closeness=0.0,
        examples=examples_of(held, group.rows),
        memory_ids=tuple(MemoryId(memory.id) for memory in members),
    )


def _telling(words: Sequence[Telling], known: Collection[str], enough: float, *, han: bool) -> list[str]:
    """Words of one script to know the group by: its own ones, else shared ones, else those of single members."""
    mine = [one for one in words if is_han(one.word) is han and one.word not in known]
    for share, held in ((_OWN, enough), (_MOSTLY, _SEVERAL), (_OWN, 1)):
        found = [one.word for one in mine if one.share >= share and one.held >= held]
        if found:
            return found[: KEYWORDS // 2]
    return []


def _without_parts(words: Sequence[str]) -> list[str]:
    """Each word once, and no Chinese word beside a longer one that holds it."""
    unique = list(dict.fromkeys(words))
    return [one for one in unique if not (is_han(one) and any(one != other and one in other for other in unique))]


def _unit(vector: FloatArray) -> FloatArray:
    length = float(np.linalg.norm(vector))
    unit: FloatArray = vector if not length else (vector / length).astype(np.float32)
    return unit
