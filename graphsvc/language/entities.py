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
from graphsvc.language.latinnames import latin_names
from graphsvc.language.normalise import HAN, Folded, fold, fold_key
from graphsvc.language.patterns import codes, shaped
from graphsvc.language.recognisers import chinese_tokens
from graphsvc.models.facts import Mention

_LATIN_EDGE = re.compile(rf"[^\W_{HAN}]")


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


class _Taken:
    """Spans given away so far, so that no two mentions overlap; each costs its own length."""

    def __init__(self, size: int) -> None:
        self._occupied = bytearray(size)
        self.spans: list[tuple[int, int, str]] = []

    def take(self, start: int, end: int, kind: str) -> None:
        """Give a stretch away, unless some of it is taken."""
        if start < end and self._occupied.find(1, start, end) < 0:
            self._occupied[start:end] = b"\x01" * (end - start)
            self.spans.append((start, end, kind))


def find_mentions(text: str, gazetteer: Gazetteer | None = None) -> list[Mention]:
    """Mentions in order of place; types are entity types of the ontology, keys are folded names."""
    folded = fold(text)
    line = folded.text
    taken = _Taken(len(line))
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
    taken = _Taken(len(text))
    for mention in mentions:
        taken.take(mention.start, mention.end, mention.type)
    known = len(taken.spans)
    for span in latin_names(text, {(start, end) for start, end, _ in taken.spans}):
        taken.take(*span)
    return [
        Mention(start=start, end=end, text=text[start:end], type=kind, key=fold_key(text[start:end]))
        for start, end, kind in taken.spans[known:]
    ]


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
