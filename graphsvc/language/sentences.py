"""Cut text at the ends of its sentences, in Chinese, English and both.

A sentence keeps its closing quote, and what is said inside quotes, titles or brackets is never
cut; decimals, abbreviations and dotted codes are whole. Spans are trimmed and cover all but
the white space between them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PAIRS = {"“": "”", "「": "」", "『": "』", "《": "》", "（": "）", "(": ")", "【": "】", "[": "]"}
_CLOSERS = "”’」』》）)】]\"'"
_QUOTES = '”」』"'
# An enclosure longer than this was not closed where its writer meant it to be.
_LONGEST_ENCLOSURE = 300
_MARK = re.compile(r"[。！？!?…]+|(?<!\.)\.++(?=[\s”’」』》）)】\]\"'\u3400-\u9fff]|$)|\n")
_ENCLOSING = re.compile(r"[“”「」『』《》（）()【】\[\]\"\n]")
_AFTER = re.compile(rf"[{re.escape(_CLOSERS)}]*")
_BLANK_LINE = re.compile(r"[ \t\r]*\n")
_NEXT = re.compile(r"\s*(\S)")
_LAST_WORD = re.compile(r"([^\W\d_]+(?:\.[^\W\d_]+)*|\d+)$")
_ABBREVIATED = """
mr mrs ms dr prof sr jr st mt rev hon gen col capt lt sgt no nos vol vs etc eg ie e.g i.e cf al fig figs eq sec ch ed
eds inc ltd co corp dept univ approx est tel ext jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri
sat sun a.m p.m u.s u.k
"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
# A name may follow these, and so may the next sentence.
_MAY_END = frozenset({"etc", "a.m", "p.m", "inc", "ltd", "co", "corp"})
_SAYING = re.compile(
    r"\s*[^\s。！？!?.,，\"“]{0,12}?(?:[^\W\d_]+ ){0,3}?"
    r"(?:[说說道问問答喊叫写寫]|回[复復覆]|表示|[补補]充|said|says|asked|asks|replied|wrote|added|answered|told)"
)
_ENGLISH_TERMINATED = frozenset("!?.")


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences, in order, without the space around them."""
    enclosed = _Enclosures.of(text)
    spans: list[tuple[int, int]] = []
    start = 0
    for mark in _MARK.finditer(text):
        if mark.start() < start:
            continue
        end = _end_at(text, mark, start, enclosed)
        if end is not None:
            _append(spans, text, start, end)
            start = end
    _append(spans, text, start, len(text))
    return spans


@dataclass(frozen=True, slots=True)
class _Enclosures:
    """For each character that matters, the end of the outermost pair of quotes or brackets around it."""

    spans: list[tuple[int, int]]
    cursor: list[int]

    @classmethod
    def of(cls, text: str) -> _Enclosures:
        spans: list[tuple[int, int]] = []
        opened: list[tuple[int, str]] = []
        for found in _ENCLOSING.finditer(text):
            char, at = found.group(), found.start()
            if char == "\n" or (opened and at - opened[0][0] > _LONGEST_ENCLOSURE):
                opened = []
            if opened and char == opened[-1][1]:
                first, _ = opened.pop()
                while spans and spans[-1][0] > first:
                    spans.pop()
                spans.append((first, at + 1))
            elif char in _PAIRS or char == '"':
                opened.append((at, _PAIRS.get(char, char)))
        return cls(spans, [0])

    def around(self, at: int) -> tuple[int, int] | None:
        """The pair around a place; places must be asked for in ascending order."""
        index = self.cursor[0]
        while index < len(self.spans) and self.spans[index][1] <= at:
            index += 1
        self.cursor[0] = index
        if index < len(self.spans) and self.spans[index][0] < at:
            return self.spans[index]
        return None


def _end_at(text: str, mark: re.Match[str], start: int, enclosed: _Enclosures) -> int | None:
    """Where the sentence ends if it ends at this mark."""
    at, end = mark.span()
    if mark.group() == "\n":
        return end if _line_ends(text, at, start) else None
    pair = enclosed.around(at)
    if pair is not None:
        closing = pair[1]
        if text[closing - 1] not in _QUOTES or text[end : closing - 1].strip():
            return None
        return closing if _quote_ends(text, pair, start) else None
    after = _AFTER.match(text, end)
    stop = after.end() if after else end
    if text[at] == "…":
        return stop if stop == len(text) or text[stop].isspace() else None
    if text[at] in _ENGLISH_TERMINATED and not _english_ends(text, at, stop):
        return None
    return stop


def _english_ends(text: str, at: int, stop: int) -> bool:
    """Whether a full stop, ! or ? at `at` ends a sentence: not inside codes, nor after Mr. or an initial."""
    if stop == len(text):
        return True
    follower = _NEXT.match(text, stop)
    if follower is None:
        return True
    char = follower.group(1)
    spaced = follower.start(1) > stop
    if text[at] != ".":
        return not (char.isascii() and (char.isalnum() or char in "=&/")) if not spaced else not char.islower()
    if char.islower() and char.isascii():
        return False
    before = _LAST_WORD.search(text, max(0, at - 20), at)
    if before is None:
        return True
    word = before.group(1).lower()
    if not spaced:
        return len(word) > 1 and not word.isdigit()
    if word.isdigit():
        line = text.rfind("\n", max(0, at - 20), at) + 1
        return bool(text[max(line, at - 20) : before.start()].strip())
    if len(word) == 1 and word != "i":
        return False
    return word not in _ABBREVIATIONS or (word in _MAY_END and char.isupper() and len(word) > 2)


def _quote_ends(text: str, pair: tuple[int, int], start: int) -> bool:
    """Whether a sentence ends with its closing quote: not before “…” he said, nor mid-line after an opening quote."""
    opening, closing = pair
    follower = _NEXT.match(text, closing)
    if follower is None or "\n" in text[closing : follower.start(1)]:
        return True
    char = follower.group(1)
    if char in "，,、；;：:。.！!？?）)" or char.islower():
        return False
    if text[start:opening].strip():
        return True
    return _SAYING.match(text, closing) is None


def _line_ends(text: str, at: int, start: int) -> bool:
    """Whether a line break ends a sentence: not after a comma or a hyphen, nor before a small letter."""
    if _BLANK_LINE.match(text, at + 1):
        return True
    before = text[max(start, at - 3) : at].rstrip()
    if before.endswith((",", "，", "、")) or (before.endswith("-") and before[-2:-1].isalpha()):
        return False
    follower = _NEXT.match(text, at + 1)
    return follower is None or not ("a" <= follower.group(1) <= "z" or follower.group(1) in _CLOSERS)


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    if left < right:
        spans.append((left, right))
