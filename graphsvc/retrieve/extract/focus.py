"""The head of what a question asks about, and whether a memory has it for itself.

"Wedding" inside "wedding dress" is another thing's modifier: the memory is about the dress.
"""

from __future__ import annotations

import re

from graphsvc.language.stopwords import STOP_WORDS
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.terms import Covered, Term, is_sort
from graphsvc.retrieve.extract.verbs import is_form
from graphsvc.retrieve.extract.words import Reading, Word, bare

_MODIFIER = 0.7
_OWNER = 0.6
_OBLIQUE = 0.4
_OWNED = re.compile(r"['’]s\s+|[边旁里内外上下]?的")
_PREPOSITION = re.compile(
    r"\b(?:to|for|of|with|from|near|by|behind|beside)\s+(?:the |a |an |my |our |his |her "
    r"|their )?$",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(r"多少|几|什么|哪|谁|啥|多[大高重长宽远深久]|何时|吗|没有?[?？]?$")
_DO = re.compile(r"\b(?:do|does|did|will|would|can|could|should|has|have|had)\b", re.IGNORECASE)
_HAN = re.compile("[\u4e00-\u9fff]")


def focus_of(question: Question, covered: Covered) -> Term | None:
    """The head noun of what is asked: before the question word in Chinese, after the verb in English."""
    groups = _groups(covered.terms, question.text)
    if not groups:
        return None
    if not _HAN.search(question.text):
        return _english(groups[0], question.text)
    asked = _QUESTION_WORD.search(question.text)
    before = [group for group in groups if asked is None or group[-1].word.end <= asked.start()]
    asked_of = before or groups
    nouns = [term for group in asked_of for term in group if term.word.noun]
    return nouns[-1] if nouns else asked_of[-1][-1]


def _english(group: list[Term], text: str) -> Term:
    """The group's last word; the one before where an auxiliary makes the last one the verb."""
    verbal = _DO.search(text, 0, group[0].word.start) is not None and len(group) > 1
    if verbal or (len(group) > 1 and is_form(group[-1].word.text)):
        return group[-2]
    return group[-1]


def _groups(terms: tuple[Term, ...], text: str) -> list[list[Term]]:
    """Runs of neighbouring content words, possessive joints included, words for the sort of answer left out."""
    groups: list[list[Term]] = []
    for term in terms:
        if term.sort:
            continue
        if groups and re.fullmatch(r"\s*(?:的|'s|’s|-)?\s*", text[groups[-1][-1].word.end : term.word.start]):
            groups[-1].append(term)
        else:
            groups.append([term])
    return groups


def absence(head: Term | None, covered: Covered, reading: Reading, memory: Memory) -> float | None:
    """1 where the head is absent, less where it only stands with another noun, 0 where it stands for itself."""
    if head is None:
        return None
    places = next((found for term, found in zip(covered.terms, covered.places, strict=True) if term is head), ())
    if not places:
        return 1.0
    asked = {term.key for term in covered.terms}
    predicates = [claim.predicate for claim in memory.facts.claims if claim.predicate is not None]
    return min(max(_modifies(place, reading, predicates, asked), _oblique(place, reading, asked)) for place in places)


def _modifies(place: tuple[int, int], reading: Reading, predicates: list[tuple[int, int]], asked: set[str]) -> float:
    """How far the word at a place belongs to a noun after it that the question does not name."""
    start, end = place
    within = reading.word_after(start)
    if within is not None and within.start == start and within.end > end and within.noun:
        return _MODIFIER
    follower = reading.word_after(end)
    joint = _OWNED.match(reading.text, end)
    if joint is not None:
        follower = reading.word_after(joint.end())
        end = joint.end()
    if follower is None or reading.text[end : follower.start].strip(" ") or follower.key in asked:
        return 0.0
    if any(first <= follower.start < last for first, last in predicates) or is_sort(follower):
        return 0.0
    if not noun_like(follower):
        return 0.0
    return _OWNER if joint is not None else _MODIFIER


def _oblique(place: tuple[int, int], reading: Reading, asked: set[str]) -> float:
    """Whether an English noun only hangs on another by a preposition: the train to the hotel."""
    found = _PREPOSITION.search(reading.text, 0, place[0])
    if found is None:
        return 0.0
    before = reading.word_before(found.start())
    if before is None or before.key in asked or is_sort(before) or not noun_like(before):
        return 0.0
    return _OBLIQUE


def noun_like(word: Word) -> bool:
    """Whether a word may be a noun: by the dictionary in Chinese, by what it is not in English."""
    if _HAN.search(word.text):
        return word.noun
    plain = bare(word.text)
    told = plain.isalpha() and plain not in STOP_WORDS and word.content
    return told and not is_form(plain) and not plain.endswith(("ed", "ly", "ing"))
