"""Read a number by the tagged words around it, where its characters leave two readings.

李四个子很高 holds a name and no four; 五块石头 are stones and 五块 is money. The tagger is asked only where
one of the two is in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graphsvc.language.amounts.reading import Reading
from graphsvc.language.numerals import HAN_DIGITS
from graphsvc.language.recognisers import Token, chinese_tokens
from graphsvc.language.surnames import SURNAMES

_LUMP = "块"
# 块 counts lumps in small whole numbers; prices of things begin where those end.
_MOST_LUMPS = 100
# What is paid, not counted, in 块: 五块车费, 十块零钱.
_PAID = re.compile(r"[费钱价租票金款税薪资币债券]$")
_HAN_NEXT = re.compile("[\u4e00-\u9fff]")


@dataclass(slots=True)
class Tagged:
    """The words of one folded text, tagged when first asked for and no further than needed."""

    line: str
    _read: list[Token] = field(default_factory=list)
    _rest: Iterator[list[Token]] | None = None

    def settle(self, reading: Reading) -> Reading | None:
        """The reading as the words around it have it; None for the numeral of a name."""
        if self._may_be_name(reading) and self._names(reading.start):
            return None
        if self._may_be_lump(reading) and self._counts_things(reading.end):
            return replace(reading, unit=_LUMP)
        return reading

    def _may_be_name(self, reading: Reading) -> bool:
        """One digit after a surname: 李四."""
        before = self.line[max(0, reading.start - 1) : reading.start]
        return len(reading.body) == 1 and reading.body in HAN_DIGITS and before in SURNAMES and bool(before)

    def _names(self, at: int) -> bool:
        token = self._at(at)
        return token is not None and token.tag == "PER" and token.start == at - 1

    def _may_be_lump(self, reading: Reading) -> bool:
        bare = reading.unit == "CNY" and self.line[reading.end - 1] == _LUMP and reading.high is None
        whole = reading.low == int(reading.low) and 0 < reading.low < _MOST_LUMPS
        return bare and whole and _HAN_NEXT.match(self.line, reading.end) is not None

    def _counts_things(self, at: int) -> bool:
        """Whether a noun of things follows, qualities before it allowed."""
        while (token := self._at(at)) is not None and token.start == at and token.tag == "a":
            at = token.end
        if token is None or token.start != at or token.tag not in {"n", "nz"}:
            return False
        return _PAID.search(token.text) is None

    def _at(self, at: int) -> Token | None:
        """The word over a place."""
        if self._rest is None:
            self._rest = chinese_tokens(self.line)
        while not self._read or self._read[-1].end <= at:
            more = next(self._rest, None)
            if more is None:
                return None
            self._read = more
        return next((token for token in self._read if token.start <= at < token.end), None)
