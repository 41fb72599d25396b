"""Values of another kind than were written, and contents of no entry, are reported and never end in a crash."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graphsvc.errors import StoreDamaged
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import entry

_LAST = "WHERE seq = (SELECT max(seq) FROM journal)"


def written(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        store.put([entry("m1"), entry("m2", "another one")])


def tamper(folder: Path, sql: str) -> None:
    with closing(sqlite3.connect(folder / "memories.sqlite3")) as conn:
        conn.execute(sql)
        conn.commit()


@pytest.mark.parametrize(
    "change", ["at = 'noon'", "actor = x'ff'", "digest = 'text'", "after = 'text'", "namespace = x'ff'", "seq = -5"]
)
def test_an_entry_of_other_kinds_of_values_is_reported_and_not_read(tmp_path: Path, change: str) -> None:
    written(tmp_path)
    tamper(tmp_path, f"UPDATE journal SET {change} {_LAST}")
    with closing(SqliteStore(tmp_path)) as store:
        assert store.journal.verify().breaks
        with pytest.raises(StoreDamaged):
            store.journal.read()


@pytest.mark.parametrize("change", ["packed = 'text'", "salt = 'text'", "packed = x'0102'"])
def test_a_content_of_another_kind_is_reported(tmp_path: Path, change: str) -> None:
    written(tmp_path)
    tamper(tmp_path, f"UPDATE journal_content SET {change} WHERE place = (SELECT max(place) FROM journal_content)")
    with closing(SqliteStore(tmp_path)) as store:
        assert [one.what for one in store.journal.verify().breaks] == ["the content of `after` is not what was written"]


def test_a_content_of_no_entry_is_reported(tmp_path: Path) -> None:
    written(tmp_path)
    tamper(tmp_path, "INSERT INTO journal_content VALUES (9999, x'00', x'00')")
    with closing(SqliteStore(tmp_path)) as store:
        assert [(one.seq, one.what) for one in store.journal.verify().breaks] == [(4999, "a content of no entry")]
