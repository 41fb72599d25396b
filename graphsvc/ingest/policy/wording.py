"""Bring a memory's text to the form in which "nearly the same words" can be told by equality.

Width, script, case, punctuation, the writing of numbers and times, and a closed class of words that carry nothing
(articles, present copulas, greetings, 的) fall away; every other word stays, in its order. A single time may stand
anywhere: "on Friday we meet Anna" and "we meet Anna on Friday" are one wording. Likeness by a share of common words
would not do: "approved" and "rejected" are one word apart, in a text of whatever length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphsvc.language.normalise import HAN, fold
from graphsvc.models.facts import Anchor, Granularity, TimeExpression
from graphsvc.models.memory import Memory

# A code, an address, a fraction or a score keeps the signs inside it; every other sign is a token of its own.
_TOKEN = re.compile(rf"[^\W_{HAN}]+(?:[-./:@'_+&][^\W_{HAN}]+)*|[{HAN}]|[^\w\s]|_")
_PUNCTUATION = frozenset(".,;:!'\"`()[]{}-_…。、，；：！“”‘’「」『』《》〈〉【】〔〕—~·|*#")
_EMPTY = frozenset(["a", "an", "the", "am", "is", "are", "please", "hi", "hello", "hey", "的", "是", "请"])
_EMPTY_PARTICLES = frozenset("吧呀哦嗯啦嘛")
_CONTRACTED = (
    (re.compile(r"(?<=[a-z])(?:n't|nt')$"), " not"),
    (re.compile(r"(?<=[a-z])'(?:m|re)$"), ""),
    (re.compile(r"(?<=[a-z])'ll$"), " will"),
    (re.compile(r"(?<=[a-z])'ve$"), " have"),
)
_SHORTENED = {"can't": "can not", "won't": "will not", "it's": "it", "that's": "that", "he's": "he", "she's": "she"}
# What leads to a value and says nothing beside it: "on Friday", 预算为80万.
_BEFORE_TIME = frozenset(["on", "at", "in", "在", "于"])
_BEFORE_AMOUNT = frozenset("为")
# A Chinese word is about 1.6 characters long; a value says as much as two words.
_WORDS_PER_HAN, _WORDS_PER_VALUE = 0.6, 2.0
_HAN_TOKEN = re.compile(f"[{HAN}]")
_VALUE = "\x00"


@dataclass(frozen=True, slots=True)
class Wording:
    """The words in order, values among them in one writing; a single time apart. `words` says how much that is."""

    tokens: tuple[str, ...]
    time: str | None
    dated: bool
    words: float


def wording_of(memory: Memory) -> Wording:
    """The wording of a memory's text; linear in its length."""
    text = memory.text
    spans = sorted(_values(memory))
    times = sum(kind == "time" for _, _, kind, _ in spans)
    tokens: list[str] = []
    single: str | None = None
    place = 0
    for start, end, kind, written in spans:
        if start < place:
            continue
        tokens += _tokens(text[place:start])
        place = end
        before = _BEFORE_TIME if kind == "time" else _BEFORE_AMOUNT
        while tokens and tokens[-1] in before:
            tokens.pop()
        if kind == "time" and times == 1:
            single = written
        else:
            tokens.append(_VALUE + written)
    tokens += _tokens(text[place:])
    return Wording(tuple(tokens), single, times > 0, _amount_of(tokens, single))


def _values(memory: Memory) -> Iterator[tuple[int, int, str, str]]:
    """Where a value stands, and its one writing; a time that nobody dated is words like any others."""
    times = [one for one in memory.facts.times if _is_dated(one)]
    for time in times:
        yield time.start, time.end, "time", _written_time(time, memory)
    for amount in memory.facts.amounts:
        if not any(time.start < amount.end and amount.start < time.end for time in times):
            yield amount.start, amount.end, "amount", f"{amount.value!r}|{amount.high!r}|{amount.unit}"


def _is_dated(time: TimeExpression) -> bool:
    dated = time.begin is not None or time.until is not None
    return dated and time.anchor in {Anchor.ABSOLUTE, Anchor.SPEAKER}


def _written_time(time: TimeExpression, memory: Memory) -> str:
    """Its interval; a range that opens or closes with the moment of speaking ("by Friday") is open there."""
    ends = (
        None if time.granularity is Granularity.RANGE and end == memory.event_time else end
        for end in (time.begin, time.until)
    )
    return "|".join("" if end is None else str(end.timestamp()) for end in ends)


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    for match in _TOKEN.finditer(fold(text).text):
        token = match.group()
        if token in _PUNCTUATION or token in _EMPTY or token in _EMPTY_PARTICLES:
            continue
        found += _spelt_out(token) if "'" in token else [token]
    return found


def _spelt_out(token: str) -> Sequence[str]:
    whole = _SHORTENED.get(token, token)
    for ending, full in _CONTRACTED:
        whole = ending.sub(full, whole)
    return [part for part in whole.removesuffix("'s").split() if part not in _EMPTY]


def _amount_of(tokens: Sequence[str], time: str | None) -> float:
    said = 0.0 if time is None else _WORDS_PER_VALUE
    for token in tokens:
        if token.startswith(_VALUE):
            said += _WORDS_PER_VALUE
        else:
            said += _WORDS_PER_HAN if _HAN_TOKEN.fullmatch(token) else 1.0
    return said
