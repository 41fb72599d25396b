"""The commands of change, audit and upkeep over a fake graph: what is passed on, what is shown, exit codes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from rich.cells import cell_len

from graphsvc.interfaces.cli.change import JSON_FIELDS
from graphsvc.models.audit import Act, Action, Break, DeliveryState
from graphsvc.models.memory import MemoryFields, MemoryStatus
from graphsvc.models.upkeep import ConsolidationPlan
from tests.interfaces.conftest import Run
from tests.interfaces.fake_parts import FALLEN, entry, group, notice
from tests.interfaces.fakes import FakeGraph

MEI = ("--actor", "何琳", "--reason", "整理")


@pytest.fixture
def stored(graph: FakeGraph) -> FakeGraph:
    graph.add([{"id": "m1", "text": "仓库六点关门"}, {"id": "m2", "text": "仓库七点关门"}])
    return graph


def words(shown: str) -> str:
    """What is printed as one line, borders and folds left out."""
    return " ".join(" ".join(line.strip("│ ") for line in shown.splitlines()).split())


@pytest.mark.parametrize(
    "command",
    [
        ("add", "--text", "甲"),
        ("update", "m1", "--set", "text=八点"),
        ("supersede", "m2", "m1"),
        ("falsify", "m1"),
        ("purge", "--yes"),
        ("consolidate", "--yes"),
        ("expire",),
        ("relink",),
        ("delete", "m1"),
        ("delete", "--file", "x", "--yes"),
        ("search", "仓库"),
        ("answer", "仓库"),
    ],
)
def test_who_acts_and_why_reaches_every_command_that_writes_or_asks(
    run: Run, stored: FakeGraph, command: tuple[str, ...]
) -> None:
    """Report A50: every write has its author, whatever face it came by."""
    result = run(*MEI, *command)
    assert result.exit_code == 0, result.output
    assert stored.asked["by"] == Act(actor="何琳", reason="整理")
    if command[0] != "falsify":
        run("add", "--text", "乙")
        assert stored.asked["by"] == Act()


@pytest.mark.parametrize(("option", "value"), [("--actor", "x" * 501), ("--reason", "x" * 501), ("--actor", "ann\0")])
def test_an_actor_that_no_record_can_hold_is_a_usage_error(
    run: Run, stored: FakeGraph, option: str, value: str
) -> None:
    result = run(option, value, "delete", "m1")
    assert (result.exit_code, option in result.stderr) == (2, True)
    assert ("default", "m1") in stored.memories


def test_fields_are_set_and_the_revision_told(run: Run, stored: FakeGraph) -> None:
    given = ("--set", "text=八点=关门", "--set", 'recipients=["何琳"]', "--set", "sender=", "--set", "level=2")
    result = run("update", "m1", *given, "--revision", 1)
    assert (result.exit_code, result.stdout) == (0, "m1 is at revision 2\n")
    assert stored.asked["fields"] == {"text": "八点=关门", "recipients": ["何琳"], "sender": None, "level": 2}
    lost = run("update", "m1", "--set", "text=九点", "--revision", 1)
    assert (lost.exit_code, "revision 2, not 1" in lost.stderr) == (2, True)
    assert json.loads(run("update", "m1", "--set", "text=九点", "--json").stdout)["revision"] == 3


def test_an_emptied_field_is_empty_in_its_own_way(run: Run, stored: FakeGraph) -> None:
    for name, empty in (("cc", []), ("metadata", {}), ("level", None), ("valid_to", None), ("text", "")):
        run("update", "m1", "--set", f"{name}=")
        assert stored.asked["fields"] == {name: empty}


def test_every_field_that_is_no_text_is_given_as_json() -> None:
    schema = MemoryFields.model_json_schema()
    texts = set()
    for name, field in schema["properties"].items():
        branches = [schema["$defs"].get(one.get("$ref", "").rsplit("/", 1)[-1], one) for one in _branches(field)]
        if any(branch.get("type") == "string" for branch in branches):
            texts.add(name)
    assert set(MemoryFields.model_fields) - texts == JSON_FIELDS


def _branches(field: dict[str, Any]) -> list[dict[str, Any]]:
    return field.get("anyOf", [field])


@pytest.mark.parametrize(
    "given",
    [
        (),
        ("--set", "text"),
        ("--set", "=x"),
        ("--set", "text=a", "--set", "text=b"),
        ("--set", "recipients=何琳"),
        ("--set", "metadata={"),
        ("--set", "text=x", "--revision", "0"),
        ("--set", "text=x", "--revision", "x"),
    ],
)
def test_what_cannot_be_set_is_told_and_nothing_changes(run: Run, stored: FakeGraph, given: tuple[str, ...]) -> None:
    result = run("update", "m1", *given)
    assert (result.exit_code, "--" in result.stderr) == (2, True)
    assert stored.memories["default", "m1"].revision == 1


def test_a_history_shows_who_when_why_before_and_after(run: Run, stored: FakeGraph) -> None:
    shown = words(run("history", "m1").stdout)
    assert "2026-03-06 02:00:00+00:00 Mei: update reason 改了 before 仓库六点关门 after 七点" in shown
    assert "Mei: delete content (purged)" in shown
    assert [one["action"] for one in json.loads(run("history", "m1", "--json").stdout)] == ["add", "update", "delete"]
    assert run("history", "nobody").exit_code == 2


def test_overruling_tells_the_change_and_the_answers_that_fell(run: Run, stored: FakeGraph) -> None:
    stored.audit.fallen["default"] = [FALLEN]
    shown = words(run("supersede", "m2", "m1", "--kind", "corrects").stdout)
    assert "m2 corrects m1 since 2026-03-06 02:00:00+00:00" in shown
    assert "answers that fell with it: 仓库几点关门" in shown
    told = json.loads(run("supersede", "m2", "m1", "--json").stdout)
    assert (told["change"]["kind"], told["overturned"][0]["trace_id"]) == ("supersedes", "tr_1")


@pytest.mark.parametrize("given", [("m1", "m1"), ("m1", "nobody"), ("m2", "m1", "--kind", "repeats"), ("m2",)])
def test_a_change_that_is_none_is_refused(run: Run, stored: FakeGraph, given: tuple[str, ...]) -> None:
    """Report A28: a loop is refused with the ids."""
    result = run("supersede", *given)
    assert (result.exit_code, "Traceback" in result.output) == (2, False)
    if given == ("m1", "m1"):
        assert result.stderr == "error: a memory cannot replace itself / m1\n"


def test_a_memory_is_taken_back_with_a_reason_and_not_without(run: Run, stored: FakeGraph) -> None:
    assert run("falsify", "m1").exit_code == 2
    stored.audit.fallen["default"] = [FALLEN]
    shown = words(run("--reason", "别的", "falsify", "m1", "--reason", "没说过").stdout)
    assert stored.asked["reason"] == "没说过"
    assert "m1 is taken back answers that fell with it:" in shown
    told = json.loads(run("--reason", "别的", "falsify", "m1", "--json").stdout)
    assert [one["trace_id"] for one in told["overturned"]] == ["tr_1"]


def test_fallen_answers_say_what_they_rested_on_and_how_to_see_what_is_newer(run: Run, stored: FakeGraph) -> None:
    assert run("overturned").stdout == "none\n"
    stored.audit.fallen["default"] = [FALLEN]
    shown = words(run("overturned").stdout)
    for part in (
        "仓库几点关门",
        "trace tr_1",
        "because of m1",
        "by m2",
        "by way of m3",
        "reason 改了时间",
        "--after 1",
    ):
        assert part in shown
    assert json.loads(run("overturned", "--after", "1", "--json").stdout) == {"answers": [], "after": "1"}


def test_a_replay_shows_all_three_runs_and_what_is_otherwise(run: Run, stored: FakeGraph) -> None:
    trace = json.loads(run("search", "仓库", "--json").stdout)["trace_id"]
    shown = words(run("replay", trace).stdout)
    for part in (
        "replayed exactly as it was, on what was known at 2026-03-06",
        "recorded 0.750 reaches 0.300 · accepted m1 m1 1.000",
        "2 more",
        "now a search · accepted nothing found nothing",
        "different m1 went, it was 1st",
        "deleted m9",
        "without names of then",
    ):
        assert part in shown
    assert json.loads(run("replay", trace, "--json").stdout)["exact"] is True
    assert run("replay", "nobody").exit_code == 2


def test_the_journal_shows_what_was_before_and_after_and_narrows(run: Run, stored: FakeGraph) -> None:
    stored.audit.entries = [
        entry(1, before='{"text": "六点", "id": "m1"}', after='{"text": "七点"}', reason="改"),
        entry(2, action=Action.STANDING, before='{"status": "active"}', after=None, purged=True),
        entry(3, subject=None, action=Action.INGEST, after='{"created": 1, "ids": ["a", "b"], "none": null}'),
        entry(4, namespace="T2"),
    ]
    shown = words(run("audit").stdout)
    for part in (
        "2026-03-06 02:00:00+00:00 Mei: update m1 memories 1 · op_1 reason 改 before 六点 after 七点",
        "before status active content (purged)",
        "Mei: ingest memories 3 · op_1 after created 1 · ids a, b",
    ):
        assert part in shown
    assert "more with --after next" in words(run("audit", "--limit", "1").stdout)
    options = ("--subject", "m1", "--action", "update", "--action", "add", "--operation", "op_1")
    times = ("--since", "2026-03-01T10:00:00+08:00", "--until", "2026-03-02T10:00:00+08:00")
    told = json.loads(run("audit", *options, *times, "--after", "x", "--json", "--namespace", "T2").stdout)
    assert [one["seq"] for one in told["entries"]] == [4]
    assert stored.asked["namespace"] == "T2"
    assert stored.asked["actions"] == (Action.UPDATE, Action.ADD)
    assert stored.asked["until"] == datetime.fromisoformat("2026-03-02T10:00:00+08:00")


@pytest.mark.parametrize(
    "given", [("--action", "nothing"), ("--since", "yesterday"), ("--limit", "0"), ("forget",), ("--until", "")]
)
def test_a_journal_cannot_be_asked_for_what_it_has_not(run: Run, given: tuple[str, ...]) -> None:
    assert run("audit", *given).exit_code == 2


def test_verifying_leaves_with_one_when_a_chain_is_broken(run: Run, graph: FakeGraph) -> None:
    """Report A50: tampering shows."""
    whole = run("audit", "verify")
    assert (whole.exit_code, "1,234 entries: every chain holds" in whole.stdout) == (0, True)
    graph.audit.breaks = (Break(chain="memories", seq=7, what="does not follow"),)
    broken = run("audit", "--store", "mem", "verify")
    assert (broken.exit_code, "memories 7: does not follow" in broken.stdout) == (1, True)
    assert graph.opened[-1][0] == "sqlite:///mem"
    as_json = run("audit", "verify", "--json")
    assert (as_json.exit_code, json.loads(as_json.stdout)["holds"]) == (1, False)


def test_webhooks_are_added_listed_and_removed_and_the_secret_is_shown_once(run: Run, graph: FakeGraph) -> None:
    made = run("webhooks", "add", "https://hooks.example/x")
    assert made.stdout == "wh_0 tells https://hooks.example/x\nwhsec_s\n"
    listed = run("webhooks", "list").stdout + run("webhooks", "list", "--json").stdout
    assert "https://hooks.example/x" in listed
    assert "whsec" not in listed
    assert json.loads(run("webhooks", "list", "--namespace", "T2", "--json").stdout) == []
    assert run("webhooks", "remove", "wh_0", "--namespace", "T2").exit_code == 2
    assert run("webhooks", "remove", "wh_0").exit_code == 0
    assert run("webhooks", "list").stdout == "none\n"
    refused = run("webhooks", "add", "ftp://x")
    assert (refused.exit_code, "url" in refused.stderr) == (2, True)


def test_notices_are_listed_with_what_became_of_them(run: Run, graph: FakeGraph) -> None:
    graph.audit.notices = [notice(DeliveryState.DEAD, status=0, attempts=12), notice(DeliveryState.DONE, status=204)]
    shown = words(run("webhooks", "deliveries").stdout)
    assert "dead" in shown
    assert "204" in shown
    found = json.loads(run("webhooks", "deliveries", "--state", "dead", "--json").stdout)
    assert [one["attempts"] for one in found] == [12]
    assert run("webhooks", "deliveries", "--state", "lost").exit_code == 2


def test_a_document_a_conversation_or_a_person_is_deleted(run: Run, graph: FakeGraph) -> None:
    """Report A26: each goes whole, and nothing else."""
    graph.add(
        [
            {"id": "a", "text": "甲", "source": {"file": "合同.txt"}},
            {"id": "b", "text": "乙", "conversation_id": "c1"},
            {"id": "c", "text": "丙", "sender": "何琳"},
            {"id": "d", "text": "丁"},
        ]
    )
    for option, value, gone in (("--file", "合同.txt", "a"), ("--conversation", "c1", "b"), ("--person", "何琳", "c")):
        assert json.loads(run("delete", option, value, "--json").stdout) == {"ids": [gone], "count": 1}
    assert list(graph.memories) == [("default", "d")]
    assert run("delete", "--person", "无名").exit_code == 2


@pytest.mark.parametrize(
    "given",
    [("m1", "--file", "x"), ("--file", "x", "--person", "y"), ("--where", '{"all": []}', "--file", "x")],
)
def test_two_scopes_together_delete_nothing(run: Run, stored: FakeGraph, given: tuple[str, ...]) -> None:
    result = run("delete", *given, "--yes")
    assert (result.exit_code, "together" in result.stderr) == (2, True)
    assert len(stored.memories) == 2


def test_a_purge_needs_a_yes_and_says_what_it_took(run: Run, graph: FakeGraph) -> None:
    """Report A27: nobody purges by accident."""
    refused = run("purge")
    assert (refused.exit_code, "--yes" in refused.stderr, graph.asked) == (2, True, {})
    done = run("purge", "--yes", "--namespace", "T1")
    assert done.stdout == "purged: 1 memories, 2 contents of the journal and 3 traces\n"
    assert graph.asked["namespace"] == "T1"
    assert json.loads(run("purge", "--all-namespaces", "--yes", "--json").stdout)["traces"] == 3
    assert graph.asked["namespace"] is None


def test_a_consolidation_is_a_dry_run_unless_told_otherwise(run: Run, graph: FakeGraph) -> None:
    graph.keeping.plan = ConsolidationPlan(namespace="default", groups=(group("a", "b"), group("c", "d", "e")))
    dry = run("consolidate")
    assert ("c stays, for d, e" in dry.stdout, "--yes" in dry.stderr, graph.asked) == (True, True, {})
    assert json.loads(run("consolidate", "--dry-run", "--json").stdout)["dry_run"] is True
    assert graph.asked == {}
    done = run("consolidate", "--yes")
    assert "1 groups changed in the meantime" in done.stdout
    assert [one["kept"] for one in json.loads(run("consolidate", "--yes", "--json").stdout)["groups"]] == ["a"]
    assert run("consolidate", "--yes", "--dry-run").exit_code == 2


def test_expiry_and_relinking_say_how_many(run: Run, stored: FakeGraph) -> None:
    stored.add([{"id": "m3", "text": "旧", "expires_at": "2026-03-01T00:00:00Z"}])
    assert json.loads(run("expire", "--json").stdout) == {"ids": ["m3"], "count": 1}
    assert run("expire").stdout == "0 expired\n"
    assert json.loads(run("relink", "--json").stdout) == {"changed": 2}
    assert run("relink").stdout == "2 edges and standings changed\n"


@pytest.mark.parametrize("command", ["search", "answer"])
def test_a_question_is_asked_of_a_moment(run: Run, stored: FakeGraph, command: str) -> None:
    """Report A03: what held then, and what was known then."""
    run(command, "仓库", "--as-of", "2026-02-01T00:00:00+08:00", "--known-at", "2026-02-02T00:00:00+08:00")
    assert stored.asked["as_of"] == datetime.fromisoformat("2026-02-01T00:00:00+08:00")
    assert stored.asked["known_at"] == datetime.fromisoformat("2026-02-02T00:00:00+08:00")
    run(command, "仓库")
    assert (stored.asked["as_of"], stored.asked["known_at"]) == (None, None)
    assert run(command, "仓库", "--as-of", "2026-02-01").exit_code == 2


@pytest.mark.parametrize("command", ["search", "answer"])
def test_what_no_longer_holds_is_shown_with_what_ended_it(run: Run, stored: FakeGraph, command: str) -> None:
    """Report A25: an overturned memory is never shown as though it held."""
    key = ("default", "m1")
    assert "superseded" not in run(command, "仓库六点").stdout
    ended = {"status": MemoryStatus.SUPERSEDED, "ended_at": datetime(2026, 3, 5, tzinfo=UTC), "ended_by": ("m2",)}
    stored.memories[key] = stored.memories[key].model_copy(update=ended)
    assert "superseded 2026-03-05 00:00+00:00 by m2" in words(run(command, "仓库六点").stdout)
    retracted = {"status": MemoryStatus.RETRACTED, "ended_at": None, "ended_by": (), "stale_sources": ("m9",)}
    stored.memories[key] = stored.memories[key].model_copy(update=retracted)
    shown = words(run(command, "仓库六点", "--explain").stdout)
    assert "retracted stale: quotes m9, overturned since" in shown


def test_adding_says_what_was_overturned_and_what_is_nearly_the_same(
    run: Run, graph: FakeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = graph.add

    def add(*args: object, **kwargs: object) -> list[object]:
        found = {"overturns": ("m1",), "near_duplicate_of": "m0"}
        return [one.model_copy(update=found) for one in plain(*args, **kwargs)]

    monkeypatch.setattr(graph, "add", add)
    shown = run("add", "--text", "甲", "--id", "m2").stdout
    assert shown.splitlines()[:2] == ["m2 overturns m1", "m2 says nearly the same as m0"]
    told = json.loads(run("add", "--text", "甲", "--id", "m2", "--json").stdout)["items"][0]
    assert (told["overturns"], told["near_duplicate_of"]) == (["m1"], "m0")


def test_nothing_is_wider_than_the_terminal_and_nothing_steers_it(run: Run, stored: FakeGraph) -> None:
    long, hostile = "长" * 200 + "word " * 60, "\x1b[2J[bold]x[/]\u202e"
    fallen = FALLEN.model_copy(update={"question": long + hostile, "because": ("m" * 300,)})
    stored.audit.fallen["default"] = [fallen]
    stored.audit.entries = [entry(1, actor=hostile, after=json.dumps({"text": long + hostile}), subject="s" * 300)]
    run("webhooks", "add", f"https://hooks.example/{'x' * 300}")
    stored.audit.notices = [notice(subscription="wh_" + "0" * 40, trace_id="tr_" + "0" * 40)]
    shown = [run(*command).stdout for command in (("overturned",), ("audit",), ("webhooks", "deliveries"))]
    shown += [run(*command).stdout for command in (("webhooks", "list"), ("history", "m1"), ("audit", "verify"))]
    printed = "\n".join(shown)
    assert max(map(cell_len, printed.splitlines())) <= 80
    assert not {"\x1b", "\u202e"} & set(printed)
    # Folded, and not cut off.
    assert printed.count("x") >= 300
