"""Everybody a text names who may be the person asked for, with how far the name may be a person's.

Never the one the text greets or its signature, the brand before a model, what a thing is written in, or a
word that only begins a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract.frame import frame_of
from graphsvc.retrieve.extract.slot import Slot, value_at
from graphsvc.retrieve.extract.verbs import is_form
from graphsvc.retrieve.extract.words import Reading

_CAPITALISED = re.compile(r"(?<![\w.@])[A-ZÀ-Þ][a-zà-ÿ'’-]+(?: [A-ZÀ-Þ][a-zà-ÿ'’-]+){0,2}")
# What may stand capitalised at a sentence's head, or anywhere, and names no person.
_NO_NAME = re.compile(
    r"^(?:the|a|an|my|our|his|her|its|their|your|this|that|these|those|it|he|she|we|they|you|i|not|no|yes|if|when"
    r"|while|after"
    r"|before|since|because|so|but|and|or|for|from|to|in|on|at|by|with|of|as|there|here|then|now|today|tomorrow"
    r"|yesterday|once"
    r"|please|thanks|also|just|only|maybe|what|who|where|why|how|keep|do|don't|let's|let|we're|i'm|it's|he's|she's"
    r"|they're|i've"
    r"|all|both|each|every|some|any|most|one|two|three|last|next|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?\b"
    r"|^(?:January|February"
    r"|March|April|May|June|July|August|September|October|November|December)$",
    re.IGNORECASE,
)
_NAMED_FIT = {"place": 0.55, "organisation": 0.75, "person": 1.0}
# What something is written in, made with or shipped via is no person, whatever its name.
_MEANS = re.compile(r"\b(?:in|into|using|via|inside)\s+$", re.IGNORECASE)
# A name right before a model number is its maker's.
_MODEL = re.compile(r"\s?(?=[\w-]*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\b")
# After a name at a sentence's head: a verb, somebody else, what is theirs.
_ACTS = re.compile(
    r"(?:['’](?:s|ll|d)\b|\s+(?:and\s+[A-Z]|(?:is|was|has|had|will|can|could|would|should|may|might|does|did|never|just"
    r"|also|still|already)\b|(?P<verb>[a-z]+)))"
)
_SENTENCE_HEAD = re.compile(r"(?:^|[.!?。！？:\n]\s*|[\"“]\s*)$")
_OWNER = re.compile(r"(?:my|our|his|her|their|the|your)|[\w]+'s|我|他|她|我们")


def people(memory: Memory, reading: Reading) -> Iterator[Slot]:
    """Names of people and bodies, capitalised words that may be names, and words for relatives."""
    text = memory.text
    frame = frame_of(memory, reading)
    for mention in memory.facts.mentions:
        fit = _NAMED_FIT.get(mention.type, 0.0)
        if fit < 1.0 and not mention.text.isascii():
            continue
        verbal = _may_be_verb(mention.text) and _only_begins(text, mention.start, mention.end)
        if fit and not verbal and not frame.holds(mention.start) and not _no_person(text, mention.start, mention.end):
            yield Slot(value_at(memory, "person", mention.start, mention.end, mention.key), fit)
    spans = [(mention.start, mention.end) for mention in memory.facts.mentions]
    spans += [(time.start, time.end) for time in memory.facts.times]
    yield from _capitalised(memory, spans, frame.holds)
    for index, _ in reading.kin:
        word = reading.words[index]
        if frame.holds(word.start) or any(start < word.end and word.start < end for start, end in spans):
            continue
        before = reading.words[index - 1] if index else None
        start = before.start if before is not None and _OWNER.fullmatch(before.text) else word.start
        yield Slot(value_at(memory, "person", start, word.end, word.text), 0.6)


def _capitalised(memory: Memory, known: list[tuple[int, int]], framed: Callable[[int], bool]) -> Iterator[Slot]:
    for found in _CAPITALISED.finditer(memory.text):
        name = re.sub(r"['’]s$", "", found.group())
        start, end = found.start(), found.start() + len(name)
        if _NO_NAME.match(name) or framed(start) or any(a < found.end() and start < b for a, b in known):
            continue
        if not _no_person(memory.text, start, end) and not _only_begins(memory.text, start, end):
            yield Slot(value_at(memory, "person", start, end, name.casefold()), 0.5)


def _no_person(text: str, start: int, end: int) -> bool:
    return _MEANS.search(text, 0, start) is not None or _MODEL.match(text, end) is not None


def _only_begins(text: str, start: int, end: int) -> bool:
    """Whether one word is capitalised only because a sentence begins: no verb follows it, or it is one itself."""
    word = text[start:end]
    if " " in word or _SENTENCE_HEAD.search(text, 0, start) is None:
        return False
    acts = _ACTS.match(text, end)
    if acts is None:
        return _may_be_verb(word) or re.match(r"[,，]\s", text[end:]) is None
    verb = acts["verb"]
    if verb is None:
        return False
    # "Moved rooms", but "Fred moved": after what may be a verb itself only a past form tells a name.
    return not (is_form(verb) or verb.endswith("ed" if _may_be_verb(word) else ("ed", "s")))


def _may_be_verb(word: str) -> bool:
    return is_form(word.casefold()) or word.endswith(("ed", "ing"))
