"""A later clause worded as a change, tied to the earlier memory by what it names: the thing, or the old value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphsvc.change import words
from graphsvc.change.fills import Filled, filled, tells
from graphsvc.change.found import Found, type_of
from graphsvc.change.parting import same_talk
from graphsvc.change.reading import Cue, Part, Reading
from graphsvc.change.tied import head_missing, is_verb, other_talk, parted, stated
from graphsvc.language.change import PUT_RIGHT
from graphsvc.models.answer import Value
from graphsvc.models.change import ChangeKind, ValueType
from graphsvc.models.facts import Polarity

_FEWEST_ELSEWHERE = 2
_SHORTEST = 2
# In a short memory the thing and its value may stand in two clauses; in a long one each has its own.
_FEW_PARTS = 4
_FIGURED = frozenset({ValueType.AMOUNT, ValueType.IDENTIFIER})
_HARD = frozenset({ValueType.AMOUNT, ValueType.TIME, ValueType.IDENTIFIER})


def changed(one: Reading, other: Reading) -> Found | None:
    """The surest of what any clause of change in `other` does to any clause of `one`."""
    found = [made for p in other.changing if stated(p) for made in (_by(one, other, p),) if made is not None]
    return max(found, key=lambda one: one.certainty, default=None)


def _by(one: Reading, other: Reading, p: Part) -> Found | None:
    topic, own = _topic(one, other, p)
    common = _common(one, other, topic)
    told = (p.old is not None and holds(one.folded, p.old)) or _old_is_named(one, other, p)
    if not (common or told) or (own and not told and (head_missing(one, p, common) or _of_another(p, common))):
        return None
    if not _tied(one, other, topic, common, told=told) or (told and own and _of_other_thing(one, p)):
        return None
    best = max(_candidates(one, other, p, topic, told=told), key=lambda found: found[0], default=None)
    if best is None or parted(one, best[1], other, p, best[2]):
        return None
    if _only_names(one, other, common, topic) and not told and (len(one.parts) > _FEW_PARTS // 2 or not own):
        return None
    slot = " ".join(common or (p.old or "",))
    _, q, pair = best
    if pair is not None:
        kind = ChangeKind.CORRECTS if Cue.PUT_RIGHT in p.cues else ChangeKind.SUPERSEDES
        return Found(kind, q, p, "reworded", 0.9, slot, pair)
    if ended(q):
        return None
    return _unvalued(q, other, p, slot, told=told) if told or same_talk(one, other) or p.new is None else None


_Candidate = tuple[tuple[float, float, float], Part, Filled | None]


def _candidates(one: Reading, other: Reading, p: Part, topic: Sequence[str], *, told: bool) -> Iterator[_Candidate]:
    """The clauses that may be meant: with a value that differs first, then those that share most words."""
    for q in one.parts:
        if not stated(q):
            continue
        text = q.text.casefold()
        near = sum(word in text or words.among(word, q.words) for word in topic)
        near += 2 if told and p.old is not None and holds(text, p.old) else 0
        pair = differing(one, q, other, p)
        if not near and (pair is None or len(one.parts) > _FEW_PARTS):
            continue
        if p.cues == {Cue.NOW} and not told and words.apart(p.topic, q.words):
            continue
        yield (1.0 if pair else 0.0, float(near), -float(q.place)), q, pair


def _old_is_named(one: Reading, other: Reading, p: Part) -> bool:
    """Whether the later memory names the earlier one's code or figure beside the new: the old 10.2.3.4 is off."""
    return same_talk(one, other) and any(
        type_of(value) in _FIGURED
        and len(value.text) > _SHORTEST
        and holds(other.folded, value.text.casefold())
        and differing(one, q, other, p) is not None
        for q in one.parts
        for value in q.values
    )


def holds(text: str, told: str) -> bool:
    """Whether a text holds a value as a whole, not as a part of a longer word or figure."""
    if not told[:1].isascii():
        return told in text
    return re.search(rf"(?<![a-z0-9.,]){re.escape(told)}(?![a-z0-9]|[.,]\d)", text) is not None


def _common(one: Reading, other: Reading, topic: Sequence[str]) -> tuple[str, ...]:
    """The words of the topic that the earlier memory holds; a single character must be the same, or be all there is."""
    found = tuple(
        dict.fromkeys(a for a, b in words.pairs(topic, one.words) if a == b or min(len(a), len(b)) >= _SHORTEST)
    )
    if sum(map(len, found)) >= _SHORTEST:
        return found
    alone = len(topic) == 1 and topic[0] in one.folded and same_talk(one, other)
    return tuple(topic) if alone else ()  # 蟹 for 大闸蟹


def _of_another(p: Part, common: Sequence[str]) -> bool:
    """Whether somebody or something else changed, or the one shared changed something else."""
    before, after = p.subject, [word for word in p.topic if word not in p.subject]
    named = [word for word in before if len(word) > 1 and not is_verb(word, p)]
    if named and not any(word in common for word in before) and after:
        return True
    objects = [word for word in after if word.isascii()]
    return bool(objects and before) and not any(word in common for word in objects)


def _of_other_thing(one: Reading, p: Part) -> bool:
    """Whether the clause names the old value, but as that of a thing the earlier memory does not speak of."""
    old = p.old or ""
    things = [word for word in p.topic if not is_verb(word, p) and word not in old]
    return (
        len(one.words) > 1
        and bool(things)
        and not any(word in one.folded for word in things)
        and not words.shared(things, one.words)
    )


def _only_names(one: Reading, other: Reading, common: Sequence[str], topic: Sequence[str]) -> bool:
    """Whether all that is shared is who, while the later clause has more to say of it than a change."""
    people = [m.key for r in (one, other) for m in r.memory.facts.mentions if m.type in ("person", "organisation")]
    people += [
        name
        for r in (one, other)
        for claim in r.memory.facts.claims
        for name in (claim.holder.key, claim.holder.relation)
        if name is not None
    ]
    named = [word for word in common if any(word in name for name in people)]
    return bool(common) and len(named) == len(common) and len(topic) > len(common)


def _topic(one: Reading, other: Reading, p: Part) -> tuple[tuple[str, ...], bool]:
    """What a clause of change is about; where it says nothing itself, what the clauses before it say."""
    if p.topic:
        return p.topic, True
    if not same_talk(one, other):
        return (), True
    before = [part for part in other.parts if part.place < p.place]
    return tuple(dict.fromkeys(word for part in before for word in part.topic)), False


def _tied(one: Reading, other: Reading, topic: Sequence[str], common: Sequence[str], *, told: bool) -> bool:
    """In one talk a shared word ties; elsewhere two, or all that both are about."""
    if same_talk(one, other):
        return True
    if len(common) + told >= _FEWEST_ELSEWHERE:
        return True
    if other_talk(one, other) or not common or words.apart(topic, one.words):
        return False
    return len(one.words) <= len(common) + 1 or any(
        words.same_word(q.words[-1], common[-1]) for q in one.parts if q.words
    )


def differing(one: Reading, q: Part, other: Reading, p: Part) -> Filled | None:
    """The pair of values that differ; those put in the old one's place before the others."""
    mine = [value for value in p.values if p.new is None or p.new[0] <= value.start < p.new[1]] or list(p.values)
    wrong = PUT_RIGHT.search(other.memory.text, *p.span) if p.new is None else None
    if wrong is not None:
        mine = [value for value in mine if value.start > wrong.start()]  # "we charged 16.80 by error"
    if Cue.PUT_RIGHT in p.cues:
        # "抄错了,应该是231块" and "not 65, 80" go on beyond the clause.
        mine += [v for part in other.parts if part.place == p.place + 1 for v in part.values]
    mine = [value for value in mine if not _is_subject(p, value) and tells(value, other.memory.text, p.span)]
    theirs = [value for value in q.values if tells(value, one.memory.text, q.span)]
    pairs = filled(one.memory, theirs, other.memory, mine, bare=True)
    return next((pair for pair in pairs if not pair.same), None)


def _is_subject(p: Part, value: Value) -> bool:
    return any(claim.holder.start == value.start for claim in p.claims) and (p.new is None or value.start < p.new[0])


def _unvalued(q: Part, other: Reading, p: Part, slot: str, *, told: bool) -> Found | None:
    """A change that gives no value comparable with the earlier one's: taken back, put right, or replaced by words."""
    if Cue.TAKEN_BACK in p.cues:
        instead = any(part.new is not None and not part.topic and Cue.REPLACED in part.cues for part in other.parts)
        kind = ChangeKind.SUPERSEDES if p.new is not None or instead else ChangeKind.RETRACTS
        return Found(kind, q, p, "taken back", 0.85, slot)
    if Cue.PUT_RIGHT in p.cues and told:
        return Found(ChangeKind.CORRECTS, q, p, "put right", 0.8, slot)
    if fills_hard(p) or (not told and _of_another_kind(q, other, p)):
        return None
    if p.new is not None and not p.becomes and not told:
        said = words.words_in(other.memory.text, p.new)
        if not words.shared(said, q.words):
            return None
    if told or (p.new is not None and Cue.REPLACED in p.cues):
        return Found(ChangeKind.SUPERSEDES, q, p, "replaced", 0.8 if told else 0.65, slot)
    return None


def _of_another_kind(q: Part, other: Reading, p: Part) -> bool:
    """Whether the earlier clause only gives an hour or an amount, and words are put in, which fill no such slot."""
    hard = [value for value in q.values if type_of(value) in _HARD]
    bare = not words.apart(q.words, (*p.topic, *p.words))
    return bool(hard) and bare and p.new is not None and bool(words.words_in(other.memory.text, p.new))


def fills_hard(p: Part) -> bool:
    """Whether what is put in the old one's place is a time, an amount or a code: it fills no slot of another type."""
    return any(
        type_of(value) in _HARD for value in p.values if p.new is not None and p.new[0] <= value.start < p.new[1]
    )


def ended(q: Part) -> bool:
    """Whether a clause itself says that something is not or is no more, with nothing in its place."""
    return (Cue.TAKEN_BACK in q.cues and q.new is None) or any(claim.polarity is Polarity.CEASED for claim in q.claims)
