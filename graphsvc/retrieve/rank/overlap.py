"""How much of a question's wording stands in a text."""

from __future__ import annotations

from collections.abc import Sequence


def overlap(text: str, tokens: Sequence[str]) -> float | None:
    """The share of the question's words, weighted by their length, that stand in the text."""
    total = sum(len(token) for token in tokens)
    if not total:
        return None
    folded = text.casefold()
    return sum(len(token) for token in tokens if token in folded) / total
