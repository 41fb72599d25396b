"""Name a group of texts by the words that set it apart from the others.

Class-based tf-idf (Grootendorst 2022, BERTopic): a word counts by how many texts of the group hold
it, times the logarithm of one plus the mean number of words a group over the word's count in all.
Words are the search tokens of both languages; what is shown is the form most often written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log

from graphsvc.language.hanwords import is_word
from graphsvc.language.normalise import HAN, fold
from graphsvc.language.segment import index_tokens, query_tokens
from graphsvc.language.stopwords import STOP_WORDS

_HAN_ONLY = re.compile(f"[{HAN}]+")
_LATIN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_SHORTEST = 3  # letters of a Latin word
_SEVERAL = 2
# Pairs of characters the dictionary does not know are names or accidents; three texts tell them apart.
_COINED = 3
_OWN = 0.8  # least share of a single character's use; most characters stand in words of every subject
_NUMERALS = re.compile("[零〇一二三四五六七八九十百千万亿两几半]+")


@dataclass(frozen=True, slots=True)
class Telling:
    """A word of a group: its weight, how many texts hold it, and how much of its use is this group's."""

    word: str
    weight: float
    held: int
    share: float


def terms(text: str) -> frozenset[str]:
    """The search tokens of a text that can name a subject: no stop words, figures or single letters."""
    return frozenset(token for token in query_tokens(text) if can_name(token))


def subject_terms(text: str) -> frozenset[str]:
    """The same and single Han characters, for crafts and trades name their things by one: 釉, 坯, 窑."""
    return terms(text) | (frozenset(re.findall(f"[{HAN}]", fold(text).text)) - _function_words())


def telling_words(groups: Sequence[Sequence[frozenset[str]]], rest: Iterable[frozenset[str]]) -> list[list[Telling]]:
    """For each group of texts the words that at least two of them hold, the most telling first.

    Where no two share a word of one script, those of one text stand in, the longest first. `rest` is what else is
    known to be said; it is one more class.
    """
    counts = [Counter(term for text in group for term in text) for group in groups]
    other = Counter(term for text in rest for term in text)
    total = sum(counts, Counter()) + other
    mean = sum(total.values()) / max(len(groups) + bool(other), 1)
    told = []
    for count in counts:
        parts = [Counter({word: held for word, held in count.items() if is_han(word) is han}) for han in (True, False)]
        ranked = [_ranked(part, total, mean, _SEVERAL) or _ranked(part, total, mean, 1) for part in parts]
        told.append(sorted((one for part in ranked for one in part), key=_order))
    return told


def as_written(word: str, texts: Sequence[str]) -> str:
    """The form of a stem that these texts write most often; a Han word is its own."""
    if _HAN_ONLY.fullmatch(word):
        return word
    forms = Counter(form for text in texts for form in _LATIN.findall(fold(text).text) if word in index_tokens(form))
    return min(forms, key=lambda form: (-forms[form], form)) if forms else word


def is_han(word: str) -> bool:
    return re.search(f"[{HAN}]", word) is not None


@cache
def _function_words() -> frozenset[str]:
    """Words of grammar in both languages, whole and as stems."""
    from spacy.lang.en.stop_words import STOP_WORDS as ENGLISH  # noqa: PLC0415  seconds to import, seldom needed

    words = STOP_WORDS | ENGLISH
    return frozenset(words) | {token for word in words if word.isascii() for token in index_tokens(word)}


def _ranked(count: Counter[str], total: Counter[str], mean: float, least: int) -> list[Telling]:
    told = [
        Telling(term, held * log(1.0 + mean / total[term]), held, held / total[term])
        for term, held in count.items()
        if _is_held(term, held, held / total[term], least)
    ]
    return sorted(told, key=_order)


def _is_held(term: str, held: int, share: float, least: int) -> bool:
    if not _HAN_ONLY.fullmatch(term):
        return held >= least
    if len(term) == 1:
        return held >= _COINED and share >= _OWN
    return held >= (least if is_word(term) else _COINED)


def _order(one: Telling) -> tuple[float, int, str]:
    return -one.weight, -len(one.word), one.word


def can_name(token: str) -> bool:
    """Whether a search token can name a subject."""
    if token in _function_words():
        return False
    if _HAN_ONLY.fullmatch(token):
        return len(token) > 1 and not _NUMERALS.fullmatch(token)
    return len(token) >= _SHORTEST and _LATIN.fullmatch(token) is not None
