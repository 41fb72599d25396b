"""Put slips of a question right: misspelt English words, and Chinese characters that only sound like the right ones.

A word is touched only where it is none: neither in the namespace's memories nor in the dictionaries.
It becomes a word that memories hold, never one that is a name: a name nearly right is another name.
Codes, figures and what was recognised as a name stay as they were written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from graphsvc.language.hanwords import cut, is_word, word_class
from graphsvc.language.normalise import HAN, fold
from graphsvc.language.stopwords import GLUE, STOP_WORDS
from graphsvc.models.answer import Rewrite, RewriteKind
from graphsvc.models.question import Question
from graphsvc.retrieve.ladder.english import is_english, stem
from graphsvc.retrieve.ladder.nearwords import LONGEST_HAN, Near, NearWords, Neighbourhood

NameTest = Callable[[Sequence[str]], Collection[str]]
Span = tuple[int, int]

_HAN_RUN = re.compile(f"[{HAN}]+")
# A word in lower case, or at the start of a sentence; joined to nothing that would make it a code.
_ENGLISH = re.compile(r"(?<![\w@./#&'’-])[A-Za-z][a-z]{4,}(?![\w@#&-]|[./](?=\w))")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？…\n])[\s\"'“‘(]*$")
_LONG_WORD = 8
# The dictionary's classes of words of grammar: conjunctions, prepositions, pronouns, particles;
_GRAMMAR = frozenset("cpru")
# and of characters that are parts of words.
_MORPHEMES = frozenset({"", "ag", "dg", "g", "k", "mg", "ng", "tg", "vg", "zg"})


@dataclass(frozen=True, slots=True)
class Repaired:
    """The question with its slips put right; `doubtful` are readings as a name, which only a person may confirm."""

    text: str
    rewrites: tuple[Rewrite, ...] = ()
    doubtful: tuple[Rewrite, ...] = ()


@dataclass(frozen=True, slots=True)
class _Slip:
    start: int
    end: int
    meant: str
    kind: RewriteKind


def no_names(_words: Sequence[str]) -> Collection[str]:
    return ()


def repair(question: Question, namespace: str, near: NearWords, is_name: NameTest = no_names) -> Repaired:
    """The question's text with its slips put right; `is_name` tells which of some folded words are somebody's name."""
    text = question.text
    kept = _kept_spans(question)
    found = (*_misspelt(text, namespace, near), *_misheard(text, namespace, near))
    slips = [slip for slip in found if not any(slip.start < end and start < slip.end for start, end in kept)]
    names = set(is_name([slip.meant for slip in slips])) if slips else set()
    doubtful = tuple(_rewrite(text, slip) for slip in slips if slip.meant in names)
    sure = sorted((slip for slip in slips if slip.meant not in names), key=lambda slip: slip.start)
    return Repaired(_replaced(text, sure), tuple(_rewrite(text, slip) for slip in sure), doubtful)


def _kept_spans(question: Question) -> list[Span]:
    """What is never repaired: mentions of any kind, amounts, times, and the names of people known."""
    spans = [(one.start, one.end) for one in question.mentions]
    spans += [(one.start, one.end) for one in question.amounts]
    spans += [(one.start, one.end) for one in question.times]
    for person in question.people:
        spans += [found.span() for found in re.finditer(re.escape(person.name), question.text)]
    return spans


def _misspelt(text: str, namespace: str, near: NearWords) -> Iterator[_Slip]:
    for found in _ENGLISH.finditer(text):
        if found.group()[0].isupper() and not _SENTENCE_START.search(text[: found.start()]):
            continue
        word = found.group().lower()
        if is_english(word) or near.known(namespace, [stem(word), word]):
            continue
        most = 2 if len(word) >= _LONG_WORD else 1
        likely = [one for one in near.around(namespace).spelt_like(word, most=most) if _plausible(one, word)]
        best = _only_best(likely, lambda one: (one.distance, -one.count))
        if best is not None:
            yield _Slip(*found.span(), best.word, RewriteKind.SPELLING)


def _plausible(one: Near, typed: str) -> bool:
    """Two slips in a word seldom spare neither end; a word that one memory alone holds may be a slip itself."""
    ends = one.distance == 1 or one.word[-1] == typed[-1]
    return ends and (one.count > 1 or is_english(one.word))


def _misheard(text: str, namespace: str, near: NearWords) -> Iterator[_Slip]:
    folded, words = fold(text), near.around(namespace)
    for run in _HAN_RUN.finditer(folded.text):
        taken: list[Span] = []
        spans = [(start, end, loose, run.group()[start:end]) for start, end, loose in _stretches(run.group())]
        known = near.known(namespace, [stretch for *_, stretch in spans])
        for start, end, loose, stretch in spans:
            if stretch in known or any(start < last and first < end for first, last in taken):
                continue
            meant = _meant(stretch, words, exactly=not loose)
            if meant is not None:
                taken.append((start, end))
                first, last = folded.span(run.start() + start, run.start() + end)
                yield _Slip(first, last, meant, RewriteKind.HOMOPHONE)


def _stretches(run: str) -> Iterator[tuple[int, int, bool]]:
    """Stretches round a character that stands alone, longest first; whether they are single characters throughout.

    A slip may take a character from the word before: 开发漂 is cut 开发 | 漂.
    """
    alone = [False] * len(run)
    at = 0
    for word in cut(run):
        alone[at] = len(word) == 1
        at += len(word)
    spans = [
        (start, start + length, all(alone[start : start + length]))
        for length in range(LONGEST_HAN, 1, -1)
        for start in range(len(run) - length + 1)
    ]
    grammar = [alone[place] and _is_grammar(char) for place, char in enumerate(run)]
    single = {place for place in range(len(run)) if alone[place] and not grammar[place]}
    for start, end, loose in sorted(spans, key=lambda span: (not span[2], span[0] - span[1], span[0])):
        if not any(grammar[start:end]) and not single.isdisjoint(range(start, end)) and not is_word(run[start:end]):
            yield start, end, loose


def _is_grammar(char: str) -> bool:
    """Whether a character that stands alone does so as a word of grammar: 该 in 该用, 以 in 以等."""
    return char in GLUE or char in STOP_WORDS or word_class(char)[:1] in _GRAMMAR


def _meant(stretch: str, words: Neighbourhood, *, exactly: bool) -> str | None:
    """The word a stretch was meant to be: the nearest, then the one sharing more, then the more frequent."""
    likely = [
        one
        for one in words.sounding_like(stretch)
        if _shared(one.word, stretch) and (not one.distance or (not exactly and _bound(one.word, stretch)))
    ]
    best = _only_best(likely, lambda one: (one.distance, -_shared(one.word, stretch), -one.count))
    return None if best is None else best.word


def _bound(meant: str, stretch: str) -> bool:
    """Whether what would be replaced cannot stand as a word: 员 in 违员 cannot, 完 in 清完关 can."""
    wrong = [char for char, right in zip(stretch, meant, strict=True) if char != right]
    return all(word_class(char) in _MORPHEMES for char in wrong)


def _shared(left: str, right: str) -> int:
    return sum(one == other for one, other in zip(left, right, strict=True))


def _only_best(likely: Sequence[Near], order: Callable[[Near], tuple[int, ...]]) -> Near | None:
    """The first by an order; none where two come first."""
    ranked = sorted(likely, key=order)
    if not ranked or (len(ranked) > 1 and order(ranked[0]) == order(ranked[1])):
        return None
    return ranked[0]


def _rewrite(text: str, slip: _Slip) -> Rewrite:
    return Rewrite(kind=slip.kind, original=text[slip.start : slip.end], replacement=slip.meant)


def _replaced(text: str, slips: Sequence[_Slip]) -> str:
    for slip in reversed(slips):
        text = text[: slip.start] + slip.meant + text[slip.end :]
    return text
