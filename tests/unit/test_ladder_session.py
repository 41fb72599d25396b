"""Questions that lean on earlier ones of their session, and the paths questions take."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphsvc.models.answer import Decision, RewriteKind, Trace
from graphsvc.models.base import EntityId
from graphsvc.models.facts import Anchor, Granularity, Language, Mention, TimeExpression
from graphsvc.models.memory import Memory
from graphsvc.models.question import PersonReference, Question, QuestionPart, Route, Validity
from graphsvc.retrieve.ask import MAX_QUESTION_CHARS
from graphsvc.retrieve.ladder.route import Reach, path_of
from graphsvc.retrieve.ladder.session import REMEMBERED, Turn, complete, last_turns
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import NOW, entry, memory, trace


def asked(text: str, *people: str, route: Route = Route.DIRECT, **fields: object) -> Question:
    named = tuple(PersonReference(name=name, entities=(EntityId(f"person:{name}"),)) for name in people)
    given = {"language": Language.ZH, "asked_at": NOW, "query_type": "general", "people": named, "route": route}
    return Question.model_validate({"text": text, **given, **fields})


def follow_up(text: str, *people: str, **fields: object) -> Question:
    return asked(text, *people, route=Route.FOLLOW_UP, **fields)


def mention(text: str, word: str, kind: str) -> Mention:
    start = text.index(word)
    return Mention(start=start, end=start + len(word), text=word, type=kind, key=word.casefold())


def day(text: str, word: str) -> TimeExpression:
    start = text.index(word)
    span = {"start": start, "end": start + len(word), "text": word, "begin": NOW, "until": NOW}
    return TimeExpression.model_validate({**span, "granularity": Granularity.DAY, "anchor": Anchor.SPEAKER})


class TestCompletion:
    @pytest.mark.parametrize(
        ("before", "person", "now", "completed"),
        [
            ("李娜什么时候回来", "李娜", "她的电话是多少", "李娜的电话是多少（回来）"),
            (
                "Where does Anna Berg work?",
                "Anna Berg",
                "and what is her number?",
                "and what is Anna Berg's number? (work)",
            ),
            ("When did He Lin leave?", "He Lin", "why did she tell him?", "why did He Lin tell He Lin? (leave)"),
        ],
    )
    def test_a_pronoun_becomes_the_only_one_it_can_mean(
        self, before: str, person: str, now: str, completed: str
    ) -> None:
        assert complete(follow_up(now), [Turn(asked(before, person))]).text == completed

    def test_a_pronoun_of_several_people_is_left_alone(self) -> None:
        turn = Turn(asked("李娜和王强谁去", "李娜", "王强"))
        found = complete(follow_up("他的电话是多少"), [turn])
        assert found.text.startswith("他的电话是多少（")
        assert "李娜" in found.text
        assert "王强" in found.text

    def test_others_and_guitars_are_no_pronouns(self) -> None:
        found = complete(follow_up("其他的吉他放哪了来着"), [Turn(asked("李娜的琴在哪", "李娜"))])
        assert found.text.startswith("其他的吉他放哪了来着")

    @pytest.mark.parametrize(
        ("before", "people", "now", "own", "completed"),
        [
            ("李娜哪天出发", ("李娜",), "那王强呢？", ("王强",), "王强哪天出发"),
            ("When does Anna arrive?", ("Anna",), "What about Tom?", ("Tom",), "When does Tom arrive?"),
        ],
    )
    def test_another_person_takes_the_place_of_the_first(
        self, before: str, people: tuple[str, ...], now: str, own: tuple[str, ...], completed: str
    ) -> None:
        assert complete(follow_up(now, *own), [Turn(asked(before, *people))]).text == completed

    def test_what_about_hers_means_the_only_other_one_of_the_session(self) -> None:
        turns = [Turn(asked("When is Tom's flight?", "Tom")), Turn(asked("Where does Anna sit?", "Anna"))]
        assert complete(follow_up("what about hers?"), turns).text == "When is Anna's flight?"

    def test_another_day_takes_the_place_of_the_first(self) -> None:
        before, now = "昨天谁值班", "那今天呢"
        turn = Turn(asked(before, times=(day(before, "昨天"),)))
        assert complete(follow_up(now, times=(day(now, "今天"),)), [turn]).text == "今天谁值班"

    def test_what_was_named_comes_along_rather_than_all_words(self) -> None:
        before = "鼎盛建材的尾款什么时候付"
        turn = Turn(asked(before, mentions=(mention(before, "鼎盛建材", "organisation"),)))
        found = complete(follow_up("那个合同号是多少来着"), [turn])
        assert found.text == "那个合同号是多少来着（鼎盛建材）"
        assert [(one.kind, one.replacement) for one in found.rewrites] == [(RewriteKind.FOLLOW_UP, "鼎盛建材")]

    @pytest.mark.parametrize("now", ["最后多少钱？", "什么时候到的", "花了多少", "谁付的？", "到底几号"])
    def test_a_question_that_names_nothing_keeps_what_was_asked_of(self, now: str) -> None:
        turn = Turn(asked("KX40是谁订的？"))
        assert complete(asked(now), [turn]).text == f"{now}（KX40）"

    def test_how_much_in_the_end_is_of_the_same_thing(self) -> None:
        assert "KX40" in complete(asked("How much in the end?"), [Turn(asked("Who ordered the KX40?"))]).text

    @pytest.mark.parametrize("room", range(0, 30, 3))
    def test_what_is_carried_never_makes_a_question_longer_than_one_may_be(self, room: int) -> None:
        before = asked("Where does Anna Berg work on the harbour bridge?", "Anna Berg")
        now = "and her number?".ljust(MAX_QUESTION_CHARS - room, "?")
        done = complete(follow_up(now), [Turn(before)])
        assert now[-room - 9 :] in done.text
        assert len(done.text) <= MAX_QUESTION_CHARS

    def test_of_the_words_that_could_be_carried_those_that_fit_are(self) -> None:
        before = asked("Where does the harbour bridge end?")
        now = "and how much?".ljust(MAX_QUESTION_CHARS - 12, "?")
        assert complete(follow_up(now), [Turn(before)]).text == f"{now} (harbour)"

    @pytest.mark.parametrize("now", ["电费多少", "谁修的锅炉", "when is the match", "几点去学校"])
    def test_a_question_with_a_subject_of_its_own_keeps_nothing(self, now: str) -> None:
        assert complete(asked(now), [Turn(asked("KX40是谁订的？"))]).text == now

    def test_the_turn_that_speaks_of_the_same_thing_is_meant(self) -> None:
        turns = [Turn(asked("周末天气怎样")), Turn(asked("鼎盛的合同到期了吗"), memory("c", "鼎盛合同三月到期"))]
        assert complete(follow_up("那个合同号是多少来着"), turns).prefer.memories == {"c"}

    @pytest.mark.parametrize(
        "question",
        [
            asked("李娜的电话是多少", "李娜"),
            asked("她的电话是多少"),
            follow_up("那份 HT-9 是谁签的来着", identifiers=("ht-9",)),
        ],
    )
    def test_what_stands_on_its_own_carries_nothing(self, question: Question) -> None:
        turn = Turn(asked("王强哪天出发", "王强"), memory("a"))
        found = complete(question, [turn])
        assert (found.text, found.rewrites) == (question.text, ())
        assert not found.prefer.memories

    def test_without_a_session_nothing_is_carried(self) -> None:
        assert complete(follow_up("那王强呢", "王强"), []).text == "那王强呢"

    def test_evidence_of_the_same_talk_thread_or_file_is_preferred(self) -> None:
        answered = memory("a", conversation_id="c1", thread_root_id="t1", source={"file": "f.md"})
        prefer = complete(follow_up("什么时候来着"), [Turn(asked("谁付款"), answered)]).prefer
        assert prefer.prefers(answered)
        assert prefer.prefers(memory("b", conversation_id="c1"))
        assert prefer.prefers(memory("b", thread_root_id="t1"))
        assert prefer.prefers(memory("b", source={"file": "f.md"}))
        assert not prefer.prefers(memory("b", conversation_id="c2"))
        assert not prefer.prefers(memory("b"))


def _saved(store: SqliteStore, number: int, *memories: Memory, probability: float, namespace: str = "default") -> Trace:
    decided = Decision(method="test", threshold=0.5, probability=probability)
    accepted = tuple(one.id for one in memories) if decided.probability >= decided.threshold else ()
    update = {"session_id": "s", "decision": decided, "question": asked(f"问题{number}"), "accepted": accepted}
    saved = trace(f"t{number}", *memories, namespace=namespace).model_copy(update=update)
    store.traces.save(saved)
    return saved


class TestMemoryOfTheSession:
    def test_the_last_five_questions_are_remembered_newest_first(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path)
        for number in range(7):
            _saved(store, number, probability=0.9)
        turns = last_turns(store.traces, "default", "s")
        assert [turn.question.text for turn in turns] == [f"问题{n}" for n in (6, 5, 4, 3, 2)]
        assert len(turns) == REMEMBERED
        store.close()

    def test_another_namespace_and_no_session_know_nothing(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path)
        _saved(store, 1, probability=0.9)
        assert last_turns(store.traces, "other", "s") == ()
        assert last_turns(store.traces, "default", None) == ()
        store.close()

    def test_only_what_was_accepted_answered_a_turn(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path)
        store.put([entry("a")])
        (kept,) = store.get("default", [entry("a").memory.id])
        _saved(store, 1, kept, probability=0.2)
        _saved(store, 2, kept, probability=0.8)
        answered = [turn.answered_by for turn in last_turns(store.traces, "default", "s")]
        assert [one and one.id for one in answered] == ["a", None]
        store.close()


class TestPaths:
    @pytest.mark.parametrize("route", list(Route))
    def test_every_route_has_its_path(self, route: Route) -> None:
        assert path_of(asked("x", route=route)).route is route

    def test_steps_come_in_order_and_changes_newest_first(self) -> None:
        howto, latest = path_of(asked("x", route=Route.HOWTO)), path_of(asked("x", route=Route.LATEST))
        assert (howto.reach, howto.in_order, howto.several) == (Reach.STEPS, True, True)
        assert (latest.reach, latest.latest_first) == (Reach.CHANGES, True)

    def test_parts_are_asked_apart_on_every_path(self) -> None:
        parts = tuple(QuestionPart(start=0, end=1, text=text) for text in ("a", "b"))
        assert path_of(asked("x", route=Route.COMPARE)).parts_apart
        assert path_of(asked("x", parts=parts)).parts_apart
        assert not path_of(asked("x")).parts_apart

    def test_a_question_keeps_the_validity_it_says_itself(self) -> None:
        latest = path_of(asked("x", route=Route.LATEST))
        assert latest.validity_of(asked("x")) is Validity.LATEST
        assert latest.validity_of(asked("x", validity=Validity.HISTORICAL)) is Validity.HISTORICAL
        assert path_of(asked("x")).validity_of(asked("x")) is Validity.PRESENT
