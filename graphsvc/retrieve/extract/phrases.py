"""Answers that are phrases and no typed facts: places, reasons, one of two options, names of things.

Each is a span of the text, found by the closed classes that lead it in: prepositions, causal
conjunctions, verbs of naming.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphsvc.models.answer import Value
from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract.slot import Slot
from graphsvc.retrieve.extract.wanted import Asks, Wanted
from graphsvc.retrieve.extract.words import Reading, key_of

_HAN = "[\u4e00-\u9fff]"
_IN_ZH = re.compile(
    r"(?:(?:在|到|去|进)|(?:放|存|藏|贴|挂|搁|摆|塞|停)(?![在到去进了过着]))"
    rf"(?P<place>{_HAN}[^，,。；;、！？\s]{{1,20}}?)"
    r"(?=办|开(?!心)|住|见|吃|上班|工作|举行|举办|集合|碰头|过|拿|取|买|租|等|了|[，,。；;、！\s]|$)"
)
_IN_EN = re.compile(
    r"\b(?:in|at|on|under|behind|inside|beside|near|by|above|below|beneath|next to|in front of|on top of|outside|to)"
    r"\s+(?P<place>(?:the |a |an |my |our |his |her |their )?[A-Za-z][\w' -]*?)"
    r"(?=\s*(?:[,.;!?]|$|\b(?:now|and|but|until|till|since|because|for|with|at \d|on (?:mon|tue|wed|thu|fri|sat"
    r"|sun)|from|is|are|was)\b))",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"(?:因为|由于|因)(?P<zh>[^，,。；;]{1,40})|(?P<so>[^，,。；;]{2,40})[，,](?:所以|因此|于是)"
    r"|\b(?P<en>(?:because(?: of)?|due to|owing to|thanks to|since(?! \d))\s+[^,.;!?]{2,80})",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"(?:名字?叫做?|叫做?|名字是|牌子是|取名|起名|名为)[\"“「『《]?(?P<zh>[^，,。；;！？\"”」』》\s]{1,16})"
    r"|\b(?:called|named|name is|brand is|goes by)\s+[\"“']?(?P<en>[A-Z0-9][\w'’-]*(?:\s+[A-Z0-9][\w'’-]*)*)"
)
_PLACES = frozenset({"place", "address", "organisation"})


def phrases(memory: Memory, wanted: Wanted, reading: Reading) -> list[Slot]:
    """Every phrase that could answer, in the text's order."""
    match wanted.asks:
        case Asks.PLACE:
            found = [*_places(memory, reading)]
        case Asks.REASON:
            found = [*_named(memory, reading, _BECAUSE, "reason")]
        case Asks.NAME:
            found = [*_named(memory, reading, _CALLED, "name"), *_names(memory)]
        case Asks.CHOICE:
            found = [*_options(memory, wanted, reading)]
        case _:
            return []
    return sorted(found, key=lambda slot: (slot.value.start, -slot.value.end))


def _slot(memory: Memory, kind: str, start: int, end: int, fit: float) -> Slot:
    return Slot(Value(type=kind, text=memory.text[start:end], start=start, end=end), fit)


def _places(memory: Memory, reading: Reading) -> Iterator[Slot]:
    times = [(time.start, time.end) for time in memory.facts.times]
    for mention in memory.facts.mentions:
        if mention.type in _PLACES:
            yield _slot(memory, "place", mention.start, mention.end, 0.8 if mention.type != "organisation" else 0.5)
    for pattern, fit in ((_IN_ZH, 1.0), (_IN_EN, 0.9)):
        for found in pattern.finditer(reading.text):
            start, end = found.span("place")
            if not any(a < end and start < b for a, b in times) and not reading.text[start:end].isdigit():
                motion = found.group().casefold().startswith(("to ", "by "))
                yield _slot(memory, "place", start, end, fit * (0.6 if motion else 1.0))


def _named(memory: Memory, reading: Reading, pattern: re.Pattern[str], kind: str) -> Iterator[Slot]:
    for found in pattern.finditer(reading.text):
        name = found.lastgroup
        if name is not None:
            yield _slot(memory, kind, *found.span(name), 1.0)


def _names(memory: Memory) -> Iterator[Slot]:
    for mention in memory.facts.mentions:
        if mention.type in {"product", "person", "organisation", "place"}:
            yield _slot(memory, "name", mention.start, mention.end, 0.4)


def _options(memory: Memory, wanted: Wanted, reading: Reading) -> Iterator[Slot]:
    """The words of one option that the other has not, where the text has them."""
    keys = [_keys(option) for option in wanted.options]
    shared = frozenset.intersection(*map(frozenset, keys)) if keys else frozenset()
    for option, own in zip(wanted.options, keys, strict=True):
        distinct = [key for key in own if key not in shared]
        for word in reading.words:
            if word.key in distinct:
                yield _slot(memory, "choice", word.start, word.end, 1.0)
        at = reading.text.find(option)
        if at >= 0 and not any(word.key in distinct for word in reading.words):
            yield _slot(memory, "choice", at, at + len(option), 1.0)


def _keys(option: str) -> list[str]:
    """Keys of an option's last words: in `choose the oak` the verb before it belongs to the question."""
    words = [word for word in re.findall(r"[\w'-]+", option.casefold()) if word not in {"the", "a", "an"}]
    return [key_of(word) for word in words]
