"""Purging: no byte of what a deleted memory said is left in any file, and the journal still holds together."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from graphsvc.errors import NotFound, StoreBusy
from graphsvc.models.answer import Attempt, Rewrite, RewriteKind, Step
from graphsvc.models.audit import Act, Action, OverturnedAnswer, Purged
from graphsvc.models.base import EntityId, MemoryId, TraceId
from graphsvc.store.base import Entry
from graphsvc.store.falsified import Overturning
from graphsvc.store.filters import EVERYTHING, eq
from graphsvc.store.identity import NewAlias
from graphsvc.store.journal import Noted
from graphsvc.store.sqlite.connection import Database
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import FINGERPRINT, NOW, edge, entity, entity_node, entry, memory, memory_node, random_unit, trace

ROOT = Path(__file__).parents[2]
SECRET = "暗号是蓝鲸七号 codeword-Zanzibar-9137"
TRACES = ("蓝鲸", "Zanzibar", "zanzibar", "9137")
NOTHING = Purged(memories=0, journal_contents=0, traces=0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path, wait_s=5.0)
    opened.set_encoding(FINGERPRINT)
    yield opened
    opened.close()


def told(name: str = "secret", text: str = SECRET, **fields: object) -> Entry:
    """A memory that leaves its words wherever a memory can."""
    who = f"person:{name}"
    return entry(
        name,
        text,
        vector=random_unit(1),
        entities=[entity(who, text.casefold(), name=text)],
        edges=[edge(memory_node(name), entity_node(who))],
        metadata={"said": text},
        source={"file": f"{text}.md"},
        **fields,
    )


def found_in(folder: Path) -> set[str]:
    """The distinctive pieces that any file holds: as UTF-8, as JSON escapes, as UTF-16, or compressed whole."""
    found: set[str] = set()
    for file in sorted(folder.iterdir()):
        data = file.read_bytes()
        spaces = [data, *_inflated(file)] if file.suffix == ".sqlite3" else [data]
        for piece in TRACES:
            forms = (piece.encode(), json.dumps(piece)[1:-1].encode(), piece.encode("utf-16-le"))
            if any(form in space for form in forms for space in spaces):
                found.add(f"{file.name}: {piece}")
    return found


def _inflated(file: Path) -> Iterator[bytes]:
    with closing(sqlite3.connect(file)) as conn:
        tables = [name for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()]
        for table in tables:
            for row in conn.execute(f"SELECT * FROM {table}").fetchall():
                for value in row:
                    if isinstance(value, bytes):
                        with suppress(zlib.error):
                            yield zlib.decompress(value)


class TestNothingIsLeft:
    def test_no_file_holds_a_byte_of_it(self, store: SqliteStore, tmp_path: Path) -> None:
        store.put([told(), *(entry(f"m{n}", f"nothing of it {n}") for n in range(50))])
        store.put([told()])
        store.revise(told(text=f"{SECRET} still"), revision=1)
        store.traces.save(trace("saw", memory("secret", SECRET)))
        store.identities.add_aliases("default", [NewAlias(SECRET, SECRET, EntityId("person:secret"), "anna", NOW)])
        assert store.match(store.select("default"), ["codeword-zanzibar-9137"], 5)
        assert found_in(tmp_path)
        store.delete("default", eq("id", "secret"), by=Act(actor="anna"))
        store.identities.forget("default", [EntityId("person:secret")], by=Act(actor="anna"), at=NOW)
        assert found_in(tmp_path)
        purged = store.purge("default", by=Act(actor="bert", reason="the law"))
        assert found_in(tmp_path) == set()
        assert (purged.memories, purged.traces) == (1, 1)
        # add, update before and after, delete, the ingest that names its file, an alias and its erasure
        assert purged.journal_contents == 7
        found = store.journal.verify()
        assert (found.holds, found.entries) == (True, 51 + 6 + 2)
        assert len(store.page("default").memories) == 50
        store.put([entry("later")])
        assert store.match(store.select("default"), ["later"], 5) == []
        assert store.select("default").count == 51

    def test_the_entries_stay_and_say_that_something_was_there(self, store: SqliteStore) -> None:
        store.put([told()], by=Act(actor="anna"))
        store.delete("default", EVERYTHING)
        before = store.journal.read("default", subject="secret").entries
        store.purge()
        after = store.journal.read("default", subject="secret").entries
        assert [one.digest for one in after] == [one.digest for one in before]
        assert [(one.action, one.actor, one.before, one.after, one.purged) for one in after] == [
            (Action.ADD, "anna", None, None, True),
            (Action.DELETE, "local", None, None, True),
        ]

    def test_a_purge_is_an_entry_with_its_counts(self, store: SqliteStore) -> None:
        store.put([told()])
        store.traces.save(trace("saw", memory("secret", SECRET)))
        store.delete("default", EVERYTHING)
        store.purge(by=Act(actor="bert"))
        store.purge(by=Act(actor="bert"))
        rows = store.journal.read(actions=[Action.PURGE]).entries
        assert [one.chain for one in rows] == ["memories", "questions", "memories"]
        assert {one.actor for one in rows} == {"bert"}
        first, again = (json.loads(one.after or "") for one in rows if one.chain == "memories")
        assert first == {"memories": 1, "journal_contents": 3, "traces": 1, "entries": [[1, 3]]}
        assert again == {"memories": 0, "journal_contents": 0, "traces": 0, "entries": []}
        assert len({one.operation for one in rows}) == 2

    def test_a_content_that_no_purge_took_is_missed(self, store: SqliteStore, tmp_path: Path) -> None:
        store.put([told(), entry("kept")])
        store.delete("default", eq("id", "secret"))
        with closing(sqlite3.connect(tmp_path / "memories.sqlite3")) as conn:
            conn.execute("DELETE FROM journal_content WHERE place = 7")
            conn.commit()
        store.purge()
        assert [(one.chain, one.seq) for one in store.journal.verify().breaks] == [("memories", 3)]


class TestWhatGoesAndWhatStays:
    def test_what_is_stored_keeps_its_past(self, store: SqliteStore) -> None:
        store.put([entry("kept", "first"), told()])
        store.revise(entry("kept", "second"), revision=1)
        store.delete("default", eq("id", "secret"))
        store.purge()
        rows = store.journal.read("default", subject="kept").entries
        assert [(one.action, one.purged) for one in rows] == [(Action.ADD, False), (Action.UPDATE, False)]
        assert '"first"' in (rows[1].before or "")

    def test_a_memory_put_again_under_its_id_keeps_its_own(self, store: SqliteStore, tmp_path: Path) -> None:
        store.put([told()])
        store.delete("default", EVERYTHING)
        store.put([entry("secret", "another")])
        store.purge()
        assert found_in(tmp_path) == set()
        rows = store.journal.read("default", subject="secret").entries
        assert [(one.action, one.purged) for one in rows] == [
            (Action.ADD, True),
            (Action.DELETE, True),
            (Action.ADD, False),
        ]

    def test_another_namespace_is_not_touched(self, store: SqliteStore) -> None:
        for name in ("one", "two"):
            store.put([told(namespace=name)])
            store.traces.save(trace("saw", memory("secret", SECRET, namespace=name), namespace=name))
            store.delete(name, EVERYTHING)
        assert store.purge("one").memories == 1
        assert [one.purged for one in store.journal.read("one", subject="secret").entries] == [True, True]
        assert [one.purged for one in store.journal.read("two", subject="secret").entries] == [False, False]
        with pytest.raises(NotFound):
            store.traces.get("one", TraceId("saw"))
        assert store.traces.get("two", TraceId("saw")).candidates == ()
        assert store.purge("absent") == store.purge("\ud800") == NOTHING
        assert store.purge() == Purged(memories=1, journal_contents=3, traces=1)

    def test_traces_that_speak_of_it_go_and_others_stay(self, store: SqliteStore) -> None:
        kept = memory("kept", "of no interest")
        store.put([told(), Entry(kept, ("of", "no", "interest"))])
        asked = trace("other", kept)
        leaning = Attempt(
            step=Step.FIRST_ATTEMPT,
            text=SECRET,
            rewrites=(Rewrite(kind=RewriteKind.FOLLOW_UP, original="", replacement=SECRET),),
        )
        for one in (
            trace("before", kept).model_copy(update={"session_id": "s", "attempts": (leaning,)}),
            trace("saw", memory("secret", SECRET), kept).model_copy(update={"session_id": "s"}),
            trace("leans", kept).model_copy(update={"session_id": "s", "attempts": (leaning,)}),
            trace("beside", kept).model_copy(update={"session_id": "s"}),
            trace("took", kept).model_copy(update={"accepted": (MemoryId("secret"),)}),
            asked,
        ):
            store.traces.save(one)
        store.delete("default", eq("id", "secret"))
        assert store.purge().traces == 3
        gone = []
        for name in ("before", "saw", "leans", "beside", "took", "other"):
            try:
                store.traces.get("default", TraceId(name))
            except NotFound:
                gone.append(name)
        assert gone == ["saw", "leans", "took"]
        assert store.traces.get("default", TraceId("other")) == asked

    def test_what_was_noted_of_asking_goes_with_it(self, store: SqliteStore, tmp_path: Path) -> None:
        store.put([told(), entry("kept")])
        store.traces.save(trace("saw", memory("secret", SECRET)))
        quoted = json.dumps({"evidence": [{"memory_id": "secret", "quote": SECRET}]})
        noted = [
            Noted(Action.SEARCH, "saw", after=json.dumps({"question": SECRET})),
            Noted(Action.ANSWER, "pruned", after=quoted),
            Noted(Action.FEEDBACK, "other", after=json.dumps({"memory": "kept"})),
        ]
        store.journal.append("default", noted)
        fallen = OverturnedAnswer(
            trace_id=TraceId("saw"),
            namespace="default",
            question=SECRET,
            answered_at=NOW,
            overturned_at=NOW,
            because=(MemoryId("kept"),),
        )
        store.falsified.record("default", [Overturning("cause", fallen)], at=NOW)
        store.delete("default", eq("id", "secret"))
        assert store.purge() == Purged(memories=1, journal_contents=4, traces=1)
        assert found_in(tmp_path) == set()
        asked = store.journal.read("default", actions=[Action.SEARCH, Action.ANSWER, Action.FEEDBACK]).entries
        assert [one.purged for one in asked] == [True, True, False]
        assert store.falsified.overturned("default").answers == ()
        assert store.journal.verify().holds


class TestInterruptions:
    def test_one_that_stopped_before_the_files_were_written_anew_is_finished_by_the_next(
        self, store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store.put([told()])
        store.delete("default", EVERYTHING)

        def stop(_: Database) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(Database, "compact", stop)
            with pytest.raises(KeyboardInterrupt):
                store.purge()
        assert store.journal.verify().holds
        assert store.purge() == NOTHING
        assert found_in(tmp_path) == set()
        assert store.journal.verify().holds

    def test_a_reader_that_stays_is_waited_for_and_named(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path, wait_s=0.2)
        store.set_encoding(FINGERPRINT)
        store.put([told()])
        store.delete("default", EVERYTHING)
        reader = sqlite3.connect(tmp_path / "memories.sqlite3", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM journal").fetchone()
        with pytest.raises(StoreBusy):
            store.purge()
        reader.execute("COMMIT")
        reader.close()
        store.purge()
        assert found_in(tmp_path) == set()
        store.close()

    def test_a_killed_purge_leaves_whole_chains_and_can_be_run_again(self, tmp_path: Path) -> None:
        code = (
            "import sys; from pathlib import Path; from graphsvc.store.sqlite.store import SqliteStore\n"
            "store = SqliteStore(Path(sys.argv[1])); print('ready', flush=True); store.purge()\n"
        )
        for attempt in range(4):
            folder = tmp_path / str(attempt)
            _fill(folder)
            command = [sys.executable, "-c", code, str(folder)]
            with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
                time.sleep(0.012 * attempt)
                process.kill()
            store = SqliteStore(folder)
            assert store.journal.verify().holds
            store.purge()
            assert store.journal.verify().holds
            assert found_in(folder) == set()
            assert store.page("default").memories[0].id == "kept"
            store.close()


def _fill(folder: Path) -> None:
    store = SqliteStore(folder)
    store.set_encoding(FINGERPRINT)
    store.put([told(f"s{n}", f"{SECRET} {n}", conversation_id="gone") for n in range(300)] + [entry("kept")])
    for n in range(20):
        store.traces.save(trace(f"t{n}", memory(f"s{n}", SECRET)))
    store.delete("default", eq("conversation_id", "gone"))
    store.close()
