"""What age takes from a memory: by its kind, by what it does, and never where the question asks about the past."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphsvc.errors import SettingsInvalid
from graphsvc.evaluate.learn import to_toml
from graphsvc.models.facts import Language
from graphsvc.models.question import Question, TimeWindow, Validity
from graphsvc.retrieve.config import AgeingConfig, load_config
from graphsvc.retrieve.rank.ageing import aged, half_life_days
from tests.builders import NOW
from tests.said import said

CONFIG = AgeingConfig(
    otherwise=200.0,
    ageless_documents=("contract",),
    ageless_intents=("preference",),
    ageless_mentions=("identifier",),
    documents={"chat": 100.0},
    intents={"remind": 10.0},
)


def question(**fields: object) -> Question:
    given = {"text": "仓库在哪", "language": Language.ZH, "asked_at": NOW, "query_type": "general", **fields}
    return Question.model_validate(given)


def test_after_one_half_life_half_is_lost_and_after_two_three_quarters() -> None:
    chats = [said("a", "仓库在城东", days=-days, document_type="chat") for days in (0, 100, 200)]
    assert [aged(one, question(), CONFIG) for one in chats] == pytest.approx([0.0, 0.5, 0.75])


def test_what_is_said_later_than_the_question_has_not_aged() -> None:
    assert aged(said("a", "仓库在城东", days=3), question(), CONFIG) == 0.0


def test_a_kind_nobody_named_ages_like_the_rest() -> None:
    assert half_life_days(said("a", "仓库在城东", document_type="poem"), CONFIG) == 200.0


@pytest.mark.parametrize(
    ("text", "kind", "intent"),
    [
        ("甲方应在三十日内付款", "contract", "remind"),
        ("I prefer the window seat", "chat", "preference"),
        ("The lease is filed under HT2023-0876", "chat", None),
    ],
)
def test_contracts_preferences_and_identifiers_do_not_age(text: str, kind: str, intent: str | None) -> None:
    old = said("a", text, days=-3000, document_type=kind, intent=intent)
    assert aged(old, question(), CONFIG) == 0.0


def test_what_it_surely_does_counts_before_its_kind() -> None:
    reminder = said("a", "记得带钥匙", document_type="chat", intent="remind")
    assert half_life_days(reminder, CONFIG) == 10.0
    unsure = reminder.facts.labels[0].model_copy(update={"intent_probability": 0.3})
    facts = reminder.facts.model_copy(update={"labels": (unsure,)})
    assert half_life_days(reminder.model_copy(update={"facts": facts}), CONFIG) == 100.0


@pytest.mark.parametrize("asked", [{"validity": Validity.HISTORICAL}, {"window": TimeWindow(until=NOW)}])
def test_questions_about_the_past_or_a_named_time_age_nothing(asked: dict[str, object]) -> None:
    assert aged(said("a", "仓库在城东", days=-900), question(**asked), CONFIG) == 0.0


def test_the_shipped_ageing_is_small_and_the_file_it_is_written_to_reads_the_same(tmp_path: Path) -> None:
    shipped = load_config()
    assert -0.05 <= shipped.signals.ageing < 0.0
    assert half_life_days(said("a", "仓库在城东", document_type="contract"), shipped.ageing) is None
    written = tmp_path / "ranking.toml"
    written.write_text(to_toml(shipped), encoding="utf-8")
    assert load_config(written) == shipped


def test_a_half_life_of_no_days_is_refused_with_its_place(tmp_path: Path) -> None:
    written = tmp_path / "ranking.toml"
    written.write_text(to_toml(load_config()).replace("chat = 120.0", "chat = 0.0"), encoding="utf-8")
    with pytest.raises(SettingsInvalid) as caught:
        load_config(written)
    assert "ageing.documents.chat" in caught.value.where
