"""One question with everything its caller said about it, checked, and the stages of answering it, each with its time.

What a caller gets wrong is told before anything is encoded or read; past that, every field may be relied on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
)

from graphsvc.errors import FieldInvalid
from graphsvc.language.normalise import check_text
from graphsvc.models.answer import Leg, Stage
from graphsvc.models.base import Namespace, ShortText
from graphsvc.retrieve.parse.parser import Asked
from graphsvc.retrieve.rank.pool import ALL_LEGS
from graphsvc.store.base import Where
from graphsvc.store.filters import And, Compare, Not, Op, Or, both, compare

MAX_QUESTION_CHARS = 2000


def _is_filter(where: object) -> object:
    if where is None or isinstance(where, Compare | And | Or | Not):
        return where
    raise ValueError(f"a filter was expected, not {type(where).__name__}; read data with parse_filter")


class _Given(BaseModel):
    """What a caller may say about a question, in the bounds the network has too; nothing is read as another type."""

    model_config = ConfigDict(frozen=True, strict=True)

    question: str
    asked_at: AwareDatetime
    asked_by: ShortText | None
    conversation_id: ShortText | None
    namespace: Namespace
    where: Annotated[object, AfterValidator(_is_filter)]
    limit: Annotated[int, Field(ge=1)]
    min_similarity: Annotated[FiniteFloat, Field(ge=-1, le=1)] | None
    legs: Annotated[frozenset[Leg], Field(min_length=1, strict=False)]
    diversity: Annotated[FiniteFloat, Field(ge=0, le=1)]
    session_id: ShortText | None
    as_of: AwareDatetime | None
    known_at: AwareDatetime | None


@dataclass(frozen=True, slots=True)
class Ask:
    """`where` is the caller's own filter; `diversity` in [0, 1] trades closeness for variety among the candidates.

    `session_id` names the session whose last questions a follow-up leans on. `as_of` is the moment of which is asked
    what held, `known_at` the moment of which is asked what the store knew; the question's own now stays its `asked.at`.
    """

    asked: Asked
    namespace: str
    where: Where | None = None
    limit: int = 10
    min_similarity: float | None = None
    legs: frozenset[Leg] = ALL_LEGS
    diversity: float = 0.0
    session_id: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None

    @property
    def visible(self) -> Where | None:
        """What of the namespace the question may look at at all: the caller's filter, and what was recorded by then."""
        if self.known_at is None:
            return self.where
        known = compare("recorded_at", Op.LTE, self.known_at)
        return known if self.where is None else both(self.where, known)

    @classmethod
    def checked(
        cls,
        asked: Asked,
        namespace: str,
        *,
        where: Where | None = None,
        limit: int = 10,
        min_similarity: float | None = None,
        legs: frozenset[Leg] = ALL_LEGS,
        diversity: float = 0.0,
        session_id: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Self:
        """The question as a caller put it; raises `FieldInvalid` naming the field, `TextRefused` for its text."""
        try:
            given = _Given(
                question=asked.text,
                asked_at=asked.at,
                asked_by=asked.by,
                conversation_id=asked.conversation_id,
                namespace=namespace,
                where=where,
                limit=limit,
                min_similarity=min_similarity,
                legs=legs,
                diversity=diversity,
                session_id=session_id,
                as_of=as_of,
                known_at=known_at,
            )
        except ValidationError as error:
            raise _told(error) from None
        check_text(given.question, limit=MAX_QUESTION_CHARS)
        return cls(asked, namespace, where, limit, min_similarity, given.legs, diversity, session_id, as_of, known_at)


def _told(error: ValidationError) -> FieldInvalid:
    """The first complaint, under the name the caller knows the field by."""
    first = error.errors(include_url=False)[0]
    return FieldInvalid(first["msg"].removeprefix("Value error, "), where=str(first["loc"][0]))


def _now() -> float:
    # Looked up at each call, so that a benchmark may count the stages in another time than the wall's.
    return perf_counter()


@dataclass(slots=True)
class Clockwork:
    """The stages of one run, each with its time."""

    stages: list[Stage] = field(default_factory=list)
    started: float = field(default_factory=_now)
    _last: float = field(default_factory=_now)

    def mark(self, name: str, remaining: int, applied: str = "") -> None:
        now = _now()
        self.stages.append(
            Stage(name=name, remaining=remaining, ms=round((now - self._last) * 1000, 3), applied=applied)
        )
        self._last = now

    def extend(self, stages: Sequence[Stage]) -> None:
        self.stages += stages
        self._last = _now()

    @property
    def total_ms(self) -> float:
        return round((_now() - self.started) * 1000, 3)
