"""An answer or a search with the trace behind it, as the command line and HTTP give them when asked to explain."""

from __future__ import annotations

from typing import Self

from graphsvc.models.answer import Answer, SearchResult, Trace


class ExplainedAnswer(Answer):
    """An answer, and everything behind it where that was asked for."""

    trace: Trace | None = None

    @classmethod
    def of(cls, answer: Answer, trace: Trace) -> Self:
        return cls.model_validate({**_fields(answer), "trace": trace})


class ExplainedSearch(SearchResult):
    """Ranked candidates, and everything behind them where that was asked for."""

    trace: Trace | None = None

    @classmethod
    def of(cls, found: SearchResult, trace: Trace) -> Self:
        return cls.model_validate({**_fields(found), "trace": trace})


def _fields(record: Answer | SearchResult) -> dict[str, object]:
    """The record's fields as they are; none is copied or dumped."""
    return {name: getattr(record, name) for name in type(record).model_fields}
