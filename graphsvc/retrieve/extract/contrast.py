"""What stands in a memory instead of what the question says: another modifier, another side, another kin.

Substitution is read from word pairs of any kind; contrast from closed classes of opposites.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from graphsvc.language.claims.kin import relations
from graphsvc.models.answer import Value
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.bind import topic_of
from graphsvc.retrieve.extract.focus import noun_like
from graphsvc.retrieve.extract.numbered import another
from graphsvc.retrieve.extract.terms import Covered, Term
from graphsvc.retrieve.extract.words import Reading, Word, bare

_SETS = tuple(
    tuple(line.split())
    for line in (
        "half full whole quarter",
        "left right",
        "front rear back",
        "upper lower top bottom",
        "first second third fourth fifth",
        "summer winter spring autumn fall",
        "morning afternoon evening night",
        "inner outer",
        "indoor outdoor",
        "buying selling",
        "east west north south",
        "male female",
        "men women boys girls",
        "big small large little",
        "hot cold",
        "single double",
        "左 右",
        "前 后",
        "上册 下册 中册",
        "上半年 下半年",
        "半程 全程",
        "半马 全马",
        "买 卖",
        "进价 售价",
        "买入 卖出",
        "男 女",
        "春 夏 秋 冬",
        "早上 上午 中午 下午 晚上",
        "东 西 南 北",
        "大号 中号 小号",
        "收入 支出",
        "去程 回程 返程",
        "阳历 农历",
        "毛重 净重",
        "税前 税后",
    )
)
_WORDS = {one: re.compile(rf"\b{one}\b") for row in _SETS for one in row if one.isascii()}
# Between a subject and its verb, or a noun and what is said of it.
_BETWEEN = frozenset({"is", "was", "are", "were", "will", "has", "have", "had", "be", "been", "的"})
_JOINT = re.compile(r"\s*(?:的|'s|’s|-|\b(?:will|is|was|are|were|has|have|be)\b)?\s*")


def substituted(question: Question, covered: Covered, reading: Reading) -> float:
    """The share of the question's neighbouring word pairs whose second word the memory has after another word.

    "Sauna close" is substituted in "pool closed until …", "full marathon" in "half marathon".
    """
    pairs = swapped = 0
    own = {term.key for term in covered.terms}
    found = list(zip(covered.terms, covered.places, strict=True))
    for (left, _), (right, places) in pairwise(found):
        if left.sort or not _may_modify(left) or not _JOINT.fullmatch(question.text[left.word.end : right.word.start]):
            continue
        pairs += 1
        before = [_before(start, reading) for start, _ in places]
        if before and not any(_is(word, left) for word in before):
            swapped += any(word is not None and noun_like(word) and word.key not in own for word in before)
    return swapped / pairs if pairs else 0.0


def _may_modify(term: Term) -> bool:
    """A Han verb before a noun governs it and is no part of what it names."""
    return term.word.noun or term.word.text[0] < "\u4e00"


def _before(start: int, reading: Reading) -> Word | None:
    """The word right before a place in its clause, joints passed over."""
    previous = reading.word_before(start)
    if previous is not None and previous.text in _BETWEEN:
        start, previous = previous.start, reading.word_before(previous.start)
    if previous is None or not _JOINT.fullmatch(reading.text[previous.end : start]):
        return None
    return previous


def _is(word: Word | None, term: Term) -> bool:
    if word is None:
        return False
    if word.key == term.key or term.word.text in word.text:
        return True
    return bool(relations(bare(word.text)) & relations(bare(term.word.text)))


def contrast(question: Question, covered: Covered, reading: Reading, value: Value | None) -> float:
    """1 where the value's clause has another member of a class the question names one of, and not that one.

    Half where the memory has the question's own member elsewhere; `value` is None for the whole text.
    """
    start, end = 0, len(reading.text)
    if value is not None:
        start = reading.clauses[topic_of(value, reading)].start
        end = reading.clauses[reading.clause_at(value.start)].end
    told = reading.text[start:end].casefold()
    worst = 0.0
    for own, others in _opposites(question.text):
        if not _has(own, told) and any(_has(other, told) for other in others):
            worst = max(worst, 0.8 if _has(own, reading.text.casefold()) else 1.0)
    span = None if value is None else (value.start, value.end)
    worst = max(worst, another(question.text, reading.text, (start, end), span))
    return max(worst, _kin(covered, reading, start, end))


@lru_cache(maxsize=256)
def _opposites(question: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The members of closed classes a question names alone, each with the others of its class."""
    text = question.casefold()
    found = []
    for members in _SETS:
        own = [member for member in members if _has(member, text)]
        if len(own) == 1:
            found.append((own[0], tuple(member for member in members if member != own[0])))
    return tuple(found)


def _has(member: str, text: str) -> bool:
    return member in text and (not member.isascii() or _WORDS[member].search(text) is not None)


def _kin(covered: Covered, reading: Reading, start: int, end: int) -> float:
    """The same for kin: the question names a brother, the value's clause a husband alone."""
    wanted = [kin for term in covered.terms if (kin := relations(bare(term.word.text)))]
    if not wanted or not reading.kin:
        return 0.0
    told = [kin for index, kin in reading.kin if start <= reading.words[index].start < end]
    if not told:
        return 0.0
    return float(any(not any(kin & other for other in told) for kin in wanted))
