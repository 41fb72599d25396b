"""The files of the embedded store: their versions, their damage, what is left in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from graphsvc.errors import StoreDamaged, StoreError, StoreVersion
from graphsvc.models.facts import Amount, Facts
from graphsvc.models.memory import ItemStatus, MemoryStatus
from graphsvc.store.base import Entry
from graphsvc.store.filters import EVERYTHING, eq, exists
from graphsvc.store.open import open_store
from graphsvc.store.sqlite.connection import Database
from graphsvc.store.sqlite.rows import micros
from graphsvc.store.sqlite.schema import APPLICATION_ID, MIGRATIONS, Migration
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import (
    FINGERPRINT,
    NOW,
    axis,
    edge,
    ended,
    entity,
    entity_node,
    entry,
    ids,
    memory,
    memory_node,
    trace,
)

FILE = "memories.sqlite3"


def _filled(folder: Path) -> Path:
    store = SqliteStore(folder)
    store.set_encoding(FINGERPRINT)
    store.put([entry(f"m{n}", f"text {n} " * 40, vector=axis(n % 8)) for n in range(300)])
    store.close()
    return folder / FILE


def _database(path: Path, *migrations: Migration) -> Database:
    return Database(path, application_id=APPLICATION_ID, migrations=(*MIGRATIONS, *migrations), wait_s=1)


def _by_older_release(file: Path, migrations: tuple[Migration, ...]) -> None:
    """Two memories as they were written before these had standings, one of them with a file."""
    Database(file, application_id=APPLICATION_ID, migrations=migrations, wait_s=1).close()
    written = {"kept": ("active", "offer.pdf"), "fallen": ("superseded", None)}
    with closing(sqlite3.connect(file)) as conn, conn:
        conn.execute("INSERT INTO namespace (name) VALUES ('default')")
        for row, (name, (status, source)) in enumerate(written.items(), start=1):
            body = memory(name, source={"file": source}, status=status)
            since = {"derived_from", "expires_at", "summary", "ended_at", "ended_by", "stale_sources"}
            conn.execute("INSERT INTO body VALUES (?,?)", (row, body.model_dump_json(exclude=since)))
            conn.execute(
                "INSERT INTO memory VALUES (?,1,?,?,?,NULL,NULL,'mixed',NULL,NULL,?)",
                (row, name, micros(NOW), micros(NOW), status),
            )
        conn.execute(
            "INSERT INTO edge (source, target, type, weight, origin) VALUES (?,?,'mentions',1.0,'test')",
            (2 << 1, 1 << 1),
        )


class TestMigrations:
    def test_a_store_of_an_older_version_is_brought_forward(self, tmp_path: Path) -> None:
        file = _filled(tmp_path)
        added = Migration("notes", ("CREATE TABLE note (row INTEGER)", "INSERT INTO note SELECT row FROM memory"))
        database = _database(file, added)
        with database.reading() as conn:
            assert conn.execute("SELECT count(*) FROM note").fetchone()[0] == 300
            assert conn.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS) + 1
        database.close()
        _database(file, added).close()

    def test_ranges_kept_by_an_older_version_are_found_by_their_upper_end(self, tmp_path: Path) -> None:
        file = _filled(tmp_path)
        amount = Amount(start=0, end=4, text="3-5万", value=30_000, high=50_000)
        store = SqliteStore(tmp_path)
        store.put([entry("range", facts=Facts(amounts=(amount,)))])
        store.close()
        place = next(n for n, migration in enumerate(MIGRATIONS) if migration.name == "range ends")
        with closing(sqlite3.connect(file)) as conn, conn:
            conn.execute("DELETE FROM facet WHERE field = 'amount' AND value = 50000")
            for statement in MIGRATIONS[place].statements:
                conn.execute(statement)
        store = SqliteStore(tmp_path)
        assert [one.id for one in store.page("default", eq("amount", 50_000.0)).memories] == ["range"]
        store.close()

    def test_a_store_from_before_memories_could_end_keeps_all_it_knew(self, tmp_path: Path) -> None:
        older = MIGRATIONS[: next(n for n, migration in enumerate(MIGRATIONS) if migration.name == "change")]
        _by_older_release(tmp_path / FILE, older)
        store = SqliteStore(tmp_path)
        (kept,) = store.get("default", ids("kept"))
        assert (kept.status, kept.ended_at, kept.ended_by) == (MemoryStatus.ACTIVE, None, ())
        assert [one.id for one in store.page("default", eq("status", "superseded")).memories] == ["fallen"]
        assert store.get("default", ids("fallen"))[0].status is MemoryStatus.SUPERSEDED
        assert [one.id for one in store.page("default", eq("file", "offer.pdf")).memories] == ["kept"]
        assert store.page("default", exists("expires_at")).memories == ()
        tie = edge(memory_node("fallen"), memory_node("kept"), hours=None)
        assert store.edges("default", [memory_node("kept")]) == {memory_node("kept"): [tie]}
        assert [one.status for one in store.put([Entry(kept, ()), entry("new")])] == ["unchanged", "created"]
        store.put_standings("default", [ended("kept", "new")])
        assert store.select("default", eq("status", "superseded")).count == 2
        store.close()

    def test_a_migration_that_fails_leaves_the_store_as_it_was(self, tmp_path: Path) -> None:
        file = _filled(tmp_path)
        with pytest.raises(StoreError):
            _database(file, Migration("broken", ("CREATE TABLE half (row INTEGER)", "INSERT INTO nowhere VALUES (1)")))
        store = SqliteStore(tmp_path)
        assert store.describe().schema_version == len(MIGRATIONS)
        assert store.describe().memories == 300
        store.close()

    def test_a_newer_version_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        file = _filled(tmp_path)
        _database(file, Migration("future", ("CREATE TABLE future (row INTEGER)",))).close()
        before = file.read_bytes()
        with pytest.raises(StoreVersion) as told:
            SqliteStore(tmp_path)
        assert told.value.remedy
        assert file.read_bytes() == before


class TestDamage:
    @pytest.mark.parametrize(
        "spoil",
        [
            lambda data: b"this is no database, it only has the name of one" * 100,
            lambda data: data[:5000],
            lambda data: b"\x00" * 100 + data[100:],
            lambda data: data[:4096] + b"\xff" * (len(data) - 4096),
        ],
        ids=["other file", "truncated", "no header", "overwritten"],
    )
    def test_a_damaged_file_is_told_with_a_remedy(self, tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
        file = _filled(tmp_path)
        file.write_bytes(spoil(file.read_bytes()))
        with pytest.raises(StoreDamaged) as told:
            self._use(tmp_path)
        assert told.value.remedy
        assert FILE in told.value.where

    def test_a_database_of_somebody_else_is_left_alone(self, tmp_path: Path) -> None:
        with sqlite3.connect(tmp_path / FILE) as conn:
            conn.execute("CREATE TABLE theirs (x)")
        conn.close()
        before = (tmp_path / FILE).read_bytes()
        with pytest.raises(StoreDamaged):
            SqliteStore(tmp_path)
        assert (tmp_path / FILE).read_bytes()[100:] == before[100:]

    def test_damaged_traces_do_not_pass_for_a_store(self, tmp_path: Path) -> None:
        _filled(tmp_path)
        (tmp_path / "traces.sqlite3").write_bytes(b"not a database" * 100)
        with pytest.raises(StoreDamaged) as told:
            SqliteStore(tmp_path)
        assert "traces.sqlite3" in told.value.where

    @staticmethod
    def _use(folder: Path) -> None:
        store = SqliteStore(folder)
        try:
            store.get("default", ids(*(f"m{n}" for n in range(300))))
            store.nearest(store.select("default"), axis(0), 5)
            store.put([entry("new", vector=axis(0))])
        finally:
            store.close()


class TestLeftovers:
    def test_no_byte_of_a_deleted_memory_stays_in_the_files(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path)
        store.set_encoding(FINGERPRINT)
        secret = "qz1secretzq"
        store.put([entry("keep"), *(entry(f"m{n}", "filler " * 50) for n in range(50))])
        person = entity(f"person:{secret}", secret)
        tie = edge(memory_node("gone"), entity_node(person.id))
        store.put([entry("gone", f"{secret} " * 200, vector=axis(0), entities=[person], edges=[tie], sender=secret)])
        store.traces.save(trace("t1", *store.get("default", ids("gone", "keep"))))
        assert any(secret.encode() in file.read_bytes() for file in tmp_path.iterdir())
        store.delete("default", EVERYTHING)
        assert [file.name for file in tmp_path.iterdir() if secret.encode() in file.read_bytes()] == []
        store.close()

    def test_a_tombstone_stays_without_content(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path)
        store.put([entry("gone", "what was said", standings=[ended("gone", "later")])])
        store.delete("default", EVERYTHING)
        store.close()
        with sqlite3.connect(tmp_path / FILE) as conn:
            columns = [column[1] for column in conn.execute("PRAGMA table_info(tombstone)")]
            assert columns == ["seq", "namespace", "id", "row", "deleted_at"]
            assert conn.execute("SELECT id FROM tombstone").fetchall() == [("gone",)]
            tables = ("memory", "body", "words", "vector", "states", "facet", "edge", "entity", "alias", "standing")
            assert all(conn.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,) for name in tables)
        conn.close()


class TestOpening:
    def test_a_url_names_a_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        relative = open_store("sqlite:///deep/store")
        assert [r.status for r in relative.put([entry()])] == [ItemStatus.CREATED]
        relative.close()
        absolute = open_store(f"sqlite:///{(tmp_path / 'deep' / 'store').as_posix()}")
        assert absolute.describe().memories == 1
        absolute.close()

    @pytest.mark.parametrize("url", ["", "sqlite:///", "postgres://x", "folder", "sqlite://x"])
    def test_another_url_is_refused_by_name(self, url: str) -> None:
        with pytest.raises(StoreError) as told:
            open_store(url)
        assert told.value.where == url

    def test_a_folder_that_cannot_be_made_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        with pytest.raises(StoreError):
            open_store(f"sqlite:///{(tmp_path / 'file' / 'store').as_posix()}")
