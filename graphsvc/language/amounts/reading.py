"""An amount half read: where it stands in the folded text, and what has been understood of it so far."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch of the folded text, its value or range, what was written of it.

    `certain` readings are amounts whatever stands around them, `scaled` ones wrote a scale of their own.
    """

    start: int
    end: int
    body: str
    low: float
    high: float | None = None
    scaled: bool = False
    unit: str | None = None
    certain: bool = False

    def times(self, factor: float, *, end: int, scaled: bool = True) -> Reading:
        """Both ends multiplied, read up to `end`."""
        high = None if self.high is None else self.high * factor
        return replace(self, end=end, low=self.low * factor, high=high, scaled=scaled or self.scaled)
