"""Ask any server that speaks the OpenAI chat protocol for one JSON object.

The temperature is 0. Where a server does not know a JSON schema, plain JSON is asked for instead, and remembered.
What comes back is the model's text, unread: whoever asked must check it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, Field, ValidationError

from graphsvc.remote.address import service_address
from graphsvc.remote.server import Failure, JsonServer, ServerFailed

_TAIL = "/chat/completions"


class Speaker(StrEnum):
    """Whose words a message holds."""

    SYSTEM = "system"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Message:
    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class Form:
    """A named JSON schema that the answer must follow."""

    name: str
    schema: dict[str, object]


class _Said(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Said


class _Reply(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


class ChatServer:
    """Thread-safe. `form` absent asks for any JSON object.

    A call takes up to twice the server's time limit where it finds out that a schema is not known.
    """

    def __init__(self, server: JsonServer, model: str, *, answer_tokens: int, form: Form | None = None) -> None:
        self._server = server
        self._model = model
        self._answer_tokens = answer_tokens
        self._form = form
        self._knows_schemas = form is not None

    @property
    def url(self) -> str:
        return self._server.url

    @property
    def model(self) -> str:
        return self._model

    def ask(self, messages: tuple[Message, ...]) -> str:
        """The text of the first choice; raises `ServerFailed`, `REFUSED` where the reply has no such text."""
        try:
            body = self._server.post(self._payload(messages, with_schema=self._knows_schemas))
        except ServerFailed as error:
            if not self._knows_schemas or error.status not in {400, 422}:
                raise self._counted(error) from None
            try:
                body = self._server.post(self._payload(messages, with_schema=False), mended=True)
            except ServerFailed as again:
                raise self._counted(again) from None
            self._knows_schemas = False
        try:
            content = _Reply.model_validate_json(body).choices[0].message.content
        except ValidationError:
            raise self._counted(ServerFailed(Failure.REFUSED, self.url)) from None
        self._server.breaker.succeeded()
        return content

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def _counted(self, error: ServerFailed) -> ServerFailed:
        """A request that is refused and cannot be mended is a failure like any other."""
        if error.failure is Failure.REFUSED:
            self._server.breaker.failed()
        return error

    def _payload(self, messages: tuple[Message, ...], *, with_schema: bool) -> dict[str, object]:
        wanted: dict[str, object] = {"type": "json_object"}
        if with_schema and self._form is not None:
            form = {"name": self._form.name, "strict": True, "schema": self._form.schema}
            wanted = {"type": "json_schema", "json_schema": form}
        return {
            "model": self._model,
            "temperature": 0,
            "max_tokens": self._answer_tokens,
            "response_format": wanted,
            "messages": [{"role": one.speaker.value, "content": one.text} for one in messages],
        }


def chat_endpoint(url: str, *, setting: str) -> str:
    """The chat address of a server given by host, by `/v1`, or in full; without user, password or query."""
    return service_address(url, _TAIL, setting=setting)
