"""Whether what a tagger took for a Chinese name can be one, and how far the name goes.

The rules are those of naming: a surname and one or two characters, a foreign name in the characters
that spell such names, a nickname; and what the dictionary knows as another word is no name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphsvc.language.hanwords import cut, is_common_word, is_word, word_class
from graphsvc.language.normalise import HAN, MIDDLE_DOT
from graphsvc.language.surnames import COMPOUND_SURNAMES, NAMELESS, SPELLING, SURNAMES, TITLES

_NAME = re.compile(rf"[{HAN}{MIDDLE_DOT}\d]*[{HAN}][{HAN}{MIDDLE_DOT}\d]*")
_TITLE_ENDS = re.compile(rf"(?:{TITLES})$")
_TWINS = re.compile(r"(.)\1(.)\2")
_PAIR = re.compile(rf"(?!{'|'.join(COMPOUND_SURNAMES)})(?:[{''.join(SURNAMES)}][^{''.join(SURNAMES)}]){{2}}")
_FAMILIAR = frozenset("老小阿大")
# Classes of words no place and no organisation is called by: times, adverbs, idioms, pronouns, numerals.
_NEVER_NAMES = frozenset({"t", "d", "z", "i", "l", "r", "m", "c", "p", "y", "e", "o"})
_LONGEST_IDIOM = 4
_PAPERS = frozenset("号单码费率")
_JOINING = "和与跟及说问答对把被让给向"
_COUNTED = re.compile(
    r"[一二两三四五六七八九十百几半这那每\d](?:个|斤|公斤|只|颗|箱|块|盒|袋|杯|片|粒|棵|瓶|碗|口|筐|种|些)$"
)
_HANDLED = re.compile(r"(?:吃|喝|种|削|洗|切|啃|咬|嚼|榨|烤|煮|摘)(?:了|过|着|完|掉)?[^，。！？,.;；]{0,4}$")
_TASTES = re.compile(
    r"[都很太真挺好超不又还特别比较]{0,3}(?:甜|酸|脆|好吃|难吃|新鲜|熟|烂|香)|多少钱|怎么卖|[树汁皮派酱核]|[^，。！？,.;；]{1,8}[一每](?:斤|公斤|个|箱)"
)


def people(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of the people's names in what was tagged as one: none, one, or the two of 李四王五."""
    text = line[start:end]
    if len(text) == 4 and _PAIR.fullmatch(text) and not is_spelt(text) and not is_word(text):
        yield start, start + 2
        yield start + 2, end
    elif name := _person(line, start, end):
        yield name


def _person(line: str, start: int, end: int) -> tuple[int, int] | None:
    text = line[start:end]
    if not _NAME.fullmatch(text) or text in NAMELESS or _TWINS.fullmatch(text):
        return None
    if is_word(text) and _is_eaten(line, start, end):  # 李子很甜
        return None
    if _TITLE_ENDS.search(text) and len(text) > 2:
        return start, end
    surname = 2 if text[:2] in COMPOUND_SURNAMES else 1 if text[0] in SURNAMES else 0
    if surname:
        return _with_surname(line, start, end, surname)
    if len(text) == 1 or is_common_word(text) or _in_idiom(line, start, end):
        return None
    if len(text) == 2 or text[0] in _FAMILIAR or is_spelt(text):
        return start, end
    if len(text) == 3 and text[-1] in _JOINING:
        return start, end - 1
    if len(text) == 4 and text[1] in SURNAMES:
        return start + 1, end
    return (start, end) if is_word(text) else None


def _with_surname(line: str, start: int, end: int, surname: int) -> tuple[int, int] | None:
    """A surname alone speaks only at the head of a line; four characters are three and a word, or a foreign name."""
    text = line[start:end]
    if len(text) == 1:
        heads = line[end : end + 1] == ":" and (start == 0 or line[start - 1] == "\n")
        return (start, end) if heads else None
    if len(text) >= surname + 2 and text[-1] in _JOINING:
        return start, end - 1
    if len(text) > surname + 2 and not is_spelt(text) and text[1] not in SURNAMES and MIDDLE_DOT not in text:
        return start, start + surname + 2
    return start, end


def is_spelt(text: str) -> bool:
    """Whether a name is written in the characters that spell foreign names, all but one in four."""
    letters = text.replace(MIDDLE_DOT, "")
    foreign = sum(char not in SPELLING for char in letters)
    return len(letters) > 2 and foreign <= len(letters) // 4


def thing(line: str, start: int, end: int, kind: str) -> bool:
    """Whether a tagged place or organisation can be one here."""
    text = line[start:end]
    if len(text) < 2 or not _NAME.fullmatch(text) or text in NAMELESS:
        return False
    if word_class(text) in _NEVER_NAMES or _in_idiom(line, start, end):
        return False
    return kind != "organisation" or not (_is_paper(text) or (is_common_word(text) and _is_eaten(line, start, end)))


def _is_paper(text: str) -> bool:
    """快递单号: common words that end in a number, a form or a fee, which no body is called."""
    return text[-1] in _PAPERS and all(is_common_word(word) for word in cut(text))


def _is_eaten(line: str, start: int, end: int) -> bool:
    """一个苹果, 吃了苹果, 苹果很甜: what is counted, eaten or tasted is a thing, whatever firm has its name."""
    before = line[max(0, start - 8) : start]
    return bool(_COUNTED.search(before) or _HANDLED.search(before) or _TASTES.match(line, end))


def _in_idiom(line: str, start: int, end: int) -> bool:
    """Whether the span is a part of a longer word of four characters: 普天 in 普天同庆."""
    if end - start >= _LONGEST_IDIOM:
        return False
    for first in range(max(0, end - _LONGEST_IDIOM), start + 1):
        word = line[first : first + _LONGEST_IDIOM]
        if len(word) == _LONGEST_IDIOM and is_word(word):
            return True
    return False
