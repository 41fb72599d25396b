"""Other words for the everyday words of a question, in both languages.

A small table of our own is all there is: the open thesauri at hand are either not free to use or hold
every sense of every word, and a synonym of another sense finds another fact.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files

from graphsvc.language.packaged import Once
from graphsvc.language.segment import index_tokens

_TABLE = "synonyms.toml"


def synonyms(token: str) -> tuple[str, ...]:
    """Other words of the meaning an index token has, nearest first; none for most tokens."""
    return _table().get(token, ())


def _read() -> dict[str, tuple[str, ...]]:
    data = tomllib.loads(files(__package__).joinpath(_TABLE).read_text(encoding="utf-8"))
    found: dict[str, dict[str, None]] = {}
    for line in data["groups"].splitlines():
        sides = [side.split() for side in line.split("|")]
        for side in sides:
            for word in side:
                others = [other for other in side if other != word]
                others += [other for far in sides if far is not side for other in far]
                found.setdefault(_token(word), {}).update(dict.fromkeys(others))
    for line in data["abbreviations"].splitlines():
        short, *long = line.split() or ("",)
        found.setdefault(_token(short), {}).update(dict.fromkeys(long))
        for word in long:
            found.setdefault(_token(word), {}).update({short: None})
    return {token: tuple(word for word in others if _token(word) != token) for token, others in found.items() if token}


def _token(word: str) -> str:
    return next(iter(index_tokens(word)), "")


_table = Once(_read)
