"""Who is one with whom: the user's table of aliases, merges as records, and proposals nobody has accepted.

An entity is never destroyed: a merge is a link between two of them, and an identity is what the
links in force hold together. Undoing one link gives back exactly what it joined.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from graphsvc.models.base import EntityId, Moment, Record

LONGEST_ALIAS = 200


class MergeRule(StrEnum):
    """What a merge rests on: a person's word, a row of the alias table, or an accepted proposal."""

    USER = "user"
    ALIAS = "alias"
    CANDIDATE = "candidate"


class Alias(Record):
    """One row of the table: `alias` as the user wrote it, `key` its folded form, `entity` whose it is.

    An address joins two entities and so has a `merge`; a name is only a way to call somebody, and
    may belong to several.
    """

    alias: str
    key: str
    entity: EntityId
    added_by: str
    added_at: Moment
    merge: str | None = None


class Merge(Record):
    """A link that makes two entities one; `before` are the identities it found, `after` the one it made."""

    id: str
    kept: EntityId
    joined: EntityId
    rule: MergeRule
    reason: str = ""
    made_by: str
    made_at: Moment
    before: tuple[tuple[EntityId, ...], tuple[EntityId, ...]]
    after: tuple[EntityId, ...]
    undone_by: str | None = None
    undone_at: Moment | None = None


class Likeness(StrEnum):
    """Why two names might be one."""

    SAME = "same"
    ROMANISED = "romanised"
    REORDERED = "reordered"
    NICKNAME = "nickname"
    TITLED = "titled"
    SPELLING = "spelling"


class Identity(Record):
    """One person or thing under all its entities; `entity` stands for it, `name` is what to call it."""

    entity: EntityId
    type: str
    name: str
    members: tuple[EntityId, ...]
    aliases: tuple[str, ...] = ()


class Proposal(Record):
    """Two identities that might be one: how likely, and why; nothing is joined until somebody says so."""

    left: Identity
    right: Identity
    score: float = Field(ge=0.0, le=1.0)
    likeness: Likeness
    reason: str
