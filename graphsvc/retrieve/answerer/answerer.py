"""Ask a chat server for an answer in words, and hand it out only when the evidence bears it.

Optional, and never trusted: a model that is away, slow, out of form or inventive is refused with the reason, and the
answer taken from the evidence itself stands. No text of a question, memory or model is logged.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

import structlog

from graphsvc.errors import SettingsInvalid
from graphsvc.models.answer import Evidence
from graphsvc.models.base import MemoryId
from graphsvc.models.composed import Composed, ComposedQuote
from graphsvc.models.question import Question
from graphsvc.remote.chat import ChatServer, chat_endpoint
from graphsvc.remote.server import Breaker, JsonServer, ServerFailed
from graphsvc.retrieve.answerer.prompt import messages, shown
from graphsvc.retrieve.answerer.refusal import Reason, Refused
from graphsvc.retrieve.answerer.reply import read_reply, reply_form
from graphsvc.retrieve.answerer.verify import verify

TIMEOUT_S = 15.0
ATTEMPTS = 2
_ANSWER_TOKENS = 1_000


class Answerer:
    """Thread-safe. `timeout_s` bounds a request whole, its second attempt included; `mark` draws what no text can hold.

    Raises `SettingsInvalid` for an address that is none, or without a model's name.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: str = "",
        *,
        breaker: Breaker,
        timeout_s: float = TIMEOUT_S,
        mark: Callable[[], str] = lambda: f"=== {secrets.token_hex(16)} ===",
    ) -> None:
        if not model:
            raise SettingsInvalid("an answering server needs a model name", where="GRAPHSVC_ANSWER_MODEL")
        address = chat_endpoint(url, setting="GRAPHSVC_ANSWER_URL")
        server = JsonServer(address, key, breaker=breaker, timeout_s=timeout_s, attempts=ATTEMPTS)
        self._chat = ChatServer(server, model, answer_tokens=_ANSWER_TOKENS, form=reply_form())
        self._mark = mark

    def answer(self, question: Question, evidence: Sequence[Evidence]) -> Composed | Refused:
        """An answer in words from the evidence, best first, or why there is none; never raises for the server."""
        sent = shown(evidence)
        if not sent:
            return Refused(Reason.NO_EVIDENCE)
        try:
            content = self._chat.ask(messages(question, sent, self._mark()))
        except ServerFailed as error:
            return self._refused(Reason.UNAVAILABLE, error.failure.value)
        reply = read_reply(content)
        if reply is None:
            return self._refused(Reason.NOT_OF_THE_FORM)
        wrong = verify(reply, question, sent)
        if wrong is not None:
            return self._refused(wrong)
        quotes = tuple(ComposedQuote(memory_id=MemoryId(one.memory_id), quote=one.quote) for one in reply.quotes)
        return Composed(text=reply.answer.strip(), quotes=quotes, model=self._chat.model, confidence=reply.confidence)

    def close(self) -> None:
        """Close the connections."""
        self._chat.close()

    def _refused(self, reason: Reason, detail: str = "") -> Refused:
        structlog.get_logger().info("answer_refused", where=self._chat.url, reason=reason.value, detail=detail)
        return Refused(reason, detail)
