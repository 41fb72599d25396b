"""Asking, end to end and with the bundled encoder: directions, sessions, parts, conflicts, sources, slips, steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

import pytest

from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.answer import AnswerStatus, Candidate, CheckName, Leg, RewriteKind, Step
from graphsvc.retrieve.config import load_config
from tests.asking import REFUSED, emptied, quotes, tell
from tests.graphs import open_graph

MORNING = "2026-03-02T10:00:00+08:00"
ZH_MAIL = (
    ("报价单已发，请查收", "张伟 <zhangwei@acme.cn>", "李娜 <lina@beta.cn>", None),
    ("合同草稿已发，请查收", "李娜 <lina@beta.cn>", "张伟 <zhangwei@acme.cn>", "赵敏 <zhaomin@beta.cn>"),
    ("会议纪要已发，请查收", "王芳 <wangfang@gamma.cn>", "张伟 <zhangwei@acme.cn>", None),
)
EN_MAIL = (
    ("The quote is attached", "Tom Reed <tom@acme.com>", "Ana Ruiz <ana@orbit.io>", None),
    ("The draft contract is attached", "Ana Ruiz <ana@orbit.io>", "Tom Reed <tom@acme.com>", "Bo Lind <bo@orbit.io>"),
    ("The minutes are attached", "Kim Holt <kim@zenith.org>", "Tom Reed <tom@acme.com>", None),
)
Mail = tuple[str, str, str, str | None]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    with open_graph(tmp_path_factory.mktemp("graph"), BundledEncoder()) as graph:
        yield graph


@pytest.fixture
def graph(real: MemoryGraph) -> Iterator[MemoryGraph]:
    yield real
    emptied(real)


@pytest.mark.parametrize(
    ("mail", "question", "right"),
    [
        (ZH_MAIL, "张伟发给李娜的是什么", 0), (ZH_MAIL, "李娜发给张伟的是什么", 1), (ZH_MAIL, "抄送给赵敏的是什么", 1),
        (ZH_MAIL, "王芳发给张伟什么", 2), (ZH_MAIL, "张伟发了什么", 0),
        (EN_MAIL, "What did Tom Reed send to Ana Ruiz?", 0), (EN_MAIL, "What did Ana Ruiz send to Tom Reed?", 1),
        (EN_MAIL, "What was Bo Lind copied on?", 1), (EN_MAIL, "What was sent to Tom by Kim Holt?", 2),
        (EN_MAIL, "What did Zenith send?", 2), (EN_MAIL, "What did Acme send?", 0),
        (EN_MAIL, "What did Orbit send us?", 1),
    ],
)  # fmt: skip
def test_who_sent_and_who_was_sent_to_are_never_exchanged(
    mail: Sequence[Mail], question: str, *, right: int, graph: MemoryGraph
) -> None:
    """An organisation is known by the domain of its people's addresses."""
    for text, sender, recipient, copied in mail:
        tell(graph, text, sender=sender, recipients=[recipient], cc=[] if copied is None else [copied])
    assert graph.search(question).candidates[0].memory.text == mail[right][0]
    assert set(quotes(graph.answer(question))) <= {mail[right][0]}


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ({"苏敏": "我觉得周四发版太赶", "罗杰": "周四发版没问题"}, "关于周四发版我说过什么"),
        (
            {"Nadia": "I think the Thursday release is too rushed", "Omar": "The Thursday release is fine"},
            "What did I say about the Thursday release?",
        ),
    ],
)
def test_what_i_said_is_what_the_asker_said(told: dict[str, str], question: str, graph: MemoryGraph) -> None:
    for name, text in told.items():
        tell(graph, text, sender=name)
    for name, text in told.items():
        assert quotes(graph.answer(question, asked_by=name)) == [text]


ZH_TALK = (
    ("李娜的合同编号是多少", "李娜的合同编号是HT2026-0311"),
    ("金额呢", "李娜的合同金额是38万"),
    ("它什么时候到期", "李娜的合同三月二十号到期"),
    ("周敏的合同编号是多少", "周敏的合同编号是HT2026-0599"),
    ("那张伟的呢", "张伟的合同编号是HT2026-0477"),
)
EN_TALK = (
    ("When does Anna Berg's flight leave?", "Anna Berg's flight leaves at 9:15"),
    ("What about Tom Reed?", "Tom Reed's flight leaves at 14:40"),
    ("Where does Anna Berg sit on the flight?", "Anna Berg sits in row 12 of the flight"),
    ("What about Tom Reed?", "Tom Reed sits in row 30 of the flight"),
    ("Who is Anna Berg's guide?", "Anna Berg's guide is Luz Campos"),
)


@pytest.mark.parametrize("talk", [ZH_TALK, EN_TALK])
def test_five_turns_of_a_session_each_lean_on_the_ones_before(
    talk: Sequence[tuple[str, str]], graph: MemoryGraph
) -> None:
    tell(graph, *(answer for _, answer in talk))
    for question, expected in talk:
        assert quotes(graph.answer(question, session_id=f"five {talk[0][0]}")) == [expected]


@pytest.mark.parametrize(
    ("opening", "follow_up", "told"),
    [
        ("李娜的合同编号是多少", "那张伟的呢", ("李娜的合同编号是HT2026-0311", "张伟的合同编号是HT2026-0477")),
        ("When does Anna Berg's flight leave?", "What about Tom Reed?",
         ("Anna Berg's flight leaves at 9:15", "Tom Reed's flight leaves at 14:40")),
    ],
)  # fmt: skip
def test_another_session_or_namespace_knows_nothing_of_what_was_asked(
    opening: str, follow_up: str, *, told: Sequence[str], graph: MemoryGraph
) -> None:
    for namespace in ("default", "n2"):
        tell(graph, *told, namespace=namespace)
    ours = f"ours {opening}"
    graph.answer(opening, session_id=ours)
    leaning = graph.answer(follow_up, session_id=ours)
    assert graph.trace(leaning.trace_id).question.text != follow_up
    stranger = graph.answer(follow_up, session_id=f"theirs {opening}")
    assert graph.trace(stranger.trace_id).question.text == follow_up
    elsewhere = graph.answer(follow_up, session_id=ours, namespace="n2")
    assert graph.trace(elsewhere.trace_id, namespace="n2").question.text == follow_up


@pytest.mark.parametrize(
    ("told", "question", "values"),
    [
        (("搬运费由王凯承担", "仓库钥匙在孙莉那里"), "谁承担搬运费，仓库钥匙在谁那里？", ["王凯", "孙莉"]),
        (("搬运费由王凯承担", "新货架周三到"), "搬运费谁出？新货架哪天到？", ["王凯", "周三"]),
        (("Rosa pays the deposit", "The keys are with Felix"),
         "Who pays the deposit and who has the keys?", ["Rosa", "Felix"]),
        (("Rosa pays the deposit", "The crane arrives on Wednesday"),
         "Who pays the deposit, and when does the crane arrive?", ["Rosa", "Wednesday"]),
    ],
)  # fmt: skip
def test_each_part_of_a_compound_question_is_answered(
    told: Sequence[str], question: str, *, values: list[str], graph: MemoryGraph
) -> None:
    tell(graph, *told)
    answer = graph.answer(question)
    assert [None if part.value is None else part.value.text for part in answer.parts] == values
    assert [part.evidence[0].quote for part in answer.parts] == list(told)
    assert set(quotes(answer)) == set(told)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("新货架周三到", "新货架什么时候到，谁来装？"),
        ("The crane arrives on Wednesday", "When does the crane arrive and who operates it?"),
    ],
)
def test_a_part_that_nothing_tells_has_no_value(told: str, question: str, graph: MemoryGraph) -> None:
    tell(graph, told)
    first, second = graph.answer(question).parts
    assert first.value is not None
    assert second.value is None


@pytest.mark.parametrize(
    ("told", "question", "winner"),
    [
        (("红叶厂报价12万", "青松厂报价9万8"), "红叶厂和青松厂哪家报价更低", "9万8"),
        (("红叶厂报价12万", "青松厂报价9万8"), "红叶厂和青松厂哪家报价更高", "12万"),
        (("供应商甲报价12万", "供应商乙报价9万8"), "供应商甲和供应商乙谁的报价低", "9万8"),
        (("北门的电梯限重800公斤", "南门的电梯限重1200公斤"), "北门的电梯和南门的电梯哪个限重更大", "1200公斤"),
    ],
)
def test_of_two_things_compared_the_winners_value_is_given(
    told: Sequence[str], question: str, *, winner: str, graph: MemoryGraph
) -> None:
    kept = {one.text: one.id for one in tell(graph, *told)}
    answer = graph.answer(question)
    assert answer.value is not None
    assert answer.value.text == winner
    assert answer.value.memory_id == next(i for text, i in kept.items() if winner in text)
    assert set(quotes(answer)) == set(told)


@pytest.mark.parametrize(
    ("told", "question", "said"),
    [
        ("空调已经修好了", "空调修好了吗", "yes"), ("周三的拍摄取消了", "周三还拍摄吗", "no"),
        ("叶敏没有签字", "叶敏签字了吗", "no"),
        ("The boiler has been repaired", "Has the boiler been repaired?", "yes"),
        ("Friday's rehearsal is cancelled", "Is Friday's rehearsal still on?", "no"),
        ("Olga has not signed the lease", "Did Olga sign the lease?", "no"),
    ],
)  # fmt: skip
def test_whether_is_answered_with_yes_or_no(told: str, question: str, *, said: str, graph: MemoryGraph) -> None:
    tell(graph, told)
    answer = graph.answer(question)
    assert quotes(answer) == [told]
    assert answer.value is not None
    assert answer.value.normalised == said


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        ("发布会定在3月18日", "发布会定在3月21日", "发布会是哪天"), ("押金是5000元", "押金是8000元", "押金是多少"),
        ("门禁密码是3317", "门禁密码是8852", "门禁密码是多少"),
        ("The launch is on 18 March", "The launch is on 21 March", "When is the launch?"),
        ("The rent is 900 euros", "The rent is 950 euros", "How much is the rent?"),
    ],
)  # fmt: skip
def test_a_conflict_is_shown_with_both_sides_and_handed_to_a_person(
    one: str, other: str, question: str, graph: MemoryGraph
) -> None:
    (left,) = tell(graph, one, sender="Somebody")
    (right,) = tell(graph, other, sender="Another")
    answer = graph.answer(question)
    assert answer.status is AnswerStatus.CONFLICT
    assert set(quotes(answer)) == {one, other}
    assert [{conflict.left, conflict.right} for conflict in answer.conflicts] == [{left.id, right.id}]
    assert answer.step is Step.FOR_A_PERSON
    assert answer.missing


@pytest.mark.parametrize(
    ("told", "question"),
    [("年会在杭州办", "年会在哪办"), ("押金是5000元", "押金是多少"), ("The gala is in Ghent", "Where is the gala?"),
     ("The rent is 900 euros", "How much is the rent?")],
)  # fmt: skip
def test_low_confidence_alone_is_refused(told: str, question: str, graph: MemoryGraph) -> None:
    tell(graph, told, confidence_level="low", sender="Somebody")
    answer = graph.answer(question)
    assert answer.status is AnswerStatus.NOTHING_RELIABLE
    assert answer.step is not Step.FIRST_ATTEMPT
    assert told in " ".join(answer.missing)


@pytest.mark.parametrize(
    ("decided", "reason", "question", "lack"),
    [
        ("周总决定取消四月的路演", "因为场地档期冲突，四月的路演赶不上", "为什么决定取消四月的路演", "原因"),
        ("何主任决定推迟食堂的翻修", "因为施工队排期满了，食堂的翻修只能往后挪", "为什么决定推迟食堂的翻修", "原因"),
        ("Mara decided to drop the vinyl edition", "The vinyl plant is booked out, because everyone wants vinyl",
         "Why did Mara decide to drop the vinyl edition?", "reason"),
    ],
)  # fmt: skip
def test_a_decision_without_its_reason_is_completed_from_the_same_talk_or_says_so(
    decided: str, reason: str, *, question: str, lack: str, graph: MemoryGraph
) -> None:
    tell(graph, decided, sender="Mara Quint", conversation_id="c1", event_time=MORNING)
    alone = graph.answer(question)
    assert quotes(alone) == [decided]
    assert any(lack in line for line in alone.missing)
    assert not {one.name: one.passed for one in alone.checks}[CheckName.COMPLETENESS]
    tell(graph, reason, sender="Mara Quint", conversation_id="c1", event_time="2026-03-02T10:01:00+08:00")
    whole = graph.answer(question)
    assert set(quotes(whole)) == {decided, reason}
    assert whole.missing == ()
    assert all(one.passed for one in whole.checks)


def rewrites_of(graph: MemoryGraph, question: str, **asked: datetime) -> dict[RewriteKind, list[tuple[str, str]]]:
    answer = graph.answer(question, **asked)
    found: dict[RewriteKind, list[tuple[str, str]]] = {}
    for attempt in graph.trace(answer.trace_id).attempts:
        for one in attempt.rewrites:
            found.setdefault(one.kind, []).append((one.original, one.replacement))
    return found


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (("违约金按合同总额的百分之五计算", "违约金三十天内付清"), "违员金怎么算"),
        (("The maintenance window is Sunday night", "The maintenance crew has four members"),
         "When is the maintainance window?"),
    ],
)  # fmt: skip
def test_a_slip_of_the_pen_costs_no_answer(told: Sequence[str], question: str, graph: MemoryGraph) -> None:
    tell(graph, *told)
    assert quotes(graph.answer(question)) == [told[0]]


@pytest.mark.parametrize(
    ("told", "question", "kind", "expected"),
    [
        (("违约责任由乙方承担", "违约要提前通知"), "V-8831 的违员条款谁起草", RewriteKind.HOMOPHONE, ("违员", "违约")),
        (("The maintenance crew has four members", "The maintenance log is with Ruth"),
         "When does V-8831 get its maintainance?", RewriteKind.SPELLING, ("maintainance", "maintenance")),
    ],
)  # fmt: skip
def test_the_second_attempt_puts_slips_right(
    told: Sequence[str], question: str, *, kind: RewriteKind, expected: tuple[str, str], graph: MemoryGraph
) -> None:
    tell(graph, *told)
    assert expected in rewrites_of(graph, question).get(kind, [])


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (("张炜负责门禁", "张炜住在三楼"), "张伟负责什么"), (("刘扬管打印机", "刘扬周五休假"), "刘洋管什么"),
        (("Marta Vogt sits in room 12", "Marta Vogt likes tea"), "Where does Marte Vogt sit?"),
    ],
)  # fmt: skip
def test_a_name_is_never_put_right(told: Sequence[str], question: str, graph: MemoryGraph) -> None:
    tell(graph, *told)
    made = rewrites_of(graph, question)
    assert RewriteKind.SPELLING not in made
    assert RewriteKind.HOMOPHONE not in made


@pytest.mark.parametrize(
    ("told", "question", "expected"),
    [
        ("月饼券已经发完了", "昨天 V-8831 是谁修的", ("昨天", "3月5日")),
        ("我弟弟不吃香菜", "上周五何琳不吃什么", ("上周五", "2月27日")),
        ("My brother collects stamps", "What did Ruth collect yesterday?", ("yesterday", "5 March")),
    ],
)
def test_a_second_attempt_names_the_day_that_was_meant(
    told: str, question: str, *, expected: tuple[str, str], graph: MemoryGraph
) -> None:
    tell(graph, told, event_time="2026-02-03T10:00:00+08:00", sender="何琳" if "何琳" in question else "Ruth")
    now = datetime.fromisoformat("2026-03-06T10:00:00+08:00")
    assert rewrites_of(graph, question, asked_at=now)[RewriteKind.ABSOLUTE_TIME] == [expected]


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("昨天锅炉房做了什么", "2026年3月5日锅炉房检修"),
        ("前天锅炉房做了什么", "2026年3月4日锅炉房刷漆"),
        ("What was done in the 锅炉房 yesterday?", "2026年3月5日锅炉房检修"),
    ],
)
def test_yesterday_is_looked_for_by_its_date(question: str, day: str, graph: MemoryGraph) -> None:
    told = ("2026年3月5日锅炉房检修", "2026年3月4日锅炉房刷漆", "2026年3月9日锅炉房清灰")
    tell(graph, *told, event_time="2026-02-20T10:00:00+08:00")
    now = datetime.fromisoformat("2026-03-06T10:00:00+08:00")
    assert quotes(graph.answer(question, asked_at=now)) == [day]


@pytest.mark.parametrize(
    ("told", "question", "step"),
    [
        ("新货架周三到", "新货架哪天到", Step.FIRST_ATTEMPT),
        ("The crane arrives on Wednesday", "When does the crane arrive?", Step.FIRST_ATTEMPT),
        ("新货架周三到", "zzqx-9917", Step.FOR_A_PERSON),
        ("The crane arrives on Wednesday", "valve V-8831", Step.FOR_A_PERSON),
        ("我弟弟不吃香菜", "何琳不吃什么", Step.NEEDS_CONFIRMATION),
        ("My brother collects stamps", "What does Ruth collect?", Step.NEEDS_CONFIRMATION),
    ],
)
def test_an_answer_says_how_far_up_the_ladder_it_came(told: str, question: str, step: Step, graph: MemoryGraph) -> None:
    tell(graph, told, sender="何琳" if "何琳" in question else "Ruth")
    answer = graph.answer(question)
    assert answer.step is step
    assert (answer.status in REFUSED) == (step is not Step.FIRST_ATTEMPT)
    attempts = graph.trace(answer.trace_id).attempts
    assert attempts[0].step is Step.FIRST_ATTEMPT
    assert attempts[0].text == question
    assert len(attempts) <= 2


@pytest.mark.parametrize(
    ("alike", "others", "question"),
    [
        (("海边团建报名截止周五", "海边团建的报名周五截止", "海边团建报名到周五为止"),
         ("海边团建要带防晒霜", "海边团建的大巴八点发车"), "海边团建"),
        (("The retreat sign-up closes on Friday", "Sign-up for the retreat closes Friday",
          "The sign-up of the retreat closes this Friday"),
         ("Bring sunscreen to the retreat", "The retreat bus leaves at eight"), "the retreat"),
    ],
)  # fmt: skip
def test_diversity_brings_other_things_forward_and_loses_none(
    alike: Sequence[str], others: Sequence[str], question: str, graph: MemoryGraph
) -> None:
    tell(graph, *alike, *others)
    plain = [one.memory.text for one in graph.search(question).candidates]
    varied = [one.memory.text for one in graph.search(question, diversity=0.9).candidates]
    assert sorted(plain) == sorted(varied)
    assert varied[0] == plain[0]
    assert len({"alike" if text in alike else text for text in varied[:3]}) == 3


def mixed(candidates: Sequence[Candidate]) -> list[float]:
    """Each candidate's legs by their weights, over the legs that told anything."""
    weights = load_config().mix
    counts = {Leg.DENSE: weights.dense, Leg.LEXICAL: weights.lexical, Leg.LATE: weights.late}
    total = sum(count for leg, count in counts.items() if any(one.scores.scaled.get(leg) for one in candidates))
    return [sum(counts[leg] * part for leg, part in one.scores.scaled.items()) / total for one in candidates]


@pytest.mark.parametrize(
    "question",
    ["海边团建几点发车", "谁负责海边团建", "海边团建现在改到哪天了", "What time does the bus leave?", "张伟说了什么"],
)
def test_the_parts_of_a_score_add_up(question: str, graph: MemoryGraph) -> None:
    sender = "张伟 <zw@acme.cn>"
    talk = (
        "海边团建的大巴八点发车",
        "报名截止周五",
        "张伟负责海边团建",
        "海边团建改到下周六了",
        "The bus leaves at eight",
    )
    for minute, text in enumerate(talk):
        at = f"2026-03-02T10:0{minute}:00+08:00"
        tell(graph, text, sender=sender, conversation_id="c1", event_time=at)
    tell(graph, "海边团建每人交两百", sender=sender, event_time="2026-03-01T10:00:00+08:00")
    candidates = graph.search(question).candidates
    assert len(candidates) > 3
    assert any(one.scores.lent for one in candidates)
    for one, legs in zip(candidates, mixed(candidates), strict=True):
        assert legs + one.scores.lent + sum(one.scores.boosts.values()) == pytest.approx(one.score, abs=1e-3)
    assert [one.score for one in candidates] == sorted((one.score for one in candidates), reverse=True)
