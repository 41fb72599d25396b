"""The text that is encoded for a memory: its own, headed by its speaker's name.

"I went there yesterday" is near no question about Caroline; "Caroline: I went there yesterday"
is. An address says nothing to an encoder, and a text that already opens with the name needs none.
"""

from __future__ import annotations

from graphsvc.models.memory import MemoryFields


def passage_of(memory: MemoryFields) -> str:
    """The memory's text, with `sender: ` before it where the sender is a name."""
    sender = memory.sender
    if sender is None or "@" in sender or memory.text.startswith(sender):
        return memory.text
    return f"{sender}: {memory.text}"
