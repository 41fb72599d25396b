"""Leave a failing server alone for a while instead of making every caller wait for it.

After some failures in a row the breaker opens; when its rest is over one call may try again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class CircuitBreaker:
    """Thread-safe. `clock` gives seconds that only grow."""

    def __init__(self, limit: int = 3, rest_s: float = 30.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._rest_s = rest_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._open_until = 0.0

    def wait_s(self) -> float:
        """0 when a call may be made; else how many seconds the breaker stays open.

        The first caller after the rest gets through alone: for the others the breaker is open again.
        """
        with self._lock:
            now = self._clock()
            if self._failures < self._limit:
                return 0.0
            if now < self._open_until:
                return self._open_until - now
            self._open_until = now + self._rest_s
            return 0.0

    def succeeded(self) -> None:
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            self._open_until = self._clock() + self._rest_s
