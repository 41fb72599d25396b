"""What a user usually means by a word is learnt from their own texts, slowly, and from corrections at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphsvc.language.senses import SenseTagger, Use, count_uses, habits_of
from ontology.loader import load_ontology

SENSES = ("bank.money", "bank.river", "apple.fruit", "apple.company")


def test_a_fishermans_bank_is_a_river_bank_unless_the_sentence_says_otherwise() -> None:
    tagger = SenseTagger(load_ontology(), None)
    habits = habits_of(count_uses([Use("bank.river", 0.95)] * 12 + [Use("bank.money", 0.9)]))
    (bare,) = tagger.tag("See you at the bank.", habits=habits)
    (spoken,) = tagger.tag("The bank wants my loan and savings papers.", habits=habits)
    assert (bare.sense, bare.source) == ("bank.river", "habits")
    assert (spoken.sense, spoken.source) == ("bank.money", "sentence")


def test_one_use_makes_no_habit() -> None:
    tagger = SenseTagger(load_ontology(), None)
    (found,) = tagger.tag("See you at the bank.", habits=habits_of(count_uses([Use("bank.river")])))
    assert found.sense is None


def test_a_user_of_both_senses_has_no_habit() -> None:
    tagger = SenseTagger(load_ontology(), None)
    habits = habits_of(count_uses([Use("bank.river")] * 20 + [Use("bank.money")] * 20))
    (found,) = tagger.tag("See you at the bank.", habits=habits)
    assert found.sense is None


def test_sure_and_recent_uses_count_more() -> None:
    assert count_uses([Use("bank.river", 0.9)])["bank.river"] > count_uses([Use("bank.river", 0.6)])["bank.river"]
    assert count_uses([Use("bank.river", 1.0, 180.0)])["bank.river"] == pytest.approx(0.5)
    assert count_uses([Use("bank.river", 0.5)]) == {}


def test_a_correction_outweighs_several_readings() -> None:
    habits = habits_of({"bank.river": 4.0}, {"bank.money": 1.0})
    assert habits["bank.money"] > habits["bank.river"]


def test_a_correction_against_a_sense_takes_its_readings_away() -> None:
    assert "bank.river" not in habits_of({"bank.river": 4.0}, {"bank.river": -1.0})


def test_words_do_not_share_their_habits() -> None:
    alone = habits_of({"bank.river": 3.0})
    both = habits_of({"bank.river": 3.0, "apple.fruit": 50.0})
    assert both["bank.river"] == alone["bank.river"]


@given(
    st.dictionaries(st.sampled_from(SENSES), st.floats(0, 1e6)),
    st.dictionaries(st.sampled_from(SENSES), st.floats(-9, 9)),
)
def test_shares_of_a_word_never_reach_one(counts: dict[str, float], corrections: dict[str, float]) -> None:
    habits = habits_of(counts, corrections)
    for word in ("bank", "apple"):
        assert sum(share for sense, share in habits.items() if sense.startswith(word)) <= 1.0001
    assert all(0.0 <= share <= 1.0 for share in habits.values())
