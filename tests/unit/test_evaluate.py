"""Evaluation: each metric on hand-made outcomes, what a file may hold, and a tiny file from end to end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import FieldInvalid
from graphsvc.evaluate import baselines, run
from graphsvc.evaluate.baselines import METHODS, Baselines
from graphsvc.evaluate.files import read_evaluation
from graphsvc.evaluate.report import Metrics, Outcome, metrics, report
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import AnswerStatus
from tests.graphs import open_graph

ANSWERED, CONFLICT = AnswerStatus.ANSWERED, AnswerStatus.CONFLICT
NOTHING_RELIABLE, NOTHING_STORED = AnswerStatus.NOTHING_RELIABLE, AnswerStatus.NOTHING_STORED
Write = Callable[..., Path]


def outcome(name: str, ranked: str = "", *, relevant: str = "", forbidden: str = "", **fields: object) -> Outcome:
    """An outcome whose memories are single letters."""
    given = {
        "file": "a.jsonl", "language": "en", "query_type": "general", "answerable": bool(relevant), "conflict": False,
        "id": name, "ranked": tuple(ranked), "relevant": tuple(relevant), "forbidden": tuple(forbidden), **fields,
    }  # fmt: skip
    return Outcome.model_validate(given)


# Four answerable questions and two that nothing answers, with what was right and what came back.
OUTCOMES = (
    outcome(
        "first", "abcdef", relevant="a", forbidden="b", status=ANSWERED, evidence=("a",), probability=0.9, ms=10.0
    ),
    outcome(
        "second", "bacdef", relevant="ad", forbidden="b", status=ANSWERED, evidence=("a", "b"), probability=0.6,
        ms=20.0, language="zh",
    ),
    outcome("sixth", "bcdefa", relevant="a", status=NOTHING_RELIABLE, probability=0.3, ms=30.0, query_type="amount"),
    outcome(
        "both", "xaby", relevant="ab", conflict=True, status=CONFLICT, evidence=("a", "b"), probability=0.5, ms=40.0,
        language="zh",
    ),
    outcome("none", "ab", forbidden="z", status=NOTHING_STORED, probability=0.3, ms=50.0, file="b.jsonl"),
    outcome("wrong", "ab", forbidden="a", status=ANSWERED, evidence=("a",), probability=0.7, ms=60.0, file="b.jsonl"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("queries", 6),
        ("hit@1", 1 / 4),  # of the answerable only the first opens with something relevant
        ("hit@5", 3 / 4),  # the sixth has it in sixth place
        ("mrr", (1 + 1 / 2 + 1 / 6 + 1 / 2) / 4),
        ("recall@10", 1),
        ("accuracy", 2 / 4),  # the second shows something forbidden, the sixth abstains
        ("forbidden_above", 1 / 2),  # of first and second
        ("forbidden_accepted", 2 / 4),  # second and wrong, of first, second, none, wrong
        ("false_abstain", 1 / 4),
        ("wrong_accept", 1 / 2),
        # 0.9 beats 0.3 and 0.7; 0.6 and 0.5 beat 0.3; 0.3 ties 0.3: 4.5 of 8 pairs.
        ("auroc", 4.5 / 8),
        ("conflict_found", 1),
        ("p50_ms", 35),
        ("p95_ms", 57.5),
    ],
)
def test_each_metric_is_what_the_table_says(metric: str, value: float) -> None:
    assert metrics(OUTCOMES)[metric] == pytest.approx(value)


def test_recall_stops_at_ten() -> None:
    late = outcome("q", "bcdefghijka", relevant="ab", status=ANSWERED)
    assert metrics([late])["recall@10"] == 0.5


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"evidence": ("b", "a")}, 1.0),
        ({"evidence": ("a",)}, 0.0),
        ({"evidence": ("a", "b"), "status": ANSWERED}, 0.0),
    ],
    ids=["both sides", "one side", "not told as a conflict"],
)
def test_a_conflict_is_found_when_it_is_told_with_both_sides(changed: dict[str, object], found: float) -> None:
    one = outcome("q", "ab", relevant="ab", conflict=True, **{"status": CONFLICT, **changed})
    assert metrics([one])["conflict_found"] == found


@pytest.mark.parametrize(
    ("evidence", "forbidden", "correct"),
    [("a", "", 1.0), ("ba", "", 0.0), ("ab", "", 1.0), ("ab", "b", 0.0), ("", "", 0.0)],
)
def test_an_answer_is_accurate_when_it_opens_right_and_shows_nothing_forbidden(
    evidence: str, forbidden: str, correct: float
) -> None:
    one = outcome("q", "ab", relevant="a", forbidden=forbidden, status=ANSWERED, evidence=tuple(evidence))
    assert metrics([one])["accuracy"] == correct


def test_a_metric_without_a_query_to_measure_is_absent() -> None:
    told = metrics([outcome("q", "ab", relevant="a", status=ANSWERED)])
    absent = {name for name, value in told.items() if value is None}
    assert absent == {
        "forbidden_above", "forbidden_accepted", "wrong_accept", "auroc", "conflict_found", "p50_ms", "p95_ms",
    }  # fmt: skip


def test_ranking_alone_has_no_decision_metrics() -> None:
    told = metrics([outcome("q", "ab", relevant="a")])
    assert set(told) == {"queries", "hit@1", "hit@5", "mrr", "recall@10", "forbidden_above"}


def test_groups_are_measured_apart() -> None:
    told = report(OUTCOMES)
    assert _counts(told.by_language) == {"en": 4, "zh": 2}
    assert _counts(told.by_query_type) == {"amount": 1, "general": 5}
    assert _counts(told.by_file) == {"a.jsonl": 4, "b.jsonl": 2}
    assert told.by_language["zh"]["mrr"] == pytest.approx(1 / 2)
    assert told.by_query_type["amount"]["false_abstain"] == 1
    assert [one.id for one in told.queries] == [one.id for one in OUTCOMES]
    assert told.queries[1].evidence == ("a", "b")


def _counts(groups: dict[str, Metrics]) -> dict[str, float | None]:
    return {name: told["queries"] for name, told in groups.items()}


MEMORIES: list[dict[str, object]] = [
    {"kind": "memory", "id": "m2", "text": "The lift is repaired", "event_time": "2026-03-02T10:00:00+08:00"},
    {"kind": "memory", "id": "m1", "text": "仓库六点关门", "event_time": "2026-03-01T10:00:00+08:00", "note": "x"},
    {"kind": "memory", "id": "m3", "text": "仓库改到八点关门", "event_time": "2026-03-05T10:00:00+08:00"},
]
QUERIES: list[dict[str, object]] = [
    {
        "kind": "query", "id": "q1", "text": "仓库几点关门", "asked_at": "2026-03-03T10:00:00+08:00",
        "relevant": ["m1"], "forbidden": ["m3"], "query_type": "time_point", "why": "y",
    },
    {
        "kind": "query", "id": "q2", "text": "Is the lift repaired?", "asked_at": "2026-03-03T10:00:00+08:00",
        "relevant": ["m2"],
    },
    {
        "kind": "query", "id": "q3", "text": "Who sings in the opera?", "asked_at": "2026-03-03T10:00:00+08:00",
        "answerable": False,
    },
]  # fmt: skip


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(*lines: object, name: str = "tiny.jsonl") -> Path:
        path = tmp_path / name
        texts = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
        path.write_text("\n".join(texts), encoding="utf-8")
        return path

    return to_file


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path_factory.mktemp("graph")) as graph:
        yield graph


def test_a_file_is_read_in_the_order_of_time_and_its_notes_are_ignored(write: Write) -> None:
    file = read_evaluation(write(*MEMORIES, "", *QUERIES))
    assert [memory.id for memory in file.memories] == ["m1", "m2", "m3"]
    assert [query.id for query in file.queries] == ["q1", "q2", "q3"]
    assert (file.queries[0].forbidden, file.queries[0].query_type) == (("m3",), "time_point")
    assert (file.queries[1].answerable, file.queries[2].answerable) == (True, False)


@pytest.mark.parametrize(
    ("line", "where", "what"),
    [
        ("{broken", "line 4", "not JSON"),
        ("[]", "line 4", "an object was expected"),
        ({"kind": "memory", "id": "m9"}, "line 4, text", "required"),
        ({"kind": "memory", "id": "m9", "text": "x", "event_time": "noon"}, "line 4, event_time", "ISO 8601"),
        ({"kind": "memory", "text": "x"}, "line 4, id", "required"),
        ({"kind": "query", "text": "x"}, "line 4, id", "required"),
        ({"kind": "query", "id": "q", "text": "x", "asked_at": "2026-03-03T10:00:00"}, "line 4, asked_at", "offset"),
        ({"kind": "query", "id": "q", "text": "x", "relevant": "m1"}, "line 4, relevant", "tuple"),
        ({"kind": "riddle", "id": "r"}, "line 4", "'riddle' is neither memory nor query"),
        ({"id": "r"}, "line 4", "neither memory nor query"),
        ({"kind": "query", "id": "q9", "text": "x", "forbidden": ["m8"]}, "", "q9 names memories that are not there"),
    ],
)
def test_an_error_names_file_line_and_field(write: Write, line: object, where: str, what: str) -> None:
    path = write(*MEMORIES, line)
    with pytest.raises(FieldInvalid) as caught:
        read_evaluation(path)
    assert caught.value.where == (f"{path}, {where}" if where else str(path))
    assert what in caught.value.what


def test_a_memory_that_cannot_be_stored_stops_the_run_and_is_named(write: Write, graph: MemoryGraph) -> None:
    path = write(MEMORIES[0], {"kind": "memory", "id": "m8", "text": "a\x00b"})
    with pytest.raises(FieldInvalid) as caught:
        run([path], graph)
    assert str(path) in caught.value.where
    assert "NUL" in caught.value.what
    assert graph.stats().memories == 0


def test_a_tiny_file_is_measured_from_end_to_end(write: Write, graph: MemoryGraph) -> None:
    told: list[int] = []
    measured = run([write(*MEMORIES, *QUERIES)], graph, on_progress=told.append)
    assert measured.summary["queries"] == 3
    assert measured.summary["hit@1"] == measured.summary["mrr"] == measured.summary["recall@10"] == 1
    assert measured.summary["forbidden_above"] == measured.summary["forbidden_accepted"] == 0
    assert measured.summary["accuracy"] == 1
    assert measured.summary["wrong_accept"] == measured.summary["false_abstain"] == 0
    assert _counts(measured.by_language) == {"en": 2, "zh": 1}
    assert set(measured.by_query_type) == {"general", "time_point"}
    first, second, third = measured.queries
    assert (first.candidates[0], first.evidence, "m3" in first.candidates) == ("m1", ("m1",), False)
    assert (second.status, second.evidence) == ("answered", ("m2",))
    assert (third.status, third.evidence) == ("nothing_reliable", ())
    assert sum(told) == len(MEMORIES) + len(QUERIES)


def test_files_do_not_meet_and_leave_nothing_behind(write: Write, graph: MemoryGraph) -> None:
    one = write(*MEMORIES, *QUERIES, name="one.jsonl")
    two = write(MEMORIES[0], QUERIES[1], name="two.jsonl")
    measured = run([one, two], graph)
    assert _counts(measured.by_file) == {"one.jsonl": 3, "two.jsonl": 1}
    assert measured.queries[-1].candidates == ("m2",)
    assert graph.stats().memories == 0


@pytest.mark.parametrize("method", METHODS)
def test_each_baseline_ranks_what_shares_words_first(method: str) -> None:
    texts = ["仓库六点关门", "The lift is repaired", "午饭吃了面条"]
    plain = Baselines(texts, HashingEncoder(), ["w", "l", "n"])
    assert plain.rank("仓库几点关门", method)[0] == "w"
    assert plain.rank("Is the lift repaired?", method)[0] == "l"
    assert set(plain.rank("lift", method)) == {"w", "l", "n"}
    assert plain.rank("lift", method, {"n"}) == ["n"]
    assert plain.rank("lift", method, set()) == []


def test_an_unknown_baseline_is_an_error() -> None:
    with pytest.raises(ValueError, match="magic"):
        Baselines(["a"], HashingEncoder(), ["a"]).rank("a", "magic")


def test_rare_words_weigh_more_than_common_ones() -> None:
    plain = Baselines(["crane hall", "crane dock", "crane yard", "yard"], HashingEncoder(), list("abcd"))
    assert plain.rank("crane dock", "bm25")[:3] == ["b", "a", "c"]


def test_baselines_leave_out_what_was_said_after_the_question(write: Write) -> None:
    told = baselines([write(*MEMORIES, *QUERIES)], HashingEncoder())
    assert set(told) == set(METHODS)
    for one in told.values():
        assert set(one.queries[0].candidates) == {"m1", "m2"}
        assert one.summary["hit@1"] == 1
        assert one.queries[0].status is None
        assert "accuracy" not in one.summary
