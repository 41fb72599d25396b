"""The embedding cache: the same vectors, fewer runs, and never a failure of its own."""

from __future__ import annotations

import multiprocessing
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from graphsvc.encoding.base import EncodedQuery, Fingerprint, Passages
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.encoding.cache import CachedEncoder
from graphsvc.encoding.hashing import HashingEncoder
from graphsvc.errors import EncoderUnavailable


class Counting:
    """A hashing encoder that remembers what it was asked."""

    def __init__(self, state_dimension: int = 8, note: str | None = None, dimension: int = 16) -> None:
        self._inner = HashingEncoder(dimension, state_dimension)
        self.asked: list[str] = []
        self.note = note

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    def encode_passages(self, texts: Sequence[str]) -> Passages:
        self.asked.extend(texts)
        return self._inner.encode_passages(texts)

    def encode_query(self, text: str) -> EncodedQuery:
        return self._inner.encode_query(text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "embeddings.sqlite"


def assert_same(first: Passages, second: Passages) -> None:
    assert np.array_equal(first.vectors, second.vectors)
    assert (first.states is None) == (second.states is None)
    for one, other in zip(first.states or (), second.states or (), strict=True):
        assert np.array_equal(one.codes, other.codes)
        assert np.array_equal(one.scales, other.scales)


@pytest.mark.parametrize("state_dimension", [0, 8])
def test_a_reopened_cache_gives_the_same_bits_without_encoding(path: Path, state_dimension: int) -> None:
    texts = ["预算", "budget", "", "预算"]
    first = CachedEncoder(Counting(state_dimension), path)
    fresh = first.encode_passages(texts)
    first.close()
    inner = Counting(state_dimension)
    second = CachedEncoder(inner, path)
    assert_same(second.encode_passages(texts), fresh)
    assert_same(fresh, HashingEncoder(16, state_dimension).encode_passages(texts))
    assert inner.asked == []
    second.close()


def test_only_unknown_texts_are_encoded_and_each_once(path: Path) -> None:
    inner = Counting()
    cached = CachedEncoder(inner, path)
    cached.encode_passages(["a", "b"])
    cached.encode_passages(["c", "a", "c"])
    assert inner.asked == ["a", "b", "c"]
    cached.close()


def test_no_texts_give_no_vectors(path: Path) -> None:
    cached = CachedEncoder(Counting(), path)
    empty = cached.encode_passages([])
    assert empty.vectors.shape == (0, 16)
    assert empty.states == ()
    cached.close()


def test_another_encoder_never_sees_these_vectors(path: Path) -> None:
    first, other = Counting(), Counting(dimension=32)
    for inner in (first, other):
        cached = CachedEncoder(inner, path)
        assert cached.encode_passages(["a"]).vectors.shape == (1, inner.fingerprint.dimension)
        cached.close()
    assert other.asked == ["a"]


def test_questions_and_notes_pass_through(path: Path) -> None:
    inner = Counting(note="running exact")
    cached = CachedEncoder(inner, path)
    assert np.array_equal(cached.encode_query("who?").vector, inner.encode_query("who?").vector)
    assert cached.note == "running exact"
    assert cached.fingerprint == inner.fingerprint
    cached.close()


def test_depths_are_asked_of_an_encoder_that_has_them(path: Path) -> None:
    inner = BundledEncoder()
    cached = CachedEncoder(inner, path)
    assert cached.depth_dimension == inner.depth_dimension > 0
    assert np.array_equal(cached.question_depths("who?"), inner.question_depths("who?"))
    assert np.array_equal(cached.passage_depths(["me"])[0], inner.passage_depths(["me"])[0])
    cached.close()


def test_an_encoder_without_depths_is_named(path: Path) -> None:
    cached = CachedEncoder(Counting(), path)
    assert cached.depth_dimension == 0
    with pytest.raises(EncoderUnavailable, match="depths"):
        cached.question_depths("who?")
    with pytest.raises(EncoderUnavailable, match="depths"):
        cached.passage_depths(["me"])
    cached.close()


def test_the_text_itself_is_not_on_disk(path: Path) -> None:
    cached = CachedEncoder(Counting(), path)
    cached.encode_passages(["a very private remark"])
    cached.close()
    assert all(b"private" not in file.read_bytes() for file in path.parent.iterdir())


def test_a_forgotten_text_leaves_no_byte_of_its_vector(path: Path) -> None:
    inner = Counting()
    cached = CachedEncoder(inner, path)
    vector = cached.encode_passages(["keep", "drop"]).vectors[1].tobytes()
    cached.forget(["drop"])
    assert all(vector not in file.read_bytes() for file in path.parent.iterdir())
    cached.encode_passages(["keep", "drop"])
    assert inner.asked == ["keep", "drop", "drop"]
    cached.close()


def test_the_oldest_entries_go_when_the_limit_is_passed(path: Path) -> None:
    inner = Counting(0)
    cached = CachedEncoder(inner, path, max_bytes=64 * 10)  # ten vectors of sixteen floats
    texts = [f"text {i}" for i in range(11)]
    for text in texts:
        cached.encode_passages([text])
    inner.asked.clear()
    cached.encode_passages([texts[-1]])
    assert inner.asked == []
    cached.encode_passages([texts[0]])
    assert inner.asked == [texts[0]]
    with sqlite3.connect(path) as db:
        (kept,) = db.execute("SELECT count(*) FROM passages").fetchone()
    db.close()
    assert kept <= 10
    cached.close()


@pytest.mark.parametrize(
    "damage", [b"this is no database at all, not even nearly" * 100, b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_damaged_file_is_moved_aside_and_begun_again(path: Path, damage: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(damage)
    inner = Counting()
    cached = CachedEncoder(inner, path)
    cached.encode_passages(["a"])
    cached.encode_passages(["a"])
    assert inner.asked == ["a"]
    assert path.with_name(path.name + ".damaged").read_bytes() == damage
    cached.close()


def test_damage_while_open_is_survived(path: Path) -> None:
    inner = Counting()
    cached = CachedEncoder(inner, path)
    cached.encode_passages([f"text {i}" for i in range(500)])
    cached.close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    again = CachedEncoder(inner, path)
    for _ in range(3):
        assert_same(again.encode_passages(["text 1"]), inner.encode_passages(["text 1"]))
    again.close()


def test_an_entry_of_the_wrong_size_counts_as_missing(path: Path) -> None:
    inner = Counting()
    cached = CachedEncoder(inner, path)
    fresh = cached.encode_passages(["a"])
    with sqlite3.connect(path) as db:
        db.execute("UPDATE passages SET vector = x'00'")
    db.close()
    assert_same(cached.encode_passages(["a"]), fresh)
    assert inner.asked == ["a", "a"]
    cached.close()


def test_a_file_of_another_layout_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=99")
    db.close()
    cached = CachedEncoder(Counting(), path)
    assert cached.encode_passages(["a"]).vectors.shape == (1, 16)
    cached.close()
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == []
    db.close()


def test_a_folder_that_cannot_be_made_only_costs_the_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    inner = Counting()
    cached = CachedEncoder(inner, tmp_path / "file" / "embeddings.sqlite")
    for _ in range(2):
        assert cached.encode_passages(["a"]).vectors.shape == (1, 16)
    assert inner.asked == ["a", "a"]
    cached.close()


def test_a_closed_cache_still_encodes(path: Path) -> None:
    cached = CachedEncoder(Counting(), path)
    cached.close()
    assert cached.encode_passages(["a"]).vectors.shape == (1, 16)


def test_threads_share_a_cache(path: Path) -> None:
    cached = CachedEncoder(Counting(), path)
    batches = [[f"text {i % 7}", f"text {i % 5}"] for i in range(60)]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(cached.encode_passages, batches))
    for batch, passages in zip(batches, found, strict=True):
        assert_same(passages, HashingEncoder(16, 8).encode_passages(batch))
    cached.close()


def fill(path: Path, first: int) -> None:
    cached = CachedEncoder(HashingEncoder(16, 8), path)
    for i in range(first, first + 40):
        cached.encode_passages([f"text {i}"])
    cached.close()


def test_processes_share_a_cache(path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=fill, args=(path, first)) for first in (0, 20)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    inner = Counting()
    cached = CachedEncoder(inner, path)
    cached.encode_passages([f"text {i}" for i in range(60)])
    assert inner.asked == []
    cached.close()
