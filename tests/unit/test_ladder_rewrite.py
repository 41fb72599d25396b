"""Slips put right, dates made absolute, other words found: what a second search asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from graphsvc.language.hanwords import cut
from graphsvc.language.segment import index_tokens
from graphsvc.models.answer import RewriteKind
from graphsvc.models.facts import Anchor, Granularity, Label, Language, Mention, Sense, SenseSource, TimeExpression
from graphsvc.models.question import Question
from graphsvc.retrieve.ladder.dates import absolute
from graphsvc.retrieve.ladder.nearwords import NearWords
from graphsvc.retrieve.ladder.repair import Repaired, repair
from graphsvc.retrieve.ladder.request import Request
from graphsvc.retrieve.ladder.rewrite import MOST_PER_WORD, rewrite
from graphsvc.retrieve.ladder.sounds import distance, sound_of
from graphsvc.retrieve.ladder.synonyms import synonyms
from graphsvc.store.filters import eq
from graphsvc.store.sqlite.store import SqliteStore
from ontology.loader import load_ontology
from tests.builders import entry

SHANGHAI = ZoneInfo("Asia/Shanghai")
ASKED = datetime(2026, 3, 6, 10, 0, tzinfo=SHANGHAI)
TEXTS = (
    "逾期的违约金按日计算",
    "发票已经寄出",
    "仓库合同三月到期",
    "付款方式是电汇",
    "约定的网关地址",
    "同事加班到九点",
    "the invoice for the catering was paid",
    "we received a receipt for the booking",
    "Martin keeps the keys; martin is away",
    "kettle model ABCDE",
)


def question(text: str, **fields: object) -> Question:
    given = {"language": Language.ZH, "asked_at": ASKED, "query_type": "general"}
    return Question.model_validate({"text": text, **given, **fields})


def texts_of(store: SqliteStore, *texts: str) -> None:
    store.put([entry(text, text, tokens=index_tokens(text)) for text in texts])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path)
    texts_of(opened, *TEXTS)
    yield opened
    opened.close()


@pytest.fixture
def near(store: SqliteStore) -> NearWords:
    return NearWords(store.words)


class TestSounds:
    @pytest.mark.parametrize(
        ("left", "right", "apart"),
        [
            ("合铜", "合同", 0),
            ("发漂", "发票", 0),
            ("章三", "脏三", 1),
            ("牛来", "刘来", 1),
            ("民子", "明子", 1),
            ("违员", "违约", 2),
            ("天气", "铁器", 2),
            ("民族", "明朱", None),
            ("合同", "合计", None),
            ("合同", "合同书", None),
        ],
    )
    def test_words_are_as_far_apart_as_they_sound(self, left: str, right: str, apart: int | None) -> None:
        assert distance(sound_of(left), sound_of(right)) == apart
        assert distance(sound_of(right), sound_of(left)) == apart


class TestRepair:
    @pytest.mark.parametrize(
        ("slip", "meant", "kind"),
        [
            ("违员责任怎么算", "违约责任怎么算", RewriteKind.HOMOPHONE),
            ("合铜什么时候到期", "合同什么时候到期", RewriteKind.HOMOPHONE),
            ("付宽方式是什么", "付款方式是什么", RewriteKind.HOMOPHONE),
            ("开发漂了吗", "开发票了吗", RewriteKind.HOMOPHONE),
            ("who paid the invoce?", "who paid the invoice?", RewriteKind.SPELLING),
            ("Reciept for what?", "receipt for what?", RewriteKind.SPELLING),
            ("how much was the caetring", "how much was the catering", RewriteKind.SPELLING),
        ],
    )
    def test_a_slip_becomes_the_word_that_memories_hold(
        self, near: NearWords, slip: str, meant: str, kind: RewriteKind
    ) -> None:
        found = repair(question(slip), "default", near)
        assert (found.text, [one.kind for one in found.rewrites]) == (meant, [kind])

    @pytest.mark.parametrize(
        "text",
        [
            "合同几号到期",
            "船货清完关了吗",
            "搬家时请的搬家公司",
            "他们吃什么",
            "该用哪种",
            "everything got dearer and bigger",
            "the moor behind the house",
            "what is ABCDF",
            "call invoce@mail.example or invoce-12",
            "what did Marton say",
            "invo",
        ],
    )
    def test_words_codes_and_unknown_names_stay(self, near: NearWords, text: str) -> None:
        assert repair(question(text), "default", near) == Repaired(text)

    def test_what_was_recognised_as_something_stays(self, near: NearWords) -> None:
        text = "付宽是谁"
        named = Mention(start=0, end=2, text="付宽", type="person", key="付宽")
        assert repair(question(text, mentions=(named,)), "default", near) == Repaired(text)

    def test_a_name_is_proposed_and_never_put_in(self, near: NearWords) -> None:
        def is_name(words: Sequence[str]) -> Collection[str]:
            return {"martin"} & set(words)

        found = repair(question("where is marrtin"), "default", near, is_name)
        assert (found.text, found.rewrites) == ("where is marrtin", ())
        assert [(one.original, one.replacement) for one in found.doubtful] == [("marrtin", "martin")]

    def test_the_more_frequent_of_two_wins_and_a_tie_repairs_nothing(self, near: NearWords, store: SqliteStore) -> None:
        texts_of(store, "the ballot", "a ballet")
        assert repair(question("which ballt"), "default", near) == Repaired("which ballt")
        texts_of(store, "another ballet")
        assert repair(question("which ballt"), "default", near).text == "which ballet"

    def test_no_word_of_another_namespace_is_used(self, near: NearWords) -> None:
        assert repair(question("合铜 invoce"), "other", near) == Repaired("合铜 invoce")

    def test_a_word_is_used_as_long_as_a_memory_holds_it(self, near: NearWords, store: SqliteStore) -> None:
        asked = question("the kettel")
        assert repair(asked, "default", near).text == "the kettle"
        store.delete("default", eq("id", TEXTS[-1]))
        assert repair(asked, "default", near) == Repaired("the kettel")
        texts_of(store, "a copper kettle")
        assert repair(asked, "default", near).text == "the kettle"


def relative(text: str, word: str, begin: datetime, until: datetime, size: Granularity) -> TimeExpression:
    start = text.index(word)
    return TimeExpression(
        start=start,
        end=start + len(word),
        text=word,
        begin=begin,
        until=until,
        granularity=size,
        anchor=Anchor.SPEAKER,
    )


def at(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=SHANGHAI)


class TestDates:
    @pytest.mark.parametrize(
        ("begin", "until", "size", "zh", "en"),
        [
            (at(2026, 3, 5), at(2026, 3, 6), Granularity.DAY, "3月5日", "5 March"),
            (at(2025, 12, 31), at(2026, 1, 1), Granularity.DAY, "2025年12月31日", "31 December 2025"),
            (at(2026, 2, 23), at(2026, 3, 2), Granularity.WEEK, "2月23日至3月1日", "23 February to 1 March"),
            (at(2026, 2, 1), at(2026, 3, 1), Granularity.MONTH, "2月", "February 2026"),
            (at(2025, 7, 1), at(2025, 10, 1), Granularity.QUARTER, "2025年第三季度", "Q3 2025"),
            (at(2025, 1, 1), at(2026, 1, 1), Granularity.YEAR, "2025年", "2025"),
        ],
    )
    def test_a_relative_date_is_written_as_texts_write_it(
        self, begin: datetime, until: datetime, size: Granularity, zh: str, en: str
    ) -> None:
        time = relative("last", "last", begin, until, size)
        chinese, english = (absolute(time, ASKED, han=han) for han in (True, False))
        assert (chinese and chinese.text, english and english.text) == (zh, en)

    @pytest.mark.parametrize(
        ("word", "written"),
        [("昨天下午3点", "3月5日下午3点"), ("昨晚", "3月5日晚"), ("上午10点", None)],
    )
    def test_the_hour_stays_as_it_was_written(self, word: str, written: str | None) -> None:
        time = relative(word, word, at(2026, 3, 5), at(2026, 3, 6), Granularity.HOUR)
        found = absolute(time, ASKED, han=True)
        assert (found and found.text) == written

    @pytest.mark.parametrize("word", ["九月", "September", "last summer", "去年夏天", "元旦"])
    def test_months_seasons_and_feasts_stand_in_texts_as_in_questions(self, word: str) -> None:
        time = relative(word, word, at(2025, 9, 1), at(2025, 10, 1), Granularity.MONTH)
        assert absolute(time, ASKED, han=True) is None

    def test_what_is_a_date_already_or_has_no_end_stays(self) -> None:
        time = relative("昨天", "昨天", at(2026, 3, 5), at(2026, 3, 6), Granularity.DAY)
        assert absolute(time, ASKED, han=True) is not None
        assert absolute(time.model_copy(update={"anchor": Anchor.ABSOLUTE}), ASKED, han=True) is None
        assert absolute(time.model_copy(update={"until": None}), ASKED, han=True) is None


class TestSynonyms:
    def test_a_synonym_goes_both_ways(self) -> None:
        assert "协议" in synonyms("合同")
        assert "合同" in synonyms("协议")
        assert "contract" in synonyms("合同")
        assert synonyms("鼎盛") == ()

    def test_every_word_of_the_table_is_one_search_token(self) -> None:
        words = {word for token in ("合同", "invoic", "dept", "妈妈", "deadlin") for word in synonyms(token)}
        assert words
        assert [word for word in words if not word.isascii() and cut(word) != [word]] == []
        assert [word for word in words if word.isascii() and len(index_tokens(word)) != 1] == []


def _rewritten(asked: Question, *held: str, repaired: str | None = None, **given: object) -> Request | None:
    def known(tokens: Iterable[str]) -> dict[str, int]:
        return {token: 1 for token in tokens if token in held}

    text = asked.text if repaired is None else repaired
    return rewrite(asked, Repaired(text), load_ontology(()), known, **given)  # type: ignore[arg-type]  # the aliases


class TestRewrite:
    def test_only_words_that_memories_hold_are_added(self) -> None:
        found = _rewritten(question("合同在哪"), "协议")
        assert found is not None
        assert found.words == ("协议",)
        assert [(one.kind, one.original, one.replacement) for one in found.rewrites] == [
            (RewriteKind.SYNONYM, "合同", "协议")
        ]
        assert (found.text, found.judged_by) == ("合同在哪", "合同在哪")

    def test_a_question_that_cannot_be_said_otherwise_is_not_rewritten(self) -> None:
        assert _rewritten(question("合同在哪")) is None

    def test_dates_are_searched_for_and_never_judged_by(self) -> None:
        text = "昨天谁寄的合同"
        time = relative(text, "昨天", at(2026, 3, 5), at(2026, 3, 6), Granularity.DAY)
        found = _rewritten(question(text, times=(time,)))
        assert found is not None
        assert (found.text, found.judged_by) == ("3月5日谁寄的合同", text)
        assert "2026-03-05" in found.words

    def test_evidence_is_judged_by_the_repaired_question(self) -> None:
        found = _rewritten(question("合铜在哪"), "协议", repaired="合同在哪")
        assert found is not None
        assert found.judged_by == "合同在哪"
        assert found.words == ("协议",)

    def test_names_the_user_gave_are_searched_for(self) -> None:
        found = _rewritten(question("老地方在哪"), "茶馆", aliases={"老地方": ("茶馆", "酒楼")})
        assert found is not None
        assert found.words == ("茶馆",)

    def test_a_settled_sense_lends_the_words_of_its_gloss(self) -> None:
        sense = Sense(start=4, end=8, surface="bank", sense="bank.money", probability=0.9, source=SenseSource.SENTENCE)
        asked = question("the bank", senses=(sense,))
        found = _rewritten(asked, "银行")
        assert found is not None
        assert found.words == ("银行",)
        unsettled = sense.model_copy(update={"sense": None})
        assert _rewritten(question("the bank", senses=(unsettled,)), "银行") is None

    def test_a_sure_label_lends_its_name(self) -> None:
        library = load_ontology(())
        domain = next(one for one in library.domains if not one.background and cut(one.name.zh) == [one.name.zh])
        label = Label(domain=domain.id, probability=0.9, source="test")
        found = _rewritten(question("那笔呢", labels=(label,)), domain.name.zh)
        assert found is not None
        assert (found.words, found.rewrites[0].kind) == ((domain.name.zh,), RewriteKind.LABEL)
        unsure = label.model_copy(update={"probability": 0.3})
        assert _rewritten(question("那笔呢", labels=(unsure,)), domain.name.zh) is None

    def test_no_word_brings_more_than_a_few(self) -> None:
        others = tuple(f"k{number}" for number in range(9))
        found = _rewritten(question("老地方"), *others, aliases={"老地方": others})
        assert found is not None
        assert len(found.words) == MOST_PER_WORD
