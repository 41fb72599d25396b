"""The statements of a memory as units of words and values, ready to be laid side by side.

A unit is a clause, or a clause that holds only a value with the one that says of what: "the alarm is reset, it's 3360".
Words are those outside of values; the names among the values are kept apart, for they may be the slot or the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphsvc.change import words
from graphsvc.change.reading import Cue, Part, Reading
from graphsvc.change.tied import is_verb, stated
from graphsvc.language.change import VOUCHED
from graphsvc.language.hanwords import is_word, word_class
from graphsvc.models.answer import Value

Span = tuple[int, int]

NAMED = frozenset({"person", "organisation", "place", "product"})
_LEANS = re.compile(r"^\s*(?:it|its|it's|that's|they|they're|now|是|它|总共|一共|共)\b|^\s*[是它共]", re.IGNORECASE)
# What names the kind of a value says nothing of whose or which it is.
_KIND_WORDS = """
号 号码 电话 名字 姓名 尾号 密码 口味 地址 数额 总数 一遍 全部 按 只有 都 往后 学期 学年 季度 该 本 截止 提醒 请
算 得 要 啊 啦 哈 呗 每
mr mrs ms miss dr prof sir number no code day days week weeks month months year years hour hours name price cost costs
out up down off back beside after all over per each due usual please sorry since now as it's that's i'll i've i'm i'd
we'll we've we're we'd you're they're they've he's she's there's because reminder told around about
january february march april may june july august september october november december easter christmas
"""
_KINDS = frozenset(_KIND_WORDS.split())
# What an amount is measured in, or each of what: 4.2 kg, 32 a month.
_MEASURE = re.compile(r"\s*(?:(?:[a-z]{1,2}|lbs?|pcs?)\b|(?:a|an|per|each) \w+\b|码|度)", re.IGNORECASE)
_ORDINAL = re.compile(r"^\d+(?:st|nd|rd|th)?$")
# Classes of the dictionary that only join or count: adverbs, prepositions, conjunctions, pronouns, particles, measures.
_JOINING = frozenset("dpcruyqmtzef")
_SIDE_CLAUSE = re.compile(
    r"\b(?:and (?=they|it|he|she|we|i|there)|because|since (?=the|it|they|we|i)|which|where)\b", re.IGNORECASE
)
_FEW_PARTS = 5


@dataclass(frozen=True, slots=True)
class Unit:
    """`part` holds the value, `parts` also what leads up to it; `placed` are the words outside of values, in order.

    `telling` are those that neither change nor grammar explains, `verbs` the verbs among them; a unit that holds none
    of their `stems` shares no word with this one.
    `vouched` is the span of the words that name a source, `source` the words of that name.
    """

    reading: Reading
    part: Part
    parts: tuple[Part, ...]
    placed: tuple[words.Placed, ...]
    values: tuple[Value, ...]
    names: tuple[Value, ...]
    telling: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    verbs: frozenset[str] = frozenset()
    folded: str = ""
    source: tuple[str, ...] = ()
    vouched: Span | None = None
    weak_source: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word for word, _, _ in self.placed))

    @property
    def text(self) -> str:
        return self.reading.memory.text[self.parts[0].span[0] : self.parts[-1].span[1]]

    @property
    def cues(self) -> frozenset[Cue]:
        return frozenset(cue for part in self.parts for cue in part.cues)


@lru_cache(maxsize=4096)
def units(reading: Reading) -> tuple[Unit, ...]:
    """The units of what a memory puts forward as so, in the text's order."""
    parts = reading.parts
    found: list[Unit] = []
    for place, part in enumerate(parts):
        if not stated(part):
            continue
        own = _placed(reading, (part,))
        joined = _joined(reading, place, own)
        found.append(_unit(reading, part, joined or (part,)))
    return tuple(found)


def _joined(reading: Reading, place: int, own: Sequence[words.Placed]) -> tuple[Part, Part] | None:
    """A clause that only holds a value, or opens with a pronoun, with the clause that says of what."""
    parts, part = reading.parts, reading.parts[place]
    bare = not _telling(own, part)
    if place and len(parts) <= _FEW_PARTS and (bare or _LEANS.match(part.text)):
        before = next((p for p in reversed(parts[:place]) if _telling(_placed(reading, (p,)), p)), None)
        if before is not None and stated(before):
            return before, part
    if bare and place + 1 < len(parts) and not parts[place + 1].values:
        return part, parts[place + 1]
    return None


def _telling(placed: Iterable[words.Placed], part: Part) -> list[str]:
    """The words of a clause that say what it is about."""
    return [word for word, _, _ in placed if word in part.words and not explained(word)]


def _unit(reading: Reading, part: Part, parts: tuple[Part, ...]) -> Unit:
    placed = _placed(reading, parts)
    values = tuple(value for one in parts for value in one.values)
    found, source = _source(reading, parts, placed, values)
    kept = tuple(
        one for one in placed if found is None or not found.start() <= one[1] < found.end() or one[0] in source
    )
    told = {word for one in parts for word in one.words}
    telling = tuple(dict.fromkeys(one[0] for one in kept if one[0] in told and not explained(one[0])))
    return Unit(
        reading=reading,
        part=part,
        parts=parts,
        placed=kept,
        telling=telling,
        stems=tuple({stem for word in telling for stem in _stems(word)}),
        verbs=frozenset(word for word in telling if any(verbal(word, one) for one in parts)),
        folded=reading.memory.text[parts[0].span[0] : parts[-1].span[1]].casefold(),
        values=tuple(value for value in values if value.type not in NAMED),
        names=tuple(value for value in values if value.type in NAMED and not _in_time(reading, value)),
        source=source,
        vouched=None if found is None else (parts[0].span[0], found.end()),
        weak_source=found is not None and bool(found["zh"] or found["en"]),
    )


def _in_time(reading: Reading, value: Value) -> bool:
    return any(time.start <= value.start < time.end for time in reading.memory.facts.times)


def _placed(reading: Reading, parts: Sequence[Part]) -> list[words.Placed]:
    text = reading.memory.text
    masks = [(value.start, value.end) for part in parts for value in part.values]
    masks += [(time.start, time.end) for time in reading.memory.facts.times]
    measures = (_MEASURE.match(text, value.end) for part in parts for value in part.values)
    masks += [measure.span() for measure in measures if measure is not None]
    marks = words.masked_by(text, masks)
    found: list[words.Placed] = []
    for part in parts:
        side = _SIDE_CLAUSE.search(text, *part.span)
        end = part.span[1] if side is None else side.start()
        found += [
            one for one in words.placed_words(text) if part.span[0] <= one[1] < end and 1 not in marks[one[1] : one[2]]
        ]
    return found


def _source(
    reading: Reading, parts: Sequence[Part], placed: Sequence[words.Placed], values: Sequence[Value]
) -> tuple[re.Match[str] | None, tuple[str, ...]]:
    """The first verb of saying, measuring or seeing near the start of a unit, and the words of who does."""
    text = reading.memory.text
    start = parts[0].span[0]
    found = VOUCHED.search(text, start, parts[-1].span[1])
    if found is None:
        return None, ()
    led = text[start : found.start()].strip()
    if not led or (led.isascii() and len(led.split()) > _MOST_LED) or len(led) > _MOST_LETTERS:
        return None, ()
    head = [one[0] for one in placed if one[1] < found.start()]
    head += [one[0] for one in placed if found["book"] and one[1] == found.start("book")]
    head += [value.text.casefold() for value in values if value.type in NAMED and value.start < found.start()]
    head = [one for one in head if not explained(one)]
    return (found, tuple(dict.fromkeys(head))) if head else (None, ())


_MOST_LED = 6
_MOST_LETTERS = 40


def explained(word: str) -> bool:
    """Whether a word says nothing of which slot is meant: grammar, counting, the kind of a value."""
    if word in _KINDS or _ORDINAL.match(word):
        return True
    return not word.isascii() and is_word(word) and word_class(word)[:1] in _JOINING


def _stems(word: str) -> tuple[str, ...]:
    return (word[:3],) if word.isascii() else (word[:2], word[-2:])


def verbal(word: str, part: Part) -> bool:
    """Whether a word is a verb of its clause."""
    if not word.isascii():
        return is_word(word) and word_class(word)[:1] == "v"
    text = part.told.memory.text
    return (
        is_verb(word, part)
        or re.search(
            rf"(?:\b(?:i|we|you|they|he|she|it|to|we're|i'm|i've|we've|please|will|must|can|has|have|had|is|are|be)\s+){re.escape(word)}\b",
            text,
            re.IGNORECASE,
        )
        is not None
    )
