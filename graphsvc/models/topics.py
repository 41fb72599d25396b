"""What a namespace's memories propose for the library: topics it has no domain for, senses it does not list.

A proposal names memories by id; their texts are read from the store when it is shown or accepted.
"""

from __future__ import annotations

from graphsvc.models.base import MemoryId, Record


class Example(Record):
    """A memory that stands for a proposal."""

    id: MemoryId
    text: str


class ProposedTopic(Record):
    """Memories that are alike and have no domain; `close_to` is the domain they nearly have.

    `closeness` in [0, 1] is the mean probability its members give the likeliest domain. `keywords` are
    words that hardly occur elsewhere in the namespace, the most telling first. `name` is in the language of
    most members; `name_zh` and `name_en` are absent where no word of theirs tells.
    """

    id: str
    suggested_id: str
    name: str
    name_zh: str | None = None
    name_en: str | None = None
    keywords: tuple[str, ...]
    size: int
    close_to: str | None
    closeness: float
    examples: tuple[Example, ...]
    memory_ids: tuple[MemoryId, ...]


class ProposedMeaning(Record):
    """One use of a word: `domain` is the likeliest one of its memories, absent when none is likely."""

    suggested_id: str
    cues: tuple[str, ...]
    domain: str | None
    size: int
    examples: tuple[Example, ...]
    memory_ids: tuple[MemoryId, ...]


class ProposedSense(Record):
    """A word in uses the library does not list; `word` is its id where the library knows the word."""

    id: str
    surface: str
    word: str | None
    meanings: tuple[ProposedMeaning, ...]


class Proposals(Record):
    """Of the memories without a domain and those unsure of it the newest were clustered; `criterion` says how."""

    namespace: str
    memories: int
    unlabelled: int
    unsure: int
    considered: int
    criterion: str
    topics: tuple[ProposedTopic, ...] = ()
    senses: tuple[ProposedSense, ...] = ()
