"""`graphsvc ontology`: checking, showing, proposing, accepting, relabelling and exporting."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphsvc.interfaces.cli.root import cli
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.base import MemoryId
from graphsvc.models.topics import Example, Proposals, ProposedTopic
from ontology.loader import load_ontology
from tests.interfaces.fakes import FakeGraph

Run = Callable[..., Result]
CHESS = """# mine
[domain.chess]
name = { zh = "国际象棋", en = "Chess" }
description = "Openings."
examples.en = ["She castled."]
"""
BEES = ProposedTopic(
    id="topic-0badcafe",
    suggested_id="hive_varroa",
    name="hive, varroa",
    keywords=("hive", "蜂箱"),
    size=5,
    close_to=None,
    closeness=0.2,
    examples=(Example(id=MemoryId("m1"), text="The hive swarmed."), Example(id=MemoryId("m2"), text="蜂箱满了。")),
    memory_ids=(MemoryId("m1"), MemoryId("m2")),
)


@pytest.fixture
def overlay(tmp_path: Path) -> Path:
    folder = tmp_path / "overlay"
    folder.mkdir()
    (folder / "mine.toml").write_text(CHESS, encoding="utf-8")
    return folder


@pytest.fixture
def run(graph: FakeGraph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    graph.proposals = Proposals(
        namespace="default", memories=9, unlabelled=4, unsure=1, considered=5, criterion="likeness", topics=(BEES,)
    )
    monkeypatch.setattr(MemoryGraph, "open", lambda url, **_: graph)
    monkeypatch.chdir(tmp_path)
    for name in ("STORE", "NAMESPACE", "ONTOLOGY"):
        monkeypatch.delenv(f"GRAPHSVC_{name}", raising=False)
    return lambda *args, **options: CliRunner(env={"COLUMNS": "200"}).invoke(
        cli, ["ontology", *map(str, args)], **options
    )


def at(overlay: Path) -> dict[str, str]:
    return {"GRAPHSVC_ONTOLOGY": str(overlay)}


def test_a_valid_overlay_is_told_with_what_it_adds(run, overlay):
    result = run("check", overlay)
    assert (result.exit_code, result.stdout[:16]) == (0, "valid: 1 domain;")
    told = json.loads(run("check", "--json", env=at(overlay)).stdout)
    assert (told["valid"], told["entries"], told["content_hash"]) == (
        True,
        {"domain": 1},
        load_ontology([overlay]).content_hash,
    )


def test_every_broken_file_is_named_with_key_and_remedy(run, overlay):
    (overlay / "mine.toml").write_text('[domain.chess]\nname = "unfinished\n', encoding="utf-8")
    (overlay / "other.toml").write_text("[domains.go]\n", encoding="utf-8")
    result = run("check", overlay)
    assert result.exit_code == 1
    assert f"error: {overlay / 'mine.toml'}:2: " in result.stderr
    assert f"error: {overlay / 'other.toml'}: domains: is not known here (known: " in result.stderr
    told = json.loads(run("check", overlay, "--json").stdout)
    assert [(one["line"], one["key"]) for one in told["errors"]] == [(2, ""), (None, "domains")]


def test_what_refers_to_nothing_is_found_once_the_files_read(run, overlay):
    (overlay / "mine.toml").write_text(CHESS + 'entities = ["rook"]\n', encoding="utf-8")
    result = run("check", overlay)
    assert (result.exit_code, "domain.chess.entities" in result.stderr) == (1, True)


def test_nothing_to_check_is_an_error_that_says_what_to_set(run):
    result = run("check")
    assert (result.exit_code, "GRAPHSVC_ONTOLOGY" in result.stderr) == (2, True)
    assert run("check", "nowhere").exit_code == 1


def test_a_broken_library_ends_any_command_in_a_plain_error(run, overlay):
    (overlay / "mine.toml").write_text(CHESS + "colour = 1\n", encoding="utf-8")
    result = run("show", env=at(overlay))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: is not known here / {overlay / 'mine.toml'} / domain.chess.colour / known")


@pytest.mark.parametrize(
    ("what", "part"), [("domains", "chess"), ("intents", "thank"), ("senses", "bank.river"), ("edges", "supersedes")]
)
def test_a_family_is_listed_by_ids_and_names(run, overlay, what, part):
    assert part in run("show", what, env=at(overlay)).stdout
    assert len(json.loads(run("show", what, "--json", env=at(overlay)).stdout)) == 1


def test_everything_is_listed_when_nothing_is_named(run):
    told = json.loads(run("show", "--json").stdout)
    assert {"version", "domains", "query_types", "words"} <= set(told)
    shown = run("show").stdout
    assert "finance" in shown
    assert "bank.river" in shown


def test_an_entry_is_shown_whole_and_an_unknown_one_is_an_error(run):
    shown = run("show", "bank.river").stdout
    assert "nature_outdoors" in shown
    assert "heron" in shown
    (told,) = json.loads(run("show", "finance", "--json").stdout)
    assert (told["kind"], told["id"]) == ("Domain", "finance")
    assert run("show", "rivers").exit_code == 2


def test_proposals_are_shown_with_size_words_and_examples(run):
    shown = run("propose").stdout
    for part in ("topic-0badcafe", "hive, varroa", "5 memories", "蜂箱", "The hive swarmed.", "accept ID"):
        assert part in shown
    assert json.loads(run("propose", "--json").stdout)["topics"][0]["id"] == BEES.id


def test_proposing_passes_on_what_to_look_at(run, graph):
    run("propose", "--least", 3, "--newest", 50, "--below", 0.5, "--namespace", "T1")
    assert graph.asked == {"namespace": "T1", "least": 3, "most": 50, "below": 0.5}


def test_nothing_to_propose_is_told(run, graph):
    graph.proposals = graph.proposals.model_copy(update={"topics": ()})
    assert "nothing to propose" in run("propose").stdout


def test_accepting_writes_a_domain_beside_what_the_user_wrote(run, overlay):
    result = run("accept", BEES.id, "--name-zh", "养蜂", "--name-en", "Beekeeping", env=at(overlay))
    assert (result.exit_code, result.stderr) == (0, "")
    found = load_ontology([overlay]).domain("hive_varroa")
    assert found is not None
    assert (found.name.zh, found.keywords.zh, found.examples.en) == ("养蜂", ("蜂箱",), ("The hive swarmed.",))
    assert (overlay / "mine.toml").read_text(encoding="utf-8") == CHESS


def test_accepting_tells_file_key_and_counts_as_json(run, graph, overlay):
    graph.add(["甲", "乙"])
    told = json.loads(run("accept", BEES.id, "--relabel", "--json", env=at(overlay)).stdout)
    assert told == {
        "file": str(overlay / "proposed.toml"),
        "keys": ["domain.hive_varroa"],
        "version": load_ontology([overlay]).version,
        "relabelled": 2,
        "changed": 1,
    }


def test_what_is_close_to_a_domain_asks_which(run, graph, overlay):
    near = BEES.model_copy(update={"close_to": "nature_outdoors", "closeness": 0.5})
    graph.proposals = graph.proposals.model_copy(update={"topics": (near,)})
    assert "close to nature_outdoors" in run("propose").stdout
    result = run("accept", BEES.id, env=at(overlay))
    assert (result.exit_code, "--domain-id nature_outdoors" in result.stderr) == (2, True)
    assert not (overlay / "proposed.toml").exists()
    assert run("accept", BEES.id, "--domain-id", "nature_outdoors", env=at(overlay)).exit_code == 0
    merged = load_ontology([overlay])
    assert len(merged.domains) == len(load_ontology().domains) + 1, "only chess is new"


def test_accepting_without_an_overlay_says_what_to_set(run):
    result = run("accept", BEES.id)
    assert result.exit_code == 2
    assert "GRAPHSVC_ONTOLOGY" in result.stderr
    assert "make a folder" in result.stderr


def test_what_would_break_the_overlay_is_refused_and_an_unknown_proposal_too(run, overlay):
    result = run("accept", BEES.id, "--domain-id", "chess", env=at(overlay))
    assert (result.exit_code, "mine.toml" in result.stderr) == (2, True)
    assert run("accept", BEES.id, "--domain-id", "two words", env=at(overlay)).exit_code == 2
    assert run("accept", "topic-none", env=at(overlay)).exit_code == 2
    assert [one.name for one in overlay.iterdir()] == ["mine.toml"]


def test_relabelling_tells_how_many(run, graph):
    graph.add(["甲"])
    assert json.loads(run("relabel", "--json").stdout) == {"relabelled": 1, "changed": 1}
    assert run("relabel").stdout.strip() == "1 labelled again, 1 changed"


def test_pairs_are_json_lines_on_standard_output_or_in_a_file(run, graph, tmp_path):
    graph.add(["面太咸", "汤不错"])
    result = run("export")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["query"] for line in lines] == ["面太咸", "汤不错"]
    assert set(lines[0]) == {"kind", "query", "context", "positive", "label", "sense", "negatives"}
    assert result.stderr.strip() == "2 label"
    assert run("export", "--out", tmp_path / "pairs.jsonl").stdout == ""
    assert (tmp_path / "pairs.jsonl").read_text(encoding="utf-8") == result.stdout
    assert run("export", "--out", tmp_path / "nowhere" / "pairs.jsonl").exit_code == 2
