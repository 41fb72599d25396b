"""A short text is read against the last turns of its conversation, those of its own batch included."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from graphsvc.ingest.talk import Talks
from graphsvc.store.base import Store
from graphsvc.store.open import open_store
from graphsvc.understand.topic import NO_TOPIC, TURNS
from tests.builders import FINGERPRINT, NOW, axis, entry, memory


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path}")) as opened:
        opened.set_encoding(FINGERPRINT)
        yield opened


def _minutes(count: int) -> dict[str, Any]:
    return {"conversation_id": "talk", "event_time": NOW + timedelta(minutes=count)}


def test_only_turns_that_were_already_said_count_and_the_newest_comes_first(store: Store) -> None:
    store.put([entry(f"m{place}", vector=axis(place), domain=f"topic{place}", **_minutes(place)) for place in range(4)])
    topic = Talks(store, "default").before("talk", NOW + timedelta(minutes=2))
    assert [label.domain for label in topic.labels] == ["topic2", "topic1", "topic0"]
    assert [int(vector.argmax()) for vector in topic.vectors] == [2, 1, 0]


def test_earlier_turns_of_the_same_batch_are_heard(store: Store) -> None:
    talks = Talks(store, "default")
    assert talks.before("talk", NOW) == NO_TOPIC
    talks.said(memory("m1", domain="finance", **_minutes(1)), axis(3))
    assert talks.before("talk", NOW) == NO_TOPIC
    heard = talks.before("talk", NOW + timedelta(minutes=2))
    assert [label.domain for label in heard.labels] == ["finance"]
    assert int(heard.vectors[0].argmax()) == 3


def test_a_long_talk_is_known_by_its_last_turns_only(store: Store) -> None:
    talks = Talks(store, "default")
    talks.before("talk", NOW)
    for place in range(3 * TURNS):
        talks.said(memory(f"m{place}", domain=f"topic{place}", **_minutes(place)), axis(0))
    last = talks.before("talk", NOW + timedelta(hours=1))
    assert [label.domain for label in last.labels] == [f"topic{3 * TURNS - 1 - back}" for back in range(TURNS)]


def test_other_conversations_and_texts_outside_any_are_not_mixed_in(store: Store) -> None:
    store.put([entry("m1", vector=axis(1), domain="finance", **_minutes(0))])
    talks = Talks(store, "default")
    assert talks.before(None, NOW) == NO_TOPIC
    assert talks.before("another", NOW) == NO_TOPIC
