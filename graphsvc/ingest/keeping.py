"""What may be done to memories that are stored: revise, overrule, delete, forget somebody, and the jobs of upkeep.

Every act goes to the journal with who did it. Whatever is taken away, what it had overturned stands again; nothing
is overwritten that somebody else changed in the meantime.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from graphsvc.encoding.base import Encoder
from graphsvc.encoding.cache import CachedEncoder
from graphsvc.errors import FieldInvalid, NameAmbiguous, NotFound
from graphsvc.ingest.change import Changes
from graphsvc.ingest.pipeline import Ingest
from graphsvc.ingest.upkeep import consolidate as consolidation
from graphsvc.ingest.upkeep.expiry import expired
from graphsvc.ingest.validate import read_item
from graphsvc.language.normalise import fold_key
from graphsvc.language.passage import passage_of
from graphsvc.models.audit import LOCAL, Act, Purged
from graphsvc.models.base import EntityId, MemoryId
from graphsvc.models.change import Change, ChangeKind, Standing
from graphsvc.models.memory import Memory, MemoryFields
from graphsvc.models.upkeep import Consolidated, ConsolidationPlan
from graphsvc.store.base import Store, Where
from graphsvc.store.directory import Directory
from graphsvc.store.filters import EVERYTHING, either, eq, one_of
from graphsvc.store.namespaces import checks_namespace
from graphsvc.store.pages import pages

_PAGE = 500
_PERSON = "person"
# What a caller may set in a revision; id, namespace and what is derived are not theirs to change.
_SETTABLE = frozenset(MemoryFields.model_fields) | {"event_time"}


@checks_namespace
@dataclass(frozen=True, slots=True)
class Keeping:
    """The acts upon stored memories, over one store and one write path."""

    store: Store
    encoder: Encoder
    ingest: Ingest
    clock: Callable[[], datetime]

    @property
    def changes(self) -> Changes:
        return Changes(self.store)

    def get(self, namespace: str, memory_id: str) -> Memory:
        """One memory; raises `NotFound`."""
        found = self.store.get(namespace, [MemoryId(memory_id)])
        if not found:
            raise NotFound("no such memory", where=memory_id)
        return found[0]

    def update(
        self,
        namespace: str,
        memory_id: str,
        fields: Mapping[str, object],
        *,
        revision: int | None = None,
        by: Act = LOCAL,
    ) -> tuple[Memory, bool]:
        """Put other values into a memory's fields; everything derived from them is derived anew.

        The memory as it then stands, and whether that is another revision: fields that say what was said already
        change nothing. With `revision`, only if that is the one stored. Raises `NotFound`, `FieldInvalid`,
        `TextRefused`, and `RevisionOutdated` when somebody was faster.
        """
        stored = self.get(namespace, memory_id)
        _check_revision(revision)
        _only_settable(fields)
        told = stored.model_dump(include=set(_SETTABLE)) | dict(fields)
        given = read_item(told | {"id": memory_id}, limit=self.ingest.max_chars)
        wanted = stored.revision if revision is None else revision
        if wanted == stored.revision and _same(given.model_dump(include=set(_SETTABLE)), stored):
            return stored, False
        affected = self.changes.affected_by(namespace, [stored.id])
        # Whatever was said of the old content, by whomever, is no word on the new one.
        entry = replace(self.ingest.prepare(given, stored.id, namespace), standings=(Standing(id=stored.id),))
        revised = self.store.revise(entry, revision=wanted, unsettled={*affected, stored.id}, by=by)
        self._settle(namespace, {*affected, stored.id}, by)
        self._forget([passage_of(stored)])
        return self.get(namespace, revised.id), True

    def delete(self, namespace: str, memory_id: str, *, revision: int | None = None, by: Act = LOCAL) -> None:
        """Delete one memory and all that hangs on it; raises `NotFound`.

        With `revision`, only if that is the one stored; else raises `RevisionOutdated`, and nothing goes.
        """
        if not self.delete_where(namespace, eq("id", memory_id), revision=revision, by=by):
            raise NotFound("no such memory", where=memory_id)

    def delete_where(
        self, namespace: str, where: Where, *, revision: int | None = None, by: Act = LOCAL
    ) -> list[MemoryId]:
        """Delete what a filter matches; what it had overturned stands again. With `revision` as `delete` does."""
        _check_revision(revision)
        doomed = {one.id: passage_of(one) for page in pages(self.store, namespace, where, size=_PAGE) for one in page}
        affected = set() if where == EVERYTHING else self.changes.affected_by(namespace, doomed)
        gone = self.store.delete(namespace, where, revision=revision, unsettled=affected, by=by)
        if gone and where != EVERYTHING:
            self._settle(namespace, self.store.unsettled().get(namespace, ()), by)
        self._forget(doomed.values())
        return gone

    def forget_person(self, namespace: str, name: str, *, by: Act = LOCAL) -> list[MemoryId]:
        """Delete every memory that somebody took part in or is named in, and what was known of who they are.

        `name` is a name, an address or an entity's id. Raises `NotFound`, and `NameAmbiguous` where several bear it.
        """
        entities, keys = self._person(namespace, name)
        where = either(one_of("party", entities), one_of("mention", keys), one_of("sender", [name]))
        gone = self.delete_where(namespace, where, by=by)
        self.store.identities.forget(namespace, entities, by=by, at=self.clock())
        return gone

    def purge(self, namespace: str | None, *, by: Act = LOCAL) -> Purged:
        """Remove for good what deleted memories left behind; afterwards no file of the store holds a byte of them."""
        return self.store.purge(namespace, by=by)

    def supersede(
        self,
        namespace: str,
        later: str,
        earlier: str,
        *,
        kind: ChangeKind = ChangeKind.SUPERSEDES,
        by: Act = LOCAL,
    ) -> Change:
        """Write down that one memory overturns another; raises `NotFound` and `ChangeRefused` naming the ids."""
        later_id, earlier_id = MemoryId(later), MemoryId(earlier)
        return self.changes.supersede(namespace, later_id, earlier_id, kind=kind, at=self.clock(), by=by)

    def loops(self, namespace: str) -> list[tuple[MemoryId, ...]]:
        """Memories that overturn one another in a circle; none of them is hidden."""
        return self.changes.loops(namespace)

    def relink(self, namespace: str, *, on_progress: Callable[[int], None] | None = None, by: Act = LOCAL) -> int:
        """Find again what changes what among all memories; how many edges and standings that changed."""
        return self.changes.relink(namespace, on_progress=on_progress, by=by)

    def expire(self, namespace: str, *, by: Act = LOCAL) -> list[MemoryId]:
        """Delete what has expired by now."""
        reason = by if by.reason else by.model_copy(update={"reason": "expired"})
        return self.delete_where(namespace, expired(self.clock()), by=reason)

    def repeats(self, namespace: str) -> ConsolidationPlan:
        """What a consolidation would merge now; nothing is written."""
        return consolidation.plan(self.store, namespace, self.clock())

    def consolidate(self, planned: ConsolidationPlan, *, by: Act = LOCAL) -> Consolidated:
        """Merge what was planned; what changed since is passed over."""
        return consolidation.consolidate(self.store, planned, self.clock(), by=by)

    def settle(self) -> int:
        """Finish what a crash between a deletion or revision and its consequences left; how many memories that were."""
        waiting = self.store.unsettled()
        for namespace, ids in waiting.items():
            self._settle(namespace, ids, LOCAL)
        return sum(map(len, waiting.values()))

    def _settle(self, namespace: str, ids: Collection[MemoryId], by: Act) -> None:
        if ids:
            self.changes.rework(namespace, ids, by=by)
            self.store.put_standings(namespace, (), settled=ids, by=by)

    def _person(self, namespace: str, name: str) -> tuple[list[EntityId], list[str]]:
        """All entities of the one person meant, and the folded names that are theirs alone."""
        directory = Directory(self.store, namespace)
        bearers = directory.bearers([fold_key(name)]) or self.store.entities(namespace, ids=[name])
        people = directory.identities([one.id for one in bearers if one.type == _PERSON])
        if not people:
            raise NotFound("nobody of that name", where=name, remedy="give a name or an address as memories have it")
        if len(people) > 1:
            known = ", ".join(one.entity for one in people)
            raise NameAmbiguous(f"{len(people)} bear that name", where=name, remedy=f"name one by id: {known}")
        theirs = {
            key
            for key in people[0].aliases
            if len(directory.identities([one.id for one in directory.bearers([key]) if one.type == _PERSON])) == 1
        }
        return list(people[0].members), sorted(theirs)

    def _forget(self, passages: Iterable[str]) -> None:
        """No vector of a text stays in the cache longer than the text in the store."""
        if isinstance(self.encoder, CachedEncoder):
            self.encoder.forget(passages)


def _check_revision(revision: object) -> None:
    if revision is not None and (not isinstance(revision, int) or isinstance(revision, bool)):
        what = f"a whole number was expected, not {type(revision).__name__}"
        raise FieldInvalid(what, where="revision", remedy="give the revision that was read, such as 3")


def _only_settable(fields: Mapping[str, object]) -> None:
    strange = sorted(fields.keys() - _SETTABLE)
    if strange:
        raise FieldInvalid(
            "not a field that can be set", where=strange[0], remedy=f"set: {', '.join(sorted(_SETTABLE))}"
        )
    if fields.get("event_time", ...) is None:
        raise FieldInvalid("cannot be emptied", where="event_time", remedy="leave it out to keep it")


def _same(told: Mapping[str, object], stored: Memory) -> bool:
    return told == stored.model_dump(include=set(_SETTABLE))
