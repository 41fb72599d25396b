"""Teach the head of question types and write it, with its card, beside its questions.

Run `python -m graphsvc.retrieve.parse.train`; the same questions, ontology and encoder give the same
bytes. Three quarters of each type teach, a quarter is held out, judged and reported.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.labels.fit import Rows, calibration_error, fit_linear, fit_temperature
from graphsvc.language.labels.head import han_share, middle
from graphsvc.retrieve.parse.kinds import KindReader
from graphsvc.retrieve.parse.type_head import SHIPPED, TypeCard, TypeHead, write_head
from ontology.loader import load_ontology
from ontology.model import Ontology

LANGUAGES = ("zh", "en")
_PROBE = "Which quick question tells the encoder that this head was taught with?"
_STRENGTH = 0.3
_EVERY = 4


@dataclass(frozen=True, slots=True)
class Example:
    """One question and its type; `held_out` teaches nothing."""

    text: str
    kind: str
    language: str
    held_out: bool


def examples(folder: Path = SHIPPED.parent) -> tuple[Example, ...]:
    """The package's own questions, in the order of their files."""
    return tuple(one for language in LANGUAGES for one in _read(folder / f"questions_{language}.txt", language))


def _read(path: Path, language: str) -> Iterator[Example]:
    kind, count = "", 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind, count = line.strip("[]"), 0
        elif line and not line.startswith("#"):
            count += 1
            yield Example(line, kind, language, held_out=count % _EVERY == 0)


def teach(encoder: Encoder, ontology: Ontology, taught: tuple[Example, ...], vectors: FloatArray) -> TypeHead:
    """A head for the ontology's types; `vectors` are float32 `(examples, d)`. What is held out sets the temperature."""
    types = tuple(kind.id for kind in ontology.query_types)
    held_out = np.array([one.held_out for one in taught])
    means = np.stack([_mean(vectors, taught, language) for language in LANGUAGES])
    centred = np.stack(
        [vector - middle(means, han_share(one.text)) for vector, one in zip(vectors, taught, strict=True)]
    )
    members = np.array([types.index(one.kind) for one in taught])
    rows = Rows(centred, members, np.ones(len(taught)))
    directions, biases = fit_linear(rows.where(~held_out), len(types), strength=_STRENGTH)
    logits = (centred[held_out] @ directions.T + biases).astype(np.float32)
    card = TypeCard(
        encoder=encoder.fingerprint.name,
        fingerprint=str(encoder.fingerprint),
        dimension=encoder.fingerprint.dimension,
        sha256="",
        probe=_PROBE,
        types=types,
        temperature=fit_temperature(logits, members[held_out]),
    )
    return TypeHead(card, encoder.encode_query(_PROBE).vector, means, directions, biases)


def _mean(vectors: FloatArray, taught: tuple[Example, ...], language: str) -> FloatArray:
    mask = np.array([one.language == language and not one.held_out for one in taught])
    mean: FloatArray = vectors[mask].mean(axis=0).astype(np.float32)
    return mean


def card_text(head: TypeHead, taught: tuple[Example, ...], vectors: FloatArray, ontology: Ontology) -> str:
    """The model card: what taught it, and how often rules, head and both are right on what did not."""
    lines = [
        "# Question-type head",
        "",
        f"A linear head over question vectors of `{head.card.fingerprint}`: {len(head.card.types)} query types,",
        "Chinese and English. Written by `python -m graphsvc.retrieve.parse.train`, as is this card.",
        "",
        "**Intended use.** The type of a question that no rule of wording knows, mostly an elliptical one.",
        "",
        "**Files.** `type_head.f32` holds plain little-endian floats, `type_head.json` their hash and shape;",
        "`questions_zh.txt` and `questions_en.txt` are the questions, written for this package (Apache-2.0).",
        "",
        "| language | taught with | held out | rules alone | head alone | rules, then head |",
        "|---|---|---|---|---|---|",
    ]
    readers = (KindReader(), KindReader(head))
    for language in LANGUAGES:
        held = [at for at, one in enumerate(taught) if one.language == language and one.held_out]
        alone = [head.likeliest(vectors[at], taught[at].text)[0] == taught[at].kind for at in held]
        rules, both = (
            [reader.read(taught[at].text, vectors[at], ontology)[0] == taught[at].kind for at in held]
            for reader in readers
        )
        count = sum(one.language == language and not one.held_out for one in taught)
        shares = " | ".join(f"{np.mean(right):.3f}" for right in (rules, alone, both))
        lines.append(f"| {language} | {count} | {len(held)} | {shares} |")
    lines += [
        "",
        f"Temperature {head.card.temperature}; calibration error held out {_error(head, taught, vectors):.3f}.",
    ]
    return "\n".join(lines) + "\n"


def _error(head: TypeHead, taught: tuple[Example, ...], vectors: FloatArray) -> float:
    held = [at for at, one in enumerate(taught) if one.held_out]
    members = np.array([head.card.types.index(taught[at].kind) for at in held])
    return calibration_error(np.stack([head.shares(vectors[at], taught[at].text) for at in held]), members)


def main() -> None:
    """Write the head, the rows beside it (.f32) and the model card (.md)."""
    options = argparse.ArgumentParser(prog="python -m graphsvc.retrieve.parse.train", description=__doc__)
    options.add_argument("--out", type=Path, default=SHIPPED, help="the card; what belongs to it is written beside it")
    out: Path = options.parse_args().out
    ontology, encoder, taught = load_ontology(), BundledEncoder(), examples()
    vectors = np.stack([encoder.encode_query(one.text).vector for one in taught])
    head = teach(encoder, ontology, taught, vectors)
    write_head(out, head)
    text = card_text(head, taught, vectors, ontology)
    out.with_suffix(".md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
