"""Whether a memory holds any value of the asked-for kind, as a cheap signal for all candidates.

Which value answers, and how well it fits, is `choose` and `fit`: those read the text and are asked of the best few.
"""

from __future__ import annotations

from graphsvc.models.memory import Memory
from ontology.model import ValueKind

_CODES = frozenset({"identifier", "ip", "phone", "email", "url"})


def has_value(memory: Memory, kind: ValueKind) -> float | None:
    """1 when the memory holds a value of the asked-for kind, 0 when not, None when none is asked for."""
    if kind is ValueKind.TIME:
        return float(bool(memory.facts.times))
    if kind is ValueKind.AMOUNT:
        return float(bool(memory.facts.amounts))
    if kind is ValueKind.IDENTIFIER:
        return float(any(map(str.isdigit, memory.text)) or any(m.type in _CODES for m in memory.facts.mentions))
    return None
