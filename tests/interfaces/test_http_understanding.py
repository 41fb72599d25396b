"""Reading a text and the library over HTTP: what is told, what is refused, and that nothing is stored."""

from __future__ import annotations

from datetime import datetime

import pytest

from graphsvc.models.facts import Facts, Label
from ontology.errors import OntologyInvalid
from ontology.loader import load_ontology


def test_a_text_comes_back_as_its_facts(client, graph):
    graph.facts = Facts(labels=(Label(domain="food", probability=0.9, source="dictionary"),))
    answer = client.post("/v1/understand", json={"text": "明天吃面", "at": "2026-03-05T09:00:00+08:00"})
    assert answer.status_code == 200
    assert Facts.model_validate(answer.json()) == graph.facts
    assert graph.asked == {"text": "明天吃面", "at": datetime.fromisoformat("2026-03-05T09:00:00+08:00")}
    assert graph.memories == {}


@pytest.mark.parametrize(
    "body", [{}, {"text": ""}, {"text": 5}, {"text": "x", "at": "tomorrow"}, {"text": "x", "when": "now"}]
)
def test_a_body_that_says_something_else_is_refused(client, graph, body):
    answer = client.post("/v1/understand", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert graph.asked == {}


def test_the_library_is_told_by_ids_and_names(client):
    told = client.get("/v1/ontology").json()
    library = load_ontology()
    assert (told["version"], told["content_hash"]) == (library.version, library.content_hash)
    assert [one["id"] for one in told["domains"]] == [domain.id for domain in library.domains]
    assert {"id": "finance", "zh": "财务金融", "en": "Finance"} in told["domains"]
    bank = next(word for word in told["words"] if word["id"] == "bank")
    assert "bank.river" in {sense["id"] for sense in bank["senses"]}


def test_a_broken_library_is_a_problem_that_tells_key_and_reason_and_no_path(client, graph):
    graph.failure = OntologyInvalid("is missing", file="/secret/mine.toml", key="domain.chess.name", remedy="add it")
    answer = client.get("/v1/ontology")
    body = answer.json()
    assert (answer.status_code, body["type"]) == (500, "urn:graphsvc:problem:ontology-invalid")
    assert (body["detail"], body["where"], body["remedy"]) == ("is missing", "domain.chess.name", "add it")
    assert "secret" not in answer.text


def test_a_sense_is_set_right_in_the_memory_it_names(client, graph):
    graph.add([{"id": "m1", "text": "the bank"}])
    answer = client.post("/v1/memories/m1/senses", json={"surface": "bank", "sense": "bank.river"})
    assert (answer.status_code, answer.json()["id"]) == (200, "m1")
    assert graph.asked == {"id": "m1", "surface": "bank", "sense": "bank.river"}
    assert client.post("/v1/memories/m1/senses", json={"surface": "", "sense": "bank.river"}).status_code == 400
