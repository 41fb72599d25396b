"""Cut a run of Han characters into words by the most probable path through jieba's dictionary.

Only the dictionary is used: no cache file is written, no unknown words are guessed, so a name
falls into single characters wherever it stands, and the search tokens can rely on that.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from math import log
from pathlib import Path

from graphsvc.language.packaged import Once

_classes: dict[str, str] = {}
# Word classes of the dictionary that say: a name. People, places, bodies, trade marks, foreign people.
_NAME_CLASSES = frozenset({"nr", "nrt", "nrfg", "ns", "nt", "nz"})
_PREFIX = 1.0  # not a log probability: the start of longer words, and no word itself


def cut(run: str) -> list[str]:
    """Words of a folded Han run, in order; together they are the run."""
    costs = _dictionary()
    size = len(run)
    best = [0.0] * (size + 1)
    ends = [0] * size
    unknown = costs[""]
    for start in range(size - 1, -1, -1):
        end = start + 1
        top = (costs.get(run[start], unknown) if costs.get(run[start]) != _PREFIX else unknown) + best[end]
        chosen = end
        cost = costs.get(run[start])
        while cost is not None and end < size:
            end += 1
            cost = costs.get(run[start:end])
            if cost is not None and cost != _PREFIX and cost + best[end] > top:
                top, chosen = cost + best[end], end
        best[start], ends[start] = top, chosen
    words = []
    start = 0
    while start < size:
        words.append(run[start : ends[start]])
        start = ends[start]
    return words


def is_word(word: str) -> bool:
    """Whether the dictionary holds this very word."""
    return _dictionary().get(word, _PREFIX) != _PREFIX


def word_class(word: str) -> str:
    """The dictionary's class for a word (n, v, t, i, ns, nz...), "" for a word it does not hold."""
    return (_classes.get(word) or "n") if is_word(word) else ""


def is_common_word(word: str) -> bool:
    """Whether the dictionary holds the word, and not as a name."""
    return word_class(word) not in _NAME_CLASSES | {""}


def subwords(word: str) -> list[str]:
    """Shorter words inside a longer one, of two and three characters."""
    found = []
    for length in (2, 3):
        if len(word) > length:
            pieces = (word[at : at + length] for at in range(len(word) - length + 1))
            found += [piece for piece in pieces if is_word(piece)]
    return found


def _dictionary_path() -> Path:
    """Where jieba keeps its dictionary; jieba itself is not imported, it logs and writes to shared places."""
    spec = importlib.util.find_spec("jieba")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("jieba is not installed", name="jieba")
    return Path(spec.origin).with_name("dict.txt")


def _read(path: Path) -> dict[str, float]:
    """Log probabilities by word, `_PREFIX` for the starts of words; "" holds the cost of an unknown character."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        counts: dict[str, int] = {}
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                word, count, kind = line.split(" ", 2)
                counts[word] = int(count)
                if kind != "n\n":
                    _classes[word] = sys.intern(kind[:-1])
        total = log(sum(counts.values()))
        costs = {word: log(count or 1) - total for word, count in counts.items()}
        for word in counts:
            for end in range(1, len(word)):
                costs.setdefault(word[:end], _PREFIX)
        costs[""] = -total
        return costs
    finally:
        if collecting:
            gc.enable()


_dictionary = Once(lambda: _read(_dictionary_path()))
