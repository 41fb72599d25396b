"""The checks of accepted evidence: agreement, credibility, completeness, and what a second search looks for."""

from __future__ import annotations

from typing import Any

import pytest

from graphsvc.change.values import Verdict, compare_amounts
from graphsvc.models.answer import Candidate, Check, CheckName
from graphsvc.models.memory import Memory
from graphsvc.retrieve.checks import Checked, MissingPart, Relation, check, complete_with, newer_of_same_slot, relate
from graphsvc.retrieve.checks.credibility import Level, level
from tests.statements import asked, candidate, said


def memory(memory_id: str, text: str, **fields: Any) -> Memory:
    return said(memory_id, {"text": text, **fields})


def checked(question: str, accepted: list[Memory], rivals: list[Memory] | None = None) -> Checked:
    read, kind = asked(question)
    return check(read, _candidates(accepted), _candidates(rivals or [], 0.9), kind=kind)


def _candidates(memories: list[Memory], best: float = 1.0) -> list[Candidate]:
    return [candidate(one, best - place / 100) for place, one in enumerate(memories)]


def outcome(found: Checked, name: CheckName) -> Check:
    (one,) = [check for check in found.checks if check.name is name]
    return one


def relation(question: str, left: Memory, right: Memory) -> Relation:
    read, kind = asked(question)
    return relate(left, right, read, kind).relation


def test_two_sources_with_two_values_are_a_conflict_that_names_both() -> None:
    mail = memory("mail", "周一到了14箱瓷砖。", sender="周敏")
    receipt = memory("receipt", "收据:瓷砖13箱,周一签收。", sender="恒通物流")
    found = checked("周一到了几箱瓷砖", [mail], [receipt])
    (conflict,) = found.conflicts
    assert {conflict.left, conflict.right} == {"mail", "receipt"}
    assert all(word in conflict.reason for word in ("14箱", "13箱", "周敏", "恒通物流"))
    assert [one.memory.id for one in found.evidence] == ["mail", "receipt"]
    assert not outcome(found, CheckName.AGREEMENT).passed


def test_a_conflict_is_told_in_the_language_of_the_question() -> None:
    one = memory("one", "The hall holds 120 people.", sender="Ines Roth")
    other = memory("other", "The hall holds 140 people.", sender="Owen Hart")
    (conflict,) = checked("how many people does the hall hold", [one], [other]).conflicts
    assert conflict.reason.isascii()


def test_the_order_of_the_two_changes_nothing() -> None:
    one = memory("one", "The hall holds 120 people.", sender="Ines Roth")
    other = memory("other", "The hall holds 140 people.", sender="Owen Hart")
    question = "how many people does the hall hold"
    assert relation(question, one, other) is relation(question, other, one) is Relation.CONFLICT


def test_a_rival_far_below_the_best_is_not_compared() -> None:
    read, kind = asked("how many people does the hall hold")
    best = candidate(memory("one", "The hall holds 120 people.", sender="Ines Roth"), 1.0)
    far = candidate(memory("other", "The hall holds 140 people.", sender="Owen Hart"), 0.2)
    assert check(read, [best], [far], kind=kind).conflicts == ()


def test_the_day_and_the_date_of_one_day_agree() -> None:
    day = memory("day", "周三验收。", sender="甲", event_time="2024-03-04T09:00:00+08:00")
    date = memory("date", "3月6日验收。", sender="乙", event_time="2024-03-05T09:00:00+08:00")
    assert relation("验收是哪天", day, date) is Relation.AGREES


def test_a_duration_never_contradicts_a_date() -> None:
    lasts = memory("lasts", "The course lasts six weeks.", sender="Ines Roth")
    ends = memory("ends", "The course ends on 20 May.", sender="Owen Hart")
    assert relation("when does the course end", lasts, ends) is Relation.DIFFERENT


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("城东店有12个员工。", "城西店有9个员工。"),
        ("9月电费312元。", "10月电费287元。"),
        ("合同押金5000元。", "合同租金3200元。"),
        ("M3电钻420元。", "M5电钻510元。"),
    ],
)
def test_another_place_period_attribute_or_product_never_collides(left: str, right: str) -> None:
    one, other = memory("one", left, sender="甲"), memory("other", right, sender="乙")
    assert relation(f"{left[:4]}是多少", one, other) is Relation.DIFFERENT


def test_what_is_asked_or_supposed_contradicts_nothing() -> None:
    firm = memory("firm", "我们明天两点出发。", sender="甲")
    for text in ("如果下雨就明天三点出发。", "明天三点出发行吗?"):
        assert relation("明天几点出发", firm, memory("loose", text, sender="乙")) is Relation.DIFFERENT


def test_a_correction_is_newer_and_no_conflict() -> None:
    old = memory("old", "暖气费2400元。", sender="物业", event_time="2024-04-01T09:00:00+08:00")
    new = memory("new", "更正:暖气费应为2150元。", sender="物业", event_time="2024-04-05T09:00:00+08:00")
    found = checked("暖气费多少", [old], [new])
    assert (found.conflicts, found.newer) == ((), ("new",))


def test_a_codes_one_figure_makes_two_codes() -> None:
    one = memory("one", "打印机的IP是10.2.3.14。", sender="甲")
    other = memory("other", "打印机的IP是10.2.3.41。", sender="乙")
    assert relation("打印机的IP是多少", one, other) is Relation.CONFLICT


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("80万元", "800,000元", Verdict.SAME),
        ("1.5 km", "1500 metres", Verdict.SAME),
        ("30到40人", "36个人", Verdict.SAME),
        ("12 kg", "40 cm", Verdict.INCOMPARABLE),
        ("5 euros", "5 dollars", Verdict.INCOMPARABLE),
        ("12台", "13台", Verdict.DIFFERENT),
    ],
)
def test_amounts_are_compared_in_one_measure(left: str, right: str, verdict: Verdict) -> None:
    one, other = (memory("m", text).facts.amounts[0] for text in (left, right))
    assert compare_amounts(one, other) is verdict


def test_a_question_that_names_another_value_fails_unless_it_asks_whether() -> None:
    told = memory("told", "预算已经降到60万元。", sender="甲")
    assert outcome(checked("预算还是80万元吗", [told]), CheckName.AGREEMENT).passed
    wrong = outcome(checked("为什么预算是80万元", [told]), CheckName.AGREEMENT)
    assert not wrong.passed and "80万元" in wrong.detail and "60万元" in wrong.detail


def test_low_confidence_alone_is_not_enough() -> None:
    low = memory("low", "The well is 30 metres deep.", sender="Ines Roth", confidence_level="low")
    found = checked("how deep is the well", [low])
    assert not outcome(found, CheckName.CREDIBILITY).passed
    assert found.missing == ("a reliable source that confirms it",)


@pytest.mark.parametrize(("confirming", "passed"), [(1, False), (2, True)])
def test_low_confidence_stands_beside_two_high_ones_that_agree(confirming: int, passed: bool) -> None:
    text = "The well is 30 metres deep."
    low = memory("low", text, sender="Ines Roth", confidence_level="low")
    high = [memory(f"high{at}", text, sender=f"Lab {at}", confidence_level="high") for at in range(confirming)]
    assert outcome(checked("how deep is the well", [low], high), CheckName.CREDIBILITY).passed is passed


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("水井深30米。", None, Level.MEDIUM),
        ("水井好像深30米。", None, Level.LOW),
        ("水井好像深30米。", "high", Level.MEDIUM),
        ("Maybe the well is 30 metres deep.", "medium", Level.LOW),
        ("水井深30米吗?", "high", Level.NOTHING),
    ],
)
def test_what_is_hedged_counts_one_level_lower_and_a_question_nothing(
    text: str, given: str | None, expected: Level
) -> None:
    read, _ = asked("水井多深" if text[0] > "z" else "how deep is the well")
    assert level(memory("m", text, confidence_level=given), read) is expected


def test_a_decision_without_its_reason_asks_for_it_in_the_same_talk() -> None:
    told = memory("told", "刘倩决定换供应商。", sender="刘倩", conversation_id="talk")
    found = checked("为什么决定换供应商", [told])
    (follow,) = found.follow_ups
    assert (follow.wanted, follow.conversation_id, follow.near) == (MissingPart.REASON, "talk", "told")
    assert "供应商" in follow.tokens and "因为" in follow.tokens
    assert found.missing == ("作出决定的原因",)


def test_a_decision_with_reason_and_maker_is_complete() -> None:
    told = memory("told", "Lena decided to drop the supplier because two deliveries were late.", sender="Lena")
    assert outcome(checked("why did Lena decide to drop the supplier", [told]), CheckName.COMPLETENESS).passed


def test_the_second_search_fills_the_gap_from_the_same_talk_only() -> None:
    told = memory("told", "刘倩决定换供应商。", sender="刘倩", conversation_id="talk")
    reason = memory("reason", "因为供应商两次迟交。", sender="刘倩", conversation_id="talk")
    elsewhere = memory("elsewhere", "因为供应商涨价。", sender="赵明", conversation_id="other")
    beside = memory("beside", "供应商的电话在桌上。", sender="刘倩", conversation_id="talk")
    read, kind = asked("为什么决定换供应商")
    accepted = [candidate(told)]
    gaps = check(read, accepted, [], kind=kind).follow_ups
    filled = complete_with(gaps, accepted, _candidates([elsewhere, beside, reason]), read)
    assert [one.memory.id for one in filled] == ["told", "reason"]


def test_a_bare_date_is_no_answer() -> None:
    bare, whole = memory("bare", "5月20日。", sender="甲"), memory("whole", "展会5月20日开幕。", sender="甲")
    assert checked("展会什么时候开幕", [bare]).missing == ("这个日期指的是什么事",)
    assert checked("展会什么时候开幕", [whole]).missing == ()


def test_a_period_needs_what_it_runs_from() -> None:
    bare, whole = memory("bare", "尾款30日内付清。"), memory("whole", "尾款在验收合格后30日内付清。")
    assert checked("尾款的条款怎么说", [bare]).missing == ("期限从什么时候、以什么为条件起算",)
    assert checked("尾款的条款怎么说", [whole]).missing == ()


def test_nothing_accepted_is_nothing_to_check() -> None:
    assert checked("how deep is the well", []) == Checked(evidence=())


def test_one_run_is_like_the_next() -> None:
    one = memory("one", "The hall holds 120 people.", sender="Ines Roth")
    other = memory("other", "The hall holds 140 people.", sender="Owen Hart")
    question = "how many people does the hall hold"
    assert checked(question, [one], [other]) == checked(question, [one], [other])


def test_likeness_and_being_later_replace_nothing() -> None:
    read, _ = asked("花园里种了什么")
    old = memory("old", "花园里种了月季。", conversation_id="家", event_time="2024-04-01T09:00:00+08:00")
    new = memory("new", "花园里来了只松鼠。", conversation_id="家", event_time="2024-05-01T09:00:00+08:00")
    assert newer_of_same_slot(old, new, read) is None


def test_only_the_later_one_can_replace() -> None:
    read, _ = asked("例会几点")
    old = memory("old", "例会九点开始。", conversation_id="例会", event_time="2024-04-01T09:00:00+08:00")
    new = memory("new", "例会改到十点开始。", conversation_id="例会", event_time="2024-05-01T09:00:00+08:00")
    assert newer_of_same_slot(old, new, read) is True
    assert newer_of_same_slot(new, old, read) is None


def test_a_change_of_somebody_elses_value_replaces_nothing() -> None:
    read, _ = asked("where does Paul live")
    old = memory("old", "Paul lives in Ghent.", conversation_id="p", event_time="2024-04-01T09:00:00+08:00")
    new = memory("new", "Anna moved to Bruges.", conversation_id="p", event_time="2024-05-01T09:00:00+08:00")
    assert newer_of_same_slot(old, new, read) is False


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("What is the gate code?", "The gate code is 4711.", "The gate code is 9922."),
        ("What is the PIN of the safe?", "The PIN of the safe is 0815.", "The PIN of the safe is 2580."),
        ("取件码是多少？", "取件码是3-2-8841。", "取件码是3-2-7719。"),
        ("What is the wifi password?", "The wifi password is sunflower99.", "Wifi password: tulip42"),
        ("What is the serial number of the pump?", "The pump's serial number is SN-47.", "Its serial number is SN-99."),
    ],
)
def test_two_codes_from_two_mouths_are_a_conflict(question: str, one: str, other: str) -> None:
    anna = memory("anna", one, sender="Anna", conversation_id="c", event_time="2024-03-04T09:00:00+08:00")
    bo = memory("bo", other, sender="Bo", conversation_id="c", event_time="2024-03-05T09:00:00+08:00")
    assert relation(question, anna, bo) is Relation.CONFLICT


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("What is the gate code?", "The gate code is 4711.", "The code of the garage is 9922."),
        ("What is the gate code?", "The gate code is 4711.", "The gate is 12 metres from the road."),
        ("What is the gate code?", "The gate code is 4711.", "The gate code is to change on 4 May."),
    ],
)
def test_figures_that_are_no_code_of_the_same_thing_are_no_conflict(question: str, one: str, other: str) -> None:
    assert (
        relation(question, memory("anna", one, sender="Anna"), memory("bo", other, sender="Bo")) is Relation.DIFFERENT
    )


def test_one_code_told_twice_agrees_and_told_anew_by_the_same_mouth_is_the_newer() -> None:
    first = memory("first", "The gate code is 4711.", sender="Anna", event_time="2024-03-04T09:00:00+08:00")
    again = memory("again", "The gate code is still 4711, I tried it.", sender="Bo")
    anew = memory("anew", "The gate code is 9922.", sender="Anna", event_time="2024-03-05T09:00:00+08:00")
    assert relation("What is the gate code?", first, again) is Relation.AGREES
    assert relation("What is the gate code?", first, anew) is Relation.NEWER
