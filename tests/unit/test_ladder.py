"""The ladder: when a second search is made, where it ends, and what it says is missing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from graphsvc.models.answer import Candidate, Rewrite, RewriteKind, Scores, Step
from graphsvc.models.base import EntityId
from graphsvc.models.facts import Facts, Holder, HolderAgreement, HolderKind, Language, Mention
from graphsvc.models.graph import EdgeType
from graphsvc.models.memory import Memory, Party
from graphsvc.models.question import Bearer, PersonReference, Question, TimeWindow, Validity
from graphsvc.retrieve.ladder.climb import Climbed, climb
from graphsvc.retrieve.ladder.lacks import Lack, lacks
from graphsvc.retrieve.ladder.missing import missing, shares, told_apart
from graphsvc.retrieve.ladder.request import Attempted, Request
from graphsvc.retrieve.ladder.wording import LONGEST_QUOTE
from ontology.model import ValueKind
from tests.builders import NOW, memory

LI = PersonReference(name="李娜", entities=(EntityId("person:li"),), bearers=())
OTHER_WORDS = Request(
    "付款日", "付款时间", ("付款日",), (Rewrite(kind=RewriteKind.SYNONYM, original="a", replacement="b"),)
)


def asked(text: str = "付款时间是哪天", **fields: object) -> Question:
    given = {"language": Language.ZH, "asked_at": NOW, "query_type": "general"}
    return Question.model_validate({"text": text, **given, **fields})


def candidate(
    one: Memory | None = None, *, overlap: float = 0.5, holder: HolderAgreement = HolderAgreement.UNKNOWN
) -> Candidate:
    scores = Scores(overlap=overlap, holder=holder)
    return Candidate(memory=one or memory("m1", "三月五日付款"), score=1.0, probability=0.3, scores=scores)


def attempted(
    name: str = "first",
    probability: float = 0.3,
    *candidates: Candidate,
    conflict: bool = False,
    has_value: bool | None = None,
) -> Attempted[str]:
    return Attempted(name, candidates or (candidate(),), probability, 0.45, has_value, conflict)


NOTHING = Attempted("nothing", (), 0.0, 0.45)


class Attempts:
    """Answers each request with the next of the attempts given, and keeps what was asked."""

    def __init__(self, *results: Attempted[str]) -> None:
        self.results = list(results)
        self.requests: list[Request] = []

    def __call__(self, request: Request) -> Attempted[str]:
        self.requests.append(request)
        return self.results[len(self.requests) - 1]


def climbed(
    results: Sequence[Attempted[str]], rewritten: Request | None = OTHER_WORDS
) -> tuple[Climbed[str], Attempts]:
    attempts = Attempts(*results)
    return climb(asked(), ValueKind.TIME, attempts, lambda: rewritten), attempts


class TestClimbing:
    def test_what_is_accepted_at_once_is_never_rewritten(self) -> None:
        attempts = Attempts(attempted(probability=0.9))

        def rewritten() -> Request:
            raise AssertionError("nobody needs another wording")

        found = climb(asked(), ValueKind.TIME, attempts, rewritten)
        assert (found.step, found.outcome, found.missing) == (Step.FIRST_ATTEMPT, "first", ())
        assert [one.accepted for one in found.attempts] == [True]

    def test_other_words_are_tried_when_the_first_fall_short(self) -> None:
        found, attempts = climbed([attempted(), attempted("second", 0.6)])
        assert (found.step, found.outcome, found.missing) == (Step.REWRITTEN, "second", ())
        assert [one.text for one in attempts.requests] == ["付款时间是哪天", "付款日"]
        assert [(one.step, one.accepted, len(one.rewrites)) for one in found.attempts] == [
            (Step.FIRST_ATTEMPT, False, 0),
            (Step.REWRITTEN, True, 1),
        ]

    def test_the_first_search_is_judged_by_the_question_itself(self) -> None:
        _, attempts = climbed([attempted(), attempted()])
        assert [one.judged_by for one in attempts.requests] == ["付款时间是哪天", "付款时间"]

    def test_the_second_has_the_same_bar_as_the_first(self) -> None:
        found, _ = climbed([attempted(), attempted("second", 0.44)])
        assert (found.step, found.outcome) == (Step.NEEDS_CONFIRMATION, "second")
        assert found.missing

    def test_the_better_of_two_that_fall_short_is_kept(self) -> None:
        found, _ = climbed([attempted("first", 0.4), attempted("second", 0.2)])
        assert found.outcome == "first"

    @pytest.mark.parametrize("request_", [None, Request("a", "a", doubtful=OTHER_WORDS.rewrites)])
    def test_without_other_words_there_is_no_second_search(self, request_: Request | None) -> None:
        found, attempts = climbed([attempted()], request_)
        assert found.step is Step.NEEDS_CONFIRMATION
        assert len(attempts.requests) == len(found.attempts) == 1

    @pytest.mark.parametrize(
        "last", [NOTHING, attempted("far", 0.01, candidate(overlap=0.0)), attempted("disputed", 0.9, conflict=True)]
    )
    def test_what_resembles_nothing_or_stays_disputed_goes_to_a_person(self, last: Attempted[str]) -> None:
        found, _ = climbed([NOTHING, last])
        assert found.step is Step.FOR_A_PERSON
        assert found.missing

    def test_a_shared_word_is_enough_to_ask_for_a_confirmation(self) -> None:
        found, _ = climbed([NOTHING, attempted("far", 0.01, candidate(overlap=0.2))])
        assert found.step is Step.NEEDS_CONFIRMATION

    def test_a_dispute_at_once_is_not_searched_again(self) -> None:
        found, attempts = climbed([attempted(probability=0.9, conflict=True)])
        assert found.step is Step.FOR_A_PERSON
        assert len(attempts.requests) == 1


class TestLacks:
    def test_another_identifier(self) -> None:
        question = asked("HT-1", identifiers=("ht-1",))
        held = Facts(mentions=(Mention(start=0, end=4, text="HT-1", type="identifier", key="ht-1"),))
        assert lacks(question, candidate(memory("a", "HT-2")), None) == (Lack.OTHER_IDENTIFIER,)
        assert lacks(question, candidate(memory("a", "HT-1", facts=held)), None) == (Lack.UNSURE,)

    def test_a_person_who_is_neither_party_nor_named(self) -> None:
        question = asked("李娜说了什么", people=(LI,))
        party = Party(role=EdgeType.SENT_BY, entity=EntityId("person:li"), name="李娜")
        assert lacks(question, candidate(memory("a", "王强请假")), None) == (Lack.OTHER_PERSON,)
        assert lacks(question, candidate(memory("a", "李娜请假")), None) == (Lack.UNSURE,)
        assert lacks(question, candidate(memory("a", "请假", parties=(party,))), None) == (Lack.UNSURE,)

    def test_a_person_in_another_role(self) -> None:
        sender = LI.model_copy(update={"role": EdgeType.SENT_BY})
        party = Party(role=EdgeType.SENT_TO, entity=EntityId("person:li"), name="李娜")
        found = lacks(asked("李娜发的", people=(sender,)), candidate(memory("a", "x", parties=(party,))), None)
        assert found == (Lack.OTHER_ROLE,)

    @pytest.mark.parametrize(("days", "lack"), [(0, Lack.UNSURE), (-3, Lack.OTHER_TIME), (3, Lack.OTHER_TIME)])
    def test_another_time(self, days: int, lack: Lack) -> None:
        window = TimeWindow(begin=NOW - timedelta(days=1), until=NOW + timedelta(days=1))
        said = memory("a", "x", event_time=NOW + timedelta(days=days))
        assert lacks(asked(window=window), candidate(said), None) == (lack,)

    def test_somebody_elses_fact_a_past_one_and_one_without_the_value(self) -> None:
        over = memory("a", "x", valid_to=NOW - timedelta(days=1))
        found = lacks(asked(), candidate(over, holder=HolderAgreement.DIFFERENT), False)
        assert found == (Lack.OTHER_HOLDER, Lack.NO_LONGER_SO, Lack.NO_VALUE)
        assert lacks(asked(validity=Validity.HISTORICAL), candidate(over), None) == (Lack.UNSURE,)


class TestMissing:
    def test_the_nearest_is_quoted_with_why_it_was_not_taken(self) -> None:
        zh = missing(asked(), attempted(has_value=False), ValueKind.TIME)
        assert zh == ("最接近的是2026-03-06的「三月五日付款」，未采用：里面没有所问的时间。", "请补充所问的时间。")
        en = missing(asked("When is it paid?"), attempted(), ValueKind.TIME)
        assert en == (
            'Nearest is "三月五日付款" of 2026-03-06, though it may not answer the question: '
            "it is only 30% sure, 45% is needed.",
        )

    def test_two_shares_are_written_so_that_they_differ(self) -> None:
        (line,) = missing(asked(), Attempted("x", (candidate(),), 0.2613, 0.2641), ValueKind.TIME)
        assert line.endswith("把握只有26.1%，需要26.4%。")
        assert shares(0.26001, 0.26002) == ("26.001%", "26.002%")
        assert shares(0.2, 0.2) == ("20%", "20%")

    def test_the_asker_is_called_you_and_only_who_is_absent_is_named(self) -> None:
        asker = PersonReference(name="I", entities=(EntityId("person:me"),))
        there = memory("a", "李娜请假")
        for text, name in (("What did I write to 李娜", "您"), ("What did I write to Li", "you")):
            first, *_ = missing(asked(text, people=(LI, asker)), attempted("x", 0.3, candidate(there)), ValueKind.NONE)
            assert name in first
            assert "李娜、" not in first
            assert " I" not in first.partition("」")[2]

    def test_whose_fact_is_asked_for_and_named_is_no_stranger(self) -> None:
        born = candidate(memory("a", "Tilda was born on Sunday"), holder=HolderAgreement.DIFFERENT)
        father = candidate(memory("a", "爷爷住院三天"), holder=HolderAgreement.DIFFERENT)
        tilda = Holder(kind=HolderKind.OTHER, text="Tilda", key="tilda")
        grandfather = Holder(kind=HolderKind.OTHER, text="爷爷", relation="爷爷")
        assert lacks(asked("when was Tilda born", holder=tilda), born, None) == (Lack.UNSURE,)
        assert lacks(asked("爷爷住院几天", holder=grandfather), father, None) == (Lack.UNSURE,)
        assert lacks(asked("when was Odo born", holder=tilda.model_copy(update={"text": "Odo"})), born, None) == (
            Lack.OTHER_HOLDER,
        )

    def test_another_one_of_several_is_said_to_be_one(self) -> None:
        first = candidate(memory("a", "开业第一天卖了90份"))
        assert lacks(asked("第三天卖了多少"), first, None) == (Lack.ANOTHER_ONE,)
        assert lacks(asked("how many on the first day"), first, None) == (Lack.UNSURE,)

    def test_nothing_at_all_asks_for_the_value(self) -> None:
        assert missing(asked("How much?"), NOTHING, ValueKind.AMOUNT) == (
            "No memory comes near the question.",
            "Confirm the figure asked for.",
        )
        assert missing(asked("怎么了"), NOTHING, ValueKind.NONE) == ("没有找到任何相近的记忆。",)

    def test_a_name_of_several_asks_which(self) -> None:
        bearers = tuple(
            Bearer(entity=EntityId(f"person:{one}"), name="张伟", entities=(EntityId(f"person:{one}"),))
            for one in ("w1@a.example", "w2@b.example")
        )
        person = PersonReference(name="张伟", entities=(EntityId("person:w1@a.example"),), bearers=bearers)
        first, *_ = missing(asked("张伟几点到", people=(person,)), attempted(), ValueKind.TIME)
        assert first == "请确认“张伟”指的是谁：张伟 (w1@a.example)、张伟 (w2@b.example)。"

    def test_namesakes_are_told_apart_by_any_address_of_theirs_or_by_having_none(self) -> None:
        own = (EntityId("person:章宁"), EntityId("person:zn@c.example"))
        bearers = (
            Bearer(entity=own[0], name="章宁", entities=own),
            Bearer(entity=EntityId("person:章宁 2"), name="章宁", entities=(EntityId("person:章宁"),)),
        )
        person = PersonReference(name="章宁", entities=own, bearers=bearers)
        assert told_apart(person, han=True) == ["章宁 (zn@c.example)", "章宁 (章宁 2)"]
        lone = Bearer(entity=EntityId("person:章宁"), name="章宁", entities=(EntityId("person:章宁"),))
        known = person.model_copy(update={"bearers": (bearers[0], lone)})
        assert told_apart(known, han=False) == ["章宁 (zn@c.example)", "章宁 (known by name only)"]

    def test_unknown_names_codes_and_doubtful_readings_are_named(self) -> None:
        named = Mention(start=0, end=5, text="Bertl", type="person", key="bertl")
        question = asked("Bertl's HT-1", mentions=(named,), identifiers=("ht-1",))
        doubtful = (Rewrite(kind=RewriteKind.SPELLING, original="Bertl", replacement="Bert"),)
        found = missing(question, attempted(), ValueKind.NONE, doubtful)
        assert found[:3] == (
            'Confirm that "Bertl" is "Bert".',
            'Nobody called "Bertl" is known: confirm the name.',
            "No memory found holds ht-1.",
        )

    def test_a_long_memory_is_quoted_on_one_short_line(self) -> None:
        long = memory("a", "付款\n" * 200)
        (line,) = missing(asked(), attempted("x", 0.3, candidate(long)), ValueKind.NONE)
        assert "\n" not in line
        assert len(line) < LONGEST_QUOTE + 60

    def test_text_of_a_memory_is_never_a_template(self) -> None:
        braces = memory("a", "{people} {0} %s")
        (line,) = missing(asked(), attempted("x", 0.3, candidate(braces)), ValueKind.NONE)
        assert "{people} {0} %s" in line
