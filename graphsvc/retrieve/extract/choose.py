"""The value that answers, chosen by its slot and not by its place in the text.

A value's worth is how well its kind fits, how closely it is bound to the question's words, whether it is
the old one or the new, and whether its clause names the time asked about. Nothing is composed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Value
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.bind import beside, bound, names_something, part_factor, when_factor
from graphsvc.retrieve.extract.change import both_sides, change_of, factor, standings
from graphsvc.retrieve.extract.frame import Frame, frame_of
from graphsvc.retrieve.extract.phrases import phrases
from graphsvc.retrieve.extract.polarity import yes_no
from graphsvc.retrieve.extract.sentence import quoted
from graphsvc.retrieve.extract.slot import Slot
from graphsvc.retrieve.extract.slots import slots
from graphsvc.retrieve.extract.speaking import addressee, asks_addressee, sender_of, speaks
from graphsvc.retrieve.extract.terms import Covered, cover, terms_of
from graphsvc.retrieve.extract.wanted import Asks, Part, Wanted, wanted
from graphsvc.retrieve.extract.words import Reading, read, shown

# A kind that fits counts even where no word of the question stands near.
_UNBOUND = 0.3
# Below this no value is given: the kind barely fits.
_LEAST = 0.12
# So many values are weighed in full; of a longer list those whose kind fits best nearest to the question's words.
_MOST_WEIGHED = 40
# Between two members of a list: one of them asked for, both are.
_LISTED = re.compile(r"\s*(?:[,，、]|and|和|跟|与|以及|及|&|or|, and)\s*", re.IGNORECASE)
# A person named so surely goes before the one who speaks.
_NAMED_BETTER = 0.6


@dataclass(frozen=True, slots=True)
class Extracted:
    """What of one memory answers: its sentence, the value where one is asked for and found.

    `party` is the memory's sender, where a question for a person is answered by a first person that names nobody:
    then there is no span to point at and `value` is absent. `bound` in [0, 1] tells how closely the value is
    bound to the question's words.
    """

    memory: Memory
    wanted: Wanted
    sentence: tuple[int, int]
    value: Value | None = None
    party: str | None = None
    bound: float = 0.0


@dataclass(frozen=True, slots=True)
class Weighed:
    """A slot with its worth for the question and how closely it is bound."""

    slot: Slot
    worth: float
    bound: float


def answers(memory: Memory, question: Question, tokens: Sequence[str] = ()) -> Extracted | None:
    """The sentence and value of a memory that answer; None only for a memory without text.

    `tokens` are the question's search words and decide the sentence where no word of its own stands in the memory.
    """
    if not memory.text.strip():
        return None
    asked, reading = wanted(question), read(memory.text)
    whole, memory = memory, shown(memory, reading)
    covered = cover(terms_of(question), reading)
    frame = frame_of(memory, reading)

    def extracted(value: Value | None, party: str | None, share: float) -> Extracted:
        span = quoted(memory, value, covered=covered, frame=frame, reading=reading, tokens=tokens)
        return Extracted(whole, asked, span, value, party, share)

    if asked.asks is Asks.YES_NO:
        value, share = yes_no(memory, question, covered, reading)
        return extracted(value, None, share)
    weighed = weigh(memory, question, asked, covered, reading)
    best = max(weighed, key=lambda one: (one.worth, -one.slot.value.start), default=None)
    if asked.asks is Asks.PERSON and asked.part is not Part.OWNER:
        found = party_of(memory, question, frame=frame, covered=covered, reading=reading, best=best)
        if found is not None:
            return extracted(None, found, 1.0) if isinstance(found, str) else extracted(found, None, 1.0)
    if best is None or best.worth < _LEAST:
        return extracted(None, None, 0.0)
    return extracted(best.slot.value, None, best.bound)


def all_values(memory: Memory, question: Question) -> tuple[Value, ...]:
    """Every value that answers a question for several ("which two", 有哪些, 谁和谁), in the text's order."""
    asked, reading = wanted(question), read(memory.text)
    memory = shown(memory, reading)
    weighed = weigh(memory, question, asked, cover(terms_of(question), reading), reading)
    top = max((one.worth for one in weighed), default=0.0)
    ordered = sorted(weighed, key=lambda one: (one.slot.value.start, -one.slot.value.end))
    if both_sides(question):
        sides = change_of(reading, [one.slot for one in ordered])
        if sides is not None:
            return sides
    good = [one.worth >= max(_LEAST, 0.6 * top) for one in ordered]
    for index in (*range(1, len(ordered)), *range(len(ordered) - 1, 0, -1)):
        left, right = ordered[index - 1].slot.value, ordered[index].slot.value
        if _LISTED.fullmatch(reading.text[left.end : right.start]) and left.end <= right.start:
            good[index - 1] = good[index] = good[index - 1] or good[index]
    kept: list[Value] = []
    for one, wanted_too in zip(ordered, good, strict=True):
        value = one.slot.value
        if wanted_too and not any(value.start < before.end for before in kept):
            kept.append(value)
    return tuple(kept)


def weigh(memory: Memory, question: Question, asked: Wanted, covered: Covered, reading: Reading) -> list[Weighed]:
    """Every slot that could answer, with its worth; values the question itself names are left out."""
    found = slots(memory, asked, reading) or phrases(memory, asked, reading)
    if len(found) > _MOST_WEIGHED:
        found = _likeliest(found, covered, reading)
    roles = standings(reading, found) if len(found) > 1 else []
    weighed = []
    said = fold_key(question.text)
    for index, slot in enumerate(found):
        if slot.value.end > len(reading.text) or (asked.asks is not Asks.CHOICE and _named(slot.value, said)):
            continue
        near = bound(slot.value, covered, reading)
        worth = slot.fit * (_UNBOUND + near)
        if roles:
            worth *= factor(roles[index], question.validity)
        worth *= when_factor(slot.value, question, memory, reading)
        if asked.asks is Asks.PERSON:
            worth *= part_factor(slot.value, asked.part, reading)
        weighed.append(Weighed(slot, worth * _beside(slot.value, covered, reading), near))
    return _continued(weighed, reading)


def _likeliest(found: Sequence[Slot], covered: Covered, reading: Reading) -> list[Slot]:
    """Those of many slots that fit and stand by the question's words, in the text's order."""
    told = [slot for slot in found if slot.value.end <= len(reading.text)]
    ranked = sorted(
        range(len(told)), key=lambda at: -told[at].fit * (_UNBOUND + bound(told[at].value, covered, reading))
    )
    return [told[at] for at in sorted(ranked[:_MOST_WEIGHED])]


def _continued(weighed: list[Weighed], reading: Reading) -> list[Weighed]:
    """A value whose clause only goes on ("… 62 last year and 70 this year") is bound nearly as the one before it."""
    found: list[Weighed] = []
    for one in weighed:
        before = found[-1] if found else None
        near = one.bound
        if before is not None and before.bound > near and _goes_on(before.slot.value, one.slot.value, reading):
            near = 0.85 * before.bound
        found.append(replace(one, bound=near))
    return found


def _goes_on(before: Value, value: Value, reading: Reading) -> bool:
    """Whether the value's clause follows the other's and names no thing of its own before the value."""
    first, second = reading.clause_at(before.start), reading.clause_at(value.start)
    if second != first + 1 or reading.clauses[first].sentence != reading.clauses[second].sentence:
        return False
    return not names_something(reading, reading.clauses[second].start, value.start)


def _named(value: Value, asked: str) -> bool:
    """Whether the question itself says the value: it is asked about, not for."""
    text = fold_key(value.text)
    if not text.isascii():
        return text in asked
    at = asked.find(text)
    while at >= 0:
        # Han letters stand right beside a Latin name: Leo叫什么.
        if not (_latin(asked[at - 1 : at]) or _latin(asked[at + len(text) : at + len(text) + 1])):
            return True
        at = asked.find(text, at + 1)
    return False


def _latin(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()


def _beside(value: Value, covered: Covered, reading: Reading) -> float:
    """A little more for the value right beside a word of the question: its label, its counted noun, its measure."""
    best = 0.0
    for term, places in zip(covered.terms, covered.places, strict=True):
        for start, end in beside(value, places):
            between = reading.text[end : value.start] if end <= value.start else reading.text[value.end : start]
            if len(between) <= 6 and not re.search(r"[，,。；;]", between):
                best = max(best, 0.15 + 0.1 * term.weight)
    return 1.0 + best


def party_of(
    memory: Memory, question: Question, *, frame: Frame, covered: Covered, reading: Reading, best: Weighed | None
) -> Value | str | None:
    """The one addressed where it is asked for, else the sender, where what is asked is said of whoever speaks."""
    if asks_addressee(question):
        return addressee(memory, frame)
    nearest = best.slot.value if best is not None and best.slot.fit >= _NAMED_BETTER else None
    return sender_of(memory, frame) if speaks(question, covered, frame, reading, nearest) else None
