"""Numbers as they are written in `normalised`: plain decimal figures, never with an exponent."""

from __future__ import annotations

_DECIMALS = 6


def figure(number: float) -> str:
    """`2250000` for 2.25e+06, `44.5` for 44.50, rounded to six decimals."""
    text = f"{number:.{_DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def measured(number: float, unit: str | None) -> str:
    """The figure with its unit behind a space, where it has one."""
    return f"{figure(number)} {unit or ''}".strip()
