"""What no worded answer may carry, whatever bears it: ways out of the text, markup, and signs that nobody sees.

An answer is shown to people who trust it. A link in it can lead anywhere, a sign that turns the writing round
can make it read as something else.
"""

from __future__ import annotations

import re
import unicodedata

_SCHEME = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://|\b(?:javascript|data|mailto|tel|vbscript|file):|\bwww\.", re.IGNORECASE
)
_DOMAIN = re.compile(
    r"(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,8}(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59})(?![\w-])(?P<path>[/?#:]\S)?",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<\s*[a-z/!?]|\]\s*\(|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});|```", re.IGNORECASE)
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_LINES = frozenset("\n\r\t")


def forbidden(text: str) -> bool:
    """Whether it holds an address to go to, markup, or a control, direction or invisible sign."""
    if any(sign not in _LINES and unicodedata.category(sign) in _UNSEEN for sign in text):
        return True
    plain = unicodedata.normalize("NFKC", text)
    return bool(_SCHEME.search(plain) or _MARKUP.search(plain)) or any(
        found["path"] for found in _DOMAIN.finditer(plain)
    )


def domains(text: str) -> list[str]:
    """What is written as a domain or a file, without a path: report.pdf, x.example; it must stand in a quote."""
    return [found[0] for found in _DOMAIN.finditer(unicodedata.normalize("NFKC", text))]
