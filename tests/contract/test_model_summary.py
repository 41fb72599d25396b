"""The language model that chooses a summary's sentences, against a real server: helpful, forgetful, inventive, away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from graphsvc import assembly
from graphsvc.encoding.breaker import CircuitBreaker
from graphsvc.errors import SettingsInvalid
from graphsvc.ingest.policy.model_summary import ModelSummariser
from graphsvc.ingest.policy.summary import RuleSummariser
from graphsvc.settings import Settings
from tests.contract.scripted import Reply, Script, scripted
from tests.said import said

KEY = "sk-very-secret"
SENTENCES = (
    "We walked for a while and talked about nothing in particular.",
    "Nobody was in a hurry, and the kitchen smelt of burnt tea.",
    "Anna Petrova owes 1,200 euros for the boat.",
    "What weighs on everybody is that the old harbour will close for good.",
    "There was a long silence before the next speaker stood up and cleared his throat.",
    "Somebody had left a kettle on the stove, and nobody seemed to mind.",
    "Everybody seemed content with how things stood, and nobody asked for more.",
)
TEXT = " ".join(SENTENCES)
FACTS = said("a", TEXT).facts
RULED = RuleSummariser().summarise(TEXT, FACTS)


def chooses(*places: object, **more: object) -> bytes:
    content = json.dumps({"sentences": places, **more})
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()


@pytest.fixture
def server() -> Iterator[Script]:
    with scripted() as script:
        yield script


@pytest.fixture
def model(server: Script) -> Iterator[ModelSummariser]:
    opened = ModelSummariser(server.url, "chooser", KEY, breaker=CircuitBreaker(limit=2), timeout_s=0.5)
    yield opened
    opened.close()


def test_the_sentences_it_chooses_are_the_summary(server: Script, model: ModelSummariser) -> None:
    server.says(chooses(3, 2))
    assert model.summarise(TEXT, FACTS) == f"{SENTENCES[2]} {SENTENCES[3]}"


def test_values_it_left_out_are_put_back(server: Script, model: ModelSummariser) -> None:
    server.says(chooses(5))
    assert model.summarise(TEXT, FACTS) == f"{SENTENCES[2]}\n{SENTENCES[5]}"


@pytest.mark.parametrize(
    "reply",
    [
        Reply(chooses(7)),
        Reply(chooses(-1)),
        Reply(chooses("2")),
        Reply(chooses(2, summary="Anna owes 12 euros.")),
        Reply(chooses()),
        Reply(chooses(*range(7))),
        Reply(b"{}"),
        Reply(status=500),
        Reply(chooses(2), wait_s=2.0),
    ],
)
def test_whatever_else_it_does_the_rules_speak(server: Script, model: ModelSummariser, reply: Reply) -> None:
    server.says(reply)
    assert model.summarise(TEXT, FACTS) == RULED is not None


def test_a_short_text_is_not_sent(server: Script, model: ModelSummariser) -> None:
    assert model.summarise(SENTENCES[2], said("a", SENTENCES[2]).facts) is None
    assert server.seen == []


def test_the_key_goes_into_one_header(server: Script, model: ModelSummariser) -> None:
    server.says(chooses(2))
    model.summarise(TEXT, FACTS)
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in json.dumps(server.seen)


def test_the_settings_open_none_the_rules_or_a_model(server: Script) -> None:
    with ExitStack() as opened:
        assert assembly.summariser(Settings(summary=False), opened) is None
        assert assembly.summariser(Settings(), opened) == RuleSummariser()
        settings = Settings(summary_url=server.url, summary_model="chooser")
        assert isinstance(assembly.summariser(settings, opened), ModelSummariser)
        with pytest.raises(SettingsInvalid) as caught:
            assembly.summariser(Settings(summary_url=server.url), opened)
    assert caught.value.where == "GRAPHSVC_SUMMARY_MODEL"
