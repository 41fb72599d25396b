"""A clause of change that names nothing: "改周四了", "scrap that"; it bears on the nearest statement it can fill."""

from __future__ import annotations

from collections.abc import Sequence

from graphsvc.change import words
from graphsvc.change.changed import changed, differing, ended, fills_hard
from graphsvc.change.found import Found
from graphsvc.change.parting import same_talk
from graphsvc.change.reading import Cue, Part, Reading
from graphsvc.change.tied import is_verb, parted, stated
from graphsvc.language.change import CHOICE, CHOSEN, PUT_OFF
from graphsvc.models.change import ChangeKind
from graphsvc.models.facts import HolderKind, Language
from ontology.model import ValueKind

_MOST_NAMED = 3
_MOST_LED = 4
# A turn that leaves out what it is of is short.
_FEW_PARTS = 4


def referred(one: Reading, other: Reading, nearest: Sequence[Reading]) -> Found | None:
    """What an elliptical clause of `other` does to `one`, where nothing nearer in the talk can be meant."""
    if not same_talk(one, other) or (across_languages(one, other) and len(other.parts) > 1):
        return None
    for p in other.changing:
        if not stated(p):
            continue
        found = _given_up(one, other, p) or _chosen(one, other, p)
        if found is None and not _names_another(p):
            found = _fits(one, other, p)
        if found is None or any(_meant(middle, other, p) for middle in nearest):
            continue
        return found
    return None


def _chosen(one: Reading, other: Reading, p: Part) -> Found | None:
    """A choice made anew by a bare phrase: "还是栗子的吧", "the risotto after all", "tea instead"."""
    if len(other.parts) > 1 or not p.words or any(c.holder.kind is HolderKind.OTHER for c in p.claims):
        return None
    if not CHOSEN.search(p.text) or len(p.words) > _MOST_NAMED or p.values:
        return None
    made = [part for part in one.parts if stated(part) and CHOICE.search(part.text)]
    if not made or words.shared(p.words, made[-1].words):
        return None
    return Found(ChangeKind.SUPERSEDES, made[-1], p, "chosen anew", 0.6, " ".join(made[-1].words))


def _given_up(one: Reading, other: Reading, p: Part) -> Found | None:
    """What was put in place before is named in the clause before, and this one says what holds now."""
    if len(other.parts) > _FEW_PARTS - 1 or not p.place or p.cues == {Cue.TAKEN_BACK} or not p.words:
        return None
    before = other.parts[p.place - 1]
    if before.cues & {Cue.TAKEN_BACK} or not stated(before):
        return None
    for q in one.parts:
        put = () if q.new is None else words.words_in(one.memory.text, q.new)
        named = words.shared(put, before.words)
        if named and not words.shared(p.words, before.words) and not parted(one, q, other, p, None):
            return Found(ChangeKind.SUPERSEDES, q, p, "given up", 0.6, " ".join(named))
    return None


def across_languages(one: Reading, other: Reading) -> bool:
    return {one.memory.language, other.memory.language} == {Language.ZH, Language.EN}


def _names_another(p: Part) -> bool:
    """Whether a clause has a subject of its own; verbs alone are none, nor what a wrong value was read from."""
    topic = [word for word in p.topic if len(p.topic) > 1 or len(word) > 1 or not is_verb(word, p)]
    return bool(topic) and (Cue.PUT_RIGHT not in p.cues or len(topic) > _MOST_NAMED)


def _tells_of_another(one: Reading, other: Reading, p: Part) -> bool:
    """Whether what leads up to the clause is a matter of its own, of which the earlier memory has no word."""
    before = {word for part in other.parts if part.place < p.place for word in part.words}
    return len(words.apart(before, one.words)) > _MOST_LED and not words.shared(before, one.words)


def _meant(middle: Reading, other: Reading, p: Part) -> bool:
    return _fits(middle, other, p) is not None or changed(middle, other) is not None


def _fits(one: Reading, other: Reading, p: Part) -> Found | None:
    if _tells_of_another(one, other, p):
        return None
    for q in one.parts:
        pair = differing(one, q, other, p) if stated(q) else None
        if pair is not None:
            if parted(one, q, other, p, pair):
                continue
            kind = ChangeKind.CORRECTS if Cue.PUT_RIGHT in p.cues else ChangeKind.SUPERSEDES
            return Found(kind, q, p, "elliptical", 0.75, " ".join(q.words), pair)
    if fills_hard(p) or not p.changes or len(other.parts) > _FEW_PARTS or across_languages(one, other):
        return None
    if PUT_OFF.search(p.text):
        dated = [
            part for part in one.parts if stated(part) and any(v.type == ValueKind.TIME.value for v in part.values)
        ]
        if dated and not parted(one, dated[0], other, p, None):
            return Found(ChangeKind.SUPERSEDES, dated[0], p, "put off", 0.7, " ".join(dated[0].words))
        return None
    first = next((part for part in one.parts if stated(part) and part.words and not ended(part)), None)
    if first is None or parted(one, first, other, p, None):
        return None
    if Cue.TAKEN_BACK in p.cues and p.new is None:
        return Found(ChangeKind.RETRACTS, first, p, "taken back", 0.7, " ".join(first.words))
    if p.becomes and Cue.REPLACED in p.cues:
        return Found(ChangeKind.SUPERSEDES, first, p, "replaced", 0.6, " ".join(first.words))
    return None
