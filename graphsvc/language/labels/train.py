"""Teach the shipped head and write it, with its card, beside the other language data.

Run `python -m graphsvc.language.labels.train --data PATH`, PATH being a folder of public sets; the
same folder, ontology and encoder give the same bytes. What it learnt from is in the model card.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.labels.corpora import Corpus, public_corpora
from graphsvc.language.labels.head import SHIPPED, Classes, HeadCard, meaning, write_head
from graphsvc.language.labels.teach import Taught, Teacher, members_of
from ontology.loader import load_ontology
from ontology.model import Domain, Intent

_PROBE = "The quick check of a sentence that says which encoder this head was taught with."


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=SHIPPED, show_default=True)
def main(data: Path, out: Path) -> None:
    """Write OUT, the rows beside it (.f32) and the model card (.md)."""
    ontology, encoder = load_ontology(), BundledEncoder()
    corpora = public_corpora(data)
    teacher = Teacher(ontology, encoder)
    domains, intents = teacher.domains(corpora), teacher.intents()
    card = HeadCard(
        encoder=encoder.fingerprint.name,
        fingerprint=str(encoder.fingerprint),
        dimension=encoder.fingerprint.dimension,
        sha256="",
        probe=_PROBE,
        domains=_classes(ontology.domains, domains),
        intents=_classes(ontology.intents, intents),
    )
    probe = encoder.encode_passages([_PROBE]).vectors[0]
    write_head(out, card, probe, teacher.means, (domains.linear, intents.linear))
    held_out = {corpus.name: _accuracy(teacher, domains, corpus) for corpus in corpora}
    text = _model_card(card, corpora, teacher.counts, {"domains": domains, "intents": intents}, held_out)
    out.with_suffix(".md").write_text(text, encoding="utf-8")
    click.echo(text)


def _classes(entries: Sequence[Domain] | Sequence[Intent], taught: Taught) -> Classes:
    return Classes(meanings={one.id: meaning(one) for one in entries}, temperature=taught.linear.temperature)


def _accuracy(teacher: Teacher, domains: Taught, corpus: Corpus) -> float:
    """Of the head alone, on the part of a set that did not teach it."""
    linear = domains.linear
    centred = teacher.centred([one.text for one in corpus.held_out])
    found = (centred @ linear.directions.T + linear.biases).argmax(axis=1)
    return float((found == members_of(corpus.held_out, linear.ids)).mean())


def _model_card(
    card: HeadCard,
    corpora: Sequence[Corpus],
    own: dict[str, int],
    taught: dict[str, Taught],
    held_out: dict[str, float],
) -> str:
    lines = [
        "# Label head",
        "",
        f"A linear head over vectors of `{card.fingerprint}`: {len(card.domains.meanings)} domains and "
        f"{len(card.intents.meanings)} intents of the shipped ontology, Chinese and English.",
        "Written by `python -m graphsvc.language.labels.train`; this card is written by the same command.",
        "",
        "**Intended use.** A first guess at what a short text is about and what it does, beside centroids and a",
        "dictionary, to narrow a search. Not for decisions about people. It knows everyday and office language;",
        "a subject outside the ontology should come out unlabelled, and sometimes does not.",
        "",
        "**Files.** `label_head.f32` holds plain little-endian floats, `label_head.json` their hash and shape.",
        "",
        "| taught with | language | sentences | held out | accuracy there, head alone | licence |",
        "|---|---|---|---|---|---|",
        f"| own examples of the ontology | zh, en | {own['examples']} | | | Apache-2.0 |",
        f"| own sentences beside them | zh, en | {own['sentences']} | | | Apache-2.0 |",
        f"| own statements, for the intents | zh, en | {own['statements']} | | | Apache-2.0 |",
    ]
    lines += [
        f"| {one.name} | {one.language} | {len(one.taught)} | {len(one.held_out)} | {held_out[one.name]:.3f} "
        f"| {one.licence} |"
        for one in corpora
    ]
    lines += [
        "",
        "Classes of public sets were mapped to our domains by `label_mapping.toml`, and left out where none fits.",
        "Weights derived from them carry these attributions:",
        "",
        *(f"- {one.name}: {one.attribution} ({one.licence}; classes changed as said above)" for one in corpora),
        "",
        "| own sentences, judged by a head taught without them | zh | en | calibration error | temperature |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {name}, head + centroids + dictionary | {one.accuracy['zh']:.3f} | {one.accuracy['en']:.3f} "
        f"| {one.calibration_error:.3f} | {one.linear.temperature} |"
        for name, one in taught.items()
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
