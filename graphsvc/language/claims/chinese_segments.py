"""Cut a Chinese sentence into the stretches that may be clauses, and its words where the tagger left two in one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphsvc.language.claims import chinese_words as zh
from graphsvc.language.recognisers import Token, chinese_tokens

_PEOPLE = frozenset({"r", "n", "nr", "PER"})
_CUTS = re.compile(rf"(?:[,;:。!?…\n“”「」『』\"()\s]|——)+|{zh.BREAKS.pattern}")
PREDICATES = frozenset({"v", "vd", "a", "ad", "vn", "an"})


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch between commas of folded text, with the marks around it."""

    start: int
    end: int
    before: str
    after: str
    # What somebody is bidden not to do.
    bidden: bool = False
    # The second half of a contrast, which goes on about the subject of the first.
    contrasted: bool = False


def words_of(line: str) -> list[Token]:
    """The tagged words of folded text."""
    return [part for words in chinese_tokens(line) for token in words for part in _parts(token)]


def segments_of(text: str, tokens: Sequence[Token]) -> Iterator[Segment]:
    """The stretches between commas, colons, quotation marks and the joints of clauses, in order."""
    starts = {token.start for token in tokens}
    for segment in _stretches(text):
        yield from _halves(text, segment, tokens, starts)


def _halves(text: str, segment: Segment, tokens: Sequence[Token], starts: set[int]) -> Iterator[Segment]:
    """A stretch cut before what somebody is bidden not to do, or between what is affirmed and what is denied."""
    bid = zh.BID.search(text, segment.start, segment.end)
    cut = bid.start("who") if bid and _is_person(bid, tokens) else None
    if cut is None:
        found = zh.CONTRAST.search(text, segment.start, segment.end)
        cut = found.end() if found and found.end() in starts else None
    if cut is None:
        yield segment
        return
    yield replace(segment, end=cut, after="," if bid is None else "")
    yield replace(segment, start=cut, before="", bidden=bid is not None, contrasted=bid is None)


def _is_person(bid: re.Match[str], tokens: Sequence[Token]) -> bool:
    """Whether words that name somebody are bidden."""
    start, end = bid.span("who")
    inside = [token for token in tokens if token.start < end and token.end > start]
    whole = bool(inside) and inside[0].start == start and inside[-1].end == end
    return whole and all(token.tag in _PEOPLE for token in inside)


def _stretches(text: str) -> Iterator[Segment]:
    start, before = 0, ""
    for cut in _CUTS.finditer(text):
        if cut.group().isspace() and not _between_han(text, cut.start(), cut.end()):
            continue
        if cut.start() > start:
            yield Segment(start, cut.start(), before, cut.group())
        start, before = cut.end(), cut.group()
    if start < len(text):
        yield Segment(start, len(text), before, "")


def _between_han(text: str, start: int, end: int) -> bool:
    """Whether a space parts two Chinese clauses, as people write in chats, and not a Latin word from Han."""
    return (
        start > 0 and end < len(text) and "\u4e00" <= text[start - 1] <= "\u9fff" and "\u4e00" <= text[end] <= "\u9fff"
    )


def has_predicate(words: Sequence[Token]) -> bool:
    """Whether a stretch says something of something: by a verb, a quality, a place (在), an adverb or a number."""
    if len(words) > 1 and (words[-1].tag in {"d", "m", "q"} or any(token.text == "在" for token in words[1:])):
        return True
    return any(token.tag in PREDICATES or zh.NEGATOR.match(token.text) or token.text == "是" for token in words)


def _parts(token: Token) -> Iterator[Token]:
    """A pronoun the tagger left joined to a verb of saying, taken apart: 她说, 告诉我."""
    joined = zh.PRONOUN_JOINED.fullmatch(token.text)
    if joined is None:
        yield token
        return
    for name in joined.groupdict():
        if joined[name]:
            start, end = token.start + joined.start(name), token.start + joined.end(name)
            yield Token(start, end, joined[name], "r" if name in {"who", "whom"} else "v")
