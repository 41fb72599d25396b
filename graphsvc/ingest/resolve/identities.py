"""What a user may say of identities: aliases, merges and their undoing, and what is proposed to them.

Whoever is named may be named by entity id, by address or by a name that one identity bears; a
name of several is refused with the ids to choose from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.errors import FieldInvalid, InputError, MergeRefused, NameAmbiguous, NotFound, TextRefused
from graphsvc.ingest.resolve.candidates import propose
from graphsvc.ingest.resolve.table import TableFormat, read_table, write_table
from graphsvc.language.aliases import address_parts, name_variants, same_name
from graphsvc.language.normalise import check_text, fold_key
from graphsvc.models.base import EntityId
from graphsvc.models.identity import LONGEST_ALIAS, Alias, Identity, Merge, MergeRule, Proposal
from graphsvc.store.base import Store
from graphsvc.store.directory import NAMED, Directory, distinct, entity_id, identities_of
from graphsvc.store.identity import Link, NewAlias

PERSON = "person"
_LONGEST_REASON = 500
_LONGEST_AUTHOR = 500
_MOST_ROWS = 10_000
_SCAN = 500
# Proposing reads every name of a namespace; beyond this many it says so instead.
MOST_COMPARED = 20_000


@dataclass(frozen=True, slots=True)
class IdentityBook:
    """One namespace's identities, as users see and change them; every change is a record with its author."""

    store: Store
    namespace: str
    clock: Callable[[], datetime]

    def find(self, name: str = "", *, limit: int = 100, after: str | None = None) -> tuple[list[Identity], str | None]:
        """A page of identities, and where the next begins: those that bear a name or a variant of it, or all by id.

        One whose entities lie on several pages is told on each of them.
        """
        directory = Directory(self.store, self.namespace)
        if name:
            bearers = directory.bearers(sorted(name_variants(_checked(name, "name"))))
            return identities_of(one for one in bearers if one.type in NAMED)[:limit], None
        page = self.store.identities.scan(self.namespace, kinds=sorted(NAMED), limit=limit, after=after)
        found = directory.identities([one.id for one in page])
        return found, page[-1].id if len(page) == limit else None

    def aliases(self, of: str | None = None) -> list[Alias]:
        """Rows of the table, all or those of one identity."""
        if of is None:
            return self.store.identities.aliases(self.namespace)
        members = self._members(self._named(of))
        return self.store.identities.aliases(self.namespace, entities=members)

    def add(self, alias: str, *, of: str, by: str) -> Alias:
        """Call somebody by one more name; an address joins whom it stands for. The same again changes nothing.

        Raises `TextRefused`, `NotFound`, `NameAmbiguous`, or `MergeRefused` for somebody's own address.
        """
        by = _author(by)
        return self.store.identities.add_aliases(self.namespace, [self._row(alias, of, by)])[0]

    def remove(self, alias: str, *, of: str, by: str) -> int:
        """Take an alias off somebody, and undo the merge it made; how many rows went. Raises `NotFound`."""
        key, by = fold_key(_checked(alias, "alias")), _author(by)
        rows = self.store.identities.aliases(self.namespace, keys=[key])
        members = set(self._members(self._named(of)))
        found = [row for row in rows if row.entity in members]
        if not found:
            raise NotFound(
                "no such alias of that identity", where=alias, remedy="list the aliases to see what there is"
            )
        for row in found:
            self.store.identities.remove_alias(self.namespace, key, row.entity, by=by, at=self.clock())
        return len(found)

    def load(self, text: str, format_: TableFormat, *, by: str) -> list[Alias]:
        """Add every row of a table, or none: a row that is refused names its place."""
        pairs, by = read_table(text, format_), _author(by)
        if len(pairs) > _MOST_ROWS:
            raise FieldInvalid(f"more than {_MOST_ROWS} rows", where="table", remedy="split the file")
        rows = []
        for number, (alias, of) in enumerate(pairs, 1):
            try:
                rows.append(self._row(alias, of, by))
            except (InputError, NotFound) as error:
                error.where = f"row {number}, {error.where}"
                raise
        return self.store.identities.add_aliases(self.namespace, rows)

    def dump(self, format_: TableFormat) -> str:
        """The table as a file's text, which `load` reads back."""
        return write_table(self.aliases(), format_)

    def merge(self, kept: str, joined: str, *, by: str, reason: str = "", rule: MergeRule = MergeRule.USER) -> Merge:
        """Make two identities one, by a link that can be undone; raises `NotFound`, `NameAmbiguous`, `MergeRefused`."""
        if reason:
            check_text(reason, limit=_LONGEST_REASON)
        by = _author(by)
        first, second = self._known(kept), self._known(joined)
        if _kind(first) != _kind(second):
            raise MergeRefused("not of one kind", where=f"{first} and {second}", remedy="join two of one type")
        link = Link(first, second, rule, by, self.clock(), reason)
        return self.store.identities.merge(self.namespace, link)

    def undo(self, merge_id: str, *, by: str) -> Merge:
        """Take one merge back; raises `NotFound`, or `MergeRefused` when it was undone before."""
        return self.store.identities.undo(self.namespace, merge_id, by=_author(by), at=self.clock())

    def merges(self, *, limit: int = 100, before: str | None = None) -> list[Merge]:
        """Merges, undone ones too, newest first."""
        return self.store.identities.merges(self.namespace, limit=limit, before=before)

    def candidates(self, *, of: str | None = None, at_least: float = 0.0, limit: int = 100) -> list[Proposal]:
        """Pairs that might be one, likeliest first; raises `FieldInvalid` beyond `MOST_COMPARED` names."""
        found = propose(self._everybody(), at_least=at_least)
        if of is not None:
            one = self._named(of)
            found = [pair for pair in found if one in {*pair.left.members, *pair.right.members}]
        return found[:limit]

    def _everybody(self) -> list[Identity]:
        ids: list[EntityId] = []
        after = None
        while page := self.store.identities.scan(self.namespace, kinds=sorted(NAMED), limit=_SCAN, after=after):
            ids += [one.id for one in page]
            after = ids[-1]
            if len(ids) > MOST_COMPARED:
                raise FieldInvalid(f"more than {MOST_COMPARED} names to compare", where="candidates")
        ids += [row.entity for row in self.aliases()]
        return Directory(self.store, self.namespace).identities(list(dict.fromkeys(ids)))

    def _row(self, alias: str, of: str, by: str) -> NewAlias:
        written = _checked(alias, "alias")
        entity = self._named(of)
        address = address_parts(written).address
        key = fold_key(address or written)
        joins = None if address is None or _kind(entity) != PERSON else entity_id(PERSON, key)
        if joins == entity:
            raise MergeRefused("that is their own address", where=written, remedy="name another alias")
        return NewAlias(written, key, entity, by, self.clock(), joins)

    def _named(self, who: str) -> EntityId:
        """The entity somebody is named by; one nobody met yet when it is a new address, id or name."""
        found = self._met(who)
        if found is not None:
            return found
        written = _checked(who, "of")
        kind, colon, key = written.partition(":")
        if colon and kind in NAMED:
            if not fold_key(key):
                raise FieldInvalid(
                    "an entity id without a name", where=written, remedy=f"write {kind}: and whose it is"
                )
            return entity_id(kind, fold_key(key))
        return entity_id(PERSON, fold_key(address_parts(written).address or written))

    def _known(self, who: str) -> EntityId:
        found = self._met(who)
        if found is None:
            raise NotFound("nobody of that name, address or id", where=who, remedy="search the entities first")
        return found

    def _met(self, who: str) -> EntityId | None:
        """The one identity meant, by id, address or name; raises `NameAmbiguous` when several are."""
        written = _checked(who, "of")
        kind, colon, _ = written.partition(":")
        if colon and kind in NAMED:
            one = EntityId(written)
            stored = self.store.entities(self.namespace, ids=[one])
            told = self.store.identities.aliases(self.namespace, entities=[one])
            return one if stored or told else None
        address = address_parts(written).address
        if address is not None:
            return self._met(entity_id(PERSON, fold_key(address)))
        bearers = Directory(self.store, self.namespace).bearers(sorted(same_name(written)))
        found = distinct(one for one in bearers if one.type in NAMED)
        if len(found) > 1:
            ids = ", ".join(sorted(found))
            raise NameAmbiguous(f"several bear that name: {ids}", where=written, remedy="name one by its id")
        return next(iter(found), None)

    def _members(self, one: EntityId) -> Sequence[EntityId]:
        links = self.store.identities.links(self.namespace, [one])
        return sorted({one, *(end for link in links for end in (link.kept, link.joined))})


def _checked(text: str, where: str) -> str:
    """A name without the space around it; raises `TextRefused`."""
    trimmed = text.strip()
    if len(trimmed) > LONGEST_ALIAS:
        what = f"a name of {len(trimmed)} characters, the limit is {LONGEST_ALIAS}"
        raise TextRefused(what, where=where, remedy="shorten it")
    check_text(trimmed, limit=LONGEST_ALIAS)
    if not fold_key(trimmed):
        raise FieldInvalid("holds no name", where=where)
    return trimmed


def _author(by: str) -> str:
    """Who says so, as a record can keep it; raises `TextRefused`."""
    try:
        check_text(by, limit=_LONGEST_AUTHOR)
    except TextRefused as error:
        raise TextRefused(error.what, where=f"by, {error.where}", remedy="name who says so") from None
    return by


def _kind(entity: EntityId) -> str:
    return entity.partition(":")[0]
