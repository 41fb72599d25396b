"""Now and then, show what stands just below the threshold, marked, so that somebody can say whether it answers.

Without it only what was accepted is ever judged, and a threshold that is too strict never learns that it is. What is
shown is no evidence: the answer stays a refusal. Off by default; the same trace id draws the same lot.
"""

from __future__ import annotations

from hashlib import sha256

from calibration.features import vetoed
from graphsvc.models.answer import Evidence
from graphsvc.models.base import TraceId
from graphsvc.retrieve import compose
from graphsvc.retrieve.decided import Decided

NEAR = 0.15  # so far below the threshold, in probability, is just below


def explore(decided: Decided, trace_id: TraceId, share: float) -> Evidence | None:
    """The best candidate where it is near enough and the lot falls on it; None otherwise."""
    decision = decided.decision
    if not decided.found.candidates or vetoed(decision.features) or not drawn(trace_id, share):
        return None
    short = min(decision.threshold, 1.0) - decision.probability
    if not 0.0 < short <= NEAR or decision.probability >= decision.threshold:
        return None
    told = compose.Told.of(decided.found, decided.found.candidates[:1])
    return told.evidence[0] if told.evidence else None


def drawn(trace_id: TraceId, share: float) -> bool:
    """Whether the lot falls on a trace: on this share of all."""
    return int.from_bytes(sha256(trace_id.encode()).digest()[:7], "big") / 2**56 < share
