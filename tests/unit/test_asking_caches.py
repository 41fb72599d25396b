"""What asking works out once and keeps: bounded, right after a change, the same for many askers at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphsvc.change import words
from graphsvc.encoding.base import EncodedQuery
from graphsvc.encoding.late import best_matches
from graphsvc.language.aliases import name_variants
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.retrieve.checks import newer_of_same_slot
from graphsvc.retrieve.checks.newer import Replacing
from graphsvc.retrieve.ladder import english, nearwords, sounds
from graphsvc.retrieve.ladder.nearwords import NearWords
from graphsvc.retrieve.parse.namesakes import variants_of
from graphsvc.retrieve.rank.neighbours import Beside, read_together
from graphsvc.store.sqlite.store import SqliteStore
from graphsvc.store.vocabulary import Vocabulary
from tests.builders import FINGERPRINT, axis, entity, entry, random_unit, token_states
from tests.statements import asked, said

RENT = (
    ("first", "The rent of the flat is 900 euros.", "2024-01-05T09:00:00+00:00"),
    ("other", "The rent of the garage is 80 euros.", "2024-02-05T09:00:00+00:00"),
    ("risen", "The rent went up to 950 euros.", "2024-03-05T09:00:00+00:00"),
    ("now", "Now the flat costs 960 euros.", "2024-04-05T09:00:00+00:00"),
    ("asks", "Has the rent of the flat changed?", "2024-05-05T09:00:00+00:00"),
)


def rent() -> list[Memory]:
    return [
        said(name, {"text": text, "event_time": time, "conversation_id": "rent", "sender": "Ines"})
        for name, text, time in RENT
    ]


@dataclass
class Listed:
    """A vocabulary that grows by hand, and counts how often it was asked for."""

    words: list[str]
    edition: object = field(default_factory=object)
    gone: frozenset[str] = frozenset()

    def known(self, namespace: str, tokens: Any) -> dict[str, int]:
        return {token: 2 for token in tokens if token in self.words}

    def vocabulary(self, namespace: str) -> Vocabulary:
        counts = np.array([0 if word in self.gone else 2 for word in self.words], dtype=np.int64)
        return Vocabulary(edition=self.edition, words=tuple(self.words), counts=counts)


def spelt(near: NearWords, typed: str, most: int = 1) -> set[str]:
    return {one.word for one in near.around("home").spelt_like(typed, most=most)}


def heard(near: NearWords, stretch: str) -> set[str]:
    return {one.word for one in near.around("home").sounding_like(stretch)}


class TestNearWords:
    def test_a_word_that_came_later_is_found_by_the_same_index(self) -> None:
        listed = Listed(["invoic", "合同"])
        near = NearWords(listed)
        assert (spelt(near, "recept"), heard(near, "发漂")) == (set(), set())
        listed.words += ["receipt", "发票"]
        assert (spelt(near, "reciept"), heard(near, "发漂")) == ({"receipt"}, {"发票"})
        assert "invoice" in spelt(near, "invoce")

    def test_a_word_whose_last_memory_is_gone_is_not_found(self) -> None:
        listed = Listed(["receipt", "发票"])
        near = NearWords(listed)
        assert spelt(near, "reciept") and heard(near, "发漂")
        listed.gone = frozenset(listed.words)
        assert (spelt(near, "reciept"), heard(near, "发漂")) == (set(), set())

    def test_another_edition_is_read_from_the_start(self) -> None:
        listed = Listed(["receipt", "发票"])
        near = NearWords(listed)
        assert spelt(near, "reciept") and heard(near, "发漂")
        listed.words, listed.edition = ["kettle", "合同"], object()
        assert (spelt(near, "reciept"), heard(near, "发漂")) == (set(), set())
        assert (spelt(near, "kettel"), heard(near, "合铜")) == ({"kettle"}, {"合同"})

    def test_one_who_read_earlier_sees_nothing_that_came_since(self) -> None:
        listed = Listed(["kettle"])
        near = NearWords(listed)
        earlier = near.around("home")
        listed.words += ["receipt", "发票"]
        assert spelt(near, "reciept") and heard(near, "发漂")
        assert earlier.spelt_like("reciept", most=1) == [] == earlier.sounding_like("发漂")

    def test_a_form_longer_than_its_token_is_found_by_its_own_length(self) -> None:
        near = NearWords(Listed(["cater", "run"]))
        assert "catering" in spelt(near, "caterimg", most=2)
        assert "running" in spelt(near, "runnning") or "runing" in spelt(near, "runnning", most=2)

    def test_only_as_many_namespaces_are_kept_as_it_says(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(nearwords, "_NAMESPACES_KEPT", 2)
        near = NearWords(Listed(["receipt"]))
        first = near.around("one")
        near.around("two")
        near.around("three")
        assert len(near._indexes) == 2
        assert first.spelt_like("reciept", most=1) == near.around("one").spelt_like("reciept", most=1)

    def test_no_sound_is_worked_out_for_a_word_that_shares_no_character(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked_for: list[str] = []
        monkeypatch.setattr(nearwords.sounds, "sound_of", lambda word: asked_for.append(word) or sounds_of(word))
        assert heard(NearWords(Listed(["发票", "合同", "天气", "发电"])), "发漂") == {"发票"}
        assert set(asked_for) == {"发漂", "发票", "发电"}

    def test_warm_it_reads_no_list_of_words_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        near = NearWords(Listed(["kettle"]))
        near.warm_up()
        monkeypatch.setattr(english.importlib.util, "find_spec", lambda name: pytest.fail(f"{name} is read again"))
        assert spelt(near, "kettel") == {"kettle"}

    def test_many_who_ask_at_once_are_told_the_same(self) -> None:
        listed = Listed(["receipt", "recess", "record", "发票", "发电", "投票"] + [f"word{n}" for n in range(500)])
        alone = (spelt(NearWords(listed), "reciept", 2), heard(NearWords(listed), "发漂"))
        near = NearWords(listed)
        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(lambda _: (spelt(near, "reciept", 2), heard(near, "发漂")), range(64)))
        assert told == [alone] * 64


sounds_of = sounds.sound_of


class TestReplacing:
    def test_pairs_read_once_are_told_as_pairs_read_anew(self) -> None:
        question, _ = asked("how much is the rent of the flat")
        memories, kept = rent(), Replacing.of(question)
        for _ in range(2):
            for a, b in product(memories, repeat=2):
                assert kept.newer(a, b) is newer_of_same_slot(a, b, question)

    def test_what_replaces_is_what_is_surely_newer(self) -> None:
        question, _ = asked("how much is the rent of the flat")
        memories, kept = rent(), Replacing.of(question)
        told = {(a.id, b.id): kept.replaces(b, a) for a, b in product(memories, repeat=2)}
        assert told == {
            (a.id, b.id): newer_of_same_slot(a, b, question) is True for a, b in product(memories, repeat=2)
        }
        assert any(told.values())
        assert not all(told.values())

    def test_another_question_is_read_anew(self) -> None:
        flat, garage = (asked(f"how much is the rent of the {what}")[0] for what in ("flat", "garage"))
        memories = rent()
        told = [[Replacing.of(one).newer(a, b) for a, b in product(memories, repeat=2)] for one in (flat, garage, flat)]
        assert told[0] == told[2] != told[1]


class TestWords:
    LISTED = ("hardness", "hard", "盖", "盖好", "参保", "参保地", "garage", "rage", "paying", "pay", "2024", "x")

    def test_looking_at_the_ends_first_loses_no_pair(self) -> None:
        every = [(a, b) for a in self.LISTED for b in self.LISTED if words.same_word(a, b)]
        assert words.pairs(self.LISTED, self.LISTED) == every
        assert all(words.among(a, [b]) is words.same_word(a, b) for a, b in product(self.LISTED, repeat=2))

    def test_words_in_a_span_leave_out_what_is_masked(self) -> None:
        text = "garden gate, garden path"
        assert words.words_in(text, (0, len(text))) == ("garden", "gate", "path")
        assert words.words_in(text, (0, len(text)), [(7, 11)]) == ("garden", "path")
        assert words.words_in(text, (12, len(text))) == ("garden", "path")


def test_the_forms_of_a_stretch_are_those_of_the_name_and_bounded() -> None:
    for name in ("张伟", "王伟明", "Mei Zhou", "Zhou, Mei", "HT2023-0876", ""):
        assert variants_of(name) == name_variants(name)
    assert variants_of.cache_info().maxsize is not None


def test_matches_that_are_known_are_read_together_as_those_worked_out() -> None:
    turns = {MemoryId(f"t{n}"): token_states(n, width=4) for n in range(4)}
    query = EncodedQuery(random_unit(1), states=np.stack([random_unit(n) for n in range(3)]))
    beside = {MemoryId("t1"): Beside(MemoryId("t0"), MemoryId("t2"))}
    anew = read_together(query, turns, beside)
    known = read_together(query, turns, beside, own=best_matches(query, list(turns.values())))
    assert np.array_equal(anew.score, known.score)
    assert np.array_equal(anew.coverage, known.coverage)


class TestStore:
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SqliteStore]:
        opened = SqliteStore(tmp_path)
        opened.set_encoding(FINGERPRINT)
        yield opened
        opened.close()

    def test_many_names_and_vectors_asked_at_once_are_those_asked_one_by_one(self, store: SqliteStore) -> None:
        store.put(
            [
                entry(
                    f"m{n}",
                    vector=axis(n),
                    states=token_states(n) if n % 2 else None,
                    entities=[entity(f"person:p{n}", f"name {n}", "张伟")],
                )
                for n in range(5)
            ]
            + [entry("bare")]
        )
        names = ["name 1", "name 3", "nobody", "\ud800", 'a "quoted" name', "name 1"]
        alone = {one.id for name in names for one in store.entities("default", aliases=[name])}
        assert {one.id for one in store.entities("default", aliases=names)} == alone == {"person:p1", "person:p3"}
        assert len(store.entities("default", aliases=["张伟"])) == 5
        assert store.entities("elsewhere", aliases=names) == []
        asked_for = [MemoryId(one) for one in ("m0", "m1", "bare", "nowhere", "m1")]
        found = store.vectors("default", asked_for)
        assert set(found) == {"m0", "m1"}
        assert np.array_equal(found[MemoryId("m1")][0], axis(1))
        assert found[MemoryId("m0")][1] is None
        assert found[MemoryId("m1")][1] is not None
