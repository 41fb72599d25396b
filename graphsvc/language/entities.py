"""Find the named things of a text: people, organisations, places, products, codes, addresses.

Shapes come first (an address is never a name), then the user's own list, then codes, then rules
and models for each script. Mentions never overlap, and every span is of the text as written.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from graphsvc.language.hannames import han_names
from graphsvc.language.normalise import HAN, Folded, fold, fold_key
from graphsvc.language.patterns import codes, shaped
from graphsvc.language.recognisers import MOST_MODEL_CHARS, chinese_tokens, english_names
from graphsvc.models.facts import Mention

_ENGLISH_TYPES = {
    "PERSON": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "product",
    "WORK_OF_ART": "product",
}
_PARTICLES = frozenset(
    {
        "de",
        "da",
        "di",
        "del",
        "della",
        "van",
        "von",
        "der",
        "den",
        "bin",
        "al",
        "el",
        "la",
        "le",
        "of",
        "and",
        "the",
        "for",
        "&",
    }
)
_CALENDAR = re.compile(
    r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?s?|today|tomorrow|yesterday|january|february|march|april|may|june|july|"
    r"august|september|october|november|december|q[1-4]|ok|yes|no|hi|hello|thanks|please|dear|re|fw|fwd"
)
_LATIN_EDGE = re.compile(rf"[^\W_{HAN}]")
_ADDRESSING = re.compile(r"(?:给|请|让|找|跟|和|问|告诉|由|联系|通知|@)[ ]?$")
_SPEAKING = re.compile(r"[ ]?(?:说|问|答|负责|确认|同意|回复|批准|表示|提到|发来|告诉|建议|觉得|认为|反馈)")
_LATIN_NAME = re.compile(r"(?<![\w.@/-])[A-Z][a-zà-ÿ]{1,15}(?: [A-Z][a-zà-ÿ]{1,15}){0,2}(?![A-Za-z0-9_@./+#-])")


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Names the user listed, folded, with their entity types; the longest one that fits wins."""

    names: Mapping[str, str]
    _by_start: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_start: dict[str, list[str]] = {}
        for name in self.names:
            if name:
                by_start.setdefault(name[0], []).append(name)
        ordered = {first: tuple(sorted(found, key=len, reverse=True)) for first, found in by_start.items()}
        object.__setattr__(self, "_by_start", ordered)

    def find(self, line: str) -> Iterator[tuple[int, int, str]]:
        """Spans of the listed names in folded text; Latin names only as whole words."""
        if not self._by_start:
            return
        starts = re.compile(f"[{re.escape(''.join(self._by_start))}]")
        at = 0
        while opening := starts.search(line, at):
            start = opening.start()
            at = start + 1
            for name in self._by_start[opening.group()]:
                end = start + len(name)
                if line.startswith(name, start) and _is_whole(line, start, end):
                    yield start, end, self.names[name]
                    at = end
                    break


@dataclass(slots=True)
class _Taken:
    """Spans given away so far, in order, so that no two mentions overlap."""

    spans: list[tuple[int, int, str]] = field(default_factory=list)

    def take(self, start: int, end: int, kind: str) -> None:
        index = bisect_left(self.spans, (start, end, ""))
        before_free = index == 0 or self.spans[index - 1][1] <= start
        after_free = index == len(self.spans) or end <= self.spans[index][0]
        if start < end and before_free and after_free:
            self.spans.insert(index, (start, end, kind))


def find_mentions(text: str, gazetteer: Gazetteer | None = None) -> list[Mention]:
    """Mentions in order of place; types are entity types of the ontology, keys are folded names."""
    folded = fold(text)
    line = folded.text
    taken = _Taken()
    for span in shaped(line):
        taken.take(*span)
    chinese = [span for tokens in chinese_tokens(line) for span in han_names(line, tokens)]
    if gazetteer is not None:
        people = [(start, end) for start, end, kind in chinese if kind == "person"]
        for start, end, kind in gazetteer.find(line):
            if kind != "person" or not _inside_longer_name(start, end, people):
                taken.take(start, end, kind)
    for span in codes(line):
        taken.take(*span)
    for span in chinese:
        taken.take(*span)
    mentions = [_mention(text, folded, span) for span in taken.spans]
    return sorted([*mentions, *_latin(text, mentions)], key=lambda mention: mention.start)


def _latin(text: str, mentions: list[Mention]) -> list[Mention]:
    """Names in Latin script, outside the mentions already made."""
    taken = _Taken([(mention.start, mention.end, mention.type) for mention in mentions])
    known = len(taken.spans)
    for start, end in _called(text):
        taken.take(start, end, "person")
    for start, end, label in english_names(text):
        kind = _ENGLISH_TYPES.get(label)
        span = _trimmed(text, start, end)
        if kind and span:
            taken.take(*span, kind)
    if len(taken.spans) == known:
        return []
    old = {(mention.start, mention.end) for mention in mentions}
    return [
        Mention(start=start, end=end, text=text[start:end], type=kind, key=fold_key(text[start:end]))
        for start, end, kind in taken.spans
        if (start, end) not in old
    ]


def _called(text: str) -> Iterator[tuple[int, int]]:
    """A capitalised name whom a Chinese sentence addresses or lets speak: 请 Lena 确认."""
    for name in _LATIN_NAME.finditer(text, 0, MOST_MODEL_CHARS):
        before = _ADDRESSING.search(text, max(0, name.start() - 4), name.start())
        if (before or _SPEAKING.match(text, name.end())) and not _CALENDAR.fullmatch(name.group().lower()):
            yield name.span()


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A model's span without its article and possessive; nothing where it is not written as a name."""
    name = text[start:end]
    if name.lower().startswith("the "):
        start += 4
    for possessive in ("'s", "’s", "'", "’"):
        if text[start:end].endswith(possessive):
            end -= len(possessive)
            break
    words = text[start:end].split()
    if not words or _CALENDAR.fullmatch(text[start:end].lower()):
        return None
    named = [word for word in words if word.lower() not in _PARTICLES]
    if not named or not all(word[0].isupper() or not word[0].isalpha() or not word[0].isascii() for word in named):
        return None
    if "\n" in text[start:end] or not any(char.isupper() for char in named[0]):
        return None
    return start, end


def _mention(text: str, folded: Folded, span: tuple[int, int, str]) -> Mention:
    start, end = folded.span(span[0], span[1])
    return Mention(start=start, end=end, text=text[start:end], type=span[2], key=fold_key(text[start:end]))


def _is_whole(line: str, start: int, end: int) -> bool:
    """Whether a listed name is not a part of a longer Latin word; Han names stand anywhere."""
    left = _LATIN_EDGE.match(line[start]) and start > 0 and _LATIN_EDGE.match(line[start - 1])
    right = _LATIN_EDGE.match(line[end - 1]) and end < len(line) and _LATIN_EDGE.match(line[end])
    return not left and not right


def _inside_longer_name(start: int, end: int, people: list[tuple[int, int]]) -> bool:
    """王伟 is not named where the sentence says 王伟明."""
    index = bisect_left(people, (start + 1, 0)) - 1
    return index >= 0 and people[index][0] == start and people[index][1] > end
