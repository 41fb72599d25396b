"""The command line over a fake graph: what is printed, where, and the exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphsvc.errors import EncoderMismatch, StoreBusy
from graphsvc.interfaces.cli.root import COMMANDS, LazyGroup, cli


def write(path: Path, *lines: object) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def test_help_names_every_command_and_loads_none_of_them():
    code = (
        "import sys; from graphsvc.interfaces.cli import cli; cli(['--help'], standalone_mode=False); "
        "print([m for m in ('numpy', 'litestar', 'spacy', 'onnxruntime', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *page, loaded = done.stdout.splitlines()
    assert loaded == "[]"
    assert set(COMMANDS) <= {line.split()[0] for line in page if line.strip()}


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_exists_and_its_help_says_what_the_list_says(name):
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert COMMANDS[name].summary in " ".join(result.output.split())


def test_an_unknown_command_is_a_usage_error(run):
    assert run("forget").exit_code == 2


def test_version_is_printed(run):
    assert run("--version").output.startswith("graphsvc")


@pytest.mark.parametrize(
    "order", [("--store", "mem", "--namespace", "T1", "stats"), ("stats", "--store", "mem", "--namespace", "T1")]
)
def test_shared_options_may_stand_before_or_after_the_command(run, graph, order):
    run(*order)
    url, settings, _ = graph.opened[0]
    assert (url, settings.namespace) == ("sqlite:///mem", "T1")


def test_an_option_after_the_command_wins_over_one_before_and_the_environment(run, graph):
    run("--namespace", "outer", "stats", "--namespace", "inner", env={"GRAPHSVC_NAMESPACE": "environment"})
    assert graph.opened[0][1].namespace == "inner"


def test_a_setting_that_is_none_is_told_plainly(run):
    result = run("stats", "--encoder", "crystal-ball")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "--encoder" in result.stderr


def test_a_misspelt_variable_is_told_plainly(run):
    result = run("stats", env={"GRAPHSVC_STOER": "x"})
    assert (result.exit_code, "GRAPHSVC_STOER" in result.stderr) == (2, True)


def test_our_errors_say_what_where_and_what_to_do(run, graph):
    graph.failure = EncoderMismatch("written by another encoder", where="store", remedy="run graphsvc reindex")
    result = run("search", "x")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: written by another encoder / store / run graphsvc reindex\n"


def test_an_interrupt_is_quiet(run, graph):
    graph.failure = KeyboardInterrupt()
    result = run("search", "x")
    assert (result.exit_code, "Traceback" in result.stderr) == (130, False)


def test_a_text_is_added_with_who_and_when(run, graph):
    args = ("--text", "明天发货", "--sender", "老陈", "--recipient", "Mei", "--event-time", "2026-03-05T15:00:00+08:00")
    result = run("add", *args, "--id", "m1", "--confidence", "high", "--conversation", "c1")
    memory = graph.memories["default", "m1"]
    assert result.exit_code == 0
    assert (memory.text, memory.sender, memory.recipients, memory.conversation_id) == (
        "明天发货",
        "老陈",
        ("Mei",),
        "c1",
    )
    assert memory.event_time.isoformat() == "2026-03-05T15:00:00+08:00"


def test_a_failing_line_is_named_and_the_others_are_kept(run, graph, tmp_path):
    file = write(tmp_path / "m.jsonl", {"text": "甲"}, "{broken", "", {"txt": "乙"}, {"text": "丙"})
    result = run("add", file)
    assert result.exit_code == 1
    assert [memory.text for memory in graph.memories.values()] == ["甲", "丙"]
    assert f"{file}, line 2: not JSON" in result.stderr
    assert f"{file}, line 4: " in result.stderr
    assert result.stdout.strip() == "2 created, 0 unchanged, 2 failed"


def test_json_output_is_one_document_and_nothing_else(run, tmp_path):
    file = write(tmp_path / "m.jsonl", {"id": "a", "text": "甲"}, "{broken")
    result = run("add", file, "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (1, "")
    assert (told["created"], told["failed"]) == (1, 1)
    assert [(one["line"], one["status"], one["id"]) for one in told["items"]] == [
        (1, "created", "a"),
        (2, "failed", None),
    ]


def test_a_file_that_cannot_be_read_does_not_cost_the_others(run, graph, tmp_path):
    good = write(tmp_path / "m.jsonl", {"text": "甲"})
    result = run("add", tmp_path / "none.jsonl", good)
    assert (result.exit_code, len(graph.memories)) == (1, 1)
    assert "none.jsonl" in result.stderr


def test_a_single_missing_file_is_an_error(run, tmp_path):
    result = run("add", tmp_path / "none.jsonl")
    assert (result.exit_code, result.stderr.startswith("error: ")) == (2, True)


@pytest.mark.parametrize("as_list", [True, False])
def test_a_chat_is_read_as_a_list_or_as_lines(run, graph, tmp_path, as_list):
    messages = [{"role": "user", "name": "何琳", "content": "不吃香菜"}, {"role": "assistant", "content": "好"}]
    file = write(tmp_path / "dinner.json", messages) if as_list else write(tmp_path / "dinner.chat", *messages)
    assert run("add", file, "--format", "chat").exit_code == 0
    assert [(m.sender, m.conversation_id) for m in graph.memories.values()] == [
        ("何琳", "dinner"),
        ("assistant", "dinner"),
    ]


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ('{"text": "甲"}\n{"text": "乙"}\n', ["甲", "乙"]),
        ("甲。\n\n乙。", ["甲。", "乙。"]),
        ('\ufeff{"text": "甲"}', ["甲"]),
    ],
)
def test_standard_input_is_read_by_its_first_character(run, graph, given, texts):
    assert run("add", "-", input=given.encode()).exit_code == 0
    assert [memory.text for memory in graph.memories.values()] == texts


def test_a_chat_from_standard_input_needs_its_conversation(run):
    assert run("add", "-", input=b'[{"role": "user", "content": "x"}]').exit_code == 2
    assert run("add", "-", "--conversation", "c1", input=b'[{"role": "user", "content": "x"}]').exit_code == 0


def test_bytes_that_are_not_utf8_are_told_with_their_place(run, tmp_path):
    (tmp_path / "note.txt").write_bytes("付款".encode("gb18030"))
    result = run("add", tmp_path / "note.txt")
    assert (result.exit_code, "not UTF-8 at byte 0" in result.stderr) == (2, True)


def test_adding_nothing_is_a_usage_error(run):
    assert run("add").exit_code == 2
    assert run("add", "-", "--sender", "Mei", input=b"x").exit_code == 2


def test_deleting_needs_to_be_told_what(run, graph):
    graph.add([{"id": "a", "text": "甲"}, {"id": "b", "text": "乙"}, {"id": "c", "text": "丙"}])
    assert run("delete").exit_code == 2
    assert run("delete", "a", "--where", '{"all": []}').exit_code == 2
    assert run("delete", "nobody").exit_code == 2
    assert len(graph.memories) == 3
    assert json.loads(run("delete", "a", "--json").stdout) == {"ids": ["a"], "count": 1}
    assert run("delete", "--where", '{"field": "id", "value": "b"}').stdout.strip() == "1 deleted"
    assert list(graph.memories) == [("default", "c")]


def test_stats_are_a_table_or_json(run, graph):
    graph.add([{"text": "甲"}])
    assert json.loads(run("stats", "--json").stdout)["namespaces"] == {"default": 1}
    assert "namespaces.default" in run("stats").stdout


def test_reindexing_tells_how_many(run, graph):
    graph.add([{"text": "甲"}])
    assert json.loads(run("reindex", "--json").stdout) == {"reindexed": 1}
    assert graph.opened[0][2], "a store of another encoder must open to be re-indexed"


def test_a_busy_store_is_told(run, graph):
    graph.failure = StoreBusy("the writer is taken", remedy="try again")
    assert run("add", "--text", "x").stderr == "error: the writer is taken / try again\n"


def test_the_group_lists_its_commands_in_order():
    assert isinstance(cli, LazyGroup)
    assert cli.list_commands(None) == list(COMMANDS)
