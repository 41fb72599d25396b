"""English short forms of given names: Bob for Robert, Peggy for Margaret.

The inventory is public data under its own licence, named at the head of its file. It only ever
proposes that two names may be one.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

_FILE = "nicknames_en.txt"


def nickname_of(name: str, other: str) -> bool:
    """Whether one folded given name is a short form of the other, or both are of a third."""
    if name == other:
        return False
    one, two = full_forms(name), full_forms(other)
    return name in two or other in one or bool(one & two)


def full_forms(name: str) -> frozenset[str]:
    """The given names a folded name is a short form of."""
    return _full_forms().get(name, frozenset())


@cache
def _full_forms() -> dict[str, frozenset[str]]:
    text = (resources.files("graphsvc.language") / "data" / _FILE).read_text(encoding="utf-8")
    found: dict[str, set[str]] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            full, *short = line.split()
            for one in short:
                found.setdefault(one, set()).add(full)
    return {name: frozenset(full) for name, full in found.items()}
