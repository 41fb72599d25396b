"""An answer and its trace in full: every field that a face has to show is filled."""

from __future__ import annotations

from graphsvc.models.answer import (
    Answer,
    AnswerStatus,
    Attempt,
    Candidate,
    Check,
    CheckName,
    Conflict,
    Decision,
    Evidence,
    Hop,
    Leg,
    Part,
    Rewrite,
    RewriteKind,
    Scores,
    Stage,
    Step,
    Trace,
    Value,
)
from graphsvc.models.base import EntityId, MemoryId, TraceId
from graphsvc.models.composed import Composed, ComposedQuote
from graphsvc.models.facts import Language
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import Source
from graphsvc.models.question import Bearer, PersonReference, Question, QuestionPart
from tests.builders import NOW, memory

QUESTION = "王强报价多少，谁批的"
TRACE = TraceId("tr_full")
PRICE, DENIED = MemoryId("m1"), MemoryId("m2")
TEXTS = {PRICE: "会后补记：王强报价80万。税另算。", DENIED: "王强没有报80万，是90万。"}
MEMORIES = (
    {"id": PRICE, "text": TEXTS[PRICE], "sender": "Mei", "source": {"file": "纪要.txt", "page": 3, "section": "二"}},
    {"id": DENIED, "text": TEXTS[DENIED], "sender": "老陈"},
)
VALUE = Value(type="amount", text="80万", start=9, end=12, normalised="800000", memory_id=PRICE)
HOP = Hop(source=PRICE, target=DENIED, type=EdgeType.CONTRADICTS, weight=0.5)


def evidence(memory_id: MemoryId = PRICE, *, begin: int = 5, end: int = 13) -> Evidence:
    quote = TEXTS[memory_id][begin:end]
    return Evidence(memory_id=memory_id, start=begin, end=end, quote=quote, probability=0.75, reasons=("value +0.10",))


def stage(name: str, remaining: int, applied: str = "", *, relaxed: bool = False) -> Stage:
    return Stage(name=name, remaining=remaining, ms=1.25, applied=applied, relaxed=relaxed)


def search(*, last: int = 1, stored: int = 100_000) -> tuple[Stage, ...]:
    """The stages of one search, from reading its wording to its decision."""
    return (
        stage("encode", 1),
        stage("parse", 1, "amount"),
        stage("stored", stored),
        stage("time", 88_000, "said by 2026-03-06"),
        stage("role", 88_000, "sent_by 王强", relaxed=True),
        stage("rank", 60, "vectors, words, token states"),
        stage("accept", last, "fallback-rule, threshold 0.3"),
    )


def candidate(memory_id: MemoryId = PRICE) -> Candidate:
    """0.9 from the legs, 0.05 over edges, 0.1 for it and 0.02 against it."""
    return Candidate(
        memory=memory(memory_id, TEXTS[memory_id], sender="Mei", source=Source(file="纪要.txt", page=3)),
        score=1.03,
        probability=0.75,
        scores=Scores(
            dense=0.91,
            lexical=5.5,
            late=0.6,
            uncovered=0.1,
            overlap=0.5,
            scaled={Leg.DENSE: 0.8, Leg.LEXICAL: 0.7, Leg.LATE: 1.0},
            lent=0.05,
            fit={"covered": 0.25, "bound": None},
            signals={"value": 1.0, "ageing": 1.0},
            boosts={"ageing": -0.02, "value": 0.1},
        ),
        path=(HOP,),
    )


def trace(**fields: object) -> Trace:
    given: dict[str, object] = {
        "id": TRACE,
        "namespace": "default",
        "created_at": NOW,
        "question": Question(
            text=QUESTION,
            language=Language.ZH,
            asked_at=NOW,
            query_type="amount",
            query_type_probability=0.8,
            parts=(QuestionPart(start=0, end=6, text="王强报价多少"), QuestionPart(start=7, end=10, text="谁批的")),
            people=(PersonReference(name="王强", entities=(EntityId("person:王强"),), role=EdgeType.SENT_BY),),
        ),
        "stages": (*search(last=0), *search(), *search(), *search(last=0), stage("answer", 2)),
        "candidates": (candidate(), candidate(DENIED)),
        "decision": Decision(
            method="fallback-rule",
            threshold=0.3,
            probability=0.75,
            features={"late": 0.6, "uncovered": 0.125, "terse": 1.0, "talk": 0.0, "gap": None},
        ),
        "session_id": "s1",
        "hops": (HOP,) * 12,
        "truncated": True,
        "attempts": (
            Attempt(step=Step.FIRST_ATTEMPT, text=QUESTION, probability=0.1),
            Attempt(
                step=Step.REWRITTEN,
                text="王强报价多少金额",
                rewrites=(Rewrite(kind=RewriteKind.SYNONYM, original="多少", replacement="金额"),),
                probability=0.75,
                accepted=True,
            ),
        ),
        "checks": (
            Check(name=CheckName.AGREEMENT, passed=False, detail="两处说法不一致。", memories=(PRICE, DENIED)),
            Check(name=CheckName.CREDIBILITY, passed=True, detail="来源：Mei。"),
            Check(name=CheckName.COMPLETENESS, passed=True, detail="内容完整。"),
        ),
        "degraded": ("reranker",),
        "total_ms": 1234.5,
    }
    return Trace.model_validate(given | fields)


def answer(**fields: object) -> Answer:
    bearers = tuple(Bearer(entity=EntityId(f"person:王强{n}"), name="王强", entities=()) for n in (1, 2))
    given: dict[str, object] = {
        "status": AnswerStatus.CONFLICT,
        "value": VALUE,
        "composed": Composed(
            text="王强报价八十万。",
            quotes=(ComposedQuote(memory_id=PRICE, quote="王强报价80万"),),
            model="some-model",
            confidence=0.5,
        ),
        "evidence": (evidence(), evidence(DENIED, begin=0, end=12)),
        "parts": (Part(question="王强报价多少", value=VALUE, evidence=(evidence(),)), Part(question="谁批的")),
        "missing": ("请确认哪一条成立。",),
        "conflicts": (Conflict(left=PRICE, right=DENIED, reason="Mei：80万；老陈：90万"),),
        "step": Step.REWRITTEN,
        "degraded": ("reranker",),
        "ambiguous": (PersonReference(name="王强", entities=(), bearers=bearers),),
        "stages": trace().stages,
        "trace_id": TRACE,
    }
    return Answer.model_validate(given | fields)
