"""Which of several values in one text is the old one, which the new, which is denied.

`from A to B`, 从A改到B, 由A换成B, `not A, B`, `A instead of B`, `was A, now B`, 原来A现在B: closed classes of
verbs of change and of adverbs of then and now.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from graphsvc.models.answer import Value
from graphsvc.models.question import Question, Validity
from graphsvc.retrieve.extract.slot import Slot
from graphsvc.retrieve.extract.words import Reading


class Standing(StrEnum):
    """Where a value stands in a change the text tells of."""

    OLD = "old"
    NEW = "new"
    DENIED = "denied"
    NONE = "none"


_TO_ZH = re.compile(
    r"(?:改|换|变|涨|降|升|调|挪|推迟|提前|提|减|增|加|延|移|转|缩|跌|补|放宽|压|砍|让|修正|更正"
    r"|更新)(?:[\u4e00-\u9fff]{0,2})?(?:到|成|为|至|给)了?[^，。]{0,3}$|(?:→|->|=>)\s*$|^\s*(?:到|至)\s*$"
)
_TO_EN = re.compile(r"^[^.;!?]{0,24}\bto\s+(?:about |around |just |the |a |only )?$", re.IGNORECASE)
_FROM_ZH = re.compile(r"(?:从|由|原)[^，。]{0,8}$")
_FROM_EN = re.compile(r"\bfrom\s+(?:\w+\s+)?$", re.IGNORECASE)
_CHANGED_EN = re.compile(
    r"\b(?:moved?|chang\w+|rais\w+|rose|cut|lower\w+|dropp?\w*|rescheduled|push\w+|postponed|went up|gone up"
    r"|went down|grew|fell|increas\w+"
    r"|reduc\w+|bumped|shifted|switch\w+|brought forward|put back|extended|shortened|corrected|updated|revised"
    r"|upgraded)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:不是|并非|而非|不再是|别|不要)[^，。]{0,3}$|(?:\bnot|n't|\bno longer)\s+(?:the |at |on |in |for |by |a "
    r"|an |be |until )?(?:\w+ )?$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:而不是|代替|取代|替换|顶替|接替)了?[^，。]{0,2}$|\b(?:instead of|rather than|in place of|replac\w+"
    r"|took over from|takes over from|no longer)\s+(?:the )?$",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"原来|原先|原定|原本|本来|以前|之前|当初|起初|一开始|最早|旧|曾|\b(?:was|were|used to|original\w*|at first"
    r"|initially|previously|formerly|before|until|old|had been|no longer)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"现在|如今|目前|后来|最后|最终|改(?!天)|换成|新(?!增)|已经?|\b(?:now|instead|currently|changed|moved|new"
    r"|eventually|finally|in the end|nowadays|takes? over|took over|since then|these days)\b",
    re.IGNORECASE,
)


_LEAVES = re.compile(
    r"离[职任开]|辞职|辞了|不干了|退休|卸任|调[走去到离]|转岗|休(?:产假|长假)|交[接棒]|\b(?:leav(?:es|ing)|left|resign\w*|retir\w+"
    r"|quits?|step(?:s|ped|ping) down|mov(?:es|ed|ing) (?:on|to)|hand(?:s|ed|ing) over|is off|goes on leave)\b",
    re.IGNORECASE,
)
_STEPS_IN = re.compile(
    r"暂代|代理|代管|代班|顶[替上班]|接[手任替管班棒]|上任|兼任|临时负责|先管"
    r"|\b(?:tak(?:es|ing) over|took over|step(?:s|ped|ping) in|fill(?:s|ed|ing) in|stand(?:s|ing) in|stood in"
    r"|cover(?:s|ed|ing)?(?= for| until| till)"
    r"|succeed(?:s|ed)|replac(?:es|ed)|acting|act(?:s|ed) as|is in charge|runs it)\b",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"(?:原|前任?|上任)(?:[\u4e00-\u9fff]{1,4})?$|\b(?:former|ex-|outgoing)\s*(?:\w+ ){0,2}$", re.IGNORECASE
)
_GIVEN_TO = re.compile(
    r"(?:交给|交接给|转给|移交给|换成|改由|由)\s*$|\b(?:handed|passed|hands|goes|went)(?: it| this)?(?: over)? to\s+$"
)


def standings(reading: Reading, slots: Sequence[Slot]) -> list[Standing]:
    """The standing of each slot, in order."""
    found = [Standing.NONE] * len(slots)
    for index, slot in enumerate(slots):
        before = reading.text[reading.clauses[reading.clause_at(slot.value.start)].start : slot.value.start]
        if _INSTEAD.search(before):
            found[index] = Standing.OLD
        elif _DENIED.search(before):
            found[index] = Standing.DENIED
    for left in range(len(slots)):
        right = _follower(slots, left)
        if right is not None and _changes(reading, slots[left], slots[right]):
            found[left] = Standing.OLD
            found[right] = Standing.NEW
    if Standing.NEW not in found and Standing.OLD not in found:
        _by_roles(reading, slots, found)
    if Standing.NEW not in found and Standing.OLD not in found:
        _by_adverbs(reading, slots, found)
    return found


def _by_roles(reading: Reading, slots: Sequence[Slot], found: list[Standing]) -> None:
    """Of people, who leaves a post is the old one, who steps in, for however short, the new one."""
    for index, slot in enumerate(slots):
        if slot.value.type != "person":
            return
        clause = reading.clauses[reading.clause_at(slot.value.start)]
        following = next((one.value.start for one in slots[index + 1 :] if one.value.start < clause.end), clause.end)
        after = reading.text[slot.value.end : following]
        before = reading.text[clause.start : slot.value.start]
        if _LEAVES.search(after) or _FORMER.search(before):
            found[index] = Standing.OLD
        elif _STEPS_IN.search(after) or _GIVEN_TO.search(before):
            found[index] = Standing.NEW


def _follower(slots: Sequence[Slot], left: int) -> int | None:
    end = slots[left].value.end
    return next((index for index in range(left + 1, len(slots)) if slots[index].value.start >= end), None)


def _changes(reading: Reading, left: Slot, right: Slot) -> bool:
    text = reading.text
    between = text[left.value.end : right.value.start]
    first = reading.clauses[reading.clause_at(left.value.start)]
    if len(between) > 30 or reading.clauses[reading.clause_at(right.value.start)].sentence != first.sentence:
        return False
    before = text[first.start : left.value.start]
    if _TO_ZH.search(between):
        bare = re.fullmatch(r"\s*[到至]\s*", between) is not None
        return not bare or _FROM_ZH.search(before) is not None
    if not _TO_EN.search(between):
        return False
    return _FROM_EN.search(before) is not None or (
        _CHANGED_EN.search(before) is not None and between.strip().casefold() == "to"
    )


def _by_adverbs(reading: Reading, slots: Sequence[Slot], found: list[Standing]) -> None:
    """Then and now tell only where both are told."""
    told = []
    for slot in slots:
        clause = reading.clauses[reading.clause_at(slot.value.start)]
        words = reading.text[clause.start : slot.value.start] + " " + reading.text[slot.value.end : clause.end][:12]
        now, then = _NOW.search(words) is not None, _THEN.search(words) is not None
        told.append(Standing.NEW if now else Standing.OLD if then else Standing.NONE)
    if Standing.NEW in told and Standing.OLD in told:
        for index, standing in enumerate(told):
            if found[index] is Standing.NONE:
                found[index] = standing


def factor(standing: Standing, validity: Validity) -> float:
    """How much a standing speaks for a value, by what the question's validity asks."""
    if standing is Standing.NONE:
        return 1.0
    if standing is Standing.DENIED:
        return 0.3
    wanted = Standing.OLD if validity is Validity.HISTORICAL else Standing.NEW
    return 1.3 if standing is wanted else 0.4


_BOTH = re.compile(
    r"前后|[新旧][旧新]|以前和现在|之前和之后|从多少.{0,4}到多少|由多少.{0,4}到多少"
    r"|\bbefore and after\b|\bold and (?:the )?new\b|\bfrom what to what\b"
    r"|\bhow did .{1,40} change\b|\bplanned (?:and|vs\.?|versus) actual\b",
    re.IGNORECASE,
)


def both_sides(question: Question) -> bool:
    """Whether the value before a change and the one after it are asked for together."""
    return _BOTH.search(question.text) is not None


def change_of(reading: Reading, slots: Sequence[Slot]) -> tuple[Value, Value] | None:
    """The old value and the new one of the first change told; None where the text tells of none."""
    found = standings(reading, slots)
    if Standing.OLD not in found or Standing.NEW not in found:
        return None
    return slots[found.index(Standing.OLD)].value, slots[found.index(Standing.NEW)].value
