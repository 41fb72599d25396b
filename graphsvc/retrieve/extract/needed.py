"""Which nouns of a yes/no question a memory must have before it may answer: its object and its complement.

"小满对青霉素过敏吗" is not answered by an allergy to mangoes. The verb may be said in other words, a person may be
a pronoun; a thing, a number and an adjective after "is" may not.
"""

from __future__ import annotations

import re
from itertools import pairwise

from graphsvc.language.claims.kin import relations
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.events import same_event
from graphsvc.retrieve.extract.terms import Covered, Term
from graphsvc.retrieve.extract.verbs import is_form
from graphsvc.retrieve.extract.words import Reading, bare

_HAN = re.compile("[\u4e00-\u9fff]")
# After these the predicate is a verb; after a form of "be" it is a complement that must be there.
_VERB_FOLLOWS = re.compile(
    r"\b(?:do|does|did|has|have|had|can|could|will|would|should|may|don't|doesn't|didn't|hasn't|haven't|won't)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:i|you|he|she|it|we|they|there)\s*(?:\w+ly\s+|ever\s+|still\s+|already\s+)?$", re.IGNORECASE
)
_DETERMINED = re.compile(
    r"(?:\b(?:the|a|an|my|our|his|her|their|your|any|some|to|for|of|with|from|in|on|at)|['’]s)\s+$",
    re.IGNORECASE,
)
# States that exclude each other: the other one answers no.
_STATES = tuple(
    tuple(re.compile(side, re.IGNORECASE) for side in pair)
    for pair in (
        (r"\bopen(?:ed|s)?\b|开着|开门|营业", r"\b(?:closed?s?|shut)\b|关着|关门|歇业|停业"),
        (r"\bon\b|开着", r"\boff\b|关着"),
        (r"\bfull\b|满", r"\bempty\b|空"),
        (r"\bmarried\b|已婚|结了婚", r"\b(?:single|unmarried|divorced)\b|单身|未婚|离了?婚"),
        (r"\balive\b|活着", r"\b(?:dead|died)\b|去世|死了"),
        (r"\bfree\b|免费", r"\bpaid\b|收费"),
        (r"\b(?:allowed|permitted)\b|允许|可以带", r"\b(?:forbidden|banned|prohibited)\b|禁止|不准"),
        (r"\bpass(?:ed)?\b|及格|通过", r"\bfail(?:ed)?\b|挂科|没过"),
        (r"\bin stock\b|有货|现货", r"\b(?:sold out|out of stock)\b|售罄|卖完|缺货"),
        (r"\b(?:early|ahead)\b|提前", r"\b(?:late|delayed)\b|推迟|延后|晚点"),
    )
)


def excluded(question: str, text: str) -> bool:
    """Whether a text tells the opposite state of the one asked about, and not that one."""
    for left, right in _STATES:
        for own, other in ((left, right), (right, left)):
            if own.search(question) and not other.search(question):
                return other.search(text) is not None and own.search(text) is None
    return False


def unmet(question: Question, covered: Covered, reading: Reading, span: tuple[int, int] | None) -> float:
    """The share of the needed nouns that stand nowhere in the memory or, but for the first, not in `span`."""
    needed = _needed(question, covered.terms)
    if not needed:
        return 0.0
    missing = 0.0
    for order, (term, places) in enumerate(zip(covered.terms, covered.places, strict=True)):
        if not any(term is one for one in needed):
            continue
        stands = places or _short_form(term, reading)
        there = stands if order == 0 or span is None else [at for at in stands if span[0] <= at[0] < span[1]]
        if not there and not excluded(term.word.text, reading.text):
            missing += 1.0
    return missing / len(needed)


def _short_form(term: Term, reading: Reading) -> tuple[tuple[int, int], ...]:
    """Where the head of a Han compound stands as a word by itself: 柴 for 木柴."""
    text = term.word.text
    if len(text) != 2 or not _HAN.match(text):
        return ()
    return tuple((word.start, word.end) for word in reading.words if word.text == text[-1] and word.noun)


def _needed(question: Question, terms: tuple[Term, ...]) -> list[Term]:
    people = [(one.start, one.end) for one in question.mentions if one.type == "person"]
    verb = None if _HAN.search(question.text) else _verb(question.text, terms)
    found = []
    for order, term in enumerate(terms):
        word = term.word
        if term.sort and not word.text.isdigit():
            continue
        if order == 0 and (relations(bare(word.text)) or any(a <= word.start < b for a, b in people)):
            continue
        if word.noun or word.text.isdigit() or (not _HAN.search(word.text) and term is not verb):
            found.append(term)
    return found


def _verb(text: str, terms: tuple[Term, ...]) -> Term | None:
    """The verb of an English question: after its subject, none where its auxiliary is "be"."""
    helped = _VERB_FOLLOWS.search(text)
    plain = [term for term in terms if not term.sort]
    if helped is None or not plain:
        return next((term for term in plain if term.word.text.endswith(("ed", "ing")) or is_form(term.word.text)), None)
    if _PRONOUN.search(text, 0, plain[0].word.start):
        return plain[0]
    for before, term in pairwise(plain):
        joint = text[before.word.end : term.word.start]
        named = text[term.word.start].isupper() or _DETERMINED.search(text, 0, term.word.start)
        if not joint.strip() and not named and (is_form(term.word.text) or same_event(term.word.text, term.word.text)):
            return term
    run = [plain[0]]
    for before, term in pairwise(plain):
        if text[before.word.end : term.word.start].strip() or text[term.word.start].isupper():
            break
        run.append(term)
    return run[1] if len(run) == 2 else run[-1] if len(run) > 1 else next(iter(plain[1:]), None)
