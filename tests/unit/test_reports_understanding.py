"""The reports on understanding, end to end: each input goes through a memory graph with the bundled encoder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.sentences import sentences
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import Answer, AnswerStatus
from graphsvc.models.facts import Attitude, HolderAgreement, Polarity
from graphsvc.models.memory import Memory
from graphsvc.store.base import Encoding
from graphsvc.store.filters import EVERYTHING
from tests.graphs import open_graph

REFUSED = {AnswerStatus.NOTHING_RELIABLE, AnswerStatus.NOTHING_STORED}
CORIANDER = "我弟弟不吃香菜，他让我帮他点菜"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path_factory.mktemp("graph"), BundledEncoder()) as graph:
        yield graph


@pytest.fixture
def graph(real: MemoryGraph) -> Iterator[MemoryGraph]:
    yield real
    for namespace in real.stats().namespaces:
        real.delete_all(EVERYTHING, namespace=namespace)


def tell(graph: MemoryGraph, *texts: str, **fields: str) -> list[Memory]:
    results = graph.add([{"text": text, **fields} for text in texts])
    assert all(result.error is None for result in results)
    return [graph.get(str(result.id)) for result in results]


def quotes(answer: Answer) -> list[str]:
    return [one.quote for one in answer.evidence]


def test_namesakes_share_a_first_name_and_no_memory(graph: MemoryGraph) -> None:
    """Report A01: expansion drags in another person's memories; a first name alone is ambiguous."""
    calls, _ = tell(graph, "Lena Hartmann prefers Tuesday calls", "Lena Okafor is on leave until May")
    found = graph.search("When does Lena Hartmann like to talk?")
    assert [one.memory.id for one in found.candidates] == [calls.id]
    answer = graph.answer("Lena")
    assert answer.status is AnswerStatus.AMBIGUOUS
    assert [bearer.name for bearer in answer.ambiguous[0].bearers] == ["Lena Hartmann", "Lena Okafor"]


def test_the_first_part_of_two_dotted_names_is_ambiguous(graph: MemoryGraph) -> None:
    """Report A01: a shared first name, in a name of two parts written in Chinese."""
    tell(graph, "阿里·汗喜欢下午开会", "阿里·马喜欢早上开会")
    answer = graph.answer("阿里")
    assert answer.status is AnswerStatus.AMBIGUOUS
    assert [bearer.name for bearer in answer.ambiguous[0].bearers] == ["阿里·汗", "阿里·马"]
    assert quotes(graph.answer("阿里·汗喜欢什么时候开会")) == ["阿里·汗喜欢下午开会"]


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/Los_Angeles"])
def test_yesterday_is_kept_in_the_zone_it_was_said_in(
    zone: str, graph: MemoryGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report A02: a relative day computed in the server's zone."""
    monkeypatch.setenv("TZ", zone)
    (sent,) = tell(graph, "昨天下午把样品寄出了", event_time="2026-03-06T00:20:00+08:00")
    (time,) = sent.facts.times
    assert time.begin is not None
    assert time.begin.isoformat() == "2026-03-05T12:00:00+08:00"


def test_a_negation_is_kept_and_a_dislike_is_never_served_as_a_liking(graph: MemoryGraph) -> None:
    """Report A04: "no longer" and "hate" stored as likings."""
    tell(graph, "我喜欢喝美式", event_time="2026-03-01T10:00:00+08:00")
    (ceased,) = tell(graph, "我不再喝美式了", event_time="2026-03-03T10:00:00+08:00")
    (hated,) = tell(graph, "I hate cilantro")
    assert ceased.facts.claims[0].polarity is Polarity.CEASED
    assert hated.facts.claims[0].attitude is Attitude.DISLIKE
    assert quotes(graph.answer("用户现在喝美式吗"))[0] == "我不再喝美式了"
    assert "I hate cilantro" not in quotes(graph.answer("what does the user like to eat"))


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("我讨厌香菜", "我爱吃什么"),
        ("我不喜欢吃香菜", "我喜欢吃什么"),
        ("I can't stand olives", "What do I like?"),
        ("我爱吃饺子", "我讨厌吃什么"),
        ("I love dumplings", "What do I dislike?"),
    ],
)
def test_what_is_liked_is_no_answer_to_what_is_disliked(told: str, question: str, graph: MemoryGraph) -> None:
    """Report A04: a dislike is the only thing stored, and likes are asked for; or the other way round."""
    tell(graph, told)
    assert graph.answer(question).status in REFUSED


def test_whether_something_is_liked_is_answered_by_a_dislike(graph: MemoryGraph) -> None:
    """Report A04: the question names the thing, so that a no answers it as well as a yes."""
    tell(graph, "I hate cilantro", "我讨厌香菜")
    assert quotes(graph.answer("Does the user like cilantro?")) == ["I hate cilantro"]
    assert quotes(graph.answer("我喜欢香菜吗")) == ["我讨厌香菜"]


@pytest.mark.parametrize(
    ("speaker", "told", "of_speaker", "of_relative"),
    [
        ("何琳", CORIANDER, "何琳不吃什么", "何琳的弟弟不吃什么"),
        ("周凯", "我妹妹不喝牛奶，她让我提醒大家", "周凯不喝什么", "周凯的妹妹不喝什么"),
        ("刘强", "我老婆对花生过敏", "刘强对什么过敏", "刘强的老婆对什么过敏"),
        (
            "Omar",
            "My daughter is allergic to peanuts",
            "What is Omar allergic to?",
            "What is Omar's daughter allergic to?",
        ),
    ],
)
@pytest.mark.parametrize("asked_by_them", [False, True])
def test_a_relatives_fact_answers_of_the_relative_alone(
    speaker: str, told: str, *, of_speaker: str, of_relative: str, asked_by_them: bool, graph: MemoryGraph
) -> None:
    """Report A05: a fact about a third party is filed under the speaker."""
    tell(graph, told, sender=speaker)
    asker = speaker if asked_by_them else None
    assert graph.answer(of_speaker, asked_by=asker).status in REFUSED
    assert quotes(graph.answer(of_relative, asked_by=asker)) == [told]


@pytest.mark.parametrize("dot", "·・•")
def test_two_dotted_names_are_two_people_whatever_the_dot(dot: str, graph: MemoryGraph) -> None:
    """Report A07: dotted names are cut, their neighbours glued to them."""
    tell(graph, f"翻译是阿依古丽{dot}买买提，审核是丽娜{dot}赵")
    named = {one.entity for one in graph.identities().find()[0]}
    assert named == {"person:阿依古丽·买买提", "person:丽娜·赵"}
    (person,) = graph.trace(graph.search("阿依古丽•买买提").trace_id).question.people
    assert person.entities == ("person:阿依古丽·买买提",)


def test_a_closing_quote_stays_with_its_sentence() -> None:
    """Report A09: a closing quote is pushed into the next sentence."""
    text = "“明天发货。”老陈说。大家同意。"
    assert [text[start:end] for start, end in sentences(text)] == ["“明天发货。”老陈说。", "大家同意。"]


def test_every_writing_of_an_amount_is_one_amount(graph: MemoryGraph) -> None:
    """Report A10: colloquial tails and 万零X千 are wrong, mixed digits unread."""
    tails, eights = tell(graph, "三万五; 一百二; 十二万零六百; 二十万零三千; 13万2", "80万, ８０万, 八十万")
    assert [one.value for one in tails.facts.amounts] == [35_000, 120, 120_600, 203_000, 132_000]
    assert [one.value for one in eights.facts.amounts] == [800_000] * 3


def test_dates_keep_their_half_day_and_their_week(graph: MemoryGraph) -> None:
    """Report A11: half-day words are ignored, the end of a range falls back into this week."""
    text = "3月5日下午三点; 昨天晚上9点; 上周五; 下周三到周五"
    (told,) = tell(graph, text, event_time="2026-03-06T10:00:00+08:00")
    begins = [one.begin.isoformat()[:16] for one in told.facts.times if one.begin]
    assert begins == ["2026-03-05T15:00", "2026-03-05T21:00", "2026-02-27T00:00", "2026-03-11T00:00"]
    last = told.facts.times[-1].until
    assert last is not None
    assert last.isoformat()[:16] == "2026-03-14T00:00"


def test_neighbouring_codes_are_three_things(graph: MemoryGraph) -> None:
    """Report A22: consecutive numbers are merged by likeness."""
    told = tell(graph, "合同HT-2026-0031 金额30万", "HT-2026-0032 金额45万", "HT-2026-0031-B 金额5万")
    assert [[m.key for m in one.facts.mentions] for one in told] == [
        ["ht-2026-0031"],
        ["ht-2026-0032"],
        ["ht-2026-0031-b"],
    ]
    for code, amount in (("HT-2026-0031", "30万"), ("HT-2026-0032", "45万"), ("HT-2026-0031-B", "5万")):
        answer = graph.answer(f"{code}的金额是多少")
        assert len(answer.evidence) == 1
        assert answer.value is not None
        assert answer.value.text == amount
    assert graph.answer("HT-2026-0033的金额是多少").status in REFUSED


def test_a_neighbouring_address_of_the_network_is_another_machine(graph: MemoryGraph) -> None:
    """Report A22: codes that differ in a digit are told apart, whatever they name."""
    tell(graph, "服务器10.0.3.7宕机")
    assert graph.answer("10.0.3.8宕机了吗").status in REFUSED
    assert quotes(graph.answer("10.0.3.7宕机了吗")) == ["服务器10.0.3.7宕机"]


def test_one_address_is_one_person_and_one_name_is_not(graph: MemoryGraph) -> None:
    """Report A23: the same address makes two people, the same display name one."""
    for text, sender in (
        ("first", '"Mei Zhou" <Mei.Zhou@Example.com>'),
        ("second", "周梅 <mei.zhou@example.com>"),
        ("third", '"Mei Zhou" <mzhou@other.example>'),
    ):
        tell(graph, text, sender=sender)
    people = {one.entity: one.aliases for one in graph.identities().find()[0] if one.type == "person"}
    assert set(people) == {"person:mei.zhou@example.com", "person:mzhou@other.example"}
    assert {"mei zhou", "周梅"} <= set(people["person:mei.zhou@example.com"])
    graph.identities().merge("person:mei.zhou@example.com", "person:mzhou@other.example", by="somebody")
    (joined,) = [one for one in graph.identities().find("周梅")[0] if one.type == "person"]
    assert joined.members == ("person:mei.zhou@example.com", "person:mzhou@other.example")


def test_a_short_name_is_not_in_a_longer_one(graph: MemoryGraph) -> None:
    """Report A24: a short name is linked inside a longer one."""
    tell(graph, "王伟的电话是13900001111", "王伟明的电话是13900002222", "我们用MongoDB存日志", "我们用Go写的服务上线了")
    found = graph.search("王伟的电话").candidates
    of_wang = [one.memory.text for one in found if one.scores.holder is HolderAgreement.SAME]
    assert of_wang == ["王伟的电话是13900001111"]
    assert quotes(graph.answer("我们用Go写的服务")) == ["我们用Go写的服务上线了"]
    assert graph.identities().candidates() == []


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("李明哲住杭州", "李明住哪"),
        ("王伟明的电话是13900002222", "王伟的电话"),
        ("Anna's office is 404", "Where is Ann's office?"),
        ("Joanne likes jazz", "What does Anne like?"),
    ],
)
def test_the_fact_of_a_longer_name_is_no_answer_for_the_shorter(told: str, question: str, graph: MemoryGraph) -> None:
    """Report A24: nothing is stored of the one who is asked for."""
    tell(graph, told)
    assert graph.answer(question).status in REFUSED


@pytest.mark.parametrize(
    ("told", "question"), [("伟明住在杭州", "王伟明住哪"), ("韩松带女儿住在苏州", "韩松的女儿住哪")]
)
def test_a_given_name_and_a_relative_named_beside_are_not_taken_for_somebody_else(
    told: str, question: str, graph: MemoryGraph
) -> None:
    tell(graph, told)
    assert quotes(graph.answer(question)) == [told]


@pytest.mark.parametrize(
    ("one", "other", "word", "of_one", "of_other"),
    [
        ("苹果发布会的差旅预算是3万", "我每天早上吃一个苹果", "苹果", "苹果的预算", "苹果 早餐"),
        ("小米发布了新手机", "我早上喝小米粥", "小米", "小米的手机", "喝小米粥"),
        (
            "The bank refused our loan",
            "We had a picnic on the river bank",
            "bank",
            "loan from the bank",
            "picnic on the bank",
        ),
    ],
)
def test_one_word_in_two_senses_is_told_apart_and_asked_bare_gives_both(
    one: str, other: str, *, word: str, of_one: str, of_other: str, graph: MemoryGraph
) -> None:
    """Report A51: company and fruit share facts."""
    tell(graph, one, other)
    assert quotes(graph.answer(of_one)) == [one]
    assert quotes(graph.answer(of_other)) == [other]
    bare = graph.answer(word)
    assert bare.status is AnswerStatus.AMBIGUOUS
    assert set(quotes(bare)) == {one, other}


def test_labelling_again_gives_older_memories_their_claims(graph: MemoryGraph) -> None:
    """Report A05: a store of an earlier release holds no claims."""
    (told,) = tell(graph, CORIANDER, sender="何琳")
    bare = told.facts.model_copy(update={"claims": ()})
    graph.store.set_encoding(graph.encoder.fingerprint, [Encoding("default", told.id, facts=bare)])
    assert graph.relabel() == (1, 1)
    assert graph.get(told.id).facts.claims == told.facts.claims


def test_spans_point_into_the_text_as_it_was_written(graph: MemoryGraph) -> None:
    """Full width, traditional script, emoji and combining marks: every fact is quoted as it stands."""
    texts = (
        "聯絡電話：１３９００１２３４５６😀，單號ＡＢ－１０２，淨重５㎏",
        "👨‍👩‍👧昨天下午３點王偉把８０萬打到了ＨＴ－２０２６－００３１賬戶",
        "e\u0301 İ Ｈｅ　ｓａｉｄ\n “I don't like Apple” ｔｗｏ　ｗｅｅｋｓ　ａｇｏ for ＄１，２００",
    )
    for text, one in zip(texts, tell(graph, *texts), strict=True):
        facts = one.facts
        spans = [(m.start, m.end, m.text) for m in (*facts.mentions, *facts.amounts, *facts.times)]
        spans += [(s.start, s.end, s.surface) for s in facts.senses]
        holders = [claim.holder for claim in facts.claims]
        spans += [(h.start, h.end, h.text) for h in holders if h.text and h.start is not None and h.end is not None]
        assert spans
        assert all(text[start:end] == told for start, end, told in spans)


def test_a_cache_that_cannot_be_written_costs_time_alone(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be", encoding="utf-8")
    with open_graph(tmp_path) as graph:
        assert graph.add(["我讨厌香菜"])[0].error is None


def test_company_and_fruit_are_two_entities(graph: MemoryGraph) -> None:
    """Report A51: one surface form, one node."""
    tell(graph, "苹果发布会的差旅预算是3万", "我每天早上吃一个苹果")
    found = graph.store.entities("default", aliases=["苹果"])
    assert [entity.id for entity in found] == ["concept:apple.company", "concept:apple.fruit"]
