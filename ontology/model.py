"""The closed library a memory graph is labelled with: what texts are about, and what ties them.

Everything here is data that was read from TOML; nothing decides anything. Ids are stable and
used in stores, names and glosses are for people.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Bilingual(Part):
    """One thing said in both languages."""

    zh: Text
    en: Text


class Words(Part):
    """Texts of each language, in the order written."""

    zh: tuple[Text, ...] = ()
    en: tuple[Text, ...] = ()

    def __iter__(self) -> Iterator[tuple[str, tuple[str, ...]]]:  # type: ignore[override]  # languages, not fields
        yield "zh", self.zh
        yield "en", self.en

    @property
    def all(self) -> tuple[str, ...]:
        return self.zh + self.en


class ValueKind(StrEnum):
    """What kind of value a question asks for."""

    TIME = "time"
    AMOUNT = "amount"
    PERSON = "person"
    IDENTIFIER = "identifier"
    YES_NO = "yes_no"
    NONE = "none"


class Patterns(Words):
    """Regular expressions, searched in text of unified width and case."""

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile("|".join(f"(?:{one})" for one in some)) for _, some in self if some)

    def found_in(self, text: str) -> bool:
        """Whether one of the patterns occurs; `text` must be folded already."""
        return any(pattern.search(text) for pattern in self._compiled)


class Entry(Part):
    """Anything of the library that has an id."""

    id: Text


EntryT = TypeVar("EntryT", bound=Entry)


class Domain(Entry):
    """A subject. The one `background` domain is what texts about nothing in particular belong to.

    `entities` are the entity types such texts are mostly about, the likeliest first.
    """

    name: Bilingual
    description: Text
    background: bool = False
    entities: tuple[Text, ...] = ()
    keywords: Words = Words()
    examples: Words


class Intent(Entry):
    """What a text does. The one `background` intent states facts and nothing more."""

    name: Bilingual
    description: Text
    background: bool = False
    patterns: Patterns = Patterns()
    examples: Words


class EntityType(Entry):
    """A kind of thing with a name; `keywords` are common nouns for such things."""

    name: Bilingual
    description: Text
    keywords: Words = Words()


class EdgeTypeInfo(Entry):
    """How an edge type reads and how far it carries.

    `direction` reads from source to target, `inverse` the other way. `weight` in [0, 1] is the default
    strength, `decay` in [0, 1] what is left of a score after one hop, `cap` the edges followed per node.
    """

    name: Bilingual
    direction: Bilingual
    inverse: Bilingual
    weight: float = Field(ge=0.0, le=1.0)
    decay: float = Field(ge=0.0, le=1.0)
    cap: int = Field(ge=1)
    symmetric: bool = False


class QueryType(Entry):
    """What a question wants, and the wording that shows it."""

    name: Bilingual
    value: ValueKind
    patterns: Patterns = Patterns()
    examples: Words = Words()

    def matches(self, text: str) -> bool:
        """Whether the question is worded this way; width and case do not matter, script does (simplified)."""
        return self.patterns.found_in(unify(text))


class Sense(Entry):
    """One meaning of a word; `id` is `word.sense`, unique in the library."""

    gloss: Bilingual
    domain: Text
    cues: Words = Words()
    examples: Words


class SenseWord(Entry):
    """A word of several meanings, in all its written forms."""

    surfaces: Words
    senses: tuple[Sense, ...] = Field(min_length=2)


@dataclass(frozen=True)
class Ontology:
    """The whole library. `content_hash` is SHA-256 over all of it; equal hashes mean equal libraries.

    Tuples keep the order of the files; query types of later files come before those of earlier ones.
    """

    version: str
    content_hash: str
    domains: tuple[Domain, ...]
    intents: tuple[Intent, ...]
    entity_types: tuple[EntityType, ...]
    edge_types: tuple[EdgeTypeInfo, ...]
    query_types: tuple[QueryType, ...]
    sense_words: tuple[SenseWord, ...]
    _index: Mapping[tuple[type[Entry], str], Entry] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        senses = tuple(sense for word in self.sense_words for sense in word.senses)
        groups: tuple[tuple[Entry, ...], ...] = (
            self.domains, self.intents, self.entity_types, self.edge_types, self.query_types, self.sense_words, senses,
        )  # fmt: skip
        index = {(type(entry), entry.id): entry for group in groups for entry in group}
        object.__setattr__(self, "_index", index)

    def domain(self, key: str) -> Domain | None:
        return self._entry(Domain, key)

    def intent(self, key: str) -> Intent | None:
        return self._entry(Intent, key)

    def entity_type(self, key: str) -> EntityType | None:
        return self._entry(EntityType, key)

    def edge_type(self, key: str) -> EdgeTypeInfo | None:
        return self._entry(EdgeTypeInfo, key)

    def query_type(self, key: str) -> QueryType | None:
        return self._entry(QueryType, key)

    def sense_word(self, key: str) -> SenseWord | None:
        return self._entry(SenseWord, key)

    def sense(self, key: str) -> Sense | None:
        """A sense by its full id, such as `bank.river`."""
        return self._entry(Sense, key)

    def query_types_of(self, text: str) -> tuple[QueryType, ...]:
        """Every query type the question's wording fits, the decisive one first."""
        return tuple(kind for kind in self.query_types if kind.matches(text))

    def _entry(self, kind: type[EntryT], key: str) -> EntryT | None:
        entry = self._index.get((kind, key))
        return entry if isinstance(entry, kind) else None


def unify(text: str) -> str:
    """Width and case folded, the form patterns are written for."""
    return unicodedata.normalize("NFKC", text).casefold()
