"""Amounts: numbers with their scale, unit or currency, in Chinese, English and both.

`scan` reads numbers from left to right, `scale`, `tails` and `words` what may follow or spell them,
`guard` decides which of them are amounts, `units` names what they count.
"""

from __future__ import annotations

from graphsvc.language.amounts.scan import find_amounts

__all__ = ["find_amounts"]
