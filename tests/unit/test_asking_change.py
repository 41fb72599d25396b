"""Asking about what changed: what holds, what held, what was known, whether and since when it changed, who disagrees.

The edges of change are drawn here by hand, so that only the asking is tested; the reports go the whole way.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.errors import FieldInvalid
from graphsvc.ingest.change import Changes, Worked
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import AnswerStatus, SearchResult
from graphsvc.models.change import Standing
from graphsvc.models.facts import Language
from graphsvc.models.graph import Edge, EdgeType
from graphsvc.models.memory import MemoryStatus
from graphsvc.models.question import Question, Validity
from graphsvc.retrieve.change.asked import Sought, before_what, sought
from graphsvc.retrieve.change.ties import Tie, in_force, restored
from graphsvc.retrieve.parse.validity import validity
from graphsvc.store.filters import eq
from tests.asking import emptied
from tests.builders import NOW, ids, memory_node
from tests.graphs import open_graph

FIRST = "2026-01-05T10:00:00+08:00"
SECOND = "2026-02-05T10:00:00+08:00"
THIRD = "2026-03-01T10:00:00+08:00"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path_factory.mktemp("graph"), BundledEncoder()) as graph:
        yield graph


@pytest.fixture
def graph(real: MemoryGraph) -> Iterator[MemoryGraph]:
    yield real
    emptied(real)


@pytest.fixture
def by_hand(graph: MemoryGraph, monkeypatch: pytest.MonkeyPatch) -> MemoryGraph:
    """A graph in which nothing draws edges of change but the test."""
    monkeypatch.setattr(Changes, "of_batch", lambda *_: Worked())
    return graph


def add(graph: MemoryGraph, *told: tuple[str, str, str]) -> None:
    graph.add([{"id": name, "text": text, "event_time": time, "conversation_id": "talk"} for name, text, time in told])


def tie(later: str, earlier: str, kind: EdgeType, since: str, *, whole: bool = True, slot: str | None = None) -> Edge:
    return Edge(
        source=memory_node(later),
        target=memory_node(earlier),
        type=kind,
        event_time=datetime.fromisoformat(since),
        valid_from=datetime.fromisoformat(since),
        recorded_at=NOW,
        whole=whole,
        slot=slot,
        origin="test",
    )


def draw(graph: MemoryGraph, *edges: Edge) -> None:
    """Draw edges and say where their targets stand because of them."""
    falls: dict[str, Standing] = {}
    for edge in sorted(edges, key=lambda one: one.valid_from or NOW, reverse=True):
        if edge.whole and edge.type is not EdgeType.CONTRADICTS:
            status = MemoryStatus.RETRACTED if edge.type is EdgeType.RETRACTS else MemoryStatus.SUPERSEDED
            name = ids(edge.target.id)[0]
            falls[name] = Standing(
                id=name, status=status, ended_at=edge.valid_from, ended_by=tuple(ids(edge.source.id))
            )
    graph.store.put_standings("default", list(falls.values()), edges=edges)


def found(result: SearchResult) -> list[str]:
    return [one.memory.id for one in result.candidates]


@pytest.fixture
def moved(by_hand: MemoryGraph) -> MemoryGraph:
    """A choir's room twice changed; the last change shares no word with a question for the room."""
    add(
        by_hand,
        ("a", "The choir rehearses in the Lark room.", FIRST),
        ("b", "Choir: we are in the Heron room instead.", SECOND),
        ("c", "They flooded it, so everyone goes to Wren hall from now on.", THIRD),
        ("x", "The chess club meets in the Lark room too.", FIRST),
    )
    draw(
        by_hand,
        tie("b", "a", EdgeType.SUPERSEDES, SECOND),
        tie("c", "a", EdgeType.SUPERSEDES, THIRD),
        tie("c", "b", EdgeType.SUPERSEDES, THIRD),
    )
    return by_hand


def test_the_last_of_a_chain_comes_first_though_it_shares_no_word(moved: MemoryGraph) -> None:
    result = moved.search("which room does the choir rehearse in", asked_at=NOW)
    assert found(result)[0] == "c"
    assert not {"a", "b"} & set(found(result))
    assert any(stage.name == "change" and "left out" in stage.applied for stage in result.stages)


def test_what_holds_is_accepted_and_never_what_fell(moved: MemoryGraph) -> None:
    answer = moved.answer("which room does the choir rehearse in", asked_at=NOW)
    assert [one.memory_id for one in answer.evidence] == ["c"]


def test_a_question_asked_between_two_changes_gets_what_was_then_in_force(moved: MemoryGraph) -> None:
    between = datetime.fromisoformat(THIRD) - timedelta(days=1)
    assert found(moved.search("which room does the choir rehearse in", asked_at=between))[0] == "b"


@pytest.mark.parametrize(("as_of", "held"), [(FIRST, "a"), (SECOND, "b"), (THIRD, "c")])
def test_as_of_gives_what_held_at_that_moment(moved: MemoryGraph, as_of: str, held: str) -> None:
    moment = datetime.fromisoformat(as_of) + timedelta(hours=1)
    result = moved.search("which room does the choir rehearse in", asked_at=NOW, as_of=moment)
    assert found(result)[0] == held
    assert not {"a", "b", "c"} - {held} & set(found(result))
    assert any(f"held at {moment.isoformat()}" in stage.applied for stage in result.stages)


def test_known_at_sees_nothing_recorded_later(moved: MemoryGraph) -> None:
    before = moved.answer("which room does the choir rehearse in", asked_at=NOW, known_at=NOW - timedelta(seconds=1))
    assert before.status is AnswerStatus.NOTHING_RELIABLE
    assert before.evidence == ()
    assert any(stage.applied.startswith("recorded by") and not stage.remaining for stage in before.stages)


def test_known_at_leaves_out_edges_recorded_later(by_hand: MemoryGraph) -> None:
    add(by_hand, ("a", "The choir rehearses in the Lark room.", FIRST), ("b", "Choir: Heron room instead.", SECOND))
    late = tie("b", "a", EdgeType.SUPERSEDES, SECOND).model_copy(update={"recorded_at": NOW + timedelta(days=1)})
    draw(by_hand, late)
    asked_at = NOW + timedelta(days=2)
    assert "a" not in found(by_hand.search("which room is the choir in", asked_at=asked_at))
    assert "a" in found(by_hand.search("which room is the choir in", asked_at=asked_at, known_at=NOW))


@pytest.mark.parametrize("field", ["as_of", "known_at"])
def test_a_moment_without_a_zone_is_refused_by_its_name(graph: MemoryGraph, field: str) -> None:
    for ask in (graph.search, graph.answer):
        with pytest.raises(FieldInvalid) as refused:
            ask("where is it", **{field: datetime(2026, 3, 1)})  # type: ignore[arg-type]  # two signatures
        assert refused.value.where == field


def test_the_previous_one_is_the_one_right_before(moved: MemoryGraph) -> None:
    assert moved.answer("which room was the choir in previously", asked_at=NOW).evidence[0].memory_id == "b"


def test_the_original_one_is_the_first_of_the_chain(moved: MemoryGraph) -> None:
    assert moved.answer("which room was the choir in originally", asked_at=NOW).evidence[0].memory_id == "a"


def test_whether_it_ever_changed_is_told_by_the_whole_chain_in_order(moved: MemoryGraph) -> None:
    answer = moved.answer("has the choir's room ever changed", asked_at=NOW)
    assert [one.memory_id for one in answer.evidence] == ["a", "b", "c"]
    assert answer.value is not None
    assert (answer.value.type, answer.value.normalised) == ("yes_no", "yes")


def test_since_when_is_told_by_the_one_in_force(moved: MemoryGraph) -> None:
    answer = moved.answer("since when has the choir been in another room", asked_at=NOW)
    assert answer.value is not None
    assert answer.value.memory_id == "c"
    assert answer.value.normalised == datetime.fromisoformat(THIRD).astimezone(NOW.tzinfo).isoformat()


def test_the_callers_filter_keeps_a_successor_out(moved: MemoryGraph) -> None:
    result = moved.search("which room does the choir rehearse in", asked_at=NOW, where=eq("id", "a"))
    assert found(result) == []


def test_a_memory_that_fell_in_part_stays_behind_its_successor(by_hand: MemoryGraph) -> None:
    add(
        by_hand,
        ("a", "Piano is on Mondays at four with Mr Aldous.", FIRST),
        ("b", "Piano goes to Thursdays, same hour.", SECOND),
    )
    draw(by_hand, tie("b", "a", EdgeType.SUPERSEDES, SECOND, whole=False, slot="piano"))
    assert found(by_hand.search("which day is piano", asked_at=NOW))[:2] == ["b", "a"]
    assert found(by_hand.search("who is Aldous", asked_at=NOW))[0] == "a"


def test_what_expired_is_never_found(graph: MemoryGraph) -> None:
    graph.add([{"id": "a", "text": "The gate code is 4471.", "event_time": FIRST, "expires_at": SECOND}])
    assert found(graph.search("what was the gate code originally", asked_at=NOW)) == []
    assert found(graph.search("gate code", asked_at=datetime.fromisoformat(FIRST))) == ["a"]


def test_two_that_contradict_each_other_are_a_conflict_with_both_sides(by_hand: MemoryGraph) -> None:
    add(by_hand, ("a", "地块量出来是3.6亩", FIRST), ("b", "老册子上写的地块是3.9亩", SECOND))
    draw(by_hand, tie("b", "a", EdgeType.CONTRADICTS, SECOND, whole=False, slot="地块"))
    answer = by_hand.answer("地块是多少亩", asked_at=NOW)
    assert answer.status is AnswerStatus.CONFLICT
    assert {one.memory_id for one in answer.evidence} == {"a", "b"}


def test_a_contradiction_about_another_identifier_is_none(by_hand: MemoryGraph) -> None:
    add(by_hand, ("a", "发票INV-30468还没付", FIRST), ("b", "发票INV-30462已付讫", SECOND))
    draw(by_hand, tie("b", "a", EdgeType.CONTRADICTS, SECOND, whole=False, slot="发票"))
    assert by_hand.answer("INV-30468付了吗", asked_at=NOW).conflicts == ()


def test_what_quotes_an_overturned_value_is_shown_as_stale(by_hand: MemoryGraph) -> None:
    add(by_hand, ("a", "The choir rehearses in the Lark room.", FIRST))
    by_hand.store.put_standings("default", [Standing(id=ids("a")[0], stale_sources=tuple(ids("z")))])
    answer = by_hand.answer("which room does the choir rehearse in", asked_at=NOW)
    assert [one.stale for one in answer.evidence] == [True]


def _tie(later: str, earlier: str, *, takes_back: bool = False) -> Tie:
    kind = EdgeType.RETRACTS if takes_back else EdgeType.SUPERSEDES
    one, other = ids(later, earlier)
    return Tie(kind, one, other, None, True, NOW, 1.0, takes_back)


def test_what_was_taken_back_overturns_nothing_and_what_it_replaced_stands_for_it() -> None:
    ties = [_tie("b", "a"), _tie("t", "b", takes_back=True)]
    standing = in_force(ties)
    assert [(one.later, one.earlier) for one in standing] == [("t", "b")]
    assert [(one.later, one.earlier) for one in restored(ties, standing)] == [("a", "b")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("合同金额改过吗", Sought.WHETHER),
        ("was the deadline ever moved", Sought.WHETHER),
        ("地址换过几次", Sought.TIMES),
        ("how many times was the date changed", Sought.TIMES),
        ("什么时候改的", Sought.SINCE),
        ("从什么时候开始用这个牌子的", Sought.SINCE),
        ("since when do we meet on Fridays", Sought.SINCE),
        ("when did we switch to the new supplier", Sought.SINCE),
        ("为什么换供应商", Sought.REASON),
        ("why did she stop taking lessons", Sought.REASON),
        ("之前的电话是多少", Sought.PREVIOUS),
        ("where did we live before we moved", Sought.PREVIOUS),
        ("最早定的是哪天", Sought.FIRST),
        ("what was the price at first", Sought.FIRST),
        ("现在的电话是多少", Sought.CURRENT),
        ("when does the shop open", Sought.CURRENT),
        ("他换过来以后坐哪", Sought.CURRENT),
    ],
)
def test_the_wording_says_which_of_a_chain_is_asked_for(text: str, expected: Sought) -> None:
    question = Question(text=text, language=Language.MIXED, asked_at=NOW, query_type="general", validity=validity(text))
    assert sought(question) is expected


def test_a_change_named_by_the_question_is_read_from_before_it() -> None:
    assert before_what("换路由器之前密码是多少") == "换路由器"
    assert before_what("what was the code before we changed the lock") == "we changed the lock"
    assert before_what("现在的密码是多少") == ""
    assert validity("换路由器之前密码是多少") is Validity.HISTORICAL


def test_a_statement_of_migration_replaces_the_old_value(graph: MemoryGraph) -> None:
    """Report A03."""
    graph.add(
        [
            {"id": "old", "text": "项目A的缓存用Redis", "event_time": "2026-03-01T10:00:00+08:00"},
            {"id": "new", "text": "项目A的缓存已从Redis换成Memcached", "event_time": "2026-03-05T10:00:00+08:00"},
        ]
    )
    now = found(graph.search("项目A现在用什么缓存", asked_at=NOW))
    assert now[0] == "new"
    assert "old" not in now
    then = graph.answer("项目A用什么缓存", asked_at=NOW, as_of=datetime.fromisoformat("2026-03-02T12:00:00+08:00"))
    assert [one.memory_id for one in then.evidence] == ["old"]


def test_a_liking_given_up_is_no_liking(graph: MemoryGraph) -> None:
    """Report A04."""
    graph.add(
        [
            {"id": "liked", "text": "我喜欢喝美式", "event_time": FIRST, "sender": "user"},
            {"id": "over", "text": "我不再喝美式了", "event_time": SECOND, "sender": "user"},
            {"id": "hate", "text": "I hate cilantro", "event_time": SECOND, "sender": "user"},
        ]
    )
    assert found(graph.search("用户现在喝美式吗", asked_at=NOW))[0] == "over"
    assert "liked" not in found(graph.search("用户现在喝美式吗", asked_at=NOW))
    liked = graph.answer("what does the user like to eat", asked_at=NOW)
    assert "hate" not in {one.memory_id for one in liked.evidence}
