"""`graphsvc search`, `answer` and `trace`: what is passed on, what is shown, and what `--json` holds."""

from __future__ import annotations

import json

import pytest
from rich.cells import cell_len

from graphsvc.models.answer import Answer, AnswerStatus, Step, Trace, Value
from graphsvc.models.base import MemoryId
from graphsvc.store.filters import eq
from tests.interfaces import told
from tests.interfaces.conftest import Run
from tests.interfaces.fakes import FakeGraph

WIDTH = 80


@pytest.fixture
def full(graph: FakeGraph) -> FakeGraph:
    """A graph whose every answer fills every field."""
    graph.add(told.MEMORIES)
    graph.given = (told.answer(), told.trace())
    return graph


def words(shown: str) -> str:
    """What is printed as one line, borders and folds left out."""
    return " ".join(" ".join(line.strip("│ ") for line in shown.splitlines()).split())


def test_a_search_shows_what_was_found_and_passes_the_question_on(run: Run, graph: FakeGraph) -> None:
    graph.add([{"id": "m1", "text": "仓库六点关门", "sender": "Mei"}])
    options = ("--where", '{"field": "sender", "value": "Mei"}', "--asked-at", "2026-03-06T10:00:00+08:00")
    result = run("search", "仓库", *options, "--limit", 3, "--diversity", 0.25, "--session", "s1")
    assert "仓库六点关门" in result.stdout
    assert (graph.asked["where"], graph.asked["limit"]) == (eq("sender", "Mei"), 3)
    assert (graph.asked["diversity"], graph.asked["session_id"]) == (0.25, "s1")


def test_an_answer_passes_its_session_on_and_has_none_unless_named(run: Run, graph: FakeGraph) -> None:
    run("answer", "仓库", "--session", "s1")
    assert graph.asked["session_id"] == "s1"
    run("answer", "仓库")
    assert graph.asked["session_id"] is None


@pytest.mark.parametrize(
    ("option", "value"),
    [("--session", ""), ("--session", "s" * 501), ("--diversity", "1.5"), ("--diversity", "-1"), ("--diversity", "x")],
)
def test_what_a_question_cannot_be_asked_with_is_a_usage_error(run: Run, option: str, value: str) -> None:
    result = run("search", "x", option, value)
    assert (result.exit_code, option in result.stderr) == (2, True)


@pytest.mark.parametrize("command", ["search", "answer"])
def test_questions_print_json_with_the_trace_when_explained(run: Run, graph: FakeGraph, command: str) -> None:
    graph.add([{"id": "m1", "text": "仓库六点关门"}])
    plain = json.loads(run(command, "仓库", "--json").stdout)
    explained = json.loads(run(command, "仓库", "--json", "--explain").stdout)
    assert "trace" not in plain
    assert explained["trace"]["id"] == explained["trace_id"]


def test_json_is_the_whole_answer_and_the_whole_trace(run: Run, full: FakeGraph) -> None:
    given = json.loads(run("answer", told.QUESTION, "--json", "--explain").stdout)
    assert Trace.model_validate(given.pop("trace")) == told.trace()
    assert Answer.model_validate(given) == told.answer()


def test_an_answer_shows_status_evidence_reason_and_funnel(run: Run, graph: FakeGraph) -> None:
    graph.add([{"id": "m1", "text": "仓库六点关门", "sender": "Mei"}, {"id": "m2", "text": "明天发货"}])
    shown = run("answer", "仓库").stdout
    for part in ("answered", "“仓库”六点关门", "Mei", "why: same words", "stored 2 → rank 1"):
        assert part in shown
    assert "parse" not in shown


@pytest.mark.parametrize(
    "part",
    [
        "conflict: the memories disagree",
        "amount: 800000 (80万)",
        "1. 0.75 Mei · 2026-03-06 02:00+00:00 · 纪要.txt p. 3 § 二 · m1",
        "会后补记：“王强报价80万。”税另算。",
        "worded 王强报价八十万。 wording of the model some-model, no evidence",
        "“王强报价80万” m1",
        "part 1 王强报价多少 amount: 800000 (80万) evidence 1",
        "part 2 谁批的 open: nothing reliable",
        "conflict Mei：80万；老陈：90万 evidence 1 against 2",
        "missing 请确认哪一条成立。",
        "ambiguous 王强 may be 王强 (person:王强1) or 王强 (person:王强2)",
        "without reranker",
        "step asked again in other words",
        "stored 100,000 → time 88,000 → role 88,000 (relaxed) → rank 60 → accept 1 · 4 searches",
    ],
)
def test_an_answer_shows_every_part_of_itself(run: Run, full: FakeGraph, part: str) -> None:
    assert part in words(run("answer", told.QUESTION).stdout)


def test_sides_of_a_conflict_that_are_no_evidence_are_quoted_with_who_says_so(run: Run, full: FakeGraph) -> None:
    full.given = (told.answer(evidence=(told.evidence(),)), told.trace())
    shown = words(run("answer", told.QUESTION).stdout)
    assert f"老陈 · 2026-03-06 02:00+00:00 · m2 “{told.TEXTS[told.DENIED]}”" in shown


def test_signals_that_add_nothing_to_speak_of_are_left_out(run: Run, full: FakeGraph) -> None:
    shown = told.evidence().model_copy(update={"reasons": ("talk +0.00", "ageing -0.00", "value +0.01", "said by Mei")})
    full.given = (told.answer(evidence=(shown,)), told.trace())
    assert "why: value +0.01; said by Mei" in words(run("answer", told.QUESTION).stdout)


@pytest.mark.parametrize("columns", ["40", "60", "100"])
def test_what_was_relaxed_is_told_on_any_width(run: Run, full: FakeGraph, columns: str) -> None:
    shown = run("answer", told.QUESTION, "--explain", env={"COLUMNS": columns}).stdout
    assert max(map(cell_len, shown.splitlines())) <= int(columns)
    assert "relaxed" in shown.partition("bars on a log")[2]


def test_what_was_deleted_since_is_shown_by_its_quote(run: Run, full: FakeGraph) -> None:
    full.memories.clear()
    shown = words(run("answer", told.QUESTION).stdout)
    assert "1. 0.75 m1 “王强报价80万。”" in shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (("time", "去年", "2025-01-01T00:00:00+08:00"), "time: 去年 (from 2025-01-01)"),
        (("time", "3点", "2025-01-01T15:00:00+08:00"), "time: 3点 (from 2025-01-01T15:00:00+08:00)"),
        (("identifier", "TX-40719", "tx-40719"), "identifier: TX-40719"),
        (("difference", "90万", "100000"), "difference: 100000 (to 90万)"),
        (("yes_no", "没有", "no"), "yes no: no (没有)"),
        (("text", "山后", None), "text: 山后"),
    ],
)
def test_a_value_is_shown_as_read_and_as_written(
    run: Run, full: FakeGraph, value: tuple[str, str, str | None], shown: str
) -> None:
    kind, text, normalised = value
    read = Value(type=kind, text=text, start=0, end=len(text), normalised=normalised)
    full.given = (told.answer(value=read, parts=()), told.trace())
    printed = [line.strip("│ ") for line in run("answer", told.QUESTION).stdout.splitlines()]
    assert shown in printed


@pytest.mark.parametrize("status", AnswerStatus)
@pytest.mark.parametrize("step", Step)
def test_every_status_and_step_has_plain_words(run: Run, full: FakeGraph, status: AnswerStatus, step: Step) -> None:
    full.given = (told.answer(status=status, step=step), told.trace())
    result = run("answer", told.QUESTION)
    assert (result.exit_code, status.replace("_", " ") in result.stdout) == (0, True)


def test_a_question_that_leant_on_its_session_says_how_it_was_read(run: Run, full: FakeGraph) -> None:
    full.given = (told.answer(), told.trace())
    assert f"read as: {told.QUESTION}" in words(run("answer", "谁批的", "--session", "s1").stdout)
    assert "read as:" not in run("answer", told.QUESTION).stdout


@pytest.mark.parametrize(
    "part",
    [
        "type amount (0.80) · route direct · what holds: present part “王强报价多少”",
        "王强: sent_by",
        "session s1",
        "88,000 1.2 ms said by 2026-03-06",
        "relaxed, would leave nothing: sent_by 王强",
        "1. first attempt: not accepted, best 0.10",
        "2. rewritten: accepted, best 0.75",
        "多少 → 金额 (synonym)",
        "score 1.030 = legs 0.900 + lent 0.050 + signals +0.080",
        "dense 0.80 (cosine 0.910) · lexical 0.70 (BM25 5.500) · late 1.00 (token states 0.600)",
        "for value +0.100",
        "against ageing -0.020",
        "fit covered 0.25 · bound –",
        "overlap 0.50 · uncovered 0.10 · holder unknown",
        "by edge m1 –contradicts→ m2 (0.50)",
        "contradicts 12",
        "4 more with --json",
        "there were more edges than are walked or kept",
        "fallback-rule: 0.750 reaches the threshold 0.300",
        "raise it late 0.6",
        "lower it uncovered 0.125",
        "depend terse 1",
        "zero talk",
        "unknown gap",
        "agreement: failed 两处说法不一致。 looked at m1, m2",
        "credibility: passed",
        "completeness: passed",
        "done without reranker",
        "in all 1,234.5 ms",
    ],
)
def test_explain_unfolds_everything_behind_an_answer(run: Run, full: FakeGraph, part: str) -> None:
    assert part in words(run("answer", told.QUESTION, "--explain").stdout)


def test_every_search_behind_an_answer_is_named(run: Run, full: FakeGraph) -> None:
    lines = [line.strip() for line in run("answer", told.QUESTION, "--explain").stdout.splitlines()]
    titles = ["first attempt", "rewritten", "part 1 of the question", "part 2 of the question"]
    assert [line for line in lines if line in titles] == titles


def test_what_rules_a_candidate_out_is_named(run: Run, full: FakeGraph) -> None:
    decision = {"method": "rule", "threshold": 0.3, "probability": 0.01, "features": {"identifier_missing": 1.0}}
    full.given = (told.answer(), told.trace(decision=decision))
    shown = words(run("answer", told.QUESTION, "--explain").stdout)
    assert "does not reach the threshold" in shown
    assert "ruled out by identifier_missing" in shown


def test_a_trace_is_shown_as_when_it_was_explained_and_a_missing_one_told(run: Run, full: FakeGraph) -> None:
    explained = run("answer", told.QUESTION, "--explain").stdout
    shown = run("trace", told.TRACE).stdout
    assert shown
    assert explained.endswith(shown)
    assert json.loads(run("trace", told.TRACE, "--json").stdout)["id"] == told.TRACE
    assert run("trace", "nobody").exit_code == 2


def test_nothing_is_wider_than_the_terminal_nor_coloured_in_a_pipe(run: Run, full: FakeGraph) -> None:
    long = MemoryId("m9")
    full.add([{"id": long, "text": "长" * 300 + "word " * 100, "sender": "s" * 100}])
    shown = run("answer", told.QUESTION, "--explain").stdout + run("search", "长").stdout
    assert max(map(cell_len, shown.splitlines())) <= WIDTH
    assert "\x1b" not in shown
    assert not any(line.endswith(" ") for line in shown.splitlines())


def test_nothing_reliable_is_said_and_is_no_failure(run: Run) -> None:
    result = run("answer", "量子")
    assert (result.exit_code, "nothing reliable" in result.stdout) == (0, True)


def test_a_stored_text_cannot_steer_the_terminal(run: Run, graph: FakeGraph) -> None:
    graph.add([{"id": "m1", "text": "仓库 \x1b[2J [bold red]x[/] \u202e"}])
    shown = run("answer", "仓库", "--explain").stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[bold red]x[/]" in shown


@pytest.mark.parametrize("where", ["{", '{"field": "sendr", "value": "x"}', "NaN"])
def test_a_bad_filter_is_told_by_option(run: Run, where: str) -> None:
    result = run("search", "x", "--where", where)
    assert (result.exit_code, "--where" in result.stderr) == (2, True)


def test_a_time_without_offset_is_a_usage_error(run: Run) -> None:
    result = run("search", "x", "--asked-at", "2026-03-06T10:00")
    assert (result.exit_code, "UTC offset" in result.stderr) == (2, True)
