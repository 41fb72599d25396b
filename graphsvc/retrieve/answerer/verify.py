"""Check a model's answer against the evidence it cites: nothing in it may come from elsewhere, nor be turned round.

Every quote must stand in its memory as it is written; every number and time of the answer in a quote, every name and
word in a quote or the question, and every statement in one sentence that says so too. A true answer refused costs a
nicer wording; a made-up one let through would cost trust.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from graphsvc.language.normalise import HAN
from graphsvc.models.answer import Evidence
from graphsvc.models.question import Question
from graphsvc.retrieve.answerer import rests, signs
from graphsvc.retrieve.answerer.claimed import place_whole
from graphsvc.retrieve.answerer.ground import Ground, grounds_of, is_clause
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
    if signs.forbidden(reply.answer):
        return Reason.FORBIDDEN_SIGN
    if not reply.quotes:
        return Reason.NO_QUOTE
    texts: dict[str, list[str]] = {}
    for one in evidence:
        texts.setdefault(one.memory_id, []).append(comparable(one.quote))
    grounds: list[Ground] = []
    for quote in reply.quotes:
        if quote.memory_id not in texts:
            return Reason.UNKNOWN_MEMORY
        found = _grounds(quote, texts[quote.memory_id], question)
        if isinstance(found, Reason):
            return found
        grounds += found
    return rests.judge(reply.answer, question, grounds)


def comparable(text: str) -> str:
    """A text with full-width forms made plain, straight quotation marks and single spaces, none beside Han."""
    # Circled digits stay themselves: folded, "①5万" would read as 15万.
    plain = "".join(sign if unicodedata.category(sign) == "No" else _narrow(sign) for sign in text)
    return _SPACE_BY_HAN.sub("", _SPACES.sub(" ", plain.translate(_MARKS))).strip()


def _narrow(sign: str) -> str:
    return unicodedata.normalize("NFKC", sign)


def _grounds(quote: Quote, texts: Iterable[str], question: Question) -> list[Ground] | Reason:
    """The sentences a quote stands in, with no word or number cut in two at its ends; else what is wrong with it."""
    words = comparable(quote.quote)
    for text in texts if len(words) >= _SHORTEST else ():
        start = place_whole(words, text)
        if start is not None:
            if not is_clause(words, text, start):
                return Reason.SHORT_QUOTE
            return grounds_of(words, text, start, question.asked_at)
    return Reason.INVENTED_QUOTE
