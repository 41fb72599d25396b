"""The words of a question that tell what it is about, and where a memory has them.

Question words, function words and the nouns that only name the sort of answer ("date", "号码") weigh
little or nothing; nothing is assumed of synonyms, but kin words that may mean one person count as one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphsvc.language.claims.kin import relations
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.words import Reading, Word, bare, read

# Nouns that name the sort of answer, or the act of answering, and not what the question is about.
_SORT_WORDS = """
number date day time year month week hour amount total name person address place code price cost fee age kind
type exact right long length height weight width depth distance temperature percentage percent deadline due
reason many much old supposed be do have happen tell remind know remember people man someone somebody originally
before initially previously now current currently latest last first earlier phone mail email id answer figure
value 时间 日期 号码 编号 单号 电话 手机 手机号 电话号码 号 码 名字 地址 地方 位置 价格 价钱 费用 金额 数量 数字
时候 原因 理由 人 多大 多重 多高 多长 多久 哪天 哪年 几点 几号 什么 现在 目前 如今 以前 之前 原来 原先 本来 原定
最后 最终 后来 当初 当时 最新 最早 改 改到 改成 一次 每次 一共 总共 多少钱 几天 几个 开始 知道 记得 告诉 百分之
截止 最晚 年龄 岁数 多少 谁 哪儿 哪里 星期 周 礼拜 月 年 日 天 有 是 定 说 花 花了
"""
_SORT = frozenset(_SORT_WORDS.split())
_DEICTIC = re.compile(
    r"[去今前明后]年|[上下这本][个]?[月周]|昨天|今天|明天|上次|这次|(?:last|this|next) (?:year|month|week|summer"
    r"|winter|spring|autumn)"
    r"|\b(?:yesterday|today|tomorrow)\b",
    re.IGNORECASE,
)
# The dictionary holds 几岁, 几时 and the like as words of their own.
_ASKING = re.compile("[几哪啥谁]|多少|什么|怎")
_SORT_WEIGHT = 0.35
_HAN_WORD = re.compile("[\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the question with its weight; `sort` ones only name the sort of answer."""

    word: Word
    weight: float
    sort: bool

    @property
    def key(self) -> str:
        return self.word.key


def is_sort(word: Word) -> bool:
    """Whether a word only names a sort of answer: date, number, 日期."""
    return word.key in _SORT or word.text in _SORT


@lru_cache(maxsize=256)
def _read_terms(text: str, names: tuple[tuple[int, int], ...]) -> tuple[Term, ...]:
    reading = read(text)
    told = [found.span() for found in _DEICTIC.finditer(text)]
    found = []
    for word in reading.words:
        if (not word.content and not word.text.isdigit()) or _ASKING.match(word.text):
            continue
        if any(a <= word.start and word.end <= b for a, b in told):
            continue
        if any(a < word.end and word.start < b and len(word.text) < b - a for a, b in names):
            continue
        sort = is_sort(word)
        found.append(Term(word, _SORT_WEIGHT if sort else 1.0, sort))
    for start, end in names:
        name = text[start:end].casefold()
        if _HAN_WORD.fullmatch(name):
            found.append(Term(Word(start, end, name, name, 0, True, True), 1.0, sort=False))
    return tuple(sorted(found, key=lambda term: term.word.start))


def terms_of(question: Question, idf: Mapping[str, float] | None = None) -> tuple[Term, ...]:
    """The question's content words in order; `idf` multiplies the weight of the keys it holds."""
    names = tuple(sorted({(one.start, one.end) for one in question.mentions if one.type == "person"}))
    terms = _read_terms(question.text, names)
    if not idf:
        return terms
    return tuple(Term(term.word, term.weight * idf.get(term.key, 1.0), term.sort) for term in terms)


def places_of(term: Term, reading: Reading) -> list[tuple[int, int]]:
    """Where a memory has a term: the same key, a Han word anywhere, a word for the same kin."""
    found = [reading.words[index] for index in reading.places.get(term.key, ())]
    if found:
        return [(word.start, word.end) for word in found]
    text = bare(term.word.text)
    kin = relations(text)
    if kin:
        same = [reading.words[index] for index, other in reading.kin if kin & other]
        if same:
            return [(word.start, word.end) for word in same]
    if _HAN_WORD.fullmatch(text):
        return _han_places(text, reading)
    return []


def _han_places(text: str, reading: Reading) -> list[tuple[int, int]]:
    """A Han word anywhere in the text; a longer one also by its first or last two characters."""
    if len(reading.folded) != len(reading.text):
        return []
    for part in (text, *((text[-2:], text[:2]) if len(text) > 2 else ())):
        at, found = reading.folded.find(part), []
        while at >= 0:
            found.append((at, at + len(part)))
            at = reading.folded.find(part, at + len(part))
        if found:
            return found
    return []


@dataclass(frozen=True, slots=True)
class Covered:
    """Each term with where the memory has it; empty places where it has it not."""

    terms: tuple[Term, ...]
    places: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def weight(self) -> float:
        return sum(term.weight for term in self.terms if not term.sort)

    @property
    def found(self) -> float:
        """The weight of the terms that stand in the memory, sort words left out."""
        return sum(t.weight for t, there in zip(self.terms, self.places, strict=True) if there and not t.sort)


def cover(terms: Sequence[Term], reading: Reading) -> Covered:
    """Look every term up in a memory."""
    return Covered(tuple(terms), tuple(tuple(places_of(term, reading)) for term in terms))
