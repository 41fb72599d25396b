"""Nodes and edges: memories and entities, tied by roles, time and context."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from pydantic import Field

from graphsvc.models.base import EntityId, Moment, Record


class NodeKind(StrEnum):
    MEMORY = "memory"
    ENTITY = "entity"


class Node(NamedTuple):
    """A node's address inside a namespace."""

    kind: NodeKind
    id: str


class EdgeType(StrEnum):
    """Edge types the code itself draws; the ontology describes these and may add others."""

    SENT_BY = "sent_by"
    SENT_TO = "sent_to"
    CC_TO = "cc_to"
    RESPONSIBLE_FOR = "responsible_for"
    AFFECTED_BY = "affected_by"
    APPROVED_BY = "approved_by"
    NEXT_IN_CONVERSATION = "next_in_conversation"
    REPLIES_TO = "replies_to"
    SUPERSEDES = "supersedes"
    RETRACTS = "retracts"
    CORRECTS = "corrects"
    CONTRADICTS = "contradicts"
    REPEATS = "repeats"
    PART_OF = "part_of"
    MENTIONS = "mentions"
    REFERENCES = "references"
    CONTAINS = "contains"
    TRIGGERED_BY = "triggered_by"
    SAME_TOPIC = "same_topic"


ROLE_EDGES = (
    EdgeType.SENT_BY,
    EdgeType.SENT_TO,
    EdgeType.CC_TO,
    EdgeType.RESPONSIBLE_FOR,
    EdgeType.AFFECTED_BY,
    EdgeType.APPROVED_BY,
)


class Entity(Record):
    """A person, organisation, place, product, identifier…; `aliases` holds folded forms, its name's too.

    `same_as` is the entity that stands for all that are one with it; a directory sets it, no store keeps it.
    """

    id: EntityId
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    same_as: EntityId | None = None


class Edge(Record):
    """A typed, directed, weighted, timed tie; `origin` names the rule or field it came from.

    `slot` is what an edge of change is about, in words; `whole` says that it leaves nothing of its target standing.
    """

    source: Node
    target: Node
    type: EdgeType
    weight: float = Field(default=1.0, ge=0.0, le=1.0)
    event_time: Moment | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    recorded_at: Moment | None = None
    slot: str | None = None
    whole: bool = False
    origin: str
