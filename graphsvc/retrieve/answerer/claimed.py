"""The numbers, times and names of a text, and whether other texts hold them too.

Amounts compare by value and unit (80万 is 800,000), times by what they mean when both are said the same way, names
and codes as whole words. What only looks like a number, and is none of these, must stand as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.language.amounts import find_amounts
from graphsvc.language.claims.parse import parse
from graphsvc.language.entities import find_mentions
from graphsvc.language.normalise import fold, fold_key
from graphsvc.language.numerals import HAN_DIGITS, HAN_UNITS, NUMBER_WORDS, integer, parse_words
from graphsvc.language.stopwords import STOP_WORDS
from graphsvc.language.times import find_times
from graphsvc.models.facts import Amount, Anchor, Mention, TimeExpression

Span = tuple[int, int]

_HAN_NUMBER = HAN_DIGITS + HAN_UNITS + "半几数"
_FIGURES = re.compile(r"[a-z0-9]*\d[a-z0-9]*(?:[.,:/_-][a-z0-9]+)*")
_NUMBER_WORD = re.compile(NUMBER_WORDS)
_ORDINAL = re.compile(rf"第[{HAN_DIGITS}{HAN_UNITS}\d]+")
_NUMBER_ALONE = re.compile(rf"{_ORDINAL.pattern}|(?<![^\W\d_])\d[\d.,:]*(?![^\W\d_])")
_NUMERAL = re.compile(rf"(?<![\d.,])[{HAN_DIGITS}{HAN_UNITS}\d]+(?![.,]?\d)")
_CAPITAL = re.compile(r"(?<![\w'’-])[A-ZÀ-ÞŁŚŽ][\w.&-]*\w")
_OPENS = re.compile(r"(?:^|[.!?:;。！？：；\n])[\s\"'“‘(（]*$")
_LETTER = re.compile(r"[a-zA-Z0-9À-ɏ]")
_NUMERIC = re.compile(rf"[0-9{_HAN_NUMBER}]")
_PROPER = frozenset({"NNP", "NNPS"})
# Half past is another hour, and so is 3点20.
_CLOCK = frozenset("点时")


@dataclass(frozen=True, slots=True)
class Said:
    """A text as it is, folded, with its numbers in figures, and what was read of it; spans are of the text."""

    text: str
    folded: str
    figures: str
    offsets: Sequence[int]
    amounts: tuple[Amount, ...]
    times: tuple[TimeExpression, ...]
    mentions: tuple[Mention, ...]

    @property
    def spans(self) -> list[Span]:
        """Where its amounts, times and names stand."""
        found = [(one.start, one.end) for one in self.amounts]
        found += [(one.start, one.end) for one in self.times]
        return found + [(one.start, one.end) for one in self.mentions]

    @classmethod
    def of(cls, text: str, at: datetime) -> Said:
        """Read a text; its times as said at that moment."""
        folded = fold(text)
        return cls(
            text,
            folded.text,
            _in_figures(folded.text),
            folded.offsets,
            tuple(find_amounts(text)),
            tuple(find_times(text, at)),
            tuple(find_mentions(text)),
        )


def supported_times(answer: Said, support: Sequence[Said]) -> bool:
    """Whether each time of the answer is written in the support, or means the same as one that is.

    "2024-03-05" is never what "yesterday" means: only the memory's own moment could tell, and it is not at hand.
    """
    return all(_written(time.text, support) or _same_time(time, support) for time in answer.times)


def supported_numbers(answer: Said, support: Sequence[Said]) -> bool:
    """Whether each number of the answer is in the support; those inside its times and names are checked with them."""
    checked = [(one.start, one.end) for one in answer.times]
    checked += [(one.start, one.end) for one in answer.mentions]
    amounts = [one for one in answer.amounts if not _inside((one.start, one.end), checked)]
    if not all(_same_amount(one, support) or _written(one.text, support, signed=True) for one in amounts):
        return False
    checked += [(one.start, one.end) for one in amounts]
    return all(_same_number(word, support) for word in _bare_numbers(answer, checked))


def names_of(said: Said) -> set[str]:
    """The names, codes and addresses of a text, folded."""
    return {one.key for one in said.mentions} | {fold_key(word) for word in _capitals(said.text)}


def named_in(name: str, support: Sequence[Said]) -> bool:
    """Whether a folded name, code or address stands there, letter for letter but for case."""
    return _written(name, support)


def beside_checked(said: Said) -> str:
    """The text with its amounts, times, names and numbers blanked: what is left to be checked word by word."""
    text = said.text
    for start, end in said.spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return _NUMBER_ALONE.sub(lambda found: " " * len(found[0]), text)


def _same_amount(amount: Amount, support: Sequence[Said]) -> bool:
    """One of equal value and, where the answer gives a unit, of that unit: no currency is added to a bare number."""
    return any(
        (there.value, there.high) == (amount.value, amount.high) and amount.unit in {None, there.unit}
        for said in support
        for there in said.amounts
    )


def _same_time(time: TimeExpression, support: Sequence[Said]) -> bool:
    if time.begin is None and time.until is None:
        return False
    absolute = time.anchor is Anchor.ABSOLUTE
    return any(
        (there.begin, there.until) == (time.begin, time.until) and (there.anchor is Anchor.ABSOLUTE) is absolute
        for said in support
        for there in said.times
    )


def _bare_numbers(answer: Said, checked: Sequence[Span]) -> Iterator[str]:
    """Figures, number words and ordinals of the folded answer outside the spans; a lone "one" is a pronoun."""
    for pattern in (_FIGURES, _NUMBER_WORD, _ORDINAL):
        for found in pattern.finditer(answer.folded):
            span = answer.offsets[found.start()], answer.offsets[found.end()]
            if found[0] != "one" and not _inside(span, checked):
                yield found[0]


def _same_number(word: str, support: Sequence[Said]) -> bool:
    """Whether a number stands in the support as it is written, or in other signs of the same value."""
    if _written(word, support, signed=True):
        return True
    value = _value(word)
    return value is not None and any(value == one for said in support for one in _values(said))


def _value(word: str) -> float | None:
    if word.isascii() and word.isdigit():
        return float(word)
    return parse_words(word) if _NUMBER_WORD.fullmatch(word) else None


def _values(said: Said) -> Iterator[float]:
    """The values of plain numbers in a text; an amount's only where it is no range."""
    yield from (one.value for one in said.amounts if one.high is None)
    yield from (parse_words(found[0]) or 0.0 for found in _NUMBER_WORD.finditer(said.folded))


def _capitals(text: str) -> Iterator[str]:
    """Latin words written as names: with a capital inside a sentence, or a proper noun by the parser."""
    proper = {word.start for sentence in parse(text, [(0, len(text))]) for word in sentence if word.tag in _PROPER}
    for found in _CAPITAL.finditer(text):
        inside = _OPENS.search(text, max(0, found.start() - 8), found.start()) is None
        word = re.sub(r"['’]s$", "", found[0])
        if (inside or found.start() in proper) and word.casefold() not in STOP_WORDS:
            yield word


def _written(piece: str, support: Sequence[Said], *, signed: bool = False) -> bool:
    """Whether the folded piece stands in the support, as whole words and whole numbers; 三十日 is 30日."""
    key = fold_key(piece)
    return any(
        stands_whole(key, said.folded, signed=signed) or stands_whole(_in_figures(key), said.figures, signed=signed)
        for said in support
    )


def _in_figures(folded: str) -> str:
    """Folded text with whole numbers in Chinese characters written in figures, where they are whole numbers."""

    def figures(found: re.Match[str]) -> str:
        value = integer(found[0])
        return found[0] if value is None else str(value)

    return _NUMERAL.sub(figures, folded)


def stands_whole(key: str, text: str, *, signed: bool = False) -> bool:
    """Whether the key stands in the text with no word or number cut in two; `signed`, with no minus before it."""
    return place_whole(key, text, signed=signed) is not None


def place_whole(key: str, text: str, *, signed: bool = False) -> int | None:
    """Where it first stands so; None where it does not."""
    at = text.find(key)
    while at >= 0:
        end = at + len(key)
        before, after, beyond = text[at - 1 : at] if at else "", text[end : end + 1], text[end + 1 : end + 2]
        if not _joined_before(before, key[0], signed=signed) and not _joined_after(key[-1], after, beyond):
            return at
        at = text.find(key, at + 1)
    return None


def _joined_before(before: str, first: str, *, signed: bool) -> bool:
    if _NUMERIC.match(first) and before and (_NUMERIC.match(before) or (signed and before in ".,-")):
        return True
    return bool(_LETTER.match(first) and before and _LETTER.match(before))


def _joined_after(last: str, after: str, beyond: str) -> bool:
    if not after:
        return False
    if _NUMERIC.match(last) or last in _CLOCK:
        decimal = after in ".,:" and beyond.isdigit()
        if _NUMERIC.match(after) or after in "%‰" or decimal:
            return True
    return bool(_LETTER.match(last) and _LETTER.match(after))


def _inside(span: Span, spans: Sequence[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in spans)
