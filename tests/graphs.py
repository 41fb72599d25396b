"""Open the memory graphs that tests ask: a store of their own, a given encoder, a clock that stands still."""

from __future__ import annotations

from pathlib import Path

from graphsvc.encoding.base import Encoder
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.memory_graph import MemoryGraph
from graphsvc.settings import Settings
from tests.builders import fixed_clock


def open_graph(folder: Path, encoder: Encoder | None = None, *, max_text_chars: int = 20_000) -> MemoryGraph:
    """A graph in `folder`; without an encoder, one that hashes words."""
    settings = Settings(cache_dir=folder / "cache", max_text_chars=max_text_chars)
    url = f"sqlite:///{folder / 'store'}"
    return MemoryGraph.open(url, settings=settings, encoder=encoder or HashingEncoder(), clock=fixed_clock)
