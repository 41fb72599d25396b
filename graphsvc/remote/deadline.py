"""Wait for a call only so long.

A name look-up, a model in this process, or headers that come letter by letter obey no socket's time limit. The call
runs in another thread, which is left to end by itself when time is up; how many threads there are is bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
# Enough for every worker of a busy server; a call that finds no thread free waits for one within its limit.
MOST_RUNNING = 32


class OutOfTime(Exception):
    """The call did not end in time, or never began because too many earlier ones still run."""


class Deadline:
    """Thread-safe. At most `most_running` calls run at once, those given up among them."""

    def __init__(self, limit_s: float, *, most_running: int = MOST_RUNNING) -> None:
        self.limit_s = limit_s
        self._threads = ThreadPoolExecutor(most_running, thread_name_prefix="deadline")

    def run(self, call: Callable[[], T]) -> T:
        """What the call returns or raises; raises `OutOfTime` when that takes longer than the limit."""
        running = self._threads.submit(call)
        if not wait([running], timeout=self.limit_s).done:
            running.cancel()
            raise OutOfTime(f"no end within {self.limit_s:g} s")
        return running.result()

    def close(self) -> None:
        """Let go of the threads; calls given up end by themselves."""
        self._threads.shutdown(wait=False, cancel_futures=True)
