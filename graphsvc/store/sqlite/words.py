"""BM25 over the memory side of one namespace: which memories hold which search tokens, how often.

Counts are of this namespace alone and of living memories alone, so no score tells of a neighbour
or of what was deleted. A token is a key in a dictionary; no text can be a query language here.
Robertson and Zaragoza 2009, with Lucene's idf, which is never negative.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphsvc.store.sqlite.columns import Codebook, Codes, Growing, IntArray, Positions

K1 = 1.2
B = 0.75
SEPARATOR = "\x1f"
# New memories are looked through one by one until they hold this many words, then sorted in.
LOOSE_WORDS = 65_536

Floats = NDArray[np.float64]


def join_tokens(tokens: Iterable[str]) -> str:
    """Tokens as they are stored, one text a memory."""
    return SEPARATOR.join(word for token in tokens if (word := clean_token(token)))


def clean_token(token: str) -> str:
    """The token without what could break it apart or cannot be written as UTF-8."""
    return token.replace(SEPARATOR, "").encode("utf-8", "ignore").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Matched:
    """Memories with at least one of the tokens: positions ascending, scores, and who has them all."""

    positions: Positions
    scores: Floats
    complete: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Sorted:
    """Word by word the memories that hold it, for the first `memories` of them."""

    memories: int
    starts: IntArray
    positions: NDArray[np.int32]
    counts: NDArray[np.int32]


_NOTHING_SORTED = _Sorted(0, np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.int32))


class Words:
    """Grows with its namespace; safe to search while it grows. `edition` is equal to no other index's."""

    def __init__(self) -> None:
        self.edition = object()
        self._lock = threading.Lock()
        self._book = Codebook()
        self._listed: tuple[str, ...] = ()
        self._codes = Growing(np.int32)
        self._counts = Growing(np.int32)
        self._starts = Growing(np.int64)
        self._starts.extend(np.zeros(1, np.int64))
        self._lengths = Growing(np.float64)
        self._holders = Growing(np.int64)
        self._sorted = _NOTHING_SORTED
        self._total_length = 0.0
        self._living = 0

    def append(self, texts: Sequence[str | None]) -> None:
        """Add memories, each as `join_tokens` wrote it, at the next positions."""
        lists = [text.split(SEPARATOR) if text else [] for text in texts]
        lengths = np.array([len(words) for words in lists], dtype=np.int64)
        codes = np.array([self._book[word] for words in lists for word in words], dtype=np.int64)
        owners = np.repeat(np.arange(len(lists), dtype=np.int64), lengths)
        keys, counts = np.unique(owners << 32 | codes, return_counts=True)
        distinct = np.bincount(keys >> 32, minlength=len(lists))
        words_once = (keys & 0xFFFFFFFF).astype(np.int32)
        with self._lock:
            self._holders.extend(np.zeros(len(self._book) - len(self._holders), np.int64))
            np.add.at(self._holders.view, words_once, 1)
            self._codes.extend(words_once)
            self._counts.extend(counts.astype(np.int32))
            self._starts.extend(self._starts.view[-1] + np.cumsum(distinct))
            self._lengths.extend(lengths.astype(np.float64))
            self._total_length += float(lengths.sum())
            self._living += len(lists)

    def forget(self, positions: Positions) -> None:
        """Take deleted memories out of every count."""
        with self._lock:
            starts, codes = self._starts.view, self._codes.view
            for position in positions:
                self._holders.view[codes[starts[position] : starts[position + 1]]] -= 1
            self._total_length -= float(self._lengths.view[positions].sum())
            self._living -= len(positions)

    def known(self, tokens: Iterable[str]) -> dict[str, int]:
        """Those of the tokens that living memories hold, with how many hold each."""
        codes = {token: code for token in tokens if (code := self._book.get(clean_token(token))) is not None}
        with self._lock:
            held = self._holders.view
            counts = {token: int(held[code]) for token, code in codes.items() if code < len(held)}
        return {token: count for token, count in counts.items() if count}

    def everything(self) -> tuple[tuple[str, ...], IntArray]:
        """Every token ever indexed, by code, and how many living memories hold each."""
        with self._lock:
            counts = self._holders.view.copy()
            if len(self._listed) != len(counts):
                # A word that came meanwhile has its code already, and is counted the next time.
                self._listed = tuple(self._book)[: len(counts)]
            return self._listed, counts

    def search(self, tokens: Iterable[str], count: int, inside: Positions | None) -> Matched:
        """BM25 of the first `count` memories, or of those `inside`, that hold any of the tokens."""
        wanted = sorted({word for token in tokens if (word := clean_token(token))})
        known = [code for word in wanted if (code := self._book.get(word)) is not None]
        with self._lock:
            self._sort_in()
            holders = [int(self._holders.view[code]) for code in known]
            lists = [self._holding(code, count) for code in known]
            lengths = self._lengths.view
            average = self._total_length / max(self._living, 1)
            living = self._living
        scores = np.zeros(count if inside is None else len(inside))
        found = np.zeros(len(scores), dtype=np.int32)
        for (positions, repeats), holding in zip(lists, holders, strict=True):
            places, taken = _meet(positions, inside)
            times = repeats[taken].astype(np.float64)
            norm = K1 * (1 - B + B * lengths[positions[taken]] / max(average, 1e-9))
            idf = np.log1p(max(living - holding + 0.5, 0.0) / (holding + 0.5))
            scores[places] += idf * times / (times + norm)
            found[places] += 1
        hit = np.flatnonzero(found)
        return Matched(hit if inside is None else inside[hit], scores[hit], found[hit] == len(wanted))

    def _holding(self, code: int, count: int) -> tuple[Positions, Codes]:
        """Positions below `count` that hold a word, ascending, and how often each does."""
        base = self._sorted
        places, repeats = np.empty(0, np.int32), np.empty(0, np.int32)
        if code + 1 < len(base.starts):
            part = slice(base.starts[code], base.starts[code + 1])
            places, repeats = base.positions[part], base.counts[part]
        starts = self._starts.view
        first = int(starts[base.memories])
        loose = first + np.flatnonzero(self._codes.view[first:] == code)
        if len(loose):
            owners = np.searchsorted(starts, loose, side="right") - 1
            places = np.concatenate([places, owners.astype(np.int32)])
            repeats = np.concatenate([repeats, self._counts.view[loose]])
        end = np.searchsorted(places, count)
        return places[:end].astype(np.int64), repeats[:end]

    def _sort_in(self) -> None:
        starts = self._starts.view
        loose = int(starts[-1] - starts[self._sorted.memories])
        if loose <= max(LOOSE_WORDS, int(starts[self._sorted.memories]) // 4):
            return
        shape = (len(starts) - 1, len(self._book))
        by_memory = sparse.csr_array((self._counts.view, self._codes.view, starts), shape=shape)
        by_word = by_memory.tocsc()
        self._sorted = _Sorted(
            shape[0],
            by_word.indptr.astype(np.int64),
            by_word.indices.astype(np.int32),
            by_word.data.astype(np.int32),
        )


def _meet(positions: Positions, inside: Positions | None) -> tuple[Positions, Positions]:
    """Where a word's memories stand in the selection, and which of them those are."""
    if inside is None:
        return positions, np.arange(len(positions), dtype=np.int64)
    few, many = (positions, inside) if len(positions) < len(inside) else (inside, positions)
    at = np.searchsorted(many, few)
    kept = np.flatnonzero(at < len(many))
    kept = kept[many[at[kept]] == few[kept]]
    return (at[kept], kept) if few is positions else (kept, at[kept])
