"""Turns of a talk that tell of somebody else's thing beside the one the talk is about.

"Next door's glasses are 300", said while father's were being made, answers nothing that is asked of father's. The first
turn says whose matter a talk is; a later one that begins with people whom neither the talk so far nor the question has
named, and reports no change, stands apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from graphsvc.language.change import CHANGE
from graphsvc.language.claims.kin import han_relation
from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Candidate
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import HolderKind
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.change.ties import Ties
from graphsvc.retrieve.parse.wording import worded
from ontology.model import ValueKind

BEHIND = 1e-3
# How far into a memory its subject begins at most: behind a possessor and a place ("我们隔壁的").
_LEAD = 8
# Who lives or sits beside: words of place that make another bearer of the same thing.
_BESIDE = worded(
    r"^(?:我们?|咱们?|你们?|他们?|她们?)?(?:家)?(?:隔壁|楼上|楼下|对门|对面|邻居|旁边)|^[^，,。]{1,4}(?:他们|她们|那边的)"
    r"|^(?:the |our |my )?(?:neighbou?rs?\b|\w+ next (?:to|door)\b|next[- ]door\b|(?:people|family|flat|couple|ones?)"
    r" (?:upstairs|downstairs|opposite)\b)"
)
# Kin by birth order or side, whom one syllable names (三舅, 小姨).
_KIN = re.compile(r"[大二三四五六七八小老]?(?:舅|姨|姑|叔|伯|婶|爷)(?:[妈父爹奶]|(?=[家的们也还说，,]))")


def talks(candidates: Sequence[Candidate]) -> Mapping[str, tuple[Candidate, ...]]:
    """The candidates of each talk, the earliest first."""
    found: dict[str, list[Candidate]] = {}
    for one in candidates:
        if one.memory.conversation_id is not None:
            found.setdefault(one.memory.conversation_id, []).append(one)
    return {
        talk: tuple(sorted(turns, key=lambda one: (one.memory.event_time, one.memory.id)))
        for talk, turns in found.items()
    }


def of_others(
    turns: Sequence[Candidate], question: Question, ties: Ties, kind: ValueKind | None = None
) -> frozenset[MemoryId]:
    """Which turns of one talk, the earliest first, tell of somebody else's."""
    asked = fold_key(question.text)
    told = asked
    found: set[MemoryId] = set()
    for place, one in enumerate(turns):
        memory = one.memory
        if place and _of_other(memory, asked, told, kind) and not _changes(memory, turns, ties):
            found.add(memory.id)
        else:
            told += "\n" + fold_key(memory.text)
    return frozenset(found)


def behind_own(placed: dict[MemoryId, Candidate], turns: Sequence[Candidate], apart: frozenset[MemoryId]) -> None:
    """Put turns of others behind the best of the talk's own that holds as much, which takes their probability."""
    own = [one.memory.id for one in turns if one.memory.id not in apart]
    for key in apart:
        one = placed[key]
        rivals = [placed[rival] for rival in own if _holds_as_much(placed[rival], one)]
        best = max(rivals, key=lambda one: (one.score, one.memory.id), default=None)
        if best is None or one.score < best.score:
            continue
        most = best.score - BEHIND
        boosts = one.scores.boosts
        lost = boosts.get("of_others", 0.0) + most - one.score
        scores = one.scores.model_copy(update={"boosts": boosts | {"of_others": lost}})
        placed[key] = one.model_copy(update={"score": most, "scores": scores})
        placed[best.memory.id] = best.model_copy(update={"probability": max(best.probability, one.probability)})


def _holds_as_much(rival: Candidate, other: Candidate) -> bool:
    mine, its = rival.scores.fit, other.scores.fit
    kind = (mine.get("kind_missing") or 0.0) < 1.0 or (its.get("kind_missing") or 0.0) >= 1.0
    return kind and (mine.get("covered") or 0.0) >= (its.get("covered") or 0.0)


def _of_other(memory: Memory, asked: str, told: str, kind: ValueKind | None) -> bool:
    beside = _BESIDE.search(memory.text)
    if beside is not None:
        return fold_key(beside.group()) not in told
    named = [] if kind is ValueKind.PERSON else _named(memory)
    if any(word in asked for word in named):
        return False
    people = [*_relatives(memory)[-1:], *named]
    return bool(people) and not all(word in told for word in people)


def _named(memory: Memory) -> list[str]:
    """The names and relations of whom the first claim is about, where it begins with them."""
    first = next(iter(memory.facts.claims), None)
    if first is None or first.holder.kind is not HolderKind.OTHER:
        return []
    holder = first.holder
    if holder.start is None or not first.start <= holder.start < first.start + _LEAD or first.start > _LEAD:
        return []
    return [fold_key(word) for word in (holder.key, holder.relation) if word is not None]


def _relatives(memory: Memory) -> list[str]:
    """The kin and other relations a Han memory begins with, the last first: 老妈的老姐妹们."""
    lead = memory.text[:_LEAD]
    found = [match.group() for match in [_KIN.match(lead.removeprefix("我"))] if match is not None]
    for end in range(2, len(lead)):
        word = han_relation(lead[:end])
        if word is not None and lead[end : end + 1] in "家的们也还都在" and word not in found:
            found.append(word)
    return [fold_key(word) for word in found]


def _changes(memory: Memory, turns: Sequence[Candidate], ties: Ties) -> bool:
    """Whether it tells of a change to an earlier turn: whoever does it, it is the talk's own matter."""
    there = {one.memory.id for one in turns}
    return CHANGE.search(memory.text) is not None and any(
        tie.later == memory.id and tie.earlier in there for tie in ties.overturning
    )
