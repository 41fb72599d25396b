"""What comes back: candidates with their scores, the decision, and the trace behind it."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from graphsvc.models.base import MemoryId, Moment, Namespace, Record, TraceId
from graphsvc.models.composed import Composed
from graphsvc.models.facts import HolderAgreement
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import Memory, Source
from graphsvc.models.question import PersonReference, Question


class AnswerStatus(StrEnum):
    ANSWERED = "answered"
    CONFLICT = "conflict"
    AMBIGUOUS = "ambiguous"
    NOTHING_RELIABLE = "nothing_reliable"
    NOTHING_STORED = "nothing_stored"


class Step(StrEnum):
    """How far up the ladder the question went."""

    FIRST_ATTEMPT = "first_attempt"
    REWRITTEN = "rewritten"
    NEEDS_CONFIRMATION = "needs_confirmation"
    FOR_A_PERSON = "for_a_person"


class Leg(StrEnum):
    """One way of finding: vectors, words, or token states."""

    DENSE = "dense"
    LEXICAL = "lexical"
    LATE = "late"


class Scores(Record):
    """The raw parts of a score, each absent when its leg did not run; higher is better everywhere.

    `dense` is a cosine, `lexical` a BM25 score, `late` the mean best match of the question's tokens
    in [-1, 1], `uncovered` the two worst-covered question tokens (lower is better covered),
    `overlap` the weighted share of the question's words found in the memory, `holder` whether what it
    states is about the one the question asks about. `scaled` is each leg between the worst and the best of this
    search, `lent` what came over edges from other candidates, `signals` what agrees or disagrees beside the words and
    `boosts` what each of these adds: the score is their sum. `fit` is how far it holds what is asked, None where
    nothing can be told.
    """

    dense: float | None = None
    lexical: float | None = None
    late: float | None = None
    uncovered: float | None = None
    overlap: float | None = None
    holder: HolderAgreement = HolderAgreement.UNKNOWN
    scaled: dict[Leg, float] = Field(default_factory=dict)
    lent: float = 0.0
    fit: dict[str, float | None] = Field(default_factory=dict)
    signals: dict[str, float] = Field(default_factory=dict)
    boosts: dict[str, float] = Field(default_factory=dict)


class Hop(Record):
    """One edge walked during expansion."""

    source: str
    target: str
    type: EdgeType
    weight: float


class Candidate(Record):
    """`score` orders the candidates of one search; `probability` is comparable between searches."""

    memory: Memory
    score: float
    probability: float
    scores: Scores
    path: tuple[Hop, ...] = ()


class Evidence(Record):
    """A quoted span of one memory, and why it was taken; `stale` where it quotes a value that was overturned since."""

    memory_id: MemoryId
    start: int
    end: int
    quote: str
    probability: float
    reasons: tuple[str, ...] = ()
    source: Source | None = None
    stale: bool = False


class Value(Record):
    """A typed value inside one evidence, the first unless `memory_id` says which.

    `start` and `end` count characters of that memory's text. A yes or no has the words that say so as its
    span, and `yes` or `no` as `normalised`.
    """

    type: str
    text: str
    start: int
    end: int
    normalised: str | None = None
    memory_id: MemoryId | None = None


class Part(Record):
    """The answer to one part of a compound or comparing question; without evidence that part stays open."""

    question: str
    value: Value | None = None
    evidence: tuple[Evidence, ...] = ()


class Conflict(Record):
    """Two memories that cannot both be right, and what they disagree on."""

    left: MemoryId
    right: MemoryId
    reason: str


class CheckName(StrEnum):
    """What is asked of accepted evidence before it is handed out."""

    AGREEMENT = "agreement"
    CREDIBILITY = "credibility"
    COMPLETENESS = "completeness"


class Check(Record):
    """One check and its outcome; `memories` are those it looked at, `detail` says what was found."""

    name: CheckName
    passed: bool
    detail: str = ""
    memories: tuple[MemoryId, ...] = ()


class RewriteKind(StrEnum):
    """Why words of a question were replaced or added."""

    ABSOLUTE_TIME = "absolute_time"
    SYNONYM = "synonym"
    LABEL = "label"
    SPELLING = "spelling"
    HOMOPHONE = "homophone"
    FOLLOW_UP = "follow_up"


class Rewrite(Record):
    """One replacement: what stood in the question, and what is searched for instead or beside it."""

    kind: RewriteKind
    original: str
    replacement: str


class Attempt(Record):
    """One search of the ladder: the wording it used, and how good its best candidate was."""

    step: Step
    text: str
    rewrites: tuple[Rewrite, ...] = ()
    probability: float = 0.0
    accepted: bool = False


class Stage(Record):
    """One step of the way: how many candidates remained, how long it took, whether it was relaxed."""

    name: str
    remaining: int
    ms: float
    applied: str = ""
    relaxed: bool = False


class Decision(Record):
    """How the best candidate was judged, and by what.

    `target_error` is the share of wrong ones among the accepted that the threshold was made to keep; the fallback rule
    promises none.
    """

    method: str
    threshold: float
    probability: float
    features: dict[str, float | None] = Field(default_factory=dict)
    target_error: float | None = None


class Call(Record):
    """A question as its caller put it, so that it can be asked again; `where` is the caller's filter as JSON."""

    text: str
    at: Moment
    by: str | None = None
    conversation_id: str | None = None
    where: str | None = None
    limit: int = 10
    min_similarity: float | None = None
    legs: tuple[Leg, ...] = ()
    diversity: float = 0.0
    as_of: Moment | None = None
    known_at: Moment | None = None


class Rest(Record):
    """A span of a memory that an answer quoted: what it rests on."""

    memory_id: MemoryId
    start: int
    end: int


class Trace(Record):
    """Everything behind one search or answer; `hops` are the edges walked, in order.

    `call` is what was asked, `setup` the digest of what it was answered with, `seen` the ids of all candidates, those
    deleted since among them, `rests` the quoted spans; traces of earlier versions lack the four.
    """

    id: TraceId
    namespace: Namespace
    created_at: Moment
    question: Question
    stages: tuple[Stage, ...]
    candidates: tuple[Candidate, ...]
    decision: Decision | None = None
    accepted: tuple[MemoryId, ...] = ()
    """The memories whose evidence was handed out."""
    session_id: str | None = None
    hops: tuple[Hop, ...] = ()
    truncated: bool = False
    """Whether the walk left out edges for being too many."""
    attempts: tuple[Attempt, ...] = ()
    checks: tuple[Check, ...] = ()
    degraded: tuple[str, ...] = ()
    call: Call | None = None
    setup: str | None = None
    seen: tuple[MemoryId, ...] = ()
    rests: tuple[Rest, ...] = ()
    explored: MemoryId | None = None
    """The memory shown beside an answer of nothing reliable, so that somebody can say whether it would have been."""
    total_ms: float


class SearchResult(Record):
    """`ambiguous` are the people of the question whose name several bear."""

    candidates: tuple[Candidate, ...]
    trace_id: TraceId
    stages: tuple[Stage, ...]
    degraded: tuple[str, ...] = ()
    ambiguous: tuple[PersonReference, ...] = ()


class Answer(Record):
    """A decision: evidence that may be used, or the plain word that there is none.

    `value` is absent where the parts of a compound question have their own; `values` are the old and the new where both
    are asked for. `composed` is a language model's wording, where one is configured and its quotes were found in the
    evidence. `calibration` says that no calibrator decided, and why; `target_error` is what its threshold was made to
    keep where one did. `explored` was not accepted and is no evidence: it is shown for feedback alone. `ambiguous` are
    the people of the question whose name several bear, with those they may be.
    """

    status: AnswerStatus
    value: Value | None = None
    values: tuple[Value, ...] = ()
    composed: Composed | None = None
    evidence: tuple[Evidence, ...] = ()
    parts: tuple[Part, ...] = ()
    checks: tuple[Check, ...] = ()
    missing: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    step: Step = Step.FIRST_ATTEMPT
    degraded: tuple[str, ...] = ()
    calibration: str | None = None
    target_error: float | None = None
    explored: Evidence | None = None
    ambiguous: tuple[PersonReference, ...] = ()
    stages: tuple[Stage, ...] = ()
    trace_id: TraceId
