"""One memory read clause by clause for what may change: its words, its values, how it is worded.

Words of change, values and times are taken out of a clause's words, so that what is left says what it is about.
What a clause of change puts in the old one's place is its `new` part. A reading is kept for the memories read last.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock

from graphsvc.change import words
from graphsvc.change.stated import Statement, build, clauses
from graphsvc.change.values import places_of, values_of
from graphsvc.language.change import NOW_SO, PUT_RIGHT, REPLACED, TAKEN_BACK
from graphsvc.language.hanwords import cut, word_class
from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Value
from graphsvc.models.facts import Claim, Polarity
from graphsvc.models.memory import Memory
from ontology.model import ValueKind

Span = tuple[int, int]


class Cue(StrEnum):
    """How a clause is worded as a change."""

    TAKEN_BACK = "taken_back"
    PUT_RIGHT = "put_right"
    REPLACED = "replaced"
    NOW = "now"


_CUES = (
    (Cue.TAKEN_BACK, TAKEN_BACK),
    (Cue.PUT_RIGHT, PUT_RIGHT),
    (Cue.REPLACED, REPLACED),
    (Cue.NOW, NOW_SO),
)
_TYPED = (ValueKind.AMOUNT, ValueKind.TIME, ValueKind.IDENTIFIER, ValueKind.PERSON)
# What follows is put in the old one's place; a Chinese verb of change may take another verb with it (改敲架子鼓).
_NEW = re.compile(
    r"(?:(?<!更)[改换变调涨降升跌搬移转挪推延跑](?:迟|期|后)?(?:成|为|到|至|去|用|吃|喝|在|寄|走|订)|应该?[为是])了?"
    r"|(?<!have )(?<!had )(?<!need )(?<!want )(?<!going )(?<!correction )"
    r"\b(?:to|for|with|it's|make it)\b(?= )|\bnot [^.,;]{1,30}(?:,| but)|(?P<bare>(?<!更)改(?!了)|换了?)(?=[^了，,。])"
)
# With somebody of the talk as its subject, all else in the clause is new.
_INSTEAD = re.compile(
    r"^(?!.*instead of)\s*(?:(?:so|and|but)\s+)?(?:we|i|he|she|they|it|you|let)\b.*\binstead\b", re.IGNORECASE
)
_OLD = re.compile(
    r"从(?P<zh>[^，,。；;到换改]{1,12}?)(?=[换改到变搬跑涨降调挪])|\bfrom (?P<en>[^,.;]{1,30}?) to\b"
    r"|\binstead of (?P<for>[^,.;]{1,30})|\bnot (?P<not>[^,.;]{1,30}?)(?:,| but)"
    r"|不是(?P<no>[^，,。；;是]{1,12})[，,]?(?:而|应该?)?是"
)
# Words that stand beside a change and say nothing of what changed.
_UNTELLING = """
事 那事 事情 事儿 帮 想 麻烦 预约 安排 行程 昨天 刚才 那句 句 那话 话 那条 上一条 前一封 邮件
原来 原先 之前 后来 结果 抱歉 不好意思 另外 而且 先 全 照 原 老样子
时间 日期 地点 价格 人数 数量 通知 大家 各位 学 了 那边 这边 下 回 又 起
appointment booking reservation plan arrangement slot sorry same still because again finally decided turns original
former previous too either else new old date day place venue price amount instead hello dear let let's lets we've
we're i've i'm they've they're it's there's back off out up down forget scrap cancel cancelled never mind going one
ones also
"""
_LIGHT = frozenset(_UNTELLING.split())
_MOST_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Part:
    """A clause: `words` are its content words without values, times and words of change; `topic` those outside
    of what is put in the old one's place, `subject` those before the words of change. `new` is the span of what is put
    there, `becomes` that it says so outright, `old` the value it is told from.
    """

    span: Span
    place: int
    sentence: int
    words: tuple[str, ...]
    topic: tuple[str, ...]
    values: tuple[Value, ...]
    cues: frozenset[Cue]
    claims: tuple[Claim, ...]
    told: Statement
    subject: tuple[str, ...] = ()
    new: Span | None = None
    becomes: bool = False
    old: str | None = None

    @property
    def text(self) -> str:
        return self.told.text

    @property
    def changes(self) -> bool:
        return bool(self.cues - {Cue.NOW})


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """All clauses of a memory, and all its words; one is the same as itself only."""

    memory: Memory
    parts: tuple[Part, ...]
    words: tuple[str, ...]
    changing: tuple[Part, ...] = ()
    folded: str = ""


@dataclass(slots=True)
class _Kept:
    """Readings of the memories read last, by id, revision and text; the oldest is dropped first."""

    kept: OrderedDict[tuple[object, ...], Reading] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def of(self, memory: Memory) -> Reading:
        facts = memory.facts
        read_from = (len(facts.claims), len(facts.times), len(facts.amounts), len(facts.mentions))
        talk = (memory.sender, memory.conversation_id, memory.thread_root_id, memory.document_type)
        when = (memory.event_time, memory.valid_from)
        key = (memory.namespace, memory.id, memory.revision, memory.text, when, talk, read_from)
        with self.lock:
            found = self.kept.get(key)
            if found is not None:
                self.kept.move_to_end(key)
                return found
        made = _read(memory)
        with self.lock:
            self.kept[key] = made
            while len(self.kept) > _MOST_KEPT:
                self.kept.popitem(last=False)
        return made


_kept = _Kept()


def read(memory: Memory) -> Reading:
    """The reading of a memory, made once while it is among those read last."""
    return _kept.of(memory)


def _read(memory: Memory) -> Reading:
    text = memory.text
    values = _values(memory)
    masks = [(value.start, value.end) for value in values if value.type not in _NAMED]
    masks += [(time.start, time.end) for time in memory.facts.times]
    head = words.HEADER.match(text)
    if head is not None and (any(mention.start < head.end() for mention in memory.facts.mentions) or memory.sender):
        masks.append(head.span())  # who speaks, not what of
    found: list[Part] = []
    sentence = 0
    for place, span in enumerate(_joined(memory, masks)):
        if place and re.search(r"[。；;！!？?\n.]", text[found[-1].span[1] : span[0]] or ""):
            sentence += 1
        found.append(_part(memory, (span, place, sentence), values, masks))
    parts = tuple(found)
    return Reading(
        memory=memory,
        parts=parts,
        words=tuple(dict.fromkeys(word for part in parts for word in part.words)),
        changing=tuple(part for part in parts if part.cues),
        folded=fold_key(text),
    )


_NAMED = frozenset({"person", "organisation", "place", "product"})


def _values(memory: Memory) -> list[Value]:
    found = [value for kind in _TYPED for value in values_of(memory, kind)]
    known = {value.start for value in found}
    found += [
        Value(type=ValueKind.TIME.value, text=time.text, start=time.start, end=time.end, normalised=fold_key(time.text))
        for time in memory.facts.times
        if time.start not in known
    ]
    return sorted((*found, *places_of(memory)), key=lambda value: (value.start, value.end))


def _joined(memory: Memory, masks: list[Span]) -> list[Span]:
    """The clauses, one that only holds the value for the heading before its colon joined to it."""
    text = memory.text
    found: list[Span] = []
    for span in clauses(text):
        bare = found and text[found[-1][1] : span[0]].strip() in {":", "："} and not words.words_in(text, span, masks)
        if bare and words.words_in(text, found[-1]):
            found[-1] = (found[-1][0], span[1])
        else:
            found.append(span)
    return found


def _part(memory: Memory, at: tuple[Span, int, int], values: list[Value], masks: list[Span]) -> Part:
    text = memory.text
    span, place, sentence = at
    claims = tuple(claim for claim in memory.facts.claims if claim.start < span[1] and span[0] < claim.end)
    cues, spans, starts = _cues(text, span)
    masked = [*masks, *spans]
    new, becomes, old = _new_and_old(text, span) if cues else (None, False, None)
    if new is None and any(claim.polarity is Polarity.CEASED for claim in claims):
        cues.add(Cue.TAKEN_BACK)
    kept = tuple(word for word in words.words_in(text, span, masked) if _counts(word))
    first = min((at for at in starts if at >= span[0]), default=span[0])
    outside = kept if new is None else words.words_in(text, span, [*masked, new])
    return Part(
        span=span,
        place=place,
        sentence=sentence,
        words=kept,
        topic=tuple(word for word in outside if _counts(word)),
        subject=tuple(word for word in words.words_in(text, (span[0], first), masked) if _counts(word)),
        values=tuple(value for value in values if span[0] <= value.start < span[1]),
        cues=frozenset(cues),
        claims=claims,
        told=build(memory, span, ()),
        new=new,
        becomes=becomes,
        old=old,
    )


def _counts(word: str) -> bool:
    """Whether a word says what a clause is about; bare figures do not."""
    return word not in _LIGHT and not word.replace(".", "").isdigit()


def _cues(text: str, span: Span) -> tuple[set[Cue], list[Span], list[int]]:
    """The cues of a clause, the spans of the words that give them, and where each begins.

    A pattern that spans a topic hides nothing.
    """
    cues: set[Cue] = set()
    spans: list[Span] = []
    starts: list[int] = []
    # "not 65, 80" and "不是3点,是4点" reach over a comma.
    reach = min(len(text), span[1] + 12)
    for cue, pattern in _CUES:
        for found in pattern.finditer(text, span[0], reach if cue is Cue.PUT_RIGHT else span[1]):
            if found.start() >= span[1]:
                break
            cues.add(cue)
            starts += [found.start()] if cue is not Cue.NOW else []
            if found.group()[0] not in "不没别" and len(found.group().split()) < 3:
                spans.append(found.span())
    return cues, spans, starts


def _new_and_old(text: str, span: Span) -> tuple[Span | None, bool, str | None]:
    """What is put in the old one's place, whether that is said outright, and the old value where it is named.

    换了X may give X a new part as well as bring X in; 改敲X brings in what is done instead.
    """
    old = _OLD.search(text, span[0], min(len(text), span[1] + 12))
    told = None if old is None else next((part for part in old.groups() if part), None)
    folded = None if told is None else fold_key(told)
    if _INSTEAD.search(text[slice(*span)]):
        return span, True, folded
    after = _NEW.search(text, *span)
    if after is None:
        return None, False, folded
    outright = not after["bare"] or (
        after["bare"] == "改" and word_class(_first(text[after.end() : span[1]]))[:1] == "v"
    )
    return (after.end(), span[1]), outright, folded


def _first(text: str) -> str:
    found = words.HAN_RUN.match(text)
    return cut(found.group())[0] if found else ""
