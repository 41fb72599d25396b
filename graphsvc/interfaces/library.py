"""The library by its ids and names, as HTTP and the command line tell it."""

from __future__ import annotations

from collections.abc import Iterable

from graphsvc.models.base import Record
from ontology.model import Domain, EdgeTypeInfo, EntityType, Intent, Ontology, QueryType, SenseWord


class Name(Record):
    """An entry: its stable id, and what it is called in both languages."""

    id: str
    zh: str
    en: str


class Word(Record):
    """An ambiguous word: its written forms, and its senses by their glosses."""

    id: str
    surfaces: tuple[str, ...]
    senses: tuple[Name, ...]


class Library(Record):
    """`content_hash` is SHA-256 over all of it; equal hashes mean equal libraries."""

    version: str
    content_hash: str
    domains: tuple[Name, ...]
    intents: tuple[Name, ...]
    entity_types: tuple[Name, ...]
    edge_types: tuple[Name, ...]
    query_types: tuple[Name, ...]
    words: tuple[Word, ...]


def outline(ontology: Ontology) -> Library:
    return Library(
        version=ontology.version,
        content_hash=ontology.content_hash,
        domains=_names(ontology.domains),
        intents=_names(ontology.intents),
        entity_types=_names(ontology.entity_types),
        edge_types=_names(ontology.edge_types),
        query_types=_names(ontology.query_types),
        words=tuple(_word(word) for word in ontology.sense_words),
    )


def _names(entries: Iterable[Domain | Intent | EntityType | EdgeTypeInfo | QueryType]) -> tuple[Name, ...]:
    return tuple(Name(id=one.id, zh=one.name.zh, en=one.name.en) for one in entries)


def _word(word: SenseWord) -> Word:
    senses = tuple(Name(id=sense.id, zh=sense.gloss.zh, en=sense.gloss.en) for sense in word.senses)
    return Word(id=word.id, surfaces=word.surfaces.all, senses=senses)
