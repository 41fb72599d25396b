"""A text as its words and clauses, each with its place in the text as it was written.

Han runs are cut by the dictionary, neighbouring single characters (most often a name) joined; English
words carry their stem. Both a question and a memory are read so, once: readings are kept by text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from graphsvc.language.claims.kin import relations
from graphsvc.language.hanwords import cut, word_class
from graphsvc.language.normalise import HAN, fold
from graphsvc.language.segment import index_tokens, sentences
from graphsvc.language.stopwords import GLUE, STOP_WORDS
from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract.verbs import base

_WORD = re.compile(rf"(?P<han>[{HAN}]+)|(?P<word>[^\W_{HAN}]+(?:[-.@_+&'][^\W_{HAN}]+)*(?:['’]s?)?)")
# A comma, colon or stop between figures belongs to the number; `and` opens a clause of its own.
_BREAK = re.compile(
    r"[，；;、。！？!?\n（）()]|(?<!\d)[,:：]|[,:：](?!\d)|(?<![A-Z])\.(?=\s|$)|\s+[-–—]+\s+"
    r"|\b(?:and|but|while|whereas|then)\b|(?<=[\u4e00-\u9fff])(?=但是|不过|然后|而且|另外)"
)
_POSSESSIVE = re.compile(r"['’]s?$")
_TEXTS_KEPT = 2048
_LONGEST_READ = 4000
# What joins and shades; beside the stop words of the search these tell nothing apart.
_MINOR_WORDS = """
到底 究竟 大概 一共 总共 一般 当时 后来 然后 具体 请 请问 来着 一下 时 时候 里 上 下 中 里面 上面 那边 这边 那次
这次 次 又 再 才 刚 刚刚 已经 应该 需要 可能 能 可以 把 将 由 于 为 以 之 其 所 该 本 每 各 等 还 没 没有 不 别
是不是 多 多少 些 叫 做 吧 的 话 用 让 使 得 儿 啥 咱 咱们 大家 那个 这个 这种 那种 哪 哪家 哪种 几 钱 号 点 天
家 位 跟 只 件 台 条 张 给 到 在 去 来 从 往 向 much many long often far old tall high deep wide heavy big fast
soon again ever yet still now new currently exactly actually kind sort name called let get got go went come came
say said take took put does that's there's i'm i'd we're after before during while until since within per each
every both only even out off up down back through around
"""
_MINOR = frozenset(_MINOR_WORDS.split())


@dataclass(frozen=True, slots=True)
class Word:
    """A word at `start:end` of the text; `key` is what two forms of one word share, `clause` its clause's number."""

    start: int
    end: int
    text: str
    key: str
    clause: int
    content: bool
    noun: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause at `start:end`, and the number of its sentence."""

    start: int
    end: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A text's words, clauses and sentences, and where each key stands, by index of its word."""

    text: str
    folded: str
    words: tuple[Word, ...]
    clauses: tuple[Clause, ...]
    sentences: tuple[tuple[int, int], ...]
    places: dict[str, tuple[int, ...]]
    clause_starts: tuple[int, ...]
    word_ends: tuple[int, ...]
    kin: tuple[tuple[int, frozenset[str]], ...]
    """The words for relatives, by index, with the relations each may stand for."""

    def clause_at(self, place: int) -> int:
        """The number of the clause that holds a place of the text."""
        return max(0, bisect_right(self.clause_starts, place) - 1)

    def within(self, start: int, end: int) -> tuple[Word, ...]:
        """The words that stand whole in a stretch."""
        first = bisect_right(self.word_ends, start)
        last = bisect_right(self.word_ends, end)
        return tuple(word for word in self.words[first:last] if word.start >= start)

    def word_before(self, place: int) -> Word | None:
        """The last word that ends at or before a place."""
        index = bisect_right(self.word_ends, place) - 1
        return self.words[index] if index >= 0 else None

    def word_after(self, place: int) -> Word | None:
        """The first word that begins at or after a place, words not overlapping."""
        index = bisect_right(self.word_ends, place)
        while index < len(self.words) and self.words[index].start < place:
            index += 1
        return self.words[index] if index < len(self.words) else None


@lru_cache(maxsize=_TEXTS_KEPT)
def read(text: str) -> Reading:
    """Read the first four thousand characters of a text."""
    shown = text[:_LONGEST_READ]
    spans = tuple(sentences(shown)) or ((0, len(shown)),)
    clauses = tuple(_clauses(shown, spans))
    starts = [clause.start for clause in clauses]
    folded = fold(shown)
    words = []
    for found in _WORD.finditer(folded.text):
        for first, last, piece in _pieces(found):
            start, end = folded.span(first, last)
            words.append(_word(start, end, piece, max(0, bisect_right(starts, start) - 1)))
    places: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        places.setdefault(word.key, []).append(index)
    kept = {key: tuple(found) for key, found in places.items()}
    related = ((index, relations(bare(word.text))) for index, word in enumerate(words))
    return Reading(
        text=shown,
        folded=folded.text,
        words=tuple(words),
        clauses=clauses,
        sentences=spans,
        places=kept,
        clause_starts=tuple(starts),
        word_ends=tuple(word.end for word in words),
        kin=tuple((index, kin) for index, kin in related if kin),
    )


def shown(memory: Memory, reading: Reading) -> Memory:
    """A memory as far as it was read: what is not read of a long text is not looked through either."""
    end = len(reading.text)
    if len(memory.text) <= end:
        return memory
    facts = memory.facts
    kept = {
        "mentions": tuple(one for one in facts.mentions if one.end <= end),
        "amounts": tuple(one for one in facts.amounts if one.end <= end),
        "times": tuple(one for one in facts.times if one.end <= end),
        "claims": tuple(one for one in facts.claims if one.end <= end),
    }
    return memory.model_copy(update={"text": reading.text, "facts": facts.model_copy(update=kept)})


def bare(word: str) -> str:
    """A word without its possessive ending."""
    return _POSSESSIVE.sub("", word) or word


def _clauses(text: str, spans: tuple[tuple[int, int], ...]) -> list[Clause]:
    found = []
    for number, (start, end) in enumerate(spans):
        at = start
        for mark in _BREAK.finditer(text, start, end):
            if mark.start() > at:
                found.append(Clause(at, mark.start(), number))
                at = mark.start()
        if at < end:
            found.append(Clause(at, end, number))
    return found or [Clause(0, len(text), 0)]


def _pieces(found: re.Match[str]) -> list[tuple[int, int, str]]:
    """The words of one run; two single characters in a row, neither a particle, are one word."""
    if found.lastgroup != "han":
        return [(found.start(), found.end(), found.group())]
    pieces: list[tuple[int, int, str]] = []
    at = found.start()
    lone = False
    for word in cut(found.group()):
        single = len(word) == 1 and word not in GLUE and word not in _MINOR
        if single and lone:
            start, _, before = pieces.pop()
            pieces.append((start, at + 1, before + word))
            lone = False
        else:
            pieces.append((at, at + len(word), word))
            lone = single
        at += len(word)
    return pieces


def _word(start: int, end: int, text: str, clause: int) -> Word:
    plain = bare(text)
    content = plain not in STOP_WORDS and plain not in _MINOR and not plain.isdigit()
    return Word(start, end, text, key_of(plain), clause, content, _is_noun(plain))


@lru_cache(maxsize=20_000)
def key_of(word: str) -> str:
    """What two forms of one word share: paid, pays, paying → pai; Han words are themselves."""
    if "\u4e00" <= word[0] <= "\u9fff":
        return word
    tokens = index_tokens(base(word))
    return tokens[0] if tokens else word


@lru_cache(maxsize=20_000)
def _is_noun(word: str) -> bool:
    """Whether a Han word is a noun or a name; of Latin words nothing is known here."""
    if not "\u4e00" <= word[0] <= "\u9fff":
        return False
    known = word_class(word)
    return known[:1] == "n" if len(word) == 1 else known[:1] in {"n", ""}
