"""Names in Chinese text, from tagged words: people with titles, dotted names, places, organisations.

The tagger proposes; rules repair what it is known to break: 王总和 is 王总 and a word, a dotted
name is one person, an organisation takes the words before its 公司 along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from graphsvc.language import hanchecks
from graphsvc.language.hanwords import cut, is_word, word_class
from graphsvc.language.normalise import HAN, MIDDLE_DOT
from graphsvc.language.recognisers import Token
from graphsvc.language.surnames import COMPOUND_SURNAMES, SURNAMES, TITLES

_TITLED = re.compile(rf"(?:{'|'.join(COMPOUND_SURNAMES)}|[{''.join(SURNAMES)}])(?:{TITLES})")
_FAMILIAR = re.compile(rf"[老小阿][{''.join(SURNAMES)}]")
_DOTTED = re.compile(rf"[{HAN}]{{1,10}}(?:{MIDDLE_DOT}[{HAN}]{{1,10}}){{1,3}}")
_ORGANISATION = re.compile(
    r".*(?:公司|集团|银行|医院|大学|学院|中学|小学|研究所|研究院|事务所|委员会|工作室|基金会|协会|酒店|餐厅|工厂)$"
)
_TYPES = {"PER": "person", "LOC": "place", "ORG": "organisation"}
_PART_OF_NAME = frozenset({"nz", "LOC", "ORG", "PER"})
_MARKS = frozenset({"nz", "nt"})
_NAMES = _MARKS | {"nr", "nrt", "ns"}
_WHERE = frozenset("在从由跟与向到去")
# Where one works and where one leaves from, with what says so behind the place.
_WORKS_AT = frozenset({"在", "去", "到"})
_AT_WORK = frozenset({"上班", "任职", "就职", "实习", "入职"})
_LEAVES = frozenset({"从"})
_LEFT = frozenset({"离职", "辞职", "跳槽", "离开", "出来"})
_FIRM_WIDTH = 4
_PROJECT = re.compile("(?:项目|系统|平台|产品|软件|方案|版本|模型)")
_STREET = re.compile(r"(?:路|街|道|巷|弄|胡同)[\d零一二三四五六七八九十]+(?:号|弄)")
_LONGEST_FOREIGN_PART = 6
# Words of grammar and of the commonest doings of people, none of which foreign names are spelt with.
_GRAMMATICAL = frozenset("在是去有说会要和与给把被对从到跟也都就还不没想让住请将已又才很最")


def han_names(line: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Spans with entity types, the surest first; they may overlap."""
    yield from _dotted(line, tokens)
    yield from _titled(line, tokens)
    yield from _organisations(tokens)
    yield from _employers(tokens)
    yield from _marks(line, tokens)
    yield from _tagged(line, tokens)


def _dotted(line: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """阿依古丽·买买提: the words that touch the dots, unless both are common words of the dictionary."""
    if not tokens:
        return
    starts = {token.start for token in tokens}
    for found in _DOTTED.finditer(line, tokens[0].start, tokens[-1].end):
        first = found.group().index(MIDDLE_DOT) + found.start()
        last = found.group().rindex(MIDDLE_DOT) + found.start()
        start = _start_of_word(line, found.start(), first, tokens)
        end = _end_of_word(line, last + 1, found.end(), tokens)
        inside = [token for token in tokens if token.start < end and start < token.end and token.tag != "w"]
        person = any(token.tag == "PER" for token in inside)
        common = is_word(line[start:first]) or is_word(line[last + 1 : end])
        if start in starts and (person or not common) and end - last - 1 <= _LONGEST_FOREIGN_PART:
            yield start, end, "person"


def _start_of_word(line: str, earliest: int, dot: int, tokens: Sequence[Token]) -> int:
    tagged = max((token.start for token in tokens if token.start < dot), default=earliest)
    listed = dot - len(cut(line[earliest:dot])[-1])
    return max(earliest, min(tagged, listed) if dot - listed > 1 else tagged)


def _end_of_word(line: str, start: int, latest: int, tokens: Sequence[Token]) -> int:
    """Where the last part of a dotted name ends: 赵 in 丽娜·赵在 and in 丽娜·赵休假, where the tagger goes on."""
    tagged = next((token.end for token in tokens if token.end > start), latest)
    listed = start + len(cut(line[start:latest])[0])
    end = min(latest, max(tagged, listed) if listed - start > 1 else tagged)
    after = line[start + 1 : end]
    glued = after in _GRAMMATICAL if len(after) == 1 else word_class(after).startswith("v")
    return start + 1 if after and glued and line[start] in SURNAMES else end


def _titled(line: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """王总, 刘医生, 小郝: where a word begins, a surname with its title; the title goes on no further."""
    for token in tokens:
        titled = _TITLED.match(line, token.start)
        if titled and token.tag not in {"TIME", "t"} and not _inside_longer(titled.end(), tokens, token):
            yield token.start, titled.end(), "person"
        familiar = _FAMILIAR.match(line, token.start)
        if familiar and token.end - token.start == 1 and not is_word(familiar.group()):
            yield token.start, familiar.end(), "person"


def _inside_longer(end: int, tokens: Sequence[Token], first: Token) -> bool:
    """Whether the title would cut a later word: 王总部 is no 王总."""
    for token in tokens:
        if token.start < end < token.end and token is not first:
            return True
    return first.end > end and first.tag not in _TYPES


def _organisations(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """星河 + 公司, where the tagger left them apart."""
    for left, token in pairwise(tokens):
        if (
            token.tag == "n"
            and left.tag in _PART_OF_NAME
            and left.end == token.start
            and _ORGANISATION.match(token.text)
        ):
            yield left.start, token.end, "organisation"


def _employers(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """在字节跳动上班: two words that make no phrase of place, where one works or has worked."""
    for before, first, last, after in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        framed = (before.text in _WORKS_AT and after.text in _AT_WORK) or (
            before.text in _LEAVES and after.text in _LEFT
        )
        if (
            framed
            and first.tag in {"n", "nz"}
            and last.tag in {"v", "vn", "a"}
            and last.end - first.start == _FIRM_WIDTH
        ):
            yield first.start, last.end, "organisation"


def _marks(line: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """A trade mark is a firm where it heads a compound (三星手机) or is somewhere one is or comes from (在淘宝)."""
    for before, token in pairwise((None, *tokens)):
        if token is None or token.tag != "nz":
            continue
        if word_class(token.text) in _MARKS:
            if before is not None and before.end == token.start and before.text in _WHERE:
                yield token.start, token.end, "organisation"
            continue
        for size in range(2, len(token.text) - 1):
            head, rest = line[token.start : token.start + size], line[token.start + size : token.end]
            if word_class(head) in _MARKS and word_class(rest) not in _NAMES:
                yield token.start, token.start + size, "organisation"
                break


def _tagged(line: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    index = 0
    while index < len(tokens):
        token = tokens[index]
        kind = _TYPES.get(token.tag)
        last = index
        if kind == "place":
            while (
                last + 1 < len(tokens) and tokens[last + 1].tag == "LOC" and tokens[last + 1].start == tokens[last].end
            ):
                last += 1
        start, end = token.start, tokens[last].end
        index = last + 1
        if kind == "person":
            if _PROJECT.match(line, end):
                yield start, end, "product"
            else:
                for name in hanchecks.people(line, start, end):
                    yield *name, "person"
        elif kind and hanchecks.thing(line, start, end, kind):
            yield start, end, "address" if _STREET.search(line, start, end) else kind
