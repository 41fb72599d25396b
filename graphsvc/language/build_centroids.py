"""Encode the shipped ontology's example sentences with the bundled encoder and write them beside this file.

Run `python -m graphsvc.language.build_centroids` after a change to the ontology or the encoder;
`--report` also prints how well each class is told apart when a sentence is judged without itself.
"""

from __future__ import annotations

import click

from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.centroids import ExampleSpace, all_examples
from graphsvc.language.examples import SHIPPED, key_of, write
from ontology.loader import load_ontology

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
    write(SHIPPED, encoder, rows, probe=_PROBE)
    click.echo(f"{len(rows)} sentences, {encoder.fingerprint}, ontology {ontology.content_hash[:12]}")
    if report:
        space = ExampleSpace(ontology, encoder)
        for name, classes in (("domains", ontology.domains), ("intents", ontology.intents)):
            shares, members = space.left_out({entry.id: entry.examples for entry in classes})
            right, sure = shares.argmax(axis=1) == members, shares.max(axis=1) >= _SURE
            click.echo(
                f"{name}: right {right.mean():.3f}; sure {sure.mean():.3f}, of these right {right[sure].mean():.3f}"
            )


if __name__ == "__main__":
    main()
