"""What was undertaken or fixed in a talk and is then called off in it: "I'll bake" and "can't do the baking".

The later clause denies an ability, or that there is such a thing, of the very act or appointment; nothing is put in
its place.
"""

from __future__ import annotations

import re

from graphsvc.change import words
from graphsvc.change.fills import filled
from graphsvc.change.found import Found
from graphsvc.change.parting import same_source, same_talk
from graphsvc.change.reading import Reading
from graphsvc.change.tied import parted
from graphsvc.change.units import Unit, explained, units
from graphsvc.language.change import NONE_OF, PROMISED, UNABLE
from graphsvc.models.change import ChangeKind
from ontology.model import ValueKind

_NONE = re.compile(r"\bno ", re.IGNORECASE)


def withdrawn(one: Reading, other: Reading) -> Found | None:
    """The promise or appointment of `one` that a clause of `other` takes back in the same talk."""
    if not same_talk(one, other):
        return None
    if not (_NONE.search(other.memory.text) or UNABLE.search(other.memory.text)):
        return None
    for v in units(other):
        denied = NONE_OF.search(v.part.text) is not None
        if not denied and not UNABLE.search(v.part.text):
            continue
        for u in units(one):
            if not (_appointed(u, v) if denied else PROMISED.search(u.text) and same_source(u.part.told, v.part.told)):
                continue
            own = [word for word in v.words if not explained(word) and not UNABLE.fullmatch(word)]
            common = words.shared(own, u.words)
            if common and len(common) == len(own) and not parted(one, u.part, other, v.part, None):
                return Found(ChangeKind.RETRACTS, u.part, v.part, "called off", 0.8, " ".join(common))
    return None


def _appointed(u: Unit, v: Unit) -> bool:
    """Whether both clauses are of one day or hour, or the later one of none."""
    kind = ValueKind.TIME.value
    mine, theirs = ([value for value in side.part.values if value.type == kind] for side in (u, v))
    pairs = filled(u.reading.memory, mine, v.reading.memory, theirs)
    return not mine or not theirs or any(pair.same for pair in pairs)
