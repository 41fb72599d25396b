"""Whether two clauses may speak of one slot: what ties their memories, and what parts them.

Names, codes, holders, designators (A栋, room 4) and periods that differ part them; so does a modifier that only one
side has before the shared word: "the garage rent" beside "the rent".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from graphsvc.change import words
from graphsvc.change.fills import Filled, tells
from graphsvc.change.parting import modifiers_apart, other_holders, other_period, same_talk
from graphsvc.change.reading import Part, Reading
from graphsvc.change.values import one_name
from graphsvc.language.change import JOKING, PROPOSED
from graphsvc.language.hanwords import is_word, word_class
from graphsvc.models.answer import Value
from graphsvc.models.facts import Certainty, HolderKind
from ontology.model import ValueKind

_NAMED = ("person", "organisation", "place", "product")
_CODES = frozenset({"identifier", "ip", "phone", "email", "url"})
DESIGNATED = re.compile(
    r"(?<![a-z0-9])(?P<zh>[a-z]|\d{1,4}|[一二三四五六七八九十甲乙丙丁东西南北大小左右上下前后]{1,2})(?=号|栋|幢|楼|座|层|期|组|班|款|档|室|单元|门|院|区|线|队|厅)"
    r"|\b(?:room|flat|gate|platform|plot|ticket|line|unit|block|building|floor|phase|stage|group|team|bay|desk|locker|version|level)"
    r" (?P<en>[a-z]?\d[\w-]*|[a-z])\b",
    re.IGNORECASE,
)
_OPPOSITE = re.compile(r"^(?:非|未|non-?)")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,年])")
# Classes of the dictionary: verbs, adverbs, prepositions, conjunctions, pronouns, particles.
_UNNAMING = frozenset("vdpcruy")
_GAP = re.compile(r"\s*[那这]?[个家位户边]?的?(?:['’]s)?\s*")
_PUT_FORWARD = frozenset({Certainty.CERTAIN, Certainty.HEDGED, Certainty.PLANNED})


def other_talk(one: Reading, other: Reading) -> bool:
    """Whether both are known to be of talks, and of two."""
    talks = (one.memory.conversation_id, other.memory.conversation_id)
    return None not in talks and talks[0] != talks[1] and not same_talk(one, other)


def stated(part: Part) -> bool:
    """Whether a clause is put forward as so, or as what is to be: neither asked, supposed nor only proposed."""
    if not part.told.stated or PROPOSED.search(part.text):
        return False
    return not part.claims or any(claim.certainty in _PUT_FORWARD for claim in part.claims)


def joking(reading: Reading) -> bool:
    """Whether a memory tells of what was said for fun."""
    return JOKING.search(reading.memory.text) is not None


Span = tuple[int, int]
Vouched = tuple[Span | None, Span | None]


def parted(
    one: Reading,
    q: Part,
    other: Reading,
    p: Part,
    pair: Filled | None,
    *,
    vouched: tuple[Span | None, Span | None] = (None, None),
) -> bool:
    """Whether anything says that clause `q` of the earlier and `p` of the later speak of different things.

    `vouched` are the spans that only name who says so, where sources are told apart already.
    """
    return set_apart(one, q, other, p, pair, vouched=vouched) or _other_modifiers(
        (one, q), (other, p), pair, vouched[1]
    )


def set_apart(
    one: Reading,
    q: Part,
    other: Reading,
    p: Part,
    pair: Filled | None,
    *,
    vouched: tuple[Span | None, Span | None] = (None, None),
) -> bool:
    """As `parted`, by names, codes, designators, holders and periods; not by a modifier, which may be told anew."""
    kind = None if pair is None else pair.earlier.type
    return (
        _other_names(one, q, other, p, pair)
        or _other_codes(one, q, other, p, kind)
        or _other_designators((one, q), (other, p), pair, vouched)
        or (vouched == (None, None) and _other_holders(q, p))
        or _another_holder(one, p, pair, vouched[1])
        or (kind != ValueKind.TIME.value and other_period(q.told.periods, p.told.periods))
        or _denied_word(q, p)
        or _other_years(q, p, pair)
    )


def _other_names(one: Reading, q: Part, other: Reading, p: Part, pair: Filled | None) -> bool:
    taken = set() if pair is None else {pair.earlier.start}, set() if pair is None else {pair.later.start}
    for kind in _NAMED:
        mine = _names(one, q, kind, taken[0], None)
        theirs = _names(other, p, kind, taken[1], p.new)
        if not (mine and theirs) or any(one_name(a, b) for a in mine for b in theirs):
            continue
        if not any(a in other.folded for a in mine) and not any(b in one.folded for b in theirs):
            return True
    return False


def _names(reading: Reading, part: Part, kind: str, taken: set[int], new: tuple[int, int] | None) -> set[str]:
    return {
        mention.key
        for mention in reading.memory.facts.mentions
        if mention.type == kind
        and part.span[0] <= mention.start < part.span[1]
        and mention.start not in taken
        and not (new is not None and new[0] <= mention.start < new[1])
    }


def _other_codes(one: Reading, q: Part, other: Reading, p: Part, kind: str | None) -> bool:
    """Whether the codes that say which one is meant, in the clause or in a heading, differ."""
    mine, theirs = (
        {
            value.normalised or value.text
            for part in (reading.parts[0], here)
            for value in part.values
            if value.type in _CODES
            and not _is_new(part, value.start)
            and not (kind in _CODES and tells(value, reading.memory.text, part.span))
        }
        for reading, here in ((one, q), (other, p))
    )
    return bool(mine and theirs) and not mine & theirs


def _is_new(part: Part, at: int) -> bool:
    return part.new is not None and part.new[0] <= at < part.new[1]


def _other_designators(
    earlier: tuple[Reading, Part], later: tuple[Reading, Part], pair: Filled | None, vouched: Vouched
) -> bool:
    first, second = (None, None) if pair is None else (_span(pair.earlier), _span(pair.later))
    mine = _designators(*earlier, (first, vouched[0]))
    theirs = _designators(*later, (later[1].new, second, vouched[1]))
    return bool(mine and theirs) and not mine & theirs


def _span(value: Value) -> Span:
    return value.start, value.end


def _designators(reading: Reading, part: Part, without: Sequence[tuple[int, int] | None]) -> set[str]:
    times = [(time.start, time.end) for time in reading.memory.facts.times]
    hidden = [span for span in (*without, *times) if span is not None]
    return {
        found.group().casefold()
        for found in DESIGNATED.finditer(reading.memory.text, *part.span)
        if not any(start <= found.start() < end for start, end in hidden)
    }


def _denied_word(q: Part, p: Part) -> bool:
    """Whether a shared word is said of the opposite kind in one of them: 非会员价, non-members."""
    pairs = words.pairs(q.words, p.words)
    if any(a != b and _OPPOSITE.sub("", a) == _OPPOSITE.sub("", b) for a, b in pairs):
        return True
    return any(
        (re.search(rf"(?:非|未|\bnon-? ?){re.escape(a)}", q.text.casefold()) is None)
        != (re.search(rf"(?:非|未|\bnon-? ?){re.escape(b)}", p.text.casefold()) is None)
        for a, b in pairs
    )


def _other_years(q: Part, p: Part, pair: Filled | None) -> bool:
    """Whether both clauses are of a year, told in figures only, and not of the same: 2022那一冬."""
    taken = {None} if pair is None else {pair.earlier.text, pair.later.text}
    mine, theirs = ({year for year in _YEAR.findall(part.text) if year not in taken} for part in (q, p))
    return bool(mine and theirs) and not mine & theirs


def _other_holders(q: Part, p: Part) -> bool:
    """As `other_holders`, of those only whose holder stands in the clause itself."""
    here = tuple(
        claim for claim in p.told.holders if claim.holder.start is None or p.span[0] <= claim.holder.start < p.span[1]
    )
    return other_holders(q.told, replace(p.told, holders=here))


def _another_holder(one: Reading, p: Part, pair: Filled | None, vouched: Span | None) -> bool:
    """Whether the later clause is somebody's of whom the earlier memory does not speak, nor anything new to it."""
    for claim in p.claims:
        holder = claim.holder
        if holder.kind is not HolderKind.OTHER or (claim.quoted and holder.relation is None):
            continue
        named = holder.relation or holder.key
        at = holder.start
        if at is not None and ((pair is not None and at == pair.later.start) or _within(at, vouched)):
            continue
        if named is None or at is None or not p.span[0] <= at < p.span[1] or _is_new(p, at):
            continue
        if not _speaks_of(one, named):
            return True
    return False


def _speaks_of(reading: Reading, name: str) -> bool:
    folded = name.casefold()
    return folded in reading.folded or any(
        one_name(folded, mention.key) for mention in reading.memory.facts.mentions if mention.type in _NAMED
    )


def _within(at: int, span: Span | None) -> bool:
    return span is not None and span[0] <= at < span[1]


def _other_modifiers(
    earlier: tuple[Reading, Part], later: tuple[Reading, Part], pair: Filled | None, vouched: Span | None
) -> bool:
    """Whether a shared word has another modifier in each, or one in the later that the earlier text lacks."""
    (one, q), (other, p) = earlier, later
    framed = p.told.frame
    common = words.pairs(q.told.frame, [word for word in p.words if word in framed])
    values = () if pair is None else (pair.earlier.text.casefold(), pair.later.text.casefold())
    if modifiers_apart(q.told, p.told, common, values):
        return True
    for _, word in common:
        left = _modifier(other, p, word, (vouched, None if pair is None else _span(pair.later)))
        if left is not None and not words.among(left, one.words) and left not in one.folded:
            return True
    return False


def _modifier(reading: Reading, part: Part, word: str, without: Sequence[Span | None]) -> str | None:
    """The word right before another in a clause that says which one it is: garage of the garage rent."""
    text = reading.memory.text
    placed = words.placed_words(text)
    for before, here in pairwise(placed):
        if here[0] == word and part.span[0] <= before[1] and here[1] < part.span[1]:
            inside = (part.new is not None and part.new[0] <= before[1]) or any(_within(before[1], s) for s in without)
            if not inside and before[0] in part.topic and _GAP.fullmatch(text[before[2] : here[1]]):
                return before[0] if _names_kind(before[0], part) else None
    return None


def _names_kind(word: str, part: Part) -> bool:
    """Whether a word can stand before a noun to tell which: no verb of its clause."""
    return not is_verb(word, part)


def head_missing(one: Reading, p: Part, common: Sequence[str]) -> bool:
    """Whether every shared word only modifies one that the earlier text lacks: the smoke alarm, its battery."""
    text = p.told.memory.text
    placed = [w for w in words.placed_words(text) if p.span[0] <= w[1] < p.span[1] and w[0] in p.topic]
    last = [w for w in placed if w[0] in common]
    if not last:
        return False
    for here, after in pairwise(placed):
        gap = text[here[2] : after[1]].strip()
        if here is not last[-1] or gap not in ("", "的", "'s", "’s") or words.among(after[0], one.words):
            continue
        if not is_verb(after[0], p):
            return True
    return False


def is_verb(word: str, p: Part) -> bool:
    if not word.isascii():
        return is_word(word) and word_class(word)[:1] in _UNNAMING
    text = p.told.memory.text.casefold()
    return any(claim.predicate is not None and text[slice(*claim.predicate)] == word for claim in p.claims)
