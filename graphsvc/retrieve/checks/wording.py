"""What the checks say to a reader, in the question's language: Chinese where Han words carry it, else English."""

from __future__ import annotations

from enum import StrEnum

from graphsvc.language.aliases import address_parts
from graphsvc.models.facts import Language
from graphsvc.models.memory import Memory


class MissingPart(StrEnum):
    """What an answer may lack to be whole."""

    CONCLUSION = "conclusion"
    REASON = "reason"
    MAKER = "maker"
    EVENT = "event"
    UNIT = "unit"
    CONDITION = "condition"
    RELIABLE_SOURCE = "reliable_source"


_MISSING = {
    MissingPart.CONCLUSION: ("决定的结论是什么", "what was decided"),
    MissingPart.REASON: ("作出决定的原因", "the reason for the decision"),
    MissingPart.MAKER: ("由谁作出决定", "who made the decision"),
    MissingPart.EVENT: ("这个日期指的是什么事", "what the date is the date of"),
    MissingPart.UNIT: ("数额的单位或所指的东西", "the unit of the amount, or what it counts"),
    MissingPart.CONDITION: ("期限从什么时候、以什么为条件起算", "the condition or event the period runs from"),
    MissingPart.RELIABLE_SOURCE: ("需要一个可靠的来源来确认", "a reliable source that confirms it"),
}
_LONGEST_QUOTE = 60


def chinese(language: Language) -> bool:
    return language in {Language.ZH, Language.MIXED}


def missing(part: MissingPart, language: Language) -> str:
    return _MISSING[part][0 if chinese(language) else 1]


def source_name(memory: Memory, reporter: str | None, language: Language) -> str:
    """Who says it: the one quoted, the sender, the file, else the day it was told."""
    if reporter is not None:
        return reporter
    if memory.sender is not None:
        parts = address_parts(memory.sender)
        return parts.name or parts.address or memory.sender
    if memory.source is not None and memory.source.file is not None:
        return memory.source.file
    day = memory.event_time.date().isoformat()
    return f"{day}的记录" if chinese(language) else f"a note of {day}"


def conflict(sources: tuple[str, str], said: tuple[str, str], language: Language) -> str:
    """Both values with their sources, in one sentence."""
    (one, other), (left, right) = sources, tuple(map(_short, said))
    if chinese(language):
        return f"{one}：“{left}”；{other}：“{right}”，两处说法不一致。"
    return f'{one}: "{left}"; {other}: "{right}". They cannot both be right.'


def premise(asked: str, said: str, language: Language) -> str:
    if chinese(language):
        return f"问题里说的是“{asked}”，找到的是“{said}”。"
    return f'The question says "{asked}", what was found says "{said}".'


def agreed(others: int, language: Language) -> str:
    if chinese(language):
        return f"另有{others}处说法一致。" if others else "没有相互矛盾的说法。"
    return f"{others} more say the same." if others else "Nothing contradicts it."


def credible(name: str, *, passed: bool, language: Language) -> str:
    if chinese(language):
        return f"来源：{name}。" if passed else f"来源：{name}，可信度低，又没有两个可靠来源印证。"
    return f"Source: {name}." if passed else f"Source: {name}, of low confidence, and no two reliable ones confirm it."


def complete(parts: list[str], language: Language) -> str:
    if chinese(language):
        return f"缺少：{'；'.join(parts)}。" if parts else "内容完整。"
    return f"Missing: {'; '.join(parts)}." if parts else "Nothing is missing."


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"
