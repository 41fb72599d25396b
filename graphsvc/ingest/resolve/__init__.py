"""Who is meant: parties and mentions become entities, and identities are kept by those who know better."""

from __future__ import annotations

from graphsvc.ingest.resolve.resolver import LINKED_TYPES, Resolved, Resolver

__all__ = ["LINKED_TYPES", "Resolved", "Resolver"]
