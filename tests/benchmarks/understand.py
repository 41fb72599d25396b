"""What it costs to understand one memory beside encoding it, by language, and that no text costs out of proportion.

    python -m tests.benchmarks.understand

Texts are the demo story's, joined and cut to 30 words (50 Han characters). Each is read once after a
warm-up, so that no cache of earlier texts helps.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from rich.console import Console
from rich.table import Table

from graphsvc.encoding.base import Encoder
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.interfaces import demo
from graphsvc.language.centroids import ExampleSpace
from graphsvc.language.labels import LabelTagger
from graphsvc.language.normalise import language_of
from graphsvc.language.senses import SenseTagger
from graphsvc.models.facts import Language
from graphsvc.understand.tagger import Seen, Setting, Tagger
from ontology.loader import load_ontology

STORY = Path(demo.__file__).with_name("story.jsonl")
AT = datetime(2026, 3, 6, 9, 0, tzinfo=UTC)
WORDS, HAN = 30, 50
MEGABYTE = 1_000_000
HOSTILE = ("3月", "bank ", "不", "a.", "王", "一万", "“", "at ", "1/", "@", "我说", "not ", "the 3rd, ")


def _texts() -> Iterator[tuple[Language, str]]:
    """Memories of one language joined until they are long enough, and cut to that length."""
    growing: dict[Language, str] = {}
    for line in STORY.read_text("utf-8").splitlines():
        memory = json.loads(line)
        if memory["kind"] != "memory":
            continue
        language = language_of(memory["text"])
        text = f"{growing.pop(language, '')} {memory['text']}".strip()
        words = text.split(" ")
        if language is Language.ZH and len(text) >= HAN:
            yield language, text[:HAN]
        elif language is not Language.ZH and len(words) >= WORDS:
            yield language, " ".join(words[:WORDS])
        else:
            growing[language] = text


def _times(encoder: Encoder, folder: Path) -> dict[Language, list[float]]:
    ontology = load_ontology()
    space = ExampleSpace(ontology, encoder, cache_dir=folder)
    labels, senses = LabelTagger(ontology, encoder, space=space), SenseTagger(ontology, encoder, space=space)
    tagger = Tagger(ontology, labels, senses)
    texts = list(_texts())
    seen = []
    for _, text in texts:
        passages = encoder.encode_passages([text])
        seen.append(Seen(passages.vectors[0], None if passages.states is None else passages.states[0]))
    warm = len(texts) // 5
    took: dict[Language, list[float]] = {}
    for place, ((language, text), encoded) in enumerate(zip(texts, seen, strict=True)):
        began = perf_counter()
        tagger.tag(text, encoded, Setting(AT))
        if place >= warm:
            took.setdefault(language, []).append((perf_counter() - began) * 1000)
    return took


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    console = Console()
    table = Table("language", "texts", "p50 ms", "p95 ms", title="one memory of 30 words, its vectors given")
    with TemporaryDirectory() as folder:
        for language, took in sorted(_times(BundledEncoder(), Path(folder)).items()):
            cuts = quantiles(took, n=20)
            table.add_row(language.value, str(len(took)), f"{cuts[9]:.1f}", f"{cuts[18]:.1f}")
    console.print(table)
    ontology = load_ontology()
    plain = Tagger(ontology, LabelTagger(ontology, None), SenseTagger(ontology, None))
    table = Table("repeated", "seconds", title="one line of a megabyte, without an encoder")
    for piece in HOSTILE:
        text = piece * (MEGABYTE // len(piece.encode()))
        began = perf_counter()
        plain.tag(text, Seen(), Setting(AT))
        table.add_row(repr(piece), f"{perf_counter() - began:.2f}")
    console.print(table)


if __name__ == "__main__":
    main()
