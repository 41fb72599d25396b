"""Outcomes of single queries, and the metrics over them, as DESIGN's evaluation table defines each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from calibration.metrics import auroc, hit_at, mean, percentile, recall_at, reciprocal_rank
from graphsvc.models.answer import AnswerStatus
from graphsvc.models.base import Record

Metrics = dict[str, float | None]
ABSTAINED = frozenset({AnswerStatus.NOTHING_RELIABLE, AnswerStatus.NOTHING_STORED})


class Outcome(Record):
    """What came back for one query, beside what was right.

    `ranked` are the candidates of `search` best first, `evidence` those of `answer`;
    `probability` is the best candidate's, 0 without one.
    """

    file: str
    id: str
    language: str
    query_type: str
    relevant: tuple[str, ...]
    forbidden: tuple[str, ...]
    answerable: bool
    conflict: bool
    ranked: tuple[str, ...]
    status: AnswerStatus | None = None
    evidence: tuple[str, ...] = ()
    probability: float | None = None
    ms: float | None = None

    @property
    def abstained(self) -> bool:
        return self.status in ABSTAINED

    @property
    def correct(self) -> bool:
        """The first evidence is relevant and nothing forbidden is among it."""
        right_first = bool(self.evidence) and self.evidence[0] in self.relevant
        return right_first and not set(self.evidence) & set(self.forbidden)

    @property
    def forbidden_above(self) -> bool:
        """A forbidden candidate ranks above the best relevant one."""
        first = next((i for i in self.ranked if i in self.relevant or i in self.forbidden), None)
        return first is not None and first in self.forbidden

    @property
    def conflict_found(self) -> bool:
        return self.status is AnswerStatus.CONFLICT and set(self.relevant) <= set(self.evidence)


class QueryReport(Record):
    id: str
    file: str
    status: str | None
    evidence: tuple[str, ...]
    candidates: tuple[str, ...]
    probability: float | None
    ms: float | None


class Report(Record):
    """Metrics overall and by group; a metric without a query to measure it on is absent (None)."""

    summary: Metrics
    by_language: dict[str, Metrics]
    by_query_type: dict[str, Metrics]
    by_file: dict[str, Metrics]
    queries: tuple[QueryReport, ...]


def report(outcomes: Sequence[Outcome]) -> Report:
    """Compute every metric over all outcomes and over each group of them."""
    return Report(
        summary=metrics(outcomes),
        by_language=_grouped(outcomes, lambda o: o.language),
        by_query_type=_grouped(outcomes, lambda o: o.query_type),
        by_file=_grouped(outcomes, lambda o: o.file),
        queries=tuple(_query(outcome) for outcome in outcomes),
    )


def metrics(outcomes: Sequence[Outcome]) -> Metrics:
    """The evaluation table over some outcomes; outcomes without a decision have ranking metrics only."""
    answerable = [o for o in outcomes if o.answerable]
    ranking: Metrics = {
        "queries": float(len(outcomes)),
        "hit@1": mean([float(hit_at(o.ranked, o.relevant, 1)) for o in answerable]),
        "hit@5": mean([float(hit_at(o.ranked, o.relevant, 5)) for o in answerable]),
        "mrr": mean([reciprocal_rank(o.ranked, o.relevant) for o in answerable]),
        "recall@10": mean([recall_at(o.ranked, o.relevant, 10) for o in answerable if o.relevant]),
        "forbidden_above": mean([float(o.forbidden_above) for o in answerable if o.forbidden]),
    }
    decided = [o for o in outcomes if o.status is not None]
    return ranking | _decision_metrics(decided) if decided else ranking


def _decision_metrics(outcomes: Sequence[Outcome]) -> Metrics:
    answerable = [o for o in outcomes if o.answerable]
    unanswerable = [o for o in outcomes if not o.answerable]
    with_forbidden = [o for o in outcomes if o.forbidden]
    times = [o.ms for o in outcomes if o.ms is not None]
    return {
        "accuracy": mean([float(o.correct) for o in answerable]),
        "forbidden_accepted": mean([float(bool(set(o.evidence) & set(o.forbidden))) for o in with_forbidden]),
        "false_abstain": mean([float(o.abstained) for o in answerable]),
        "wrong_accept": mean([float(not o.abstained) for o in unanswerable]),
        "auroc": auroc([o.probability or 0.0 for o in answerable], [o.probability or 0.0 for o in unanswerable]),
        "conflict_found": mean([float(o.conflict_found) for o in outcomes if o.conflict]),
        "p50_ms": percentile(times, 50),
        "p95_ms": percentile(times, 95),
    }


def _grouped(outcomes: Sequence[Outcome], key: Callable[[Outcome], str]) -> dict[str, Metrics]:
    groups = sorted({key(o) for o in outcomes})
    return {group: metrics([o for o in outcomes if key(o) == group]) for group in groups}


def _query(outcome: Outcome) -> QueryReport:
    return QueryReport(
        id=outcome.id,
        file=outcome.file,
        status=outcome.status.value if outcome.status else None,
        evidence=outcome.evidence,
        candidates=outcome.ranked,
        probability=outcome.probability,
        ms=outcome.ms,
    )
