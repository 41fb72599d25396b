"""What one memory states, slot by slot, and how a later one bears on it; pure, and without a question."""

from graphsvc.change.relate import relate
from graphsvc.change.slots import statements_of

__all__ = ["relate", "statements_of"]
