"""Say what is missing for an answer and what somebody would have to confirm, in the question's language.

One sentence each: whom a name means, which code or kind of value was looked for and not found, what comes
nearest, why it was not taken, and what would settle it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Candidate, Rewrite
from graphsvc.models.question import Bearer, PersonReference, Question
from graphsvc.retrieve.ladder.lacks import Lack, absent, elsewhere, lacks
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
    Lack.OTHER_PERSON: (
        "它没有提到{absent}，也不是{absent}收发的",
        "it neither names {absent} nor went to or from {absent}",
    ),
    Lack.OTHER_ROLE: ("其中{elsewhere}的角色不同", "it has {elsewhere} in another role"),
    Lack.OTHER_HOLDER: ("它说的是别人的事", "it states somebody else's fact"),
    Lack.OTHER_TIME: ("它不在所问的时间内", "it is of another time than was asked about"),
    Lack.NO_LONGER_SO: ("它已不再有效", "it no longer holds"),
    Lack.NO_VALUE: ("里面没有所问的{kind}", "it holds no {kind} of the kind asked for"),
    Lack.UNRELIABLE: ("没有可靠的来源证实它", "no reliable source confirms it"),
    Lack.ANOTHER_ONE: ("它说的不是所问的那一次", "it speaks of another one of several than was asked about"),
    Lack.UNSURE: ("把握只有{probability}，需要{threshold}", "it is only {probability} sure, {threshold} is needed"),
}
_CONFIRM = {
    Lack.OTHER_IDENTIFIER: ("请确认编号{codes}是否写对。", "Confirm that {codes} is written right."),
    Lack.OTHER_PERSON: ("请确认这条记忆与{absent}有关。", "Confirm that this has to do with {absent}."),
    Lack.OTHER_ROLE: ("请确认{elsewhere}在其中的角色。", "Confirm the role of {elsewhere}."),
    Lack.OTHER_HOLDER: ("请确认这件事说的是谁。", "Confirm whose fact this is."),
    Lack.OTHER_TIME: ("请确认它也适用于所问的时间。", "Confirm that it holds for the time asked about."),
    Lack.NO_LONGER_SO: ("请确认它现在仍然有效。", "Confirm that it still holds."),
    Lack.NO_VALUE: ("请补充所问的{kind}。", "Confirm the {kind} asked for."),
    Lack.UNRELIABLE: ("请找一个可靠的来源证实。", "Have a reliable source confirm it."),
    Lack.ANOTHER_ONE: ("请补充所问的那一次。", "Confirm the one asked about."),
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
            told = told_apart(person, han=han)
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


def told_apart(person: PersonReference, *, han: bool) -> list[str]:
    """The bearers of a name, each in words that no other of them has: by address, else by what else they are called.

    One who is known by nothing but the name is said to be so.
    """
    said = [_told(bearer) for bearer in person.bearers]
    bare = {fold_key(bearer.name) for bearer in person.bearers}
    lone = "仅知其名" if han else "known by name only"
    return list(dict.fromkeys(f"{one} ({lone})" if fold_key(one) in bare else one for one in said))


def _told(bearer: Bearer) -> str:
    """A bearer by name, and by an address or another name of theirs where that says more: namesakes share the name."""
    keys = [str(one).partition(":")[2] for one in (bearer.entity, *bearer.entities)]
    others = [key for key in dict.fromkeys(keys) if key and fold_key(key) != fold_key(bearer.name)]
    best = next((key for key in others if "@" in key), others[0] if others else None)
    return bearer.name if best is None else f"{bearer.name} ({best})"


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
        "absent": _called(absent(question, best.memory), han=han),
        "elsewhere": _called(elsewhere(question, best.memory), han=han),
        "kind": _KINDS.get(kind, ("内容", "value"))[side],
    }
    said |= dict(zip(("probability", "threshold"), shares(attempted.probability, attempted.threshold), strict=True))
    found = lacks(question, best, attempted.has_value, credible=attempted.credible)
    why = ("；" if han else "; ").join(_WHY[lack][side].format(**said) for lack in found)
    when, words = date(best.memory.event_time), quote(best.memory.text, han=han)
    if found == (Lack.UNSURE,):
        yield (
            f"最接近的是{when}的{words}，但不确定它回答了问题：{why}。"
            if han
            else f"Nearest is {words} of {when}, though it may not answer the question: {why}."
        )
        return
    yield f"最接近的是{when}的{words}，未采用：{why}。" if han else f"Nearest is {words} of {when}, not taken: {why}."
    for lack in found[:2]:
        yield _CONFIRM[lack][side].format(**said)


def _called(people: Sequence[PersonReference], *, han: bool) -> str:
    """People as the one who asked would hear of them: the asker is "you", whose own side is theirs."""
    own = {"I": "您", "we": "您这边"} if han else {"I": "you", "we": "your side"}
    names = dict.fromkeys(own.get(person.name, person.name) for person in people)
    return ("、" if han else " or ").join(names)


def shares(one: float, other: float) -> tuple[str, str]:
    """Two shares in per cent, with as many digits as tell them apart, three behind the point at most."""
    for digits in range(4):
        written = (f"{one:.{digits}%}", f"{other:.{digits}%}")
        if written[0] != written[1] or one == other:
            break
    return written


def _needed(kind: ValueKind, *, han: bool) -> str:
    name = _KINDS[kind][0 if han else 1]
    return f"请补充所问的{name}。" if han else f"Confirm the {name} asked for."
