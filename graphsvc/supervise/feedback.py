"""Take down what somebody says of an answer, and what can be learnt of it.

A word speaks of the decision when it is about the best candidate: then its features and whether it was right are kept
as a lesson, numbers alone. A word on another memory is kept as it is, and teaches nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256

from calibration.features import NAMES
from graphsvc.errors import FieldInvalid, NotFound
from graphsvc.models.answer import Trace
from graphsvc.models.audit import LOCAL, Act
from graphsvc.models.base import MemoryId, TraceId
from graphsvc.models.calibration import Feedback, Lesson, Verdict
from graphsvc.store.base import Store

_KNOWN = frozenset(NAMES)


def give(
    store: Store,
    clock: Callable[[], datetime],
    namespace: str,
    trace_id: str,
    verdict: Verdict,
    *,
    memory_id: str | None = None,
    corrected_by: str | None = None,
    by: Act = LOCAL,
) -> Feedback:
    """Keep a word on an answer of this namespace; a later one on the same answer and memory replaces it.

    Raises `NotFound` for a trace or a correcting memory that the namespace does not hold, and `FieldInvalid` for what
    does not go together.
    """
    trace = store.traces.get(namespace, TraceId(trace_id))
    memory = None if memory_id is None else MemoryId(memory_id)
    correct = None if corrected_by is None else MemoryId(corrected_by)
    _check(store, trace, verdict, memory, correct)
    feedback = Feedback(
        trace_id=trace.id,
        namespace=namespace,
        memory_id=memory,
        verdict=verdict,
        corrected_by=correct,
        actor=by.actor,
        at=clock(),
        about=_best(trace),
        lesson=lesson_of(trace, verdict, memory, correct),
    )
    store.feedback.put(feedback, by=by)
    return feedback


def _check(store: Store, trace: Trace, verdict: Verdict, memory: MemoryId | None, correct: MemoryId | None) -> None:
    if (verdict is Verdict.CORRECTED) != (correct is not None):
        raise FieldInvalid("goes with the verdict corrected, and that with it", where="corrected_by")
    if memory is not None and memory not in {*trace.seen, *trace.accepted}:
        raise FieldInvalid("that answer did not see this memory", where="memory_id")
    if correct is not None and correct == memory:
        raise FieldInvalid("a memory is not corrected by itself", where="corrected_by", remedy="accept it instead")
    if correct is not None and not store.get(trace.namespace, [correct]):
        raise NotFound("no such memory", where=correct)
    if memory is None and correct is None and not _shown(trace):
        what = "the answer showed nothing that could be right or wrong"
        raise FieldInvalid(what, where="memory_id", remedy="name the memory, or say which one answers")


def _shown(trace: Trace) -> tuple[MemoryId, ...]:
    return trace.accepted or (() if trace.explored is None else (trace.explored,))


def _best(trace: Trace) -> MemoryId | None:
    """The candidate whose features the decision rests on; `seen` names it though it was deleted since."""
    return next(iter(trace.seen), None)


def lesson_of(trace: Trace, verdict: Verdict, memory: MemoryId | None, correct: MemoryId | None) -> Lesson | None:
    """What a word teaches; None where it is not about the decision, or the features are another release's."""
    best, decision = _best(trace), trace.decision
    if decision is None or best is None or not decision.features or not decision.features.keys() <= _KNOWN:
        return None
    shown = _shown(trace)
    about = memory == best or (memory is None and (best in shown or not shown))
    if verdict is Verdict.CORRECTED and correct == best:
        right = True
    elif about:
        right = verdict is Verdict.ACCEPTED
    else:
        return None
    return Lesson(
        group=group_of(trace),
        query_type=trace.question.query_type,
        language=trace.question.language.value,
        features=decision.features,
        right=right,
    )


def group_of(trace: Trace) -> str:
    """The conversation, else the session, else the trace itself, as a name that tells nothing."""
    conversation = None if trace.call is None else trace.call.conversation_id
    kind, name = ("c", conversation) if conversation else ("s", trace.session_id or "")
    if not name:
        kind, name = "t", str(trace.id)
    return "f" + sha256(f"{trace.namespace}\x1f{kind}\x1f{name}".encode()).hexdigest()[:16]
