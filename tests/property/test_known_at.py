"""What a question as of an earlier knowledge sees is what the journal says of then: nothing newer, standing as then."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import ChangeRefused
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.audit import Action, JournalEntry
from graphsvc.models.change import Standing
from graphsvc.models.memory import Memory
from graphsvc.settings import Settings
from tests.builders import NOW
from tests.clocks import Ticking

TEXTS = (
    "The warehouse rent is 500 euros a month.",
    "The warehouse rent is 700 euros a month.",
    "No, the warehouse rent is 800 euros a month.",
    "The meeting with Anna is on Monday.",
    "We moved the meeting with Anna to Thursday.",
    "Scrap that, the meeting with Anna is cancelled.",
    "ignore my last message",
    "张伟的电话是13900123456。",
    "张伟的电话是13900127788。",
)
QUESTION = "warehouse rent, meeting with Anna, 张伟的电话, ignore message"


@dataclass
class Past:
    """What was known at a moment, rebuilt from entries of the journal alone."""

    recorded: dict[str, datetime]
    stood: dict[str, Standing]


def rebuilt(entries: list[JournalEntry], at: datetime) -> Past:
    past = Past({}, {})
    for entry in entries:
        one = str(entry.subject)
        if entry.at > at or entry.chain != "memories":
            continue
        if entry.action in {Action.ADD, Action.UPDATE} and entry.after is not None:
            past.recorded[one] = Memory.model_validate_json(entry.after).recorded_at
            past.stood.setdefault(one, Standing.model_validate({"id": one}))
        elif entry.action is Action.STANDING and entry.after is not None:
            past.stood[one] = Standing.model_validate_json(entry.after)
        elif entry.action is Action.DELETE:
            del past.recorded[one], past.stood[one]
    return past


def journal(graph: MemoryGraph) -> Iterator[JournalEntry]:
    after: str | None = None
    while True:
        page = graph.audit.read("default", limit=500, after=after)
        yield from page.entries
        after = page.after
        if after is None:
            return


def stands(memory: Memory) -> Standing:
    names = Standing.model_fields.keys()
    return Standing.model_validate({name: getattr(memory, name) for name in names})


def lived_through(graph: MemoryGraph, draw: random.Random, clock: Ticking) -> list[datetime]:
    """Add, revise, delete, falsify and overrule at random; the moments in between."""
    alive: list[str] = []
    moments = []
    for step in range(draw.randrange(8, 13)):
        act = draw.random() if alive else 0.0
        one = draw.choice(alive) if alive else ""
        if act < 0.6:
            alive.append(f"m{step}")
            told = {"id": f"m{step}", "text": draw.choice(TEXTS), "sender": draw.choice(("anna", "ben"))}
            talk = {"conversation_id": draw.choice(("c1", "c2", None))}
            at = {"event_time": (NOW - timedelta(hours=draw.randrange(1, 90))).isoformat()}
            assert graph.add([told | talk | at])[0].error is None
        elif act < 0.7:
            graph.update(one, {"text": draw.choice(TEXTS)})
        elif act < 0.8:
            graph.delete(one)
            alive.remove(one)
        elif act < 0.9:
            graph.audit.falsify("default", one, "a mistake")
        else:
            with suppress(ChangeRefused):
                graph.keeping.supersede("default", one, draw.choice(alive))
        moments.append(clock.now)
    return moments


@pytest.mark.parametrize("seed", range(3))
def test_what_was_known_then_is_what_the_journal_tells_of_then(tmp_path: Path, seed: int) -> None:
    draw, clock = random.Random(seed), Ticking()
    settings = Settings(cache_dir=tmp_path / "cache")
    url = f"sqlite:///{tmp_path / 'store'}"
    with MemoryGraph.open(url, settings=settings, encoder=HashingEncoder(), clock=clock) as graph:
        moments = lived_through(graph, draw, clock)
        entries = list(journal(graph))
        now = {one.id: one for one in graph.get_all(limit=500).memories}
        assert {one: stands(memory) for one, memory in now.items()} == rebuilt(entries, clock.now).stood
        for at in draw.sample(moments, 3):
            past = rebuilt(entries, at)
            found = graph.search(QUESTION, known_at=at, limit=500).candidates
            seen = {one.memory.id: one.memory for one in found}
            # Revised since, it is not shown as it was, and never as it was not.
            assert seen.keys() <= {one for one, said in past.recorded.items() if one in now and said <= at}
            assert all(memory.recorded_at == past.recorded[one] for one, memory in seen.items())
            for one, memory in seen.items():
                stood = past.stood[one]
                if {*stood.ended_by, *stood.stale_sources} <= now.keys():
                    assert stands(memory) == stood, (one, at)


def test_what_a_hand_did_later_was_not_known_before(tmp_path: Path) -> None:
    clock = Ticking()
    settings = Settings(cache_dir=tmp_path / "cache")
    url = f"sqlite:///{tmp_path / 'store'}"
    with MemoryGraph.open(url, settings=settings, encoder=HashingEncoder(), clock=clock) as graph:
        graph.add([{"id": "rent", "text": TEXTS[0]}, {"id": "paid", "text": "The warehouse rent is paid by transfer."}])
        graph.add([{"id": "wifi", "text": "The office Wi-Fi password is tulip."}])
        before = clock.now
        graph.keeping.supersede("default", "paid", "rent")
        graph.audit.falsify("default", "wifi", "it never was")
        questions = {"What is the warehouse rent?": "rent", "What is the office Wi-Fi password?": "wifi"}
        for question, one in questions.items():
            known = {c.memory.id: c.memory for c in graph.search(question, known_at=before).candidates}
            assert stands(known[one]) == Standing.model_validate({"id": one})
        assert "wifi" not in {one.memory_id for one in graph.answer("What is the office Wi-Fi password?").evidence}
        told = graph.answer("What is the office Wi-Fi password?", known_at=before)
        assert [one.memory_id for one in told.evidence] == ["wifi"]
