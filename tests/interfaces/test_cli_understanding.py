"""`graphsvc label`, `times` and `entities`: what they print, and that reading leaves nothing behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphsvc.interfaces.cli.root import cli
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.facts import (
    Amount,
    Attitude,
    Certainty,
    Claim,
    Facts,
    Holder,
    HolderKind,
    Label,
    Mention,
    Polarity,
    Sense,
    SenseSource,
)
from tests.interfaces.fakes import FakeGraph

Run = Callable[..., Result]
TEXT = "何琳的弟弟不喜欢银行，欠80万"
FACTS = Facts(
    labels=(Label(domain="finance", entity="person", intent="inform", probability=0.8, source="dictionary"),),
    senses=(Sense(start=8, end=10, surface="银行", sense=None, probability=0.6, source=SenseSource.UNRESOLVED),),
    mentions=(Mention(start=0, end=2, text="何琳", type="person", key="何琳"),),
    amounts=(Amount(start=12, end=15, text="80万", value=800_000, unit=None),),
    claims=(
        Claim(
            start=0, end=10, polarity=Polarity.NEGATED, certainty=Certainty.CERTAIN, attitude=Attitude.DISLIKE,
            quoted=False,
            holder=Holder(kind=HolderKind.OTHER, text="何琳的弟弟", relation="brother", possessor_key="何琳"),
        ),
    ),
)  # fmt: skip


@pytest.fixture
def run(graph: FakeGraph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    graph.facts = FACTS
    opened: list[str] = []

    def open_fake(url: str, **_: object) -> FakeGraph:
        opened.append(url)
        return graph

    monkeypatch.setattr(MemoryGraph, "open", open_fake)
    monkeypatch.chdir(tmp_path)
    for name in ("STORE", "ONTOLOGY", "TIMEZONE"):
        monkeypatch.delenv(f"GRAPHSVC_{name}", raising=False)
    graph.opened = opened
    return lambda *args, **options: CliRunner(env={"COLUMNS": "200"}).invoke(cli, list(args), **options)


def test_labels_are_shown_with_probability_and_source(run):
    shown = run("label", TEXT).stdout
    for part in ("finance", "person", "inform", "0.80", "dictionary", "银行", "8–10", "unresolved"):
        assert part in shown


def test_labels_and_senses_are_told_as_json(run):
    told = json.loads(run("label", TEXT, "--json").stdout)
    assert set(told) == {"labels", "senses"}
    assert told["labels"][0]["source"] == "dictionary"


def test_a_text_without_a_label_is_told_so(run, graph):
    graph.facts = Facts()
    assert run("label", "嗯").stdout.strip() == "no label: nothing is likely enough"


def test_names_amounts_and_claims_are_shown_with_their_spans(run):
    shown = run("entities", TEXT).stdout
    for part in ("何琳", "0–2", "80万", "800,000", "negated", "dislike", "brother of 何琳"):
        assert part in shown
    told = json.loads(run("entities", TEXT, "--json").stdout)
    assert set(told) == {"mentions", "amounts", "claims"}
    span = told["amounts"][0]
    assert TEXT[span["start"] : span["end"]] == "80万"


def test_a_text_may_come_from_standard_input(run, graph):
    run("entities", "-", input="明天见\n".encode())
    assert graph.asked["text"] == "明天见"
    assert run("entities", "-", input=b"\xff\xfe").exit_code == 2


@pytest.mark.parametrize("command", ["label", "times", "entities"])
@pytest.mark.parametrize("text", ["", "   ", "a\x00b"])
def test_what_could_not_be_stored_is_refused(run, command, text):
    result = run(command, text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")


def test_reading_neither_makes_nor_opens_a_store_that_was_not_named(run, graph, tmp_path):
    run("label", TEXT)
    assert ".graphsvc" not in graph.opened[0]
    assert list(tmp_path.iterdir()) == []
    run("label", TEXT, "--store", "mem")
    assert graph.opened[1] == "sqlite:///mem"


def test_times_are_resolved_against_the_moment_they_were_said(run):
    result = run("times", "明天下午3点开会", "--at", "2026-03-05T09:00+08:00", "--json")
    (found,) = json.loads(result.stdout)["times"]
    assert (found["begin"], found["granularity"], found["anchor"]) == ("2026-03-06T15:00:00+08:00", "hour", "speaker")
    assert (found["start"], found["end"], found["text"]) == (0, 6, "明天下午3点")


def test_a_zone_moves_the_day(run):
    args = ("times", "today", "--at", "2026-03-05T20:00Z", "--json")
    days = [json.loads(run(*args, *zone).stdout)["times"][0]["begin"] for zone in ((), ("--zone", "Asia/Shanghai"))]
    assert [datetime.fromisoformat(day).day for day in days] == [5, 6]


def test_a_moment_that_has_no_date_in_the_zone_is_an_error(run):
    result = run("times", "today", "--at", "0001-01-01T00:00:00+14:00", "--zone", "America/Los_Angeles")
    assert (result.exit_code, "--at" in result.stderr, "Traceback" in result.stderr) == (2, True, False)


def test_times_are_a_table_and_their_absence_is_told(run):
    shown = run("times", "see you tomorrow", "--at", "2026-03-05T09:00+08:00").stdout
    assert "tomorrow" in shown
    assert "2026-03-06 00:00" in shown
    assert "+08:00" in shown
    assert run("times", "hello", "--at", "2026-03-05T09:00+08:00").stdout.strip() == "nothing found"


@pytest.mark.parametrize("option", [("--at", "2026-03-05T09:00"), ("--zone", "Mars/Base"), ("--zone", "../etc")])
def test_a_moment_without_offset_and_a_zone_that_is_none_are_usage_errors(run, option):
    result = run("times", "today", *option)
    assert (result.exit_code, "Traceback" in result.stderr) == (2, False)
