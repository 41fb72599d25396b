"""The features of a candidate among its rivals: what a decision looks at, by the names of `calibration.features`."""

from __future__ import annotations

from collections.abc import Sequence

from graphsvc.models.answer import Candidate
from graphsvc.models.facts import HolderAgreement, Language
from graphsvc.models.question import Question

_WIDEST_LEAD = 0.2
_WIDEST_DENSE_LEAD = 0.1
_WIDEST_GAP = 0.5
_TERSE = 4
# Signals of the ranking that a decision looks at too, under the same name.
_SHARED = (
    "talk", "person", "wrong_direction", "sense", "other_sense", "other_attitude", "asks", "replaced", "changed_since",
    "low_confidence",
)  # fmt: skip


def features(
    candidates: Sequence[Candidate], place: int, question: Question, *, content_words: int
) -> dict[str, float | None]:
    """Every feature of `candidates[place]`, best first; None where nothing can be told."""
    candidate = candidates[place]
    scores, rival = candidate.scores, _rival(candidates, place)
    found: dict[str, float | None] = {
        "late": scores.late,
        "late_lead": _lead([one.scores.late for one in candidates], place, _WIDEST_LEAD),
        "dense_lead": _lead([one.scores.dense for one in candidates], place, _WIDEST_DENSE_LEAD),
        "uncovered": scores.uncovered,
        "overlap": scores.overlap,
        "gap": None if rival is None else _within(candidate.score - rival.score, _WIDEST_GAP),
        "alone": float(rival is None),
        **dict(scores.fit),
        "identifier_missing": _missing(question.identifiers, scores.signals.get("identifier")),
        "amount_missing": _missing(question.amounts, scores.signals.get("amount")),
        "person_missing": _missing(question.people, scores.signals.get("person")),
        "outside_window": float(question.window is not None and not scores.signals.get("window")),
        "other_holder": float(scores.holder is HolderAgreement.DIFFERENT),
        "cross_language": float({question.language, candidate.memory.language} == {Language.ZH, Language.EN}),
        "terse": float(content_words <= _TERSE),
    }
    return found | {name: scores.signals.get(name, 0.0) for name in _SHARED}


def _rival(candidates: Sequence[Candidate], place: int) -> Candidate | None:
    others = candidates[1:2] if place == 0 else candidates[:1]
    return next(iter(others), None)


def _lead(values: Sequence[float | None], place: int, widest: float) -> float | None:
    """How far one value stands above the best of the others; encoders differ in their scales, hardly in their leads."""
    own = values[place]
    others = [value for at, value in enumerate(values) if at != place and value is not None]
    return None if own is None or not others else _within(own - max(others), widest)


def _within(value: float, widest: float) -> float:
    return max(-widest, min(widest, value))


def _missing(named: Sequence[object], there: float | None) -> float:
    """1 when the question names something of a kind and the memory holds none of it: ids are never nearly right."""
    return float(bool(named) and not there)
