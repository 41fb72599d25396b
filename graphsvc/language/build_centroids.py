"""Encode the shipped ontology's example sentences, and the ambiguous words in them, with the bundled encoder.

The rows lie beside this file: run `python -m graphsvc.language.build_centroids` after a change of ontology or encoder;
`--report` also prints how well each class is told apart when a sentence is judged without itself.
"""

from __future__ import annotations

import click
import numpy as np

from graphsvc.encoding.base import FloatArray, encode_words
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.centroids import ExampleSpace, all_examples
from graphsvc.language.examples import SHIPPED, key_of, words_beside, write
from graphsvc.language.senses.find import WordFinder
from graphsvc.language.senses.fit import spans_of
from ontology.loader import load_ontology
from ontology.model import Ontology

_SURE = 0.55
_PROBE = "The quick check of a sentence that says which encoder wrote these rows."


@click.command()
@click.option("--report", is_flag=True, help="Print leave-one-out accuracies.")
def main(report: bool) -> None:
    """Write the vectors of all example sentences, and a probe by which another runtime is recognised."""
    ontology, encoder = load_ontology(), BundledEncoder()
    examples = [text for words in all_examples(ontology) for text in words.all]
    surfaces = [surface for word in ontology.sense_words for surface in word.surfaces.all]
    texts = list(dict.fromkeys([_PROBE, *examples, *surfaces]))
    rows = {key_of(text): row for text, row in zip(texts, encoder.encode_passages(texts).vectors, strict=True)}
    write(SHIPPED, encoder, rows, probe=(_PROBE, (0, len(_PROBE))))
    words = _word_rows(ontology, encoder)
    write(words_beside(SHIPPED), encoder, words, probe=(_PROBE, (0, len(_PROBE))))
    click.echo(f"{len(rows)} sentences, {len(words)} words in them, {encoder.fingerprint}")
    if report:
        space = ExampleSpace(ontology, encoder)
        for name, classes in (("domains", ontology.domains), ("intents", ontology.intents)):
            shares, members = space.left_out({entry.id: entry.examples for entry in classes})
            right, sure = shares.argmax(axis=1) == members, shares.max(axis=1) >= _SURE
            click.echo(
                f"{name}: right {right.mean():.3f}; sure {sure.mean():.3f}, of these right {right[sure].mean():.3f}"
            )


def _word_rows(ontology: Ontology, encoder: BundledEncoder) -> dict[str, FloatArray]:
    """The ambiguous word of every example of a sense, and every surface by itself."""
    finder = WordFinder(ontology)
    items = [(_PROBE, (0, len(_PROBE)))]
    for word in ontology.sense_words:
        texts = [text for sense in word.senses for text in sense.examples.all]
        items += zip(texts, spans_of(word, texts, finder), strict=True)
        items += [(surface, (0, len(surface))) for surface in word.surfaces.all]
    rows = np.concatenate(encode_words(encoder, [text for text, _ in items], [[span] for _, span in items]))
    return {key_of(*item): row for item, row in zip(items, rows, strict=True)}


if __name__ == "__main__":
    main()
