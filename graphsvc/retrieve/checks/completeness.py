"""Whether accepted evidence tells the whole of what is asked, and what to look for where it does not.

A decision needs its conclusion, reason and maker; a time its event; an amount its unit or thing; a period its
condition. Each missing part becomes one targeted search inside the same talk, thread or document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphsvc.change import words
from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Candidate
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Anchor, Certainty, HolderKind
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.statements import asked_words, statement
from graphsvc.retrieve.checks.wording import MissingPart
from ontology.model import ValueKind


@dataclass(frozen=True, slots=True)
class FollowUp:
    """One more search for a missing part: `tokens` to look for, inside whatever scope is known.

    `near` is the memory whose context is looked through; a scope that is None does not bind.
    """

    wanted: MissingPart
    text: str
    tokens: tuple[str, ...]
    near: MemoryId
    conversation_id: str | None = None
    thread_root_id: str | None = None
    file: str | None = None

    def holds(self, memory: Memory) -> bool:
        """Whether a memory is in one of the scopes."""
        file = None if memory.source is None else memory.source.file
        scopes = (
            (self.conversation_id, memory.conversation_id),
            (self.thread_root_id, memory.thread_root_id),
            (self.file, file),
        )
        return any(wanted is not None and wanted == there for wanted, there in scopes)


_DECISION = re.compile(
    r"决定|拍板|敲定|定下来?的?原因|决议|选定|(?:为什么|为何|为啥|怎么会?).{0,12}(?:选|改|换|取消|推迟|放弃|批|同意|否)"
    r"|\bdecid(?:e|ed|es)\b|\bdecision\b|\bmade the call\b|\bsigned? off\b"
    r"|\bwhy (?:did|have|had) .{1,30}\b(?:choose|chosen|pick(?:ed)?|dropp?(?:ed)?|switch(?:ed)?"
    r"|cancel(?:led)?|reject|go with)\b",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"决定|定了|定为|敲定|拍板|同意|通过|批准|批了|否决|选(?:了|定|用|择)|改|换|取消|推迟|放弃|采用|不再|就用|就这么"
    r"|\bdecid\w+|\bagreed\b|\bchose\b|\bchosen\b|\bpicked\b|\bapproved\b|\brejected\b|\bsigned\b|\bgo(?:ing)? with\b"
    r"|\bwent with\b"
    r"|\bdropp?ed\b|\bswitch\w*|\bcancel\w*|\bwill\b|\bpostponed\b|\bsettled on\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"因为|由于|因(?!此)|原因|考虑到|鉴于|为了|免得|以免|省得|否则|不然|怕|嫌|毕竟|所以|因此|于是|太[^了]{1,4}了?"
    r"|\bbecause\b|\bsince\b|\bdue to\b|\bowing to\b|\bthanks to\b|\bso (?:that|as to)\b|\bin order to\b|\breasons?\b"
    r"|\botherwise\b"
    r"|\btoo \w+|\b(?:therefore|hence)\b|, so\b|\bgiven (?:that|the)\b|\bon account of\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\d+\s*(?:个工作)?[日天](?:之?内|以内)|[一二三四五六七八九十]+(?:个工作)?[日天](?:之?内|以内)"
    r"|\bwithin (?:\d+|\w+) (?:\w+ )?(?:days?|weeks?|months?)\b",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"后|之日起|自[^，。]{1,12}起|如|若|收到|\b(?:after|upon|once|when|if|following|on receipt|counting from)\b",
    re.IGNORECASE,
)
_RUNS = re.compile(r"\s*(?:after|of|from|upon|once|when|if|following)\b", re.IGNORECASE)
_AROUND = 40
# What the targeted search looks for beside the subject: the closed class of words that carry that part.
_CUES: dict[MissingPart, tuple[str, str]] = {
    MissingPart.CONCLUSION: ("决定 同意 通过 改为", "decided agreed approved"),
    MissingPart.REASON: ("因为 由于 原因 考虑", "because reason since due"),
    MissingPart.MAKER: ("决定 批准 同意 拍板 负责", "decided approved agreed signed"),
    MissingPart.EVENT: ("", ""),
    MissingPart.UNIT: ("元 单位 共", "total unit"),
    MissingPart.CONDITION: ("后 收到 验收 起", "after receipt from upon"),
}


def needed(question: Question, kind: ValueKind) -> tuple[MissingPart, ...]:
    """The parts an answer to this question must have."""
    if _DECISION.search(question.text):
        return MissingPart.CONCLUSION, MissingPart.REASON, MissingPart.MAKER
    match kind:
        case ValueKind.TIME:
            return MissingPart.EVENT, MissingPart.CONDITION
        case ValueKind.AMOUNT:
            return (MissingPart.UNIT,)
        case _:
            return (MissingPart.CONDITION,)


def lacking(question: Question, kind: ValueKind, memories: Sequence[Memory]) -> tuple[MissingPart, ...]:
    """The needed parts that none of the memories holds."""
    return tuple(
        part for part in needed(question, kind) if not any(holds(memory, part, question) for memory in memories)
    )


def holds(memory: Memory, part: MissingPart, question: Question) -> bool:
    """Whether a memory tells a part, or leaves nothing open there."""
    match part:
        case MissingPart.CONCLUSION:
            return _concludes(memory, question)
        case MissingPart.REASON:
            return _REASON.search(memory.text) is not None
        case MissingPart.MAKER:
            return _names_maker(memory, question)
        case MissingPart.EVENT:
            said = statement(memory, question, ValueKind.TIME)
            return said is None or bool(said.frame) or _has_predicate(memory)
        case MissingPart.UNIT:
            return _says_of_what(memory, question)
        case MissingPart.CONDITION:
            return _bound(memory)
        case MissingPart.RELIABLE_SOURCE:
            return True


def _names_maker(memory: Memory, question: Question) -> bool:
    """A person or body in the text, one the question names, or a first person whose name is known."""
    told = fold_key(memory.text)
    if any(fold_key(person.name) in told for person in question.people):
        return True
    if memory.responsible_party is not None or any(m.type in {"person", "organisation"} for m in memory.facts.mentions):
        return True
    return memory.sender is not None and any(
        claim.holder.kind is HolderKind.SPEAKER and claim.certainty is not Certainty.ASKED
        for claim in memory.facts.claims
    )


def _concludes(memory: Memory, question: Question) -> bool:
    """A word of deciding, or a plain statement that takes up the question's own words."""
    if _CONCLUSION.search(memory.text):
        return True
    asked = asked_words(question.text)
    return any(
        claim.certainty is Certainty.CERTAIN
        and words.shared(asked, words.content_words(memory.text[claim.start : claim.end]))
        for claim in memory.facts.claims
    )


def _has_predicate(memory: Memory) -> bool:
    return any(claim.predicate is not None for claim in memory.facts.claims)


def _says_of_what(memory: Memory, question: Question) -> bool:
    """Whether the amount that answers has a unit, or its clause a word for what it measures."""
    said = statement(memory, question, ValueKind.AMOUNT)
    if said is None:
        return True
    spans = {(value.start, value.end) for value in said.values}
    units = [amount.unit for amount in memory.facts.amounts if (amount.start, amount.end) in spans]
    return bool(said.frame) or any(unit is not None for unit in units)


def _bound(memory: Memory) -> bool:
    """Whether every period of so many days says what it runs from, in its own sentence."""
    found = _PERIOD.search(memory.text)
    if found is None or any(time.anchor is Anchor.EVENT for time in memory.facts.times):
        return True
    around = memory.text[max(0, found.start() - _AROUND) : found.start()], memory.text[found.end() :][:_AROUND]
    return _RUNS.match(around[1]) is not None or any(_FROM.search(side) for side in around)


def follow_ups(question: Question, parts: Sequence[MissingPart], accepted: Sequence[Candidate]) -> tuple[FollowUp, ...]:
    """One search for each missing part, inside the context of the best accepted memory."""
    if not accepted:
        return ()
    memory = accepted[0].memory
    place = 0 if memory.language.value != "en" else 1
    subject = words.content_words(memory.text)[:6]
    asked = asked_words(question.text)
    made = []
    for part in parts:
        cues = tuple(_CUES.get(part, ("", ""))[place].split())
        tokens = tuple(dict.fromkeys((*asked, *cues, *subject)))
        made.append(
            FollowUp(
                wanted=part,
                text=" ".join((*asked, *cues)) or question.text,
                tokens=tokens,
                near=memory.id,
                conversation_id=memory.conversation_id,
                thread_root_id=memory.thread_root_id,
                file=None if memory.source is None else memory.source.file,
            )
        )
    return tuple(made)


def complete_with(
    wanted: Sequence[FollowUp], accepted: Sequence[Candidate], found: Sequence[Candidate], question: Question
) -> tuple[Candidate, ...]:
    """The accepted candidates, and behind them the best found one that fills each gap.

    One fills a gap when it is in the scope that was searched, shares a word with what it completes, and tells the part.
    """
    kept = list(accepted)
    about = [*asked_words(question.text), *(word for one in accepted for word in words.content_words(one.memory.text))]
    for gap in wanted:
        if any(holds(one.memory, gap.wanted, question) for one in kept[len(accepted) :]):
            continue
        there = {one.memory.id for one in kept}
        for one in sorted(found, key=lambda candidate: (-candidate.score, candidate.memory.id)):
            related = words.shared(words.content_words(one.memory.text), about)
            if (
                one.memory.id not in there
                and gap.holds(one.memory)
                and related
                and holds(one.memory, gap.wanted, question)
            ):
                kept.append(one)
                break
    return tuple(kept)
