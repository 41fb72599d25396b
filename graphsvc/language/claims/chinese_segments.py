"""Cut a Chinese sentence into the stretches that may be clauses, and its words where the tagger left two in one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphsvc.language.claims import chinese_words as zh
from graphsvc.language.recognisers import Token, chinese_tokens

_CUTS = re.compile(rf"(?:[,;:。!?…\n“”「」『』\"()\s]|——)+|{zh.BREAKS.pattern}")
PREDICATES = frozenset({"v", "vd", "a", "ad", "vn", "an"})


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch between commas of folded text, with the marks around it."""

    start: int
    end: int
    before: str
    after: str


def words_of(line: str) -> list[Token]:
    """The tagged words of folded text."""
    return [part for words in chinese_tokens(line) for token in words for part in _parts(token)]


def segments_of(text: str) -> Iterator[Segment]:
    """The stretches between commas, colons, quotation marks and the joints of clauses, in order."""
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
