"""Check a model's answer against the evidence it cites: nothing in it may come from elsewhere.

Every quote must stand in its memory as it is written, and every number, time and name of the answer in a quote or in
the question. A true answer refused costs a nicer wording; a made-up one let through would cost trust.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from graphsvc.language.normalise import HAN
from graphsvc.models.answer import Evidence
from graphsvc.models.question import Question
from graphsvc.retrieve.answerer.claimed import Said, stands_whole, supported_names, supported_numbers, supported_times
from graphsvc.retrieve.answerer.refusal import Reason
from graphsvc.retrieve.answerer.reply import Quote, Reply

_SPACES = re.compile(r"\s+")
_SPACE_BY_HAN = re.compile(rf"(?<=[{HAN}。、]) | (?=[{HAN}。、])")
_MARKS = str.maketrans("’‘“”", "''\"\"")
# A quote of one sign stands everywhere.
_SHORTEST = 2


def verify(reply: Reply, question: Question, evidence: Sequence[Evidence]) -> Reason | None:
    """The first thing that is wrong with a reply, or nothing."""
    if not reply.answer.strip():
        return Reason.SILENT
    if not reply.quotes:
        return Reason.NO_QUOTE
    texts: dict[str, list[str]] = {}
    for one in evidence:
        texts.setdefault(one.memory_id, []).append(comparable(one.quote))
    if any(quote.memory_id not in texts for quote in reply.quotes):
        return Reason.UNKNOWN_MEMORY
    if not all(_stands(quote, texts[quote.memory_id]) for quote in reply.quotes):
        return Reason.INVENTED_QUOTE
    support = [Said.of(text, question.asked_at) for text in (*(one.quote for one in reply.quotes), question.text)]
    answer = Said.of(reply.answer, question.asked_at)
    if not supported_times(answer, support):
        return Reason.INVENTED_TIME
    if not supported_numbers(answer, support):
        return Reason.INVENTED_NUMBER
    return None if supported_names(answer, support) else Reason.INVENTED_NAME


def comparable(text: str) -> str:
    """A text with full-width forms made plain, straight quotation marks and single spaces, none beside Han."""
    # Circled digits stay themselves: folded, "①5万" would read as 15万.
    plain = "".join(sign if unicodedata.category(sign) == "No" else _narrow(sign) for sign in text)
    return _SPACE_BY_HAN.sub("", _SPACES.sub(" ", plain.translate(_MARKS))).strip()


def _narrow(sign: str) -> str:
    return unicodedata.normalize("NFKC", sign)


def _stands(quote: Quote, texts: Iterable[str]) -> bool:
    """Whether the words stand in one of the texts, with no word or number cut in two at their ends."""
    words = comparable(quote.quote)
    return len(words) >= _SHORTEST and any(stands_whole(words, text) for text in texts)
