"""Read what the head is taught with: our own sentences, and the labelled public sets in a data folder.

Only sets whose licence allows learning are read, and their classes are mapped to our domains by
`label_mapping.toml`. Each set keeps its own split: one part teaches, the other only measures.
"""

from __future__ import annotations

import csv
import json
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ontology.model import Ontology

_DATA = Path(__file__).parents[1] / "data"
_MAPPING = _DATA / "label_mapping.toml"
_ANY = "*"
_MOST = 300  # sentences a set teaches of one domain; more of the same wording taught nothing further
_PER_BANKING_CLASS = 20  # all 77 are one domain of ours
# Names of CrossWOZ: what lies near a place, acts without a subject, the kinds of thing that are travel.
_NEARBY, _SMALL_TALK = "周边", "General"
_TRAVEL = frozenset({"景点", "酒店", "地铁", "出租"})


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence and the class it belongs to."""

    text: str
    domain: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """One set: what it teaches, what it only measures, and what has to be said where it is used."""

    name: str
    language: str
    licence: str
    attribution: str
    taught: tuple[Example, ...]
    held_out: tuple[Example, ...]


def own_sentences(ontology: Ontology) -> dict[str, tuple[Example, ...]]:
    """By origin, the ontology's example sentences and those of `sentences_zh.toml` and `sentences_en.toml`."""
    examples = [Example(text, one.id) for one in ontology.domains for text in one.examples.all]
    written = []
    for language in ("zh", "en"):
        table = tomllib.loads((_DATA / f"sentences_{language}.toml").read_text(encoding="utf-8"))
        written += [Example(text, domain) for domain, lines in table.items() for text in lines.strip().splitlines()]
    return {"examples": tuple(examples), "sentences": tuple(written)}


def own_statements() -> tuple[Example, ...]:
    """Our own sentences of one intent, by its id, beside the ontology's examples: those of `statements.toml`."""
    table = tomllib.loads((_DATA / "statements.toml").read_text(encoding="utf-8"))
    return tuple(
        Example(text, intent)
        for intent, texts in table.items()
        for one in texts.values()
        for text in one.split("\n")
        if text
    )


def public_corpora(data: Path) -> list[Corpus]:
    """The four mapped sets of a data folder; raises `OSError` when one is absent."""
    mapping = _mapping()
    return [
        Corpus(
            "clinc150",
            "en",
            "CC BY 3.0",
            "Larson et al., An Evaluation Dataset for Intent Classification and Out-of-Scope Prediction, EMNLP 2019",
            _thinned(_mapped(clinc(data, "train"), mapping["clinc150"])),
            _mapped(clinc(data, "test"), mapping["clinc150"]),
        ),
        Corpus(
            "banking77",
            "en",
            "CC BY 4.0",
            "Casanueva et al., Efficient Intent Detection with Dual Sentence Encoders, 2020",
            _thinned(_mapped(_banking(data / "banking77" / "train.csv"), mapping["banking77"])),
            _mapped(_banking(data / "banking77" / "test.csv"), mapping["banking77"]),
        ),
        Corpus(
            "snips",
            "en",
            "CC0 1.0",
            "Coucke et al., Snips Voice Platform, 2018",
            _thinned(_mapped(_snips(data / "snips", "train"), mapping["snips"])),
            _mapped(_snips(data / "snips", "validate"), mapping["snips"]),
        ),
        Corpus(
            "crosswoz",
            "zh",
            "Apache-2.0",
            "Zhu et al., CrossWOZ: A Large-Scale Chinese Cross-Domain Task-Oriented Dialogue Dataset, TACL 2020",
            _thinned(_mapped(_crosswoz(data / "crosswoz" / "val.json.zip"), mapping["crosswoz"])),
            _mapped(_crosswoz(data / "crosswoz" / "test.json.zip"), mapping["crosswoz"]),
        ),
    ]


def clinc(data: Path, part: str) -> list[tuple[str, str]]:
    """Texts and intents of one part of clinc150: train, val, test, oos_train, oos_val, oos_test."""
    table = json.loads((data / "clinc150" / "data_full.json").read_text(encoding="utf-8"))
    return [(text, intent) for text, intent in table[part]]


def _mapping() -> dict[str, dict[str, str]]:
    table = tomllib.loads(_MAPPING.read_text(encoding="utf-8"))
    return {
        name: {theirs: ours for ours, classes in domains.items() for theirs in classes.split()}
        for name, domains in table.items()
    }


def _mapped(pairs: Iterable[tuple[str, str]], domains: dict[str, str]) -> tuple[Example, ...]:
    """Each text once, with our domain, in the set's order."""
    found: dict[str, str] = {}
    for text, theirs in pairs:
        ours = domains.get(theirs) or domains.get(_ANY)
        if ours is not None:
            found.setdefault(text.strip(), ours)
    return tuple(Example(text, domain) for text, domain in found.items())


def _thinned(examples: tuple[Example, ...]) -> tuple[Example, ...]:
    """At most so many of each domain, taken evenly from all of them."""
    by_domain: dict[str, list[Example]] = {}
    for one in examples:
        by_domain.setdefault(one.domain, []).append(one)
    kept = []
    for group in by_domain.values():
        count = min(len(group), _MOST)
        kept += [group[place * len(group) // count] for place in range(count)]
    return tuple(kept)


def _banking(path: Path) -> Iterator[tuple[str, str]]:
    """The first texts of each class."""
    seen: dict[str, int] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            category = row["category"]
            seen[category] = seen.get(category, 0) + 1
            if seen[category] <= _PER_BANKING_CLASS:
                yield row["text"], category


def _snips(folder: Path, part: str) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob(f"{part}_*.json")):
        raw = path.read_bytes()
        try:
            text = raw.decode()
        except UnicodeDecodeError:  # some files of the set are in Latin-1
            text = raw.decode("latin-1")
        for intent, rows in json.loads(text).items():
            for row in rows:
                yield "".join(piece["text"] for piece in row["data"]), intent


def _crosswoz(path: Path) -> Iterator[tuple[str, str]]:
    """Users' turns about one thing only; a question for what lies near a place is about two."""
    with zipfile.ZipFile(path) as archive:
        dialogues = json.loads(archive.read(archive.namelist()[0]))
    for dialogue in dialogues.values():
        for turn in dialogue["messages"]:
            subject = _one_subject(turn["dialog_act"]) if turn["role"] == "usr" else None
            if subject is not None:
                yield turn["content"], subject


def _one_subject(acts: list[list[Any]]) -> str | None:
    """What a turn is about, by its dialogue acts; greetings and thanks count where there is nothing else."""
    if any(_NEARBY in str(act[2]) for act in acts):
        return None
    named = {str(act[1]) for act in acts if act[0] != _SMALL_TALK}
    if not named:
        return _SMALL_TALK if acts else None
    return min(named) if len(named) == 1 or named <= _TRAVEL else None
