"""What stands around a message and is none of its matter: whom it greets, how it closes, who signs or speaks.

A first clause that is only a name, or a greeting with one, is its addressee; a last fragment that is only a
name, with or without a closing phrase or a title, is its sender. `Name:` at the start is who speaks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphsvc.language.claims.kin import relations
from graphsvc.language.hanwords import word_class
from graphsvc.models.memory import Memory
from graphsvc.retrieve.extract.words import Reading

Span = tuple[int, int]
_LONGEST = 40
_NAME = r"[A-ZÀ-Þ][\w'’-]*\.?(?: [A-ZÀ-Þ][\w'’-]*\.?){0,3}"
_GREETING = re.compile(
    r"\s*(?:(?i:dear|hi|hello|hey|(?:good )?(?:morning|afternoon|evening))\b[^,，.:：!！?\n]{0,30}[,，.:：!！\n]"
    r"|(?:尊敬的|亲爱的)[^，,：:！!。\n]{1,12}[，,：:！!。\n]|[^，,：:！!。\n]{0,8}(?:您好|你好|好啊|早上好|大家好)[，,：:！!。\n])"
)
_CALL_EN = re.compile(
    rf"\s*(?P<name>{_NAME}),(?=\s)(?!\s(?:the|our|my|a|an)\s[^,.]{{1,40}},)(?!\s(?:and|{_NAME}(?:,| and)))"
)
_CALL_ZH = re.compile(
    r"\s*(?:好的|好|嗯+|收到|谢谢|是的|对)?(?P<name>[\u4e00-\u9fff]{1,5}|[A-Z][a-z]+)[，！](?![\u4e00-\u9fff]{1,4}[和、，])"
)
_LABEL = re.compile(r"\s*(?P<name>[^，,。：:\n]{1,24})[:：]")
_TAIL = re.compile(r"[。.!！?？；;\n…]|——|--|\s[-–—]\s")
_CLOSING_EN = re.compile(
    r"\s*(?:(?i:best|all the best|(?:(?:kind|best|warm) )?(?:regards|wishes)|cheers|(?:many )?thanks|thank you|love"
    rf"|yours(?: \w+)?|sincerely|take care|see you(?: \w+)?|x+)(?:[,，]\s*|\s+|$))?"
    rf"(?P<name>{_NAME})?\s*(?:\([^)]{{1,30}}\))?\s*[.。]?\s*$"
)
_CLOSING_ZH = re.compile(
    r"\s*(?:此致|敬礼|祝好|顺祝商祺|顺颂商祺|谢谢)?[，,\s]*(?:[^\s，,。]{1,10}\s+)?"
    r"(?P<name>[\u4e00-\u9fff·]{1,8}?)(?:教练|老师|医生|主任|经理|总监|师傅|店长|敬上|谨上|上|留|字)?\s*(?:[（(][^）)]{1,20}[）)])?\s*$"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """Spans of the greeting and the closing, and of the name of the one called, signing, or said to speak."""

    greeting: Span | None = None
    closing: Span | None = None
    addressee: Span | None = None
    signer: Span | None = None
    speaker: Span | None = None

    def holds(self, place: int) -> bool:
        """Whether a place belongs to the greeting or the closing."""
        return any(span is not None and span[0] <= place < span[1] for span in (self.greeting, self.closing))


def frame_of(memory: Memory, reading: Reading) -> Frame:
    """The frame of a message; a text of one clause has none."""
    text = reading.text
    if len(reading.clauses) < 2:
        return Frame()
    names = [(one.start, one.end) for one in memory.facts.mentions if one.type == "person"]
    greeting, addressee = _greeting(text, names)
    closing, signer = _closing(text, names, 0 if greeting is None else greeting[1])
    label = _LABEL.match(text)
    speaks = label is not None and greeting is None and any(_near(span, label.span("name")) for span in names)
    return Frame(greeting, closing, addressee, signer, label.span("name") if label and speaks else None)


def _greeting(text: str, names: list[Span]) -> tuple[Span | None, Span | None]:
    found = _GREETING.match(text)
    if found is not None:
        return found.span(), next((span for span in names if span[1] <= found.end()), None)
    for pattern in (_CALL_EN, _CALL_ZH):
        found = pattern.match(text)
        if found is not None and _is_name(text, found.span("name"), names):
            return found.span(), found.span("name")
    return None, None


def _closing(text: str, names: list[Span], after: int) -> tuple[Span | None, Span | None]:
    """The last fragment, where nothing but a name and polite words stands in it and something goes before."""
    marks = [mark for mark in _TAIL.finditer(text, after) if text[mark.end() :].strip()]
    # A closing phrase may have a stop of its own before the name.
    for mark in marks[-1:-3:-1]:
        start = mark.end()
        if len(text) - start > _LONGEST or start <= after:
            return None, None
        for pattern in (_CLOSING_EN, _CLOSING_ZH):
            found = pattern.match(text, start)
            if found is None or not found.group().strip():
                continue
            name = found.span("name")
            if name[0] < 0:
                return (start, len(text)), None
            if _is_name(text, name, names):
                return (start, len(text)), name
    return None, None


def _near(name: Span, span: Span) -> bool:
    return span[0] <= name[0] <= span[0] + 1 and name[1] <= span[1]


def _is_name(text: str, span: Span, names: list[Span]) -> bool:
    """A name that was read as one, a word for a relative, or a short word that the dictionary knows as nothing else."""
    if any(start < span[1] and span[0] < end and end - start >= span[1] - span[0] - 2 for start, end in names):
        return True
    word = text[span[0] : span[1]]
    if relations(word.casefold()):
        return True
    if word.isascii():
        return word[0].isupper() and word.split()[0].casefold() not in _NOT_CALLED and not word.isupper()
    return len(word) <= 3 and word_class(word)[:2] in {"", "nr"}


# First words before a comma that call nobody.
_NOT_CALLED = frozenset(
    {
        *("yes", "no", "ok", "okay", "so", "well", "oh", "thanks", "sorry", "please", "today", "tomorrow", "yesterday"),
        *("also", "then", "now", "sure", "right", "great", "good", "fine", "actually", "anyway", "however", "first"),
        *("second", "finally", "congratulations", "congrats", "done", "sent", "got", "monday", "tuesday", "wednesday"),
        *("thursday", "friday", "saturday", "sunday"),
    }
)
