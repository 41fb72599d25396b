"""What a store survives: being killed, being shared by processes, being waited for."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphsvc.errors import StoreBusy
from graphsvc.models.base import MemoryId
from graphsvc.store.base import Store
from graphsvc.store.filters import eq
from graphsvc.store.open import open_store
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import FINGERPRINT, axis, entity_node, entry, memory_node, random_unit

ROOT = Path(__file__).parents[2]


def _start(folder: Path, prefix: str, count: int, *, batch: int = 1) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.contract.writer", str(folder), prefix, str(count), str(batch)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _ended(process: subprocess.Popen[str]) -> tuple[list[str], str]:
    """The complete lines it printed and nobody read yet, and what it complained of."""
    assert process.stdout is not None
    assert process.stderr is not None
    with process, process.stdout, process.stderr:
        out, errors = process.stdout.read(), process.stderr.read()
    return out[: out.rfind("\n") + 1].split(), errors


def _whole(store: Store, name: str) -> bool:
    """Whether a memory the writer wrote is there with its words, vector, states, facet and edge."""
    number = int(name.split("-")[1])
    one = store.select("default", eq("id", name))
    vector, states = store.vectors("default", [MemoryId(name)])[MemoryId(name)]
    return (
        [hit.id for hit in store.match(one, [name], 2)] == [name]
        and store.nearest(one, random_unit(number), 1)[0].score > 0.999999
        and vector.tobytes() == random_unit(number).tobytes()
        and states is not None
        and store.select("default", eq("conversation_id", f"c{number % 3}"), within=one).count == 1
        and [e.target for e in store.edges("default", [memory_node(name)])[memory_node(name)]]
        == [entity_node(f"p{number % 7}")]
    )


def _counts(file: Path) -> dict[str, int]:
    with sqlite3.connect(file) as conn:
        tables = ("memory", "body", "words", "vector", "states", "edge")
        counts = {name: conn.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
        counts["facet"] = conn.execute("SELECT count(DISTINCT row) FROM facet").fetchone()[0]
        integrity = conn.execute("PRAGMA integrity_check").fetchone()[0]
    conn.close()
    assert integrity == "ok"
    return counts


@pytest.mark.parametrize("batch", [1, 20])
def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path, batch: int) -> None:
    acknowledged: list[str] = []
    for attempt in range(3):
        process = _start(tmp_path, f"k{attempt}-", 100_000, batch=batch)
        assert process.stdout is not None
        first = process.stdout.readline().strip()
        time.sleep(0.05 + 0.11 * attempt)
        process.kill()
        rest, _ = _ended(process)
        acknowledged += [first, *rest]
        with sqlite3.connect(tmp_path / "memories.sqlite3") as conn:
            assert conn.execute("PRAGMA quick_check").fetchone()[0] == "ok"
        conn.close()
    store = open_store(f"sqlite:///{tmp_path.as_posix()}")
    kept = store.get("default", [MemoryId(name) for name in acknowledged])
    assert [memory.id for memory in kept] == acknowledged
    assert all(_whole(store, name) for name in acknowledged[:: max(1, len(acknowledged) // 40)])
    stored = store.describe().memories
    store.close()
    # What was cut off is wholly there or not at all: whole batches, and a row in every table.
    assert stored % batch == 0
    assert len(acknowledged) <= stored <= len(acknowledged) + 4 * batch
    assert set(_counts(tmp_path / "memories.sqlite3").values()) == {stored}


def test_two_processes_write_while_a_third_reads(tmp_path: Path) -> None:
    """Report A29: no lock error reaches a caller, and every row is there."""
    store = open_store(f"sqlite:///{tmp_path.as_posix()}")
    store.set_encoding(FINGERPRINT)
    writers = [_start(tmp_path, f"{name}-", 200) for name in ("a", "b")]
    seen = 0
    while any(writer.poll() is None for writer in writers):
        everything = store.select("default")
        assert everything.count >= seen
        seen = everything.count
        words, vectors = store.match(everything, ["word3"], 500), store.nearest(everything, axis(0), 500)
        assert len(vectors) >= seen
        assert len(words) <= len(vectors)
    for writer in writers:
        names, errors = _ended(writer)
        assert (writer.returncode, errors) == (0, "")
        assert len(names) == 200
    assert store.select("default").count == 400
    assert store.describe().memories == 400
    assert len(store.match(store.select("default"), ["word3"], 500)) == 40
    store.close()


def test_threads_share_one_store(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.set_encoding(FINGERPRINT)
    failures: list[Exception] = []

    def work(name: str) -> None:
        try:
            for n in range(40):
                store.put([entry(f"{name}{n}", f"word {name}", vector=random_unit(n), conversation_id=name)])
                mine = store.select("default", eq("conversation_id", name))
                assert mine.count == n + 1
                assert len(store.nearest(mine, axis(0), 100)) == len(store.match(mine, [name], 100)) == n + 1
        except Exception as error:  # noqa: BLE001 (handed to the test's own thread)
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.select("default").count == 160
    store.close()


class TestWaiting:
    @pytest.fixture
    def busy(self, tmp_path: Path) -> Iterator[SqliteStore]:
        """A store whose writer's turn another process holds."""
        store = SqliteStore(tmp_path, wait_s=0.1)
        store.set_encoding(FINGERPRINT)
        store.put([entry("before", vector=axis(0))])
        holder = sqlite3.connect(tmp_path / "memories.sqlite3", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        holder.execute("DELETE FROM memory")
        yield store
        holder.execute("ROLLBACK")
        holder.close()
        assert [r.error for r in store.put([entry("after")])] == [None]
        store.close()

    def test_a_writer_that_gets_no_turn_says_so_and_wrote_nothing(self, busy: SqliteStore) -> None:
        started = time.monotonic()
        with pytest.raises(StoreBusy) as told:
            busy.put([entry("never")])
        assert 0.05 < time.monotonic() - started < 5
        assert told.value.remedy
        assert busy.get("default", [MemoryId("never")]) == []

    def test_readers_and_traces_do_not_wait(self, busy: SqliteStore) -> None:
        assert busy.select("default").count == 1
        assert len(busy.nearest(busy.select("default"), axis(0), 5)) == 1
        assert [m.id for m in busy.page("default").memories] == ["before"]

    def test_a_thread_that_gets_no_turn_says_so(self, tmp_path: Path) -> None:
        store = SqliteStore(tmp_path, wait_s=0.1)
        inside, done = threading.Event(), threading.Event()

        def hold() -> Iterator[object]:
            inside.set()
            done.wait(10)
            yield from ()

        thread = threading.Thread(target=lambda: store.set_encoding(FINGERPRINT, hold()))  # type: ignore[arg-type]
        thread.start()
        inside.wait(10)
        with pytest.raises(StoreBusy):
            store.put([entry()])
        done.set()
        thread.join()
        store.close()
