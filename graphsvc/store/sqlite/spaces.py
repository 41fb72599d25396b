"""The namespaces of a store: their numbers, and what of each is held in memory, caught up before it is read.

A number never changes and is remembered; the view of a namespace is as last committed, by whichever process.
"""

from __future__ import annotations

import threading

from graphsvc.store.sqlite.connection import Connection
from graphsvc.store.sqlite.partition import Partition, View
from graphsvc.store.sqlite.rows import writable

_NOWHERE = -1  # the number of a namespace nothing was ever put into


class Spaces:
    """Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._codes: dict[str, int] = {}
        self._partitions: dict[int, Partition] = {}

    def code(self, conn: Connection, namespace: str) -> int:
        """The number of a namespace, one that no row bears where nothing was ever put into it."""
        code = self._codes.get(namespace)
        if code is None and writable(namespace):
            found = conn.execute("SELECT code FROM namespace WHERE name = ?", (namespace,)).fetchone()
            if found is not None:
                code = self._codes[namespace] = int(found[0])
        return _NOWHERE if code is None else code

    def partition(self, conn: Connection, namespace: str) -> Partition:
        """What is held of a namespace, not caught up."""
        code = self.code(conn, namespace)
        known = self._partitions.get(code)
        if known is None:
            with self._lock:
                known = self._partitions.setdefault(code, Partition(code))
        return known

    def current(self, conn: Connection, namespace: str) -> tuple[Partition, View]:
        """The namespace as last committed."""
        partition = self.partition(conn, namespace)
        version = conn.version()
        if conn.seen.get(partition) == version:
            return partition, partition.view
        view = partition.catch_up(conn)
        conn.seen[partition] = version
        return partition, view
