"""Say what is missing for an answer and what somebody would have to confirm, in the question's language.

One sentence each: whom a name means, which code or kind of value was looked for and not found, what comes
nearest, why it was not taken, and what would settle it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Candidate, Rewrite
from graphsvc.models.question import Bearer, Question
from graphsvc.retrieve.ladder.lacks import Lack, lacks
from graphsvc.retrieve.ladder.request import Attempted
from graphsvc.retrieve.ladder.wording import date, has_han, quote
from ontology.model import ValueKind

_KINDS = {
    ValueKind.TIME: ("时间", "time"),
    ValueKind.AMOUNT: ("数值", "figure"),
    ValueKind.PERSON: ("人", "person"),
    ValueKind.IDENTIFIER: ("编号", "identifier"),
    ValueKind.YES_NO: ("是或否", "yes or no"),
}
_WHY = {
    Lack.OTHER_IDENTIFIER: ("它说的不是{codes}", "it does not hold {codes}"),
    Lack.OTHER_PERSON: ("它没有提到{people}", "it does not name {people}"),
    Lack.OTHER_ROLE: ("其中{people}的角色不同", "{people} stands in another role there"),
    Lack.OTHER_HOLDER: ("它说的是别人的事", "it states somebody else's fact"),
    Lack.OTHER_TIME: ("它不在所问的时间内", "it is of another time than was asked about"),
    Lack.NO_LONGER_SO: ("它已不再有效", "it no longer holds"),
    Lack.NO_VALUE: ("里面没有所问的{kind}", "it holds no {kind} of the kind asked for"),
    Lack.UNSURE: (
        "把握只有{probability:.0%}，需要{threshold:.0%}",
        "it is only {probability:.0%} sure, {threshold:.0%} is needed",
    ),
}
_CONFIRM = {
    Lack.OTHER_IDENTIFIER: ("请确认编号{codes}是否写对。", "Confirm that {codes} is written right."),
    Lack.OTHER_PERSON: ("请确认这条记忆说的是{people}。", "Confirm that this is about {people}."),
    Lack.OTHER_ROLE: ("请确认{people}在其中的角色。", "Confirm in which role {people} stands."),
    Lack.OTHER_HOLDER: ("请确认这件事说的是谁。", "Confirm whose fact this is."),
    Lack.OTHER_TIME: ("请确认它也适用于所问的时间。", "Confirm that it holds for the time asked about."),
    Lack.NO_LONGER_SO: ("请确认它现在仍然有效。", "Confirm that it still holds."),
    Lack.NO_VALUE: ("请补充所问的{kind}。", "Confirm the {kind} asked for."),
    Lack.UNSURE: ("请确认这条记忆回答了问题。", "Confirm that this answers the question."),
}


def missing(
    question: Question, attempted: Attempted[Any], kind: ValueKind, doubtful: Sequence[Rewrite] = ()
) -> tuple[str, ...]:
    """What is missing, in the order a person would settle it; `attempted` is the better of the attempts."""
    han = has_han(question.text)
    lines = [*_about_names(question, doubtful, han=han), *_about_codes(question, attempted.candidates, han=han)]
    if attempted.conflict:
        lines.append("记忆互相矛盾，请确认哪一条成立。" if han else "Memories disagree: confirm which of them holds.")
    elif attempted.candidates:
        lines += _about_nearest(question, attempted, kind, han=han)
    else:
        lines.append("没有找到任何相近的记忆。" if han else "No memory comes near the question.")
        lines += [_needed(kind, han=han)] if kind in _KINDS else []
    return tuple(lines)


def _about_names(question: Question, doubtful: Sequence[Rewrite], *, han: bool) -> Iterator[str]:
    for person in question.people:
        if person.ambiguous:
            told = list(dict.fromkeys(_told(bearer) for bearer in person.bearers))
            yield (
                f"请确认“{person.name}”指的是谁：{'、'.join(told)}。"
                if han
                else f'Confirm whom "{person.name}" means: {" or ".join(told)}.'
            )
    for one in doubtful:
        yield (
            f"请确认“{one.original}”就是“{one.replacement}”。"
            if han
            else f'Confirm that "{one.original}" is "{one.replacement}".'
        )
    known = " ".join(fold_key(person.name) for person in question.people)
    for mention in question.mentions:
        if mention.type == "person" and mention.key not in known:
            yield (
                f"没有名叫“{mention.text}”的人，请确认名字。"
                if han
                else f'Nobody called "{mention.text}" is known: confirm the name.'
            )


def _told(bearer: Bearer) -> str:
    """A bearer by name, and by entity where that says more: namesakes share the name."""
    address = str(bearer.entity).partition(":")[2]
    return f"{bearer.name} ({address})" if address and fold_key(address) != fold_key(bearer.name) else bearer.name


def _about_codes(question: Question, candidates: Sequence[Candidate], *, han: bool) -> Iterator[str]:
    there = {mention.key for one in candidates for mention in one.memory.facts.mentions}
    for code in question.identifiers:
        if code not in there:
            yield f"没有找到提到 {code} 的记忆。" if han else f"No memory found holds {code}."


def _about_nearest(question: Question, attempted: Attempted[Any], kind: ValueKind, *, han: bool) -> Iterator[str]:
    best = attempted.candidates[0]
    side = 0 if han else 1
    said = {
        "codes": ("、" if han else ", ").join(question.identifiers),
        "people": ("、" if han else " and ").join(dict.fromkeys(person.name for person in question.people)),
        "kind": _KINDS.get(kind, ("内容", "value"))[side],
        "probability": attempted.probability,
        "threshold": attempted.threshold,
    }
    found = lacks(question, best, attempted.has_value)
    why = ("；" if han else "; ").join(_WHY[lack][side].format(**said) for lack in found)
    when, words = date(best.memory.event_time), quote(best.memory.text, han=han)
    yield f"最接近的是{when}的{words}，未采用：{why}。" if han else f"Nearest is {words} of {when}, not taken: {why}."
    for lack in found[:2]:
        yield _CONFIRM[lack][side].format(**said)


def _needed(kind: ValueKind, *, han: bool) -> str:
    name = _KINDS[kind][0 if han else 1]
    return f"请补充所问的{name}。" if han else f"Confirm the {name} asked for."
