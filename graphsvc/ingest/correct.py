"""Set right which sense a word has in a stored memory: a person's word, which no tagger overrules.

A correction also teaches: it counts for several uses when the author's habits are asked.
"""

from __future__ import annotations

from graphsvc.encoding.base import Fingerprint
from graphsvc.errors import FieldInvalid, NotFound
from graphsvc.language.normalise import fold_key
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import SenseSource
from graphsvc.models.memory import Memory
from graphsvc.store.base import Encoding, Store
from ontology.model import Ontology, SenseWord


def correct_sense(
    store: Store, ontology: Ontology, fingerprint: Fingerprint, memory: Memory, *, surface: str, sense_id: str
) -> Memory:
    """The memory with that sense wherever it writes `surface`; raises `FieldInvalid`, or `NotFound` once it is gone.

    `surface` is compared without width and case. The word and the sense must be the library's.
    """
    word = _word_of(ontology, sense_id)
    key = fold_key(surface)
    if key not in {fold_key(form) for form in word.surfaces.all}:
        raise FieldInvalid(
            f"{sense_id} is no sense of {surface!r}", where="sense", remedy=f"it is a sense of {word.surfaces.all[0]!r}"
        )
    told = {"sense": sense_id, "probability": 1.0, "source": SenseSource.CORRECTION}
    senses = tuple(
        sense.model_copy(update=told) if fold_key(sense.surface) == key else sense for sense in memory.facts.senses
    )
    if senses == memory.facts.senses and not any(fold_key(sense.surface) == key for sense in senses):
        raise FieldInvalid(f"the memory does not say {surface!r} as a word of its own", where="surface")
    facts = memory.facts.model_copy(update={"senses": senses})
    store.set_encoding(fingerprint, [Encoding(memory.namespace, memory.id, facts=facts)])
    kept = store.get(memory.namespace, [MemoryId(memory.id)])
    if not kept:
        raise NotFound("the memory was deleted meanwhile", where=memory.id)
    return kept[0]


def _word_of(ontology: Ontology, sense_id: str) -> SenseWord:
    word = ontology.sense_word(sense_id.partition(".")[0])
    if word is None or all(sense.id != sense_id for sense in word.senses):
        remedy = "none of its words has it" if word is None else f"known: {', '.join(one.id for one in word.senses)}"
        raise FieldInvalid(f"{sense_id!r} is no sense of the library", where="sense", remedy=remedy)
    return word
