"""The reports on asking, end to end: each question goes through a memory graph with the bundled encoder."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import FilterInvalid
from graphsvc.interfaces.http.app import create_app
from graphsvc.interfaces.where import read_where
from graphsvc.language.segment import index_tokens
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import AnswerStatus
from graphsvc.models.question import Route
from graphsvc.settings import Settings
from graphsvc.store.filters import Op, compare
from tests.asking import REFUSED, emptied, quotes, tell
from tests.builders import edge, entity, entity_node, entry, memory_node, random_unit

FIRST, BETWEEN, LAST = (f"2026-03-0{day}T10:00:00+08:00" for day in (1, 2, 5))
MIDNIGHT = "2026-03-01T00:00:00+08:00"
ONE_MOMENT = [MIDNIGHT, "2026-02-28T16:00:00Z", "2026-02-28T11:00:00-05:00"]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    folder = tmp_path_factory.mktemp("graph")
    settings = Settings(cache_dir=folder / "cache")
    with MemoryGraph.open(f"sqlite:///{folder / 'store'}", settings=settings, encoder=BundledEncoder()) as graph:
        yield graph


@pytest.fixture
def graph(real: MemoryGraph) -> Iterator[MemoryGraph]:
    yield real
    emptied(real)


@pytest.mark.parametrize(
    ("one", "other", "question", "first_name"),
    [
        ("Marco Bianchi books the court on Mondays", "Marco Duarte is allergic to shellfish",
         "Which day does Marco Bianchi book the court?", "Marco"),
        ("Priya Nair sits on the third floor", "Priya Shah moved to Dublin",
         "Where does Priya Nair sit?", "Priya"),
        ("何塞·里维拉负责报关", "何塞·莫拉下周去里斯本", "何塞·里维拉负责什么", "何塞"),
        ("阿里·汗喜欢下午开会", "阿里·马五月前都在休假", "阿里·汗喜欢什么时候开会", "阿里"),
    ],
)  # fmt: skip
def test_a_full_name_is_answered_of_its_bearer_and_a_first_name_is_ambiguous(
    one: str, other: str, *, question: str, first_name: str, graph: MemoryGraph
) -> None:
    """Report A01: a shared first name becomes one tag, and drags in another person's memories."""
    told, _ = tell(graph, one, other)
    assert graph.search(question).candidates[0].memory.id == told.id
    assert quotes(graph.answer(question)) == [one]
    bare = graph.answer(first_name)
    assert bare.status is AnswerStatus.AMBIGUOUS
    assert len({bearer.entity for bearer in bare.ambiguous[0].bearers}) == 2


@pytest.mark.parametrize(
    ("old", "new", "now", "before"),
    [
        ("项目A的缓存用Redis", "项目A的缓存已从Redis换成Memcached",
         "项目A现在用什么缓存", "项目A以前用什么缓存"),
        ("项目A的缓存用Redis", "项目A的缓存已从Redis换成Memcached",
         "项目A用的是什么缓存？", "项目A之前的缓存是什么"),
        ("周会定在周二上午", "周会改到周四上午了", "周会现在是哪天", "周会原来是哪天"),
        ("会议室密码是4417", "会议室密码已改为9023", "会议室密码是多少", "会议室密码原来是多少"),
        ("The billing service runs on MySQL", "The billing service has moved from MySQL to Postgres",
         "What does the billing service run on now?", "What did the billing service run on before?"),
        ("Our office is on Linden Street", "Our office moved to Harbour Road",
         "Where is our office now?", "Where was our office before?"),
        ("The gate code is 5518", "The gate code was changed to 7740",
         "What is the gate code?", "What was the gate code before?"),
    ],
)  # fmt: skip
def test_the_newest_answers_for_now_and_what_it_replaced_for_before(
    old: str, new: str, *, now: str, before: str, graph: MemoryGraph
) -> None:
    """Report A03: both sides of a move stay active, and the old one answers."""
    tell(graph, old, event_time=FIRST)
    tell(graph, new, event_time=LAST)
    assert graph.search(now).candidates[0].memory.text == new
    assert quotes(graph.answer(now)) == [new]
    assert quotes(graph.answer(before))[0] == old
    assert quotes(graph.answer(now, asked_at=datetime.fromisoformat(BETWEEN))) == [old]


@pytest.mark.parametrize(
    ("speaker", "told", "of_speaker", "of_relative"),
    [
        ("陈默", "我妈妈怕猫", "陈默怕什么", "陈默的妈妈怕什么"),
        ("石磊", "我女儿在学大提琴", "石磊在学什么", "石磊的女儿在学什么"),
        ("Ruth", "My brother collects stamps", "What does Ruth collect?", "What does Ruth's brother collect?"),
    ],
)
def test_what_a_relative_does_is_told_of_the_relative_alone(
    speaker: str, told: str, *, of_speaker: str, of_relative: str, graph: MemoryGraph
) -> None:
    """Report A05: a fact about a third party is filed under the speaker."""
    tell(graph, told, sender=speaker)
    assert graph.answer(of_speaker).status in REFUSED
    assert quotes(graph.answer(of_relative)) == [told]


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    """Two memories, one said and kept half an hour before a midnight of Shanghai, one ten minutes after it."""
    folder = tmp_path_factory.mktemp("dated")
    moments = {"r1": "2026-02-28T23:30:00+08:00", "r2": "2026-03-01T00:10:00+08:00"}
    now = [datetime.fromisoformat("2026-03-06T10:00:00+08:00")]
    settings = Settings(cache_dir=folder / "cache")
    url = f"sqlite:///{folder / 'store'}"
    with MemoryGraph.open(url, settings=settings, encoder=HashingEncoder(), clock=lambda: now[0]) as graph:
        for name, moment in moments.items():
            now[0] = datetime.fromisoformat(moment)
            tell(graph, f"仓库盘点 {name}", id=name)
        now[0] = datetime.fromisoformat("2026-03-06T10:00:00+08:00")
        yield graph


def found(graph: MemoryGraph, field: str, op: Op, value: str) -> set[str]:
    result = graph.search("仓库盘点", where=compare(field, op, value))
    return {str(one.memory.id) for one in result.candidates}


@pytest.mark.parametrize("field", ["event_time", "recorded_at"])
@pytest.mark.parametrize("moment", ONE_MOMENT)
def test_a_date_filter_compares_moments_whatever_their_offset(field: str, moment: str, dated: MemoryGraph) -> None:
    """Report A19: dates compared as text or numbers find nothing."""
    assert found(dated, field, Op.GTE, moment) == {"r2"}
    assert found(dated, field, Op.GT, moment) == {"r2"}
    assert found(dated, field, Op.LT, moment) == {"r1"}
    assert found(dated, field, Op.LTE, moment) == {"r1"}


@pytest.mark.parametrize("field", ["event_time", "recorded_at"])
@pytest.mark.parametrize("moment", ["2026-03-01T00:10:00+08:00", "2026-02-28T16:10:00Z"])
def test_a_date_filter_is_exact_at_its_boundary(field: str, moment: str, dated: MemoryGraph) -> None:
    """Report A19: the moment itself is in with gte and lte, out with gt and lt."""
    assert found(dated, field, Op.GTE, moment) == {"r2"}
    assert found(dated, field, Op.GT, moment) == set()
    assert found(dated, field, Op.LT, moment) == {"r1"}
    assert found(dated, field, Op.LTE, moment) == {"r1", "r2"}


@pytest.fixture(scope="module")
def served(dated: MemoryGraph) -> Iterator[TestClient[Litestar]]:
    """One client for all: the application closes its graph when it shuts down."""
    with TestClient(create_app(dated, Settings()), raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("field", ["event_time", "recorded_at"])
@pytest.mark.parametrize("value", ["2026-3-1x", "2026-02-30T00:00:00Z", "2026-03-01T00:00:00", "昨天", 20260301])
def test_a_bad_date_is_refused_with_its_place(field: str, value: object, served: TestClient[Litestar]) -> None:
    """Report A19: a bad value is told, and never finds nothing in silence."""
    where = {"field": field, "op": "gte", "value": value}
    with pytest.raises(FilterInvalid, match=re.escape(str(value))):
        read_where(where)
    for path in ("/v1/search", "/v1/answer"):
        reply = served.post(path, json={"question": "仓库盘点", "where": where})
        assert reply.status_code == 400
        assert reply.headers["content-type"] == "application/problem+json"
        assert reply.json()["where"] == "where"
        assert str(value) in reply.json()["detail"]


SHIPPING = (
    "仓库每天下午六点关门", "冷链车周三到杭州", "木托盘要熏蒸后才能出口", "叉车司机小梁周五休假", "提单号是HLCU7781234",
)  # fmt: skip
HARBOUR = (
    "The ferry to Skarholm leaves at 7:40", "Crates of herring are weighed at dock 3",
    "The harbour master is Ingrid Voss", "Diesel costs 1.62 per litre at the quay", "Nets are mended on Thursdays",
)  # fmt: skip


@pytest.mark.parametrize("stored", [SHIPPING, HARBOUR])
@pytest.mark.parametrize("question", ["zzqx-9917", "When does zzqx-9917 leave?", "HLCU7781235 是什么单"])
def test_a_code_nobody_wrote_down_is_refused(stored: tuple[str, ...], question: str, graph: MemoryGraph) -> None:
    """Report A34: fused ranks always give a first one."""
    tell(graph, *stored)
    answer = graph.answer(question)
    assert answer.status is AnswerStatus.NOTHING_RELIABLE
    assert answer.evidence == ()
    assert answer.missing


@pytest.mark.parametrize(
    ("stored", "question", "right"),
    [
        (SHIPPING, "仓库几点关门", 0), (SHIPPING, "冷链车什么时候到杭州", 1), (SHIPPING, "小梁哪天休假", 3),
        (SHIPPING, "提单号是多少", 4), (HARBOUR, "When does the ferry to Skarholm leave?", 0),
        (HARBOUR, "Who is the harbour master?", 2), (HARBOUR, "When are nets mended?", 4),
    ],
)  # fmt: skip
def test_what_is_stored_is_answered(stored: tuple[str, ...], question: str, *, right: int, graph: MemoryGraph) -> None:
    """Report A34: refusing everything would be no better."""
    tell(graph, *stored)
    answer = graph.answer(question)
    assert answer.status is AnswerStatus.ANSWERED
    assert quotes(answer) == [stored[right]]


@pytest.mark.parametrize("question", ["仓库几点关门", "zzqx-9917", "Who is the harbour master?"])
def test_an_empty_store_is_another_reason_than_too_weak(question: str, graph: MemoryGraph) -> None:
    """Report A34: nothing stored is told apart from nothing reliable."""
    assert graph.answer(question).status is AnswerStatus.NOTHING_STORED
    tell(graph, "冷链车周三到杭州", namespace="another")
    assert graph.answer(question).status is AnswerStatus.NOTHING_STORED


@pytest.mark.parametrize(
    ("one", "other", "word", "of_one", "of_other"),
    [
        ("We met at the bank to sign the mortgage", "Herons nest on the bank below the weir",
         "bank", "mortgage at the bank", "herons on the bank"),
        ("Apple opened a new campus in Austin", "She baked an apple into the strudel",
         "apple", "Apple campus", "apple strudel"),
        ("小米的季度财报下周公布", "早饭煮了小米粥", "小米", "小米的财报", "小米粥"),
        ("Python 脚本每晚跑一次备份", "动物园新来了一条蟒蛇 python", "python", "Python 备份脚本", "动物园的 python"),
        ("杜鹃在窗外叫了一早上", "阳台的杜鹃开花了", "杜鹃", "杜鹃的叫声", "杜鹃开花"),
    ],
)  # fmt: skip
def test_a_question_in_one_sense_gets_that_sense_and_the_bare_word_both(
    one: str, other: str, *, word: str, of_one: str, of_other: str, graph: MemoryGraph
) -> None:
    """Report A51: one surface form, one node."""
    tell(graph, one, other)
    assert quotes(graph.answer(of_one)) == [one]
    assert quotes(graph.answer(of_other)) == [other]
    bare = graph.answer(word)
    assert bare.status is AnswerStatus.AMBIGUOUS
    assert set(quotes(bare)) == {one, other}


COMPANY = "恒远公司"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    """A company that 5,000 memories mention beside three that say with whom it deals. Only read."""
    encoder = BundledEncoder()
    folder: Path = tmp_path_factory.mktemp("hub")
    settings = Settings(cache_dir=folder / "cache")
    with MemoryGraph.open(f"sqlite:///{folder / 'store'}", settings=settings, encoder=encoder) as graph:
        tell(graph, "恒远公司和许鹏谈过合作", "许鹏负责海运的报价", "海运的报价四月生效", event_time=FIRST)
        known = entity(f"organisation:{COMPANY}", COMPANY, kind="organisation", name=COMPANY)
        graph.store.put(
            [
                entry(
                    f"crowd{n:04}",
                    f"恒远公司第{n}号入库单",
                    tokens=index_tokens(f"恒远公司第{n}号入库单"),
                    vector=random_unit(n, dimension=encoder.fingerprint.dimension),
                    entities=[known],
                    edges=[edge(memory_node(f"crowd{n:04}"), entity_node(known.id))],
                )
                for n in range(5_000)
            ]
        )
        graph.warm_up()
        yield graph


@pytest.mark.parametrize(
    "question", ["恒远公司和谁有关系", "哪些人和恒远公司有来往", "Who is connected with 恒远公司?"]
)
def test_a_question_about_a_hub_is_bounded_quick_and_the_same_twice(question: str, hub: MemoryGraph) -> None:
    """Report A46: expansion inherits a hub's whole fan-out."""
    hub.search(question)
    started = time.perf_counter()
    found = hub.search(question, limit=200)
    assert time.perf_counter() - started < 1.0
    trace = hub.trace(found.trace_id)
    assert trace.question.route is Route.GRAPH
    assert trace.truncated
    assert len(trace.hops) <= 50
    assert len(found.candidates) <= 200
    ids = [one.memory.id for one in found.candidates]
    assert [one.memory.id for one in hub.search(question, limit=200).candidates] == ids
    started = time.perf_counter()
    answer = hub.answer(question)
    assert time.perf_counter() - started < 1.0
    assert hub.answer(question).evidence == answer.evidence
    assert hub.trace(answer.trace_id).truncated
