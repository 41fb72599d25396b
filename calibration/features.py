"""What a decision may look at: each feature of a candidate with its unit, its direction, and what unknown counts as.

A rule or a model is bound to this list by its hash, so that one trained on other features is never asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Feature:
    """`direction` is +1 where more of it speaks for a candidate, -1 where against it, 0 where it depends.

    Trees keep to a direction where it is `firm`. Of two memories as like a question as a whole, the one that meets its
    words better one by one is often the near miss; a sum of weights, which goes on beyond all it was learnt on, keeps
    to every direction.

    A full `veto` (a value of 1) rules a candidate out whatever else speaks for it: an identifier is never nearly right,
    and another person's fact answers nothing however like it is.
    """

    name: str
    unit: str
    direction: int
    unknown: float = 0.0
    veto: bool = False
    firm: bool = True


FEATURES: tuple[Feature, ...] = (
    Feature("late", "cosine of token states, mean over the question's tokens", +1, 0.57),
    Feature("late_lead", "late less the best other candidate's, within ±0.2", +1, 0.03),
    Feature("dense_lead", "cosine less the best other candidate's, within ±0.1", +1, 0.01),
    Feature("uncovered", "two worst-covered question tokens, weighted", -1, 0.1),
    Feature("overlap", "share of the question's words in the memory", +1),
    Feature("gap", "mixed score less the best other candidate's, within ±0.5", +1, 0.1),
    Feature("alone", "1 when there is no other candidate", 0),
    Feature("strange", "how far late stays below 0.6 where no word is shared, in steps of 0.2, at most 1.5", -1, 1.0),
    Feature("talk", "how much better its talk covers the question, 0 to 1", +1),
    Feature("covered", "share of the question's content words in the memory", +1),
    Feature("bound", "share of the found words that stand by the value, 0 to 1", +1, 0.5),
    Feature("kind_missing", "1 less the fit of the best value of the asked kind", -1, 0.5),
    Feature("focus_missing", "how far the head noun of what is asked is missing, 0 to 1", -1),
    Feature("substituted", "share of word pairs whose first word is another's", -1),
    Feature("contrast", "another member of a closed class stands by the value, 0 to 1", -1),
    Feature("answers", "log odds that it answers, by a net over token states, within ±4", +1, -0.5),
    Feature(
        "unlike",
        "1 when no word is shared and late is at most 0.4 (across languages 0.2), or under 0.5 and no such kind",
        -1,
        veto=True,
    ),
    Feature("nothing_asked", "1 when the question has no content word, name, id, amount or time", -1, veto=True),
    Feature("identifier_missing", "1 when it holds none of the question's identifiers", -1, veto=True),
    Feature("person", "named people that take part as asked", +1),
    Feature("person_missing", "1 when no named person takes part or is spoken of", -1),
    Feature("role_broken", "1 when others stand in the role the question gives somebody", -1, veto=True),
    Feature("wrong_direction", "named people that take part in another role", -1),
    Feature("outside_window", "1 when the question names a time and it was neither said in it nor speaks of it", -1),
    Feature("sense", "how surely a word's sense agrees", +1),
    Feature("other_sense", "how surely a word's sense is another", -1),
    Feature("other_holder", "1 when it states somebody else's fact", -1, veto=True),
    Feature("other_attitude", "1 when it tells of dislikes and likes are asked for, or the reverse", -1, veto=True),
    Feature("asks", "share of its clauses that only ask", -1),
    Feature("changed_since", "1 when a later turn of its talk speaks of a change", -1),
    Feature("cross_language", "1 when question and memory share no script", 0),
    Feature("terse", "1 when the question has at most four content words", 0),
    Feature("length", "hundreds of tokens of the memory, at most 5", 0, 0.3),
    Feature("asks_reason", "1 when a reason is asked for", 0),
    Feature("worth", "kind, nearness and standing of the best value together, 0 to about 2", +1, 0.4, firm=False),
    Feature("clause_share", "share of the question's content words in one clause", +1, 0.4, firm=False),
    Feature("others_covered", "share of its content words that are no nouns in the memory", +1, 0.5, firm=False),
    Feature("value_late", "late, against the clause of the best value alone", +1, 0.5, firm=False),
    Feature("clause_late", "late, against the best single clause", +1, 0.55, firm=False),
    Feature("asked_met", "best match of the words that ask, cosine of token states", +1, 0.5, firm=False),
    Feature("asked_above", "asked_met less what is usual among the candidates", +1, 0.1, firm=False),
    Feature("head_met", "best match of the head noun of what is asked, cosine of token states", +1, 0.65, firm=False),
    Feature("head_above", "head_met less what is usual among the candidates", +1, 0.25, firm=False),
    Feature("last_met", "best match of the question's last content word, cosine of token states", +1, 0.6, firm=False),
    Feature("least_met", "best match of the two worst-met tokens, cosine of token states", +1, 0.4, firm=False),
    Feature("least_above", "the two tokens least above what is usual among the candidates", +1, 0.0, firm=False),
    Feature("absent_met", "mean best match of the words it does not have, 1 when it has all", +1, 0.5, firm=False),
    Feature(
        "absent_weight", "weight of the words it does not have times what is missing of them", -1, 0.15, firm=False
    ),
)
NAMES: tuple[str, ...] = tuple(feature.name for feature in FEATURES)
DIRECTIONS: NDArray[np.float64] = np.array([feature.direction for feature in FEATURES], dtype=np.float64)
MONOTONE: tuple[int, ...] = tuple(feature.direction if feature.firm else 0 for feature in FEATURES)
VETOES: tuple[str, ...] = tuple(feature.name for feature in FEATURES if feature.veto)
Values = Mapping[str, float | None]


def schema_hash(features: Iterable[Feature] = FEATURES) -> str:
    """Sixteen hex digits that change with any feature's name, unit, direction or order."""
    told = [(one.name, one.unit, one.direction, one.unknown, one.veto, one.firm) for one in features]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def vetoed(values: Values) -> bool:
    """Whether anything rules the candidate out."""
    return any(values.get(name) == 1.0 for name in VETOES)


def ruled_out(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which rows `(n, features)` any veto rules out."""
    full: NDArray[np.bool_] = (rows[:, [NAMES.index(name) for name in VETOES]] == 1.0).any(axis=1)
    return full


def row(values: Values) -> NDArray[np.float64]:
    """float64 `(features,)` in the list's order, unknown ones as the list says; raises `KeyError` for another name."""
    strange = values.keys() - set(NAMES)
    if strange:
        raise KeyError(f"no such feature: {', '.join(sorted(strange))}")
    given = [values.get(one.name) for one in FEATURES]
    filled = [one.unknown if value is None else value for one, value in zip(FEATURES, given, strict=True)]
    return np.array(filled, dtype=np.float64)
