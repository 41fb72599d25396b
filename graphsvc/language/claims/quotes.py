"""Where a text is inside quotation marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

# A quotation that is not closed within so many characters of its line was not meant as one.
_QUOTED = re.compile(
    r"“[^“”\n]{1,600}”|「[^「」\n]{1,600}」|『[^『』\n]{1,600}』|\"[^\"\n]{1,600}\"|(?<!\w)'[^'\n]{1,600}'(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Quotes:
    """Spans of the quotations of a text, marks included, in order."""

    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, text: str) -> Quotes:
        return cls(tuple(found.span() for found in _QUOTED.finditer(text)))

    def holds(self, at: int) -> bool:
        """Whether a place is inside a quotation."""
        return self.around(at) is not None

    def around(self, at: int) -> tuple[int, int] | None:
        """The quotation around a place."""
        index = bisect_right(self.spans, (at, at)) - 1
        for span in self.spans[max(index, 0) : index + 2]:
            if span[0] < at < span[1]:
                return span
        return None
