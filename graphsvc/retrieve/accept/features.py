"""The features of a candidate among its rivals: what a decision looks at, by the names of `calibration.features`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphsvc.models.answer import Candidate
from graphsvc.models.facts import HolderAgreement, Language
from graphsvc.models.question import Question

_WIDEST_LEAD = 0.2
_WIDEST_DENSE_LEAD = 0.1
_WIDEST_GAP = 0.5
_TERSE = 4
_ALIKE, _HARDLY_ALIKE, _UNLIKE = 0.6, 0.5, 0.4
_FOREIGN = 0.2  # across languages no word can be shared, but states of one meaning are still alike
_STEP, _STRANGEST = 0.2, 1.5
# Signals of the ranking that a decision looks at too, under the same name.
_SHARED = (
    "talk", "person", "wrong_direction", "role_broken", "sense", "other_sense", "other_attitude", "asks",
    "changed_since",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """All candidates of one search, best first, as one of them is seen against."""

    question: Question
    candidates: Sequence[Candidate]
    content_words: int
    late: tuple[float, ...]
    dense: tuple[float, ...]
    naming: frozenset[str]

    @classmethod
    def of(cls, candidates: Sequence[Candidate], question: Question, *, content_words: int) -> Field:
        """`naming` are the talks in which a person of the question takes part or is spoken of."""
        return cls(
            question,
            candidates,
            content_words,
            late=_two_best(one.scores.late for one in candidates),
            dense=_two_best(one.scores.dense for one in candidates),
            naming=frozenset(
                one.memory.conversation_id
                for one in candidates
                if one.memory.conversation_id is not None and one.scores.signals.get("person")
            ),
        )

    def features(self, place: int) -> dict[str, float | None]:
        """Every feature of `candidates[place]`; None where nothing can be told."""
        candidate, question = self.candidates[place], self.question
        scores, rival = candidate.scores, self._rival(place)
        found: dict[str, float | None] = {
            "late": scores.late,
            "late_lead": _lead(scores.late, self.late, _WIDEST_LEAD),
            "dense_lead": _lead(scores.dense, self.dense, _WIDEST_DENSE_LEAD),
            "uncovered": scores.uncovered,
            "overlap": scores.overlap,
            "gap": None if rival is None else _within(candidate.score - rival.score, _WIDEST_GAP),
            "alone": float(rival is None),
            **dict(scores.fit),
            "nothing_asked": self._nothing_asked(),
            "identifier_missing": _missing(question.identifiers, scores.signals.get("identifier")),
            "person_missing": self._nobody_named(candidate),
            "outside_window": float(question.window is not None and not scores.signals.get("window")),
            "other_holder": float(scores.holder is HolderAgreement.DIFFERENT),
            "cross_language": float({question.language, candidate.memory.language} == {Language.ZH, Language.EN}),
            "terse": float(self.content_words <= _TERSE),
        }
        found |= {name: scores.signals.get(name, 0.0) for name in _SHARED}
        return found | {"strange": _strange(found), "unlike": _unlike(found)}

    def _nothing_asked(self) -> float:
        asked = self.question
        named = asked.people or asked.mentions or asked.identifiers or asked.amounts or asked.times or asked.senses
        return float(not self.content_words and not named)

    def _rival(self, place: int) -> Candidate | None:
        others = self.candidates[1:2] if place == 0 else self.candidates[:1]
        return next(iter(others), None)

    def _nobody_named(self, candidate: Candidate) -> float:
        """1 when the question names somebody and neither the memory nor its talk does; whoever asks is not named."""
        named = any(person.name in self.question.text for person in self.question.people)
        there = candidate.scores.signals.get("person") or candidate.memory.conversation_id in self.naming
        return float(named and not there)


def _shares(found: Mapping[str, float | None]) -> bool:
    """Whether a word is shared, or cannot be: across languages, or where the talk says what the memory leaves out."""
    return any(found.get(name) for name in ("overlap", "covered", "talk", "cross_language"))


def _strange(found: Mapping[str, float | None]) -> float | None:
    late = found["late"]
    if _shares(found):
        return 0.0
    return None if late is None else max(0.0, min(_STRANGEST, (_ALIKE - late) / _STEP))


def _unlike(found: Mapping[str, float | None]) -> float:
    """1 for what nothing but its rank speaks for; of an encoder without token states only the asked kind can tell."""
    late, missing = found["late"], (found.get("kind_missing") or 0.0) >= 1.0
    if _shares(found):
        foreign = found.get("cross_language") and not found.get("overlap") and not found.get("talk")
        return float(bool(foreign) and late is not None and late <= _FOREIGN)
    if late is None:
        return float(missing)
    return float(late <= _UNLIKE or (missing and late < _HARDLY_ALIKE))


def _two_best(values: Iterable[float | None]) -> tuple[float, ...]:
    return tuple(sorted((value for value in values if value is not None), reverse=True)[:2])


def _lead(own: float | None, best: Sequence[float], widest: float) -> float | None:
    """How far one value stands above the best of the others; encoders differ in their scales, hardly in their leads."""
    if own is None or len(best) < 2:
        return None
    other = best[1] if own >= best[0] else best[0]
    return _within(own - other, widest)


def _within(value: float, widest: float) -> float:
    return max(-widest, min(widest, value))


def _missing(named: Sequence[object], there: float | None) -> float:
    """1 when the question names something of a kind and the memory holds none of it: ids are never nearly right."""
    return float(bool(named) and not there)
