"""How questions are worded in Chinese and English: the sort of document, and the kind of value asked for.

Closed classes only: what a question is about is never decided here.
"""

from __future__ import annotations

import re

from ontology.model import Ontology, ValueKind


def worded(pattern: str) -> re.Pattern[str]:
    """A pattern of wording: case does not matter."""
    return re.compile(pattern, re.IGNORECASE)


GENERAL = "general"
_DOCUMENTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", worded(r"邮件(?!地址)|来信|回信|[那这哪]封|\be-?mails?\b(?! address)|\bmails?\b")),
    ("meeting_minutes", worded(r"纪要|会议记录|\bminutes of\b|\bmeeting minutes\b|\bthe minutes\b")),
    ("ticket", worded(r"工单|\btickets?\b(?! price)")),
    ("policy", worded(r"规范|制度|规定里|\bpolic(?:y|ies)\b")),
    ("contract", worded(r"合同(?:里|中|上|条款)|\bin the contract\b|\bcontract says\b")),
    ("chat", worded(r"群里|聊天记录|微信里|\bin the chat\b|\bgroup chat\b")),
    ("note", worded(r"笔记|备忘|\bmy notes?\b")),
    ("report", worded(r"报告里|\bin the report\b")),
)


def document_types(text: str) -> tuple[str, ...]:
    """The document types the question names."""
    return tuple(kind for kind, pattern in _DOCUMENTS if pattern.search(text))


def asked_for(query_type: str, ontology: Ontology) -> ValueKind:
    """The kind of value a query type asks for."""
    known = ontology.query_type(query_type)
    return ValueKind.NONE if known is None else known.value
