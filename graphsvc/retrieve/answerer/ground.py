"""The sentences a model's quotes stand in, and whether a statement of the answer rests on one of them.

A quote may leave out the word that turns its sentence round, so what is denied, doubted, supposed or asked is read
from the whole sentence of the memory; figures and names count from the quoted words alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.change import words
from graphsvc.change.stated import clauses
from graphsvc.language.normalise import fold_key
from graphsvc.language.segment import query_tokens, sentences
from graphsvc.retrieve.answerer.claimed import Said, beside_checked

# 无论 and 不仅 deny nothing, nor does the doubled verb of a question: 是不是, 付没付.
_NO_DENIAL = re.compile(
    r"不[但仅只过管论错久断]|差不多|对不起|不好意思|不得不|未来|无[论线]|非[常洲]|除非|别[的人墅]|[特分区级性告]别|是否|否则"
    r"|(?P<verb>[\u4e00-\u9fff])[不没](?P=verb)|\bnot only\b|\bno\.?\s*\d|\bno doubt\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"[不没未无别非勿]|\b(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|barely)\b|n['’]t\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"如果|要是|假如|倘若|万一|除非|的话|\b(?:if|unless|in case|provided|suppose|supposing|would|could)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[?？]\s*[\"'”’)）]*\s*$|吗\s*[。.]?\s*$")


@dataclass(frozen=True, slots=True)
class Ground:
    """What one quote holds of one sentence, read, and that sentence whole."""

    said: Said
    sentence: str

    @property
    def doubtful(self) -> bool:
        """Whether the sentence only asks, or only supposes."""
        return _ASKED.search(self.sentence) is not None or _SUPPOSED.search(self.sentence) is not None

    def denials(self, about: Sequence[str]) -> set[bool]:
        """Whether the clauses nearest to these words deny; both where those are at odds, as they are told apart."""
        return {denies(clause) for clause in self._nearest(about)}

    def nearest(self, about: Sequence[str]) -> tuple[str, ...]:
        """The words that carry the subject of those clauses, numbers, times and names among the quoted left out."""
        known = words.content_words(without_denials(beside_checked(self.said)))
        return tuple(
            word for word in known if any(words.among(word, words.content_words(one)) for one in self._nearest(about))
        )

    def _nearest(self, about: Sequence[str]) -> list[str]:
        spans = clauses(self.sentence)
        near = [len(words.shared(about, words.words_in(self.sentence, span))) for span in spans]
        most = max(near)
        return [self.sentence[slice(*span)] for span, count in zip(spans, near, strict=True) if count == most]


def denies(text: str) -> bool:
    """Whether a text says that something is not so."""
    return _DENIAL.search(_NO_DENIAL.sub(" ", text)) is not None


def supposes(text: str) -> bool:
    return _SUPPOSED.search(text) is not None


def without_denials(text: str) -> str:
    """The text with its words of denial blanked, spans kept: 不过敏 is cut as 过敏 is."""
    return _DENIAL.sub(lambda found: " " * len(found[0]), text)


def grounds_of(quote: str, text: str, start: int, at: datetime) -> list[Ground]:
    """The grounds of a quote that stands in a text from `start`."""
    end = start + len(quote)
    return [
        Ground(Said.of(text[max(first, start) : min(last, end)], at), text[first:last])
        for first, last in sentences(text) or [(0, len(text))]
        if first < end and start < last
    ]


def is_clause(quote: str, text: str, start: int) -> bool:
    """Whether a quote says something by itself: two words that carry a subject, or a whole clause of its text."""
    if len(words.placed_words(quote)) > 1:
        return True
    end = start + len(quote)
    return any(start <= first + _blank(text[first:last]) and last <= end for first, last in clauses(text))


def _blank(text: str) -> int:
    return len(text) - len(text.lstrip())


def bank_of(texts: Iterable[str]) -> tuple[tuple[str, ...], frozenset[str], str]:
    """The words, search tokens and folded signs of some texts, for `held`."""
    joined = "\n".join(without_denials(text) for text in texts)
    return words.content_words(joined), frozenset(query_tokens(joined)), fold_key(joined)


def held(word: str, bank: tuple[tuple[str, ...], frozenset[str], str]) -> bool:
    """Whether a word stands there in some form; Han characters need no more than to stand together."""
    if words.among(word, bank[0]):
        return True
    if not word.isascii() and fold_key(word) in bank[2]:
        return True
    tokens = query_tokens(word)
    return bool(tokens) and bank[1].issuperset(tokens)
