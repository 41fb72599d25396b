"""Connections to one SQLite file: many readers that never wait, one writer at a time.

Every failure of SQLite leaves here as one of our errors. A writer waits a bounded time for its
turn, in this process and across processes, and then raises `StoreBusy` with nothing written.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from graphsvc.errors import StoreBusy, StoreDamaged, StoreError
from graphsvc.store.sqlite.migrate import migrate
from graphsvc.store.sqlite.schema import Migration

# One checkpoint per 32 MB of log: with the default of 4 MB every twentieth insert would pay one.
CHECKPOINT_PAGES = 8_000
CACHE_KIB = 16_384
_RETRY_S = 0.02


class Connection(sqlite3.Connection):
    """Remembers, per part of the memory side, at which version of the file it was last caught up."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # SQLite calls this with connect's own arguments
        self.seen: dict[object, int] = {}

    def version(self) -> int:
        """Changes whenever another connection has committed, in this or another process."""
        return int(self.execute("PRAGMA data_version").fetchone()[0])


def _left_ms(deadline: float) -> int:
    return max(0, int((deadline - time.monotonic()) * 1000))


def _held(where: str) -> StoreBusy:
    return StoreBusy("somebody reads or writes the store for too long", where=where, remedy="run it again to finish")


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Turn what SQLite raises into the error tree."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _operational(error, where) from error
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.DataError):
            raise StoreError(str(error), where=where) from error
        raise _damaged(error, where) from error


def _operational(error: sqlite3.OperationalError, where: str) -> StoreError:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy("another writer holds the store", where=where, remedy="try again; nothing was written")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return _damaged(error, where)
    if name.startswith("SQLITE_FULL"):
        return StoreError("the disk is full", where=where, remedy="free some space; nothing was written")
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")):
        return StoreError(str(error), where=where, remedy="check that the folder exists and may be written to")
    return StoreError(str(error), where=where)


def _damaged(error: sqlite3.Error, where: str) -> StoreDamaged:
    return StoreDamaged(str(error), where=where, remedy="restore a backup, or move the file away to start empty")


class Database:
    """One file in WAL mode, with a pool of read connections and one writer."""

    def __init__(
        self,
        path: Path,
        *,
        application_id: int,
        migrations: Sequence[Migration],
        wait_s: float,
        synchronous: Literal["FULL", "NORMAL"] = "FULL",
    ) -> None:
        self.path = path
        self._where = str(path)
        self._wait_s = wait_s
        self._synchronous = synchronous
        self._turn = threading.Lock()
        self._idle: deque[Connection] = deque()
        self._closed = False
        with translated(self._where):
            self._writer = self._connect()
            try:
                self._use_wal(self._writer)
                migrate(self._writer, application_id, migrations, where=self._where)
            except BaseException:
                self._writer.close()
                raise

    @contextmanager
    def reading(self, *, snapshot: bool = False) -> Iterator[Connection]:
        """A connection of one's own; each statement sees the latest commit, with `snapshot` all see the same.

        What is found by one statement and read by the next needs that: a revision gives an id another row.
        """
        self._check_open()
        with translated(self._where):
            try:
                conn = self._idle.pop()
            except IndexError:
                conn = self._connect()
            try:
                if snapshot:
                    conn.execute("BEGIN")
                    # A transaction sees the moment of its first statement, not that of its beginning.
                    conn.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
                yield conn
            finally:
                if conn.in_transaction:
                    conn.execute("ROLLBACK")
                self._idle.append(conn)
                if self._closed:
                    self._close_idle()

    @contextmanager
    def writing(self, *, synced: bool = False) -> Iterator[Connection]:
        """The writer inside a transaction: committed when the block ends, rolled back when it raises.

        `synced` makes this commit survive a power cut, in a file whose commits otherwise need not.
        """
        deadline = time.monotonic() + self._wait_s
        if not self._turn.acquire(timeout=self._wait_s):
            raise StoreBusy(
                "another writer holds the store", where=self._where, remedy="try again; nothing was written"
            )
        try:
            self._check_open()
            with translated(self._where):
                self._writer.execute(f"PRAGMA busy_timeout = {_left_ms(deadline)}")
                self._writer.execute(f"PRAGMA synchronous = {'FULL' if synced else self._synchronous}")
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                    raise
        finally:
            self._turn.release()

    def truncate_log(self) -> None:
        """Move the log into the file and empty it, unless a reader or writer is in the way."""
        if self._turn.acquire(blocking=False):
            try:
                self._truncate()
            finally:
                self._turn.release()

    def _truncate(self) -> None:
        if not self._closed:
            self._writer.execute("PRAGMA busy_timeout = 0")
            # When others are busy with it the log stays, as it may; a later call or the close empties it.
            with suppress(sqlite3.OperationalError):
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def compact(self) -> None:
        """Write the file anew without what was deleted, and empty the log.

        Raises `StoreBusy` when a reader or writer holds it longer than a writer waits.
        """
        deadline = time.monotonic() + self._wait_s
        if not self._turn.acquire(timeout=self._wait_s):
            raise _held(self._where)
        try:
            self._check_open()
            with translated(self._where):
                self._writer.execute(f"PRAGMA busy_timeout = {_left_ms(deadline)}")
                self._writer.execute("PRAGMA temp_store = FILE")  # the copy on the way may be larger than memory
                try:
                    self._writer.execute("VACUUM")
                finally:
                    self._writer.execute("PRAGMA temp_store = MEMORY")
                self._writer.execute(f"PRAGMA busy_timeout = {_left_ms(deadline)}")
                busy = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
                if busy:
                    raise _held(self._where)
        finally:
            self._turn.release()

    def bytes_on_disk(self) -> int:
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Empty the log and close every connection; may be called twice."""
        with self._turn:
            self._truncate()
            self._closed = True
            self._writer.close()
        self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed", where=self._where, remedy="open it again")

    def _connect(self) -> Connection:
        conn = sqlite3.connect(
            self.path,
            timeout=self._wait_s,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
            factory=Connection,
        )
        try:
            conn.execute(f"PRAGMA synchronous = {self._synchronous}")
            conn.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            conn.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            conn.execute("PRAGMA temp_store = MEMORY")
            conn.execute("PRAGMA secure_delete = ON")  # freed pages are overwritten, not only unlinked
        except BaseException:
            conn.close()
            raise
        return conn

    def _use_wal(self, conn: Connection) -> None:
        """Two processes opening a new file at once: the change of mode has no wait of its own."""
        deadline = time.monotonic() + self._wait_s
        while True:
            try:
                conn.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if not isinstance(_operational(error, self._where), StoreBusy) or time.monotonic() > deadline:
                    raise
                time.sleep(_RETRY_S)
            else:
                return
