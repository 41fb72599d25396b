"""Bring every way of writing one thing to one form, and know where each character came from.

Width, script (traditional to simplified) and case are folded character by character, so that a
match in the folded text can always be pointed at in the text as it was written. Invisible
characters vanish; circled and raised digits stay, or "①5万" would read as 15万.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from opencc import OpenCC

from graphsvc.errors import TextRefused
from graphsvc.language.packaged import Once
from graphsvc.models.facts import Language

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af々〇"
MIDDLE_DOT = "·"

_SAME = {
    "・": MIDDLE_DOT,
    "･": MIDDLE_DOT,
    "•": MIDDLE_DOT,
    "‧": MIDDLE_DOT,
    "∙": MIDDLE_DOT,
    "⋅": MIDDLE_DOT,
    "’": "'",
    "ʼ": "'",
    "＇": "'",
    "‐": "-",
    "‑": "-",
    "‒": "-",
    "–": "-",
    "−": "-",
    "〜": "~",
}
# Zero-width characters, soft hyphens, direction marks, variation selectors.
_INVISIBLE = "\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
_MARKS = "\u0300-\u034e\u0350-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f"
_INVISIBLES = re.compile(f"[{_INVISIBLE}]")
_UNEVEN = re.compile(f"[{_INVISIBLE}{_MARKS}]")
# Marks beyond the eighth on one letter are decoration; sorting thousands of them would be quadratic.
_CLUSTER = re.compile(f"[{_INVISIBLE}]|[^{_MARKS}][{_MARKS}]{{0,8}}|[{_MARKS}]", re.DOTALL)
# "100，200" is a list; a full-width comma folded to ASCII would make it one grouped number.
_LIST_COMMA = re.compile("(?<=[0-9])，(?=[0-9])")
_HAN_RUN = re.compile(f"[{HAN}]+")
_SPACES = re.compile(r"\s+")
_AROUND_DOT = re.compile(rf"\s*{MIDDLE_DOT}\s*")

_HAN_LETTER = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ]+(?:['’-][A-Za-zÀ-ÖØ-öø-ɏ]+)*")
_OTHER_LETTER = re.compile(rf"[^\W\d_A-Za-zÀ-ɏ\uff21-\uff5a{HAN}]")
# A Chinese word is about 1.6 characters long.
_WORDS_PER_HAN = 0.6
_ALMOST_ALL = 0.85
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNCONVERTED = re.compile("[\x00\ud800-\udfff]")


class _Table(dict[int, str]):
    """The folded form of each character met so far."""

    def __missing__(self, code: int) -> str:
        form = _fold_cluster(chr(code))
        self[code] = form
        return form


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text; `offsets[i]` is where character `i` began in the original, with its length as the last."""

    text: str
    offsets: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that `text[start:end]` was read from, whole characters only."""
        last = end
        while start < last < len(self.text) and self.offsets[last] == self.offsets[last - 1]:
            last += 1
        return self.offsets[start], self.offsets[last]


def fold(text: str) -> Folded:
    """Fold width, script and case, keeping the way back."""
    if "，" in text:
        text = _LIST_COMMA.sub("、", text)
    if not _UNEVEN.search(text):
        folded = text.translate(_TABLE)
        if len(folded) == len(text):
            return Folded(_simplify(folded), range(len(text) + 1))
    parts: list[str] = []
    offsets = array("I")
    for cluster in _CLUSTER.finditer(text):
        found = cluster.group()
        form = _TABLE[ord(found)] if len(found) == 1 else _fold_cluster(found)
        parts.append(form)
        offsets.extend([cluster.start()] * len(form))
    offsets.append(len(text))
    return Folded(_simplify("".join(parts)), offsets)


def fold_key(text: str) -> str:
    """The form in which names and aliases are compared: folded, single spaces, one kind of middle dot."""
    folded = _SPACES.sub(" ", fold(text).text).strip()
    return _AROUND_DOT.sub(MIDDLE_DOT, folded)


def language_of(text: str) -> Language:
    """The language that carries the text, by its share of Han letters and Latin words."""
    han = len(_HAN_LETTER.findall(text)) * _WORDS_PER_HAN
    latin = len(_LATIN_WORD.findall(unicodedata.normalize("NFKC", text[:20_000])))
    other = len(_OTHER_LETTER.findall(text)) * _WORDS_PER_HAN
    total = han + latin
    if total == 0 or other > total:
        return Language.OTHER
    if han / total >= _ALMOST_ALL or (han > latin and latin <= 1):
        return Language.ZH
    if latin / total >= _ALMOST_ALL:
        return Language.EN
    return Language.MIXED


def visible(text: str) -> str:
    """The text without characters that nobody sees: they would keep its words from being found."""
    return _INVISIBLES.sub("", text)


def check_text(text: str, *, limit: int) -> None:
    """Refuse text that cannot be kept byte for byte or says nothing; raises `TextRefused`."""
    if len(text) > limit:
        raise TextRefused(
            f"the text has {len(text)} characters, the limit is {limit}",
            where=f"character {limit}",
            remedy="split it, or add it as a document",
        )
    nul = text.find("\x00")
    if nul >= 0:
        raise TextRefused("the text holds a NUL character", where=f"character {nul}", remedy="remove it")
    surrogate = _SURROGATE.search(text)
    if surrogate:
        raise TextRefused(
            "the text holds half of a surrogate pair",
            where=f"character {surrogate.start()}",
            remedy="decode the source with its right encoding",
        )
    if not any(_is_visible(char) for char in text):
        raise TextRefused("the text is empty or blank", where="character 0", remedy="leave it out")


def _is_visible(char: str) -> bool:
    return not char.isspace() and unicodedata.category(char) not in {"Cc", "Cf"}


def _fold_cluster(cluster: str) -> str:
    """One letter with its marks, folded; nothing at all for an invisible character."""
    first = cluster[0]
    if first in _SAME:
        return _SAME[first] + cluster[1:]
    if len(cluster) == 1:
        if _UNEVEN.match(cluster) and not unicodedata.combining(cluster):
            return ""
        if unicodedata.category(cluster) == "No":
            return cluster
    folded = unicodedata.normalize("NFKC", cluster).casefold()
    folded = unicodedata.normalize("NFKC", folded)
    return "".join(_SAME.get(char, char) for char in folded)


_TABLE = _Table()


def _simplify(text: str) -> str:
    """Traditional characters to simplified, at once where that keeps the length, else one Han run at a time."""
    if not _HAN_LETTER.search(text):
        return text
    converter = _converter()
    # The converter reads UTF-8, which has no halves of surrogate pairs, and may end a text at a NUL.
    if not _UNCONVERTED.search(text):
        simplified: str = converter.convert(text)
        if len(simplified) == len(text):
            return simplified
    return _HAN_RUN.sub(lambda run: _simplify_run(run.group(), converter), text)


def _simplify_run(run: str, converter: OpenCC) -> str:
    simplified: str = converter.convert(run)
    if len(simplified) == len(run):
        return simplified
    return "".join(_same_length(char, converter) for char in run)


def _same_length(char: str, converter: OpenCC) -> str:
    simplified: str = converter.convert(char)
    return simplified if len(simplified) == 1 else char


_converter = Once(lambda: OpenCC("tw2s"))
