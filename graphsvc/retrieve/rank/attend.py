"""What token states tell beside one score: which words of a question a memory meets, and whether about its value.

The score of late interaction is a mean. Near misses hide in it: all is met but the one word that is asked for, or
all is met, but in another clause than the value's. A word counts as met by itself, and by how much better than in
the other candidates: "price" is near to every bill.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphsvc.encoding.base import EncodedQuery, Encoder, FloatArray, PlacingEncoder, Span, TokenStates
from graphsvc.encoding.late import token_weights, unpack
from graphsvc.language.passage import passage_of
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.fit import Fit
from graphsvc.retrieve.extract.terms import terms_of
from graphsvc.retrieve.extract.wanted import wanted
from graphsvc.retrieve.extract.words import read
from graphsvc.store.base import Store

# With fewer rivals nothing is said of how well the others meet a word.
_FEWEST_RIVALS = 6
_LEAST = 2
# A token without a letter still belongs to its word.
_LIGHTEST = np.float32(1e-6)
_TOKENS_PER_UNIT, _LONGEST = 100.0, 5.0
Mask = NDArray[np.bool_]
Measures = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Attention:
    """One question's reader of token states; without places of tokens, or states, it measures nothing."""

    question: Question
    query: EncodedQuery
    encoder: Encoder
    store: Store
    namespace: str
    _kept: dict[MemoryId, tuple[FloatArray, TokenStates | None]] = field(default_factory=dict)

    def kept(self, ids: Sequence[MemoryId]) -> Mapping[MemoryId, tuple[FloatArray, TokenStates | None]]:
        """Vectors and token states of memories, each read once for the question."""
        self._kept.update(self.store.vectors(self.namespace, [one for one in ids if one not in self._kept]))
        return {one: self._kept[one] for one in ids if one in self._kept}

    def measures(self, memories: Sequence[Memory], fits: Mapping[MemoryId, Fit]) -> dict[MemoryId, Measures]:
        """The measures of memories that were judged, by the names of a decision's features."""
        states = self.query.states
        if states is None or not len(states) or not isinstance(self.encoder, PlacingEncoder):
            return {}
        places = _places(self.encoder.token_places(self.question.text), len(states))
        if not len(places):
            return {}
        kept = self.kept([one.id for one in memories])
        tokens = {one.id: kept[one.id][1] for one in memories if one.id in kept}
        known = [one for one in memories if tokens.get(one.id) is not None and one.id in fits]
        asking = _Asking.of(self.question, states, token_weights(self.query), places)
        met = {one.id: _Met.of(one, tokens[one.id], asking, self.encoder) for one in known}
        told = [one.best for one in met.values() if one is not None]
        usual = np.median(told, axis=0) if len(told) >= _FEWEST_RIVALS else None
        return {key: _short(_measures(one, asking, fits[key], usual)) for key, one in met.items() if one is not None}


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question's token states `(tokens, d)` with their weights and places, the tokens of what is asked, its words.

    `words` is `(words, tokens)`, what each token counts in each word, and rows sum to 1 or 0; `weighs` is each word's
    weight in all, `last` the number of the last that does not only name a sort of answer.
    """

    states: FloatArray
    weights: FloatArray
    places: NDArray[np.int64]
    asked: Mask
    words: FloatArray
    weighs: FloatArray
    last: int | None

    @classmethod
    def of(cls, question: Question, states: FloatArray, weights: FloatArray, places: NDArray[np.int64]) -> _Asking:
        asked, terms = wanted(question), terms_of(question)
        rows = np.zeros((len(terms), len(places)), np.float32)
        for row, one in enumerate(terms):
            tokens = _within(places, (one.word.start, one.word.end))
            rows[row, tokens] = weights[tokens] + _LIGHTEST
        weighs: FloatArray = rows.sum(axis=1)
        last = max((row for row, one in enumerate(terms) if not one.sort and weighs[row]), default=None)
        words = (rows / np.where(weighs > 0, weighs, 1)[:, None]).astype(np.float32)
        return cls(states, weights, places, _within(places, (asked.start, asked.end)), words, weighs, last)


@dataclass(frozen=True, slots=True)
class _Met:
    """One memory's best matches `(question tokens,)`, its length in tokens, and late of each clause with tokens."""

    best: FloatArray
    length: int
    clauses: Mapping[int, float]

    @classmethod
    def of(cls, memory: Memory, states: TokenStates | None, asking: _Asking, encoder: PlacingEncoder) -> _Met | None:
        """None for a memory without tokens; those of a speaker's name before the text are of no clause."""
        if states is None or not len(states):
            return None
        passage = passage_of(memory)
        starts = _starts(encoder.token_places(passage), len(states)) - (len(passage) - len(memory.text))
        if not len(starts):
            return None
        matches = unpack(states)[: len(starts)] @ asking.states.T
        clause = np.searchsorted(read(memory.text).clause_starts, starts, side="right") - 1
        first = np.flatnonzero(np.diff(clause, prepend=-2))
        late = np.maximum.reduceat(matches, first, axis=0) @ asking.weights
        told = dict(zip(clause[first].tolist(), late.tolist(), strict=True))
        told.pop(-1, None)
        return cls(matches.max(axis=0), len(starts), told)


def _measures(met: _Met, asking: _Asking, fit: Fit, usual: FloatArray | None) -> Measures:
    best = met.best
    above = None if usual is None else best - usual
    head = _within(asking.places, fit.head) if fit.head is not None else np.zeros(len(best), np.bool_)
    words = (asking.words @ best).tolist()
    absent = [row for row in fit.absent if asking.weighs[row] > 0]
    return {
        "length": min(_LONGEST, met.length / _TOKENS_PER_UNIT),
        "value_late": None if fit.value_clause is None else met.clauses.get(fit.value_clause),
        "clause_late": max(met.clauses.values(), default=None),
        "asked_met": _mean(best, asking.asked),
        "asked_above": _mean(above, asking.asked),
        "head_met": _mean(best, head),
        "head_above": _mean(above, head),
        "last_met": None if asking.last is None else words[asking.last],
        "least_met": _least(best),
        "least_above": _least(above),
        "absent_met": sum(words[row] for row in absent) / len(absent) if absent else 1.0,
        "absent_weight": float(sum(asking.weighs[row] * (1.0 - words[row]) for row in absent)),
    }


def _short(measures: Measures) -> Measures:
    """Four digits, as signals have: traces keep them."""
    return {name: None if value is None else round(value, 4) for name, value in measures.items()}


def _mean(values: FloatArray | None, tokens: Mask) -> float | None:
    return float(values[tokens].mean()) if values is not None and tokens.any() else None


def _least(values: FloatArray | None) -> float | None:
    return None if values is None else float(np.sort(values)[:_LEAST].mean())


def _starts(places: Sequence[Span], most: int) -> NDArray[np.int64]:
    return np.array([start for start, _ in places[:most]], np.int64)


def _places(places: Sequence[Span], most: int) -> NDArray[np.int64]:
    return np.asarray(places[:most], np.int64).reshape(-1, 2)


def _within(places: NDArray[np.int64], span: Span) -> Mask:
    """The tokens that stand in a span at least in part; none where it is empty."""
    inside: Mask = (places[:, 0] < span[1]) & (places[:, 1] > span[0]) & (span[0] < span[1])
    return inside
