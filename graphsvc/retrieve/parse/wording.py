"""How questions are worded in Chinese and English: direction, validity, document types, query types.

Closed classes only (verbs of sending, tense, names of document types): what a question is
about is never decided here.
"""

from __future__ import annotations

import re

from graphsvc.models.graph import EdgeType
from graphsvc.models.question import Validity
from ontology.model import Ontology, ValueKind


def _worded(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


GENERAL = "general"
_SEND = r"(?:发|寄|写|转发|转|回复|回|传|递|抄送|抄)"
# What stands right before and right after a name, and the role that gives it.
_BEFORE: tuple[tuple[re.Pattern[str], EdgeType], ...] = (
    (_worded(r"(?:抄送|抄)给?了?\s*$"), EdgeType.CC_TO),
    (_worded(rf"{_SEND}(?:给|到|往|致)了?\s*$"), EdgeType.SENT_TO),
    (_worded(r"\b(?:cc|cc'd|copied)(?: to)?\s*$"), EdgeType.CC_TO),
    (_worded(r"\b(?:sent|wrote|written|send|mailed|mail|emailed|forwarded)(?: \w+){0,3} to\s*$"), EdgeType.SENT_TO),
    (_worded(r"\b(?:mail|email|e-mail|message|note|letter)s? to\s*$"), EdgeType.SENT_TO),
    (_worded(r"\b(?:from|sent by|written by|by)\s*$"), EdgeType.SENT_BY),
    (_worded(r"(?:来自|收到)\s*$"), EdgeType.SENT_BY),
)
_AFTER: tuple[tuple[re.Pattern[str], EdgeType], ...] = (
    (
        _worded(
            rf"^\s*(?:在[^，,。]{{0,8}})?(?:昨天|今天|上周|后来|最后|先)?\s*{_SEND}(?:给|来|出|到|的|了|过|信|邮件)"
        ),
        EdgeType.SENT_BY,
    ),
    (_worded(r"^\s*(?:给|跟|对|向)\S{1,8}?(?:发|寄|写|说|讲|回)"), EdgeType.SENT_BY),
    (_worded(r"^\s*收到"), EdgeType.SENT_TO),
    (_worded(r"^\s*(?:sent|wrote|mailed|emailed|forwarded|replied|send|write)\b"), EdgeType.SENT_BY),
    (_worded(r"^(?:'s|’s) (?:mail|email|e-mail|message|letter|note|reply)\b"), EdgeType.SENT_BY),
    (_worded(r"^\s*(?:received|got|was sent)\b"), EdgeType.SENT_TO),
)
_SPEAKER: tuple[tuple[re.Pattern[str], EdgeType], ...] = (
    (_worded(r"(?:抄送|抄)给?了?我"), EdgeType.CC_TO),
    (_worded(rf"{_SEND}给了?我"), EdgeType.SENT_TO),
    (_worded(rf"给我{_SEND}"), EdgeType.SENT_TO),
    (_worded(r"我收到"), EdgeType.SENT_TO),
    (_worded(rf"我(?:昨天|今天|上周|之前|当时)?{_SEND}(?:给|出|到|过|了|的)"), EdgeType.SENT_BY),
    (_worded(r"我(?:给|跟|向)\S{1,8}?(?:发|寄|写|说|回)"), EdgeType.SENT_BY),
    (_worded(r"\b(?:cc'd|copied) me\b|\bcc(?:'d)? to me\b"), EdgeType.CC_TO),
    (_worded(r"\b(?:sent|send|wrote|write|mailed|emailed|forwarded)(?: \w+){0,2}? (?:to )?me\b"), EdgeType.SENT_TO),
    (_worded(r"\bI (?:sent|wrote|mailed|emailed|forwarded|replied)\b"), EdgeType.SENT_BY),
    (_worded(r"\bdid I (?:send|write|mail|email|forward|reply|report|tell|say)\b"), EdgeType.SENT_BY),
)
_HISTORICAL = _worded(
    r"之前|以前|原来|原先|当初|当时|一开始|最早|最初|起初|曾经|过去|改之前|换之前|旧的|旧(?=[地价电号版])|去年|前年|本来|原定|原本"
    r"|\bbefore\b|\bused to\b|\boriginal(?:ly)?\b|\bat first\b|\bat the time\b|\bback then\b|\binitial(?:ly)?\b"
    r"|\bprevious(?:ly)?\b|\bformer(?:ly)?\b"
    r"|\bold\b(?= (?:price|number|address|quote|rate|date))|\blast year\b|\bhad been\b",
)
_LATEST = _worded(
    r"现在|目前|如今|当前|最新|最近一次|最后|最终|还(?=[能可有会在要])"
    r"|\bnow\b|\bcurrent(?:ly)?\b|\blatest\b|\bstill\b|\bin the end\b|\bfinally\b|\beventually\b|\bas of today\b"
)
_DOCUMENTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", _worded(r"邮件|来信|那封|这封|哪封|\be-?mails?\b|\bmails?\b")),
    ("meeting_minutes", _worded(r"纪要|会议记录|\bminutes of\b|\bmeeting minutes\b|\bthe minutes\b")),
    ("ticket", _worded(r"工单|\btickets?\b(?! price)")),
    ("policy", _worded(r"规范|制度|规定里|\bpolic(?:y|ies)\b")),
    ("contract", _worded(r"合同(?:里|中|上|条款)|\bin the contract\b|\bcontract says\b")),
    ("chat", _worded(r"群里|聊天记录|微信里|\bin the chat\b|\bgroup chat\b")),
    ("note", _worded(r"笔记|备忘|\bmy notes?\b")),
    ("report", _worded(r"报告里|\bin the report\b")),
)


def role_of(text: str, start: int, end: int) -> EdgeType | None:
    """The role the words around `text[start:end]` give that person, if they give one."""
    for pattern, role in _BEFORE:
        if pattern.search(text[:start]):
            return role
    for pattern, role in _AFTER:
        if pattern.search(text[end:]):
            return role
    return None


def role_of_speaker(text: str) -> EdgeType | None:
    """The role the question gives its own speaker."""
    return next((role for pattern, role in _SPEAKER if pattern.search(text)), None)


def validity(text: str) -> Validity:
    """Latest where the question says it asks for now or for the outcome, historical for what once was."""
    if _LATEST.search(text):
        return Validity.LATEST
    return Validity.HISTORICAL if _HISTORICAL.search(text) else Validity.PRESENT


def document_types(text: str) -> tuple[str, ...]:
    """The document types the question names."""
    return tuple(kind for kind, pattern in _DOCUMENTS if pattern.search(text))


def query_type(text: str, ontology: Ontology) -> str:
    """The first query type, in the ontology's order, one of whose patterns is in the question."""
    return next((kind.id for kind in ontology.query_types_of(text)), GENERAL)


def asked_for(query_type: str, ontology: Ontology) -> ValueKind:
    """The kind of value a query type asks for."""
    known = ontology.query_type(query_type)
    return ValueKind.NONE if known is None else known.value
