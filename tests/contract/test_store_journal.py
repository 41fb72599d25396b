"""The journal: what every write leaves, in what order, who may read it, and what a change of it shows."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from graphsvc.errors import FieldInvalid, NotFound
from graphsvc.models.audit import Act, Action, JournalEntry
from graphsvc.models.base import EntityId, MemoryId
from graphsvc.models.change import Standing
from graphsvc.models.identity import MergeRule
from graphsvc.models.memory import MemoryStatus
from graphsvc.store.base import Store
from graphsvc.store.filters import EVERYTHING, eq
from graphsvc.store.identity import Link, NewAlias
from graphsvc.store.journal import Noted
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import NOW, edge, entity, entity_node, entry, memory_node

ROOT = Path(__file__).parents[2]
ANNA = Act(actor="anna", reason="as the customer asked")


def actions(store: Store, **asked: str) -> list[str]:
    return [str(one.action) for one in store.journal.read(**asked).entries]  # type: ignore[arg-type]


def text_of(content: str | None) -> str | None:
    return None if content is None else json.loads(content)["text"]


class TestWhatIsWritten:
    def test_adding_changing_and_deleting_a_memory_leaves_three_rows_in_order(self, store: Store) -> None:
        """Report A50: each with time, actor, old and new value; the new value of a deletion is none."""
        store.put([entry("m1", "the rent is 900")], by=ANNA)
        store.revise(entry("m1", "the rent is 950"), revision=1, by=Act(actor="bert"))
        store.delete("default", eq("id", "m1"), by=Act(actor="carl", reason="moved out"))
        rows = store.journal.read("default", subject="m1").entries
        assert [(one.action, one.actor, text_of(one.before), text_of(one.after)) for one in rows] == [
            (Action.ADD, "anna", None, "the rent is 900"),
            (Action.UPDATE, "bert", "the rent is 900", "the rent is 950"),
            (Action.DELETE, "carl", "the rent is 950", None),
        ]
        assert [one.at for one in rows] == [NOW] * 3
        assert [one.reason for one in rows] == ["as the customer asked", None, "moved out"]
        assert store.journal.verify().holds

    def test_putting_the_same_again_is_one_entry(self, store: Store) -> None:
        """Report A27: one row a call, which says that nothing changed."""
        entries = [entry(f"m{n}", f"paragraph {n}", source={"file": "a.md"}) for n in range(5)]
        for _ in range(3):
            store.put(entries)
        assert actions(store) == ["ingest", *["add"] * 5, "ingest", "ingest"]
        calls = store.journal.read(actions=[Action.INGEST]).entries
        assert [json.loads(one.after or "") for one in calls] == [
            {"created": 5, "unchanged": 0, "failed": 0, "file": "a.md"},
            *[{"created": 0, "unchanged": 5, "failed": 0, "file": "a.md"}] * 2,
        ]
        assert len({one.operation for one in calls}) == 3

    def test_entries_of_one_call_share_their_operation(self, store: Store) -> None:
        store.put([entry("a"), entry("b"), entry("a", "another text")], by=ANNA)
        first, *_ = store.journal.read().entries
        assert actions(store, operation=first.operation) == ["ingest", "add", "add"]
        assert json.loads(first.after or "") == {"created": 2, "unchanged": 0, "failed": 1}
        assert first.operation.startswith("op_")
        int(first.operation.removeprefix("op_"), 16)

    def test_where_a_memory_comes_to_stand_is_noted_once(self, store: Store) -> None:
        store.put([entry("old"), entry("new")])
        fallen = Standing(id=MemoryId("old"), status=MemoryStatus.SUPERSEDED, ended_at=NOW, ended_by=(MemoryId("new"),))
        for _ in range(2):
            store.put_standings("default", [fallen, Standing(id=MemoryId("absent"))], by=ANNA)
        (one,) = store.journal.read(actions=[Action.STANDING]).entries
        assert (one.subject, one.actor) == ("old", "anna")
        assert Standing.model_validate_json(one.before or "") == Standing(id=MemoryId("old"))
        assert Standing.model_validate_json(one.after or "") == fallen

    def test_what_identities_are_said_to_be_is_noted(self, store: Store) -> None:
        link = Link(EntityId("p1"), EntityId("p2"), MergeRule.USER, "anna", NOW)
        merge = store.identities.merge("default", link)
        store.identities.undo("default", merge.id, by="bert", at=NOW)
        row = NewAlias("Annie", "annie", EntityId("p1"), "anna", NOW)
        for _ in range(2):
            store.identities.add_aliases("default", [row])
        store.identities.remove_alias("default", "annie", EntityId("p1"), by="bert", at=NOW)
        rows = store.journal.read(actions=[Action.IDENTITY]).entries
        assert [one.actor for one in rows] == ["anna", "bert", "anna", "bert"]
        assert [(one.before is None, one.after is None) for one in rows] == [
            (True, False),
            (False, False),
            (True, False),
            (False, True),
        ]

    def test_what_fails_leaves_nothing(self, store: Store) -> None:
        with pytest.raises(NotFound):
            store.revise(entry("absent"), revision=1)
        assert store.delete("default", EVERYTHING) == []
        assert store.put([]) == []
        assert store.journal.read().entries == ()

    def test_a_deletion_leaves_an_entry_and_no_vector_word_edge_or_orphan(self, store: Store) -> None:
        """Report A25: the journal's half."""
        person, node = entity("person:林涛"), entity_node("person:林涛")
        text = "林涛在星河公司任职"
        store.put([entry("m1", text, tokens=["林涛"], entities=[person], edges=[edge(memory_node(), node)])])
        store.delete("default", eq("id", "m1"))
        assert store.match(store.select("default"), ["林涛"], 5) == []
        assert store.edges("default", [memory_node(), node]) == {memory_node(): [], node: []}
        assert store.entities("default", ids=["person:林涛"]) == []
        *_, last = store.journal.read("default", subject="m1").entries
        assert (last.action, text_of(last.before), last.after, last.purged) == (Action.DELETE, text, None, False)

    def test_what_is_appended_stands_among_the_rest(self, store: Store) -> None:
        store.put([entry("a")])
        operation = store.journal.append("default", [Noted(Action.FEEDBACK, "t1", after='{"accepted":true}')], by=ANNA)
        (one,) = store.journal.read(operation=operation).entries
        assert (one.chain, one.seq, one.subject, one.after) == ("questions", 1, "t1", '{"accepted":true}')
        assert actions(store) == ["ingest", "add", "feedback"]
        assert store.journal.append("default", []) != operation
        with pytest.raises(FieldInvalid):
            store.journal.append("default", [Noted(Action.SEARCH, "\ud800")])


class TestReading:
    def test_a_namespace_never_sees_anothers_entries(self, store: Store) -> None:
        """Report A28: two tenants with one text; the journal of one knows nothing of the other."""
        for name in ("t1", "t2"):
            store.put([entry("m1", "报销上限500元", namespace=name)])
        store.delete("t1", EVERYTHING)
        store.journal.append("t2", [Noted(Action.SEARCH, "m1")])
        assert actions(store, namespace="t1", subject="m1") == ["add", "delete"]
        assert actions(store, namespace="t2", subject="m1") == ["add", "search"]
        assert actions(store, namespace="t3") == actions(store, namespace="\ud800") == []
        (operation,) = {one.operation for one in store.journal.read("t1", actions=[Action.DELETE]).entries}
        assert actions(store, namespace="t2", operation=operation) == []

    def test_pages_join_to_the_whole_in_order(self, tmp_path: Path) -> None:
        ticks = iter(range(10_000))
        store = SqliteStore(tmp_path, clock=lambda: NOW + timedelta(seconds=next(ticks) // 3))
        for n in range(12):
            store.put([entry(f"m{n}")])
            store.journal.append("default", [Noted(Action.SEARCH, f"t{n}")])
        whole = store.journal.read(limit=1000).entries
        assert [(one.at, one.chain, one.seq) for one in whole] == sorted((o.at, o.chain, o.seq) for o in whole)
        assert len(whole) == 36
        for limit in (1, 5, 36):
            read: list[JournalEntry] = []
            after = None
            while True:
                page = store.journal.read("default", limit=limit, after=after)
                read += page.entries
                after = page.after
                if after is None:
                    break
            assert tuple(read) == whole
        since, until = whole[7].at, whole[20].at
        bounded = store.journal.read(since=since, until=until, limit=1000).entries
        assert bounded == tuple(one for one in whole if since <= one.at < until)
        store.close()

    @pytest.mark.parametrize("cursor", ["", "yesterday", "1:memories:last"])
    def test_a_cursor_that_is_none_is_refused(self, store: Store, cursor: str) -> None:
        with pytest.raises(FieldInvalid):
            store.journal.read(after=cursor)
        with pytest.raises(FieldInvalid):
            store.journal.read(limit=0)


Tamper = Callable[[sqlite3.Connection], object]


def _swap(conn: sqlite3.Connection) -> None:
    for old, new in ((2, -1), (3, 2), (-1, 3)):
        conn.execute("UPDATE journal SET seq = ? WHERE seq = ?", (new, old))


TAMPERED: dict[str, tuple[Tamper, set[int]]] = {
    "actor": (lambda c: c.execute("UPDATE journal SET actor = 'mallory' WHERE seq = 2"), {2}),
    "time": (lambda c: c.execute("UPDATE journal SET at = at + 1 WHERE seq = 4"), {4}),
    "namespace": (lambda c: c.execute("UPDATE journal SET namespace = 'mine' WHERE seq = 3"), {3}),
    "reason": (lambda c: c.execute("UPDATE journal SET reason = NULL WHERE seq = 3"), {3}),
    "digest": (lambda c: c.execute("UPDATE journal SET digest = zeroblob(32) WHERE seq = 2"), {2, 3}),
    "content": (lambda c: c.execute("UPDATE journal_content SET packed = x'789c0300000001' WHERE place = 5"), {2}),
    "salt": (lambda c: c.execute("UPDATE journal_content SET salt = zeroblob(16) WHERE place = 5"), {2}),
    "content taken out": (lambda c: c.execute("DELETE FROM journal_content WHERE place = 5"), {2}),
    "content put in": (lambda c: c.execute("INSERT INTO journal_content VALUES (4, zeroblob(16), x'00')"), {2}),
    "middle": (lambda c: c.execute("DELETE FROM journal WHERE seq IN (2, 3)"), {2}),
    "beginning": (lambda c: c.execute("DELETE FROM journal WHERE seq = 1"), {1}),
    "order": (_swap, {2, 3, 4}),
    "end": (lambda c: c.execute("DELETE FROM journal WHERE seq = 5"), {5}),
    "head": (lambda c: c.execute("DELETE FROM journal_head"), {5}),
    "older head": (lambda c: c.execute("UPDATE journal_head SET seq = 4"), {5}),
    "everything": (lambda c: c.execute("DELETE FROM journal"), {1}),
}


class TestVerifying:
    @pytest.mark.parametrize("how", TAMPERED)
    def test_a_change_from_outside_is_found_where_it_is(self, tmp_path: Path, how: str) -> None:
        tamper, places = TAMPERED[how]
        with_store(tmp_path, lambda store: store.put([entry(f"m{n}") for n in range(4)], by=ANNA))
        with sqlite3.connect(tmp_path / "memories.sqlite3") as conn:
            tamper(conn)
        conn.close()
        store = SqliteStore(tmp_path)
        found = store.journal.verify()
        store.close()
        assert not found.holds
        assert {(one.chain, one.seq) for one in found.breaks} == {("memories", seq) for seq in places}
        assert all(one.what for one in found.breaks)

    def test_heads_are_the_last_digests(self, store: Store, open_again: Callable[[], Store]) -> None:
        empty = store.journal.verify()
        assert (empty.entries, empty.holds, sorted(empty.heads)) == (0, True, ["memories", "questions"])
        store.put([entry("a")])
        store.journal.append("default", [Noted(Action.SEARCH, "t1")])
        found = open_again().journal.verify()
        last = {one.chain: one.digest for one in store.journal.read().entries}
        assert (found.entries, found.heads, found.holds) == (3, last, True)

    def test_equal_contents_have_different_digests(self, tmp_path: Path) -> None:
        with_store(tmp_path, lambda store: store.put([entry("a", "1234")]) and store.delete("default", EVERYTHING))
        conn = sqlite3.connect(tmp_path / "memories.sqlite3")
        (added,), (deleted,) = conn.execute(
            "SELECT coalesce(before, after) FROM journal WHERE subject = 'a'"
        ).fetchall()
        conn.close()
        assert added != deleted

    def test_two_processes_keep_one_chain(self, tmp_path: Path) -> None:
        code = (
            "import sys; from pathlib import Path; from graphsvc.store.sqlite.store import SqliteStore;"
            "from graphsvc.store.journal import Noted; from graphsvc.models.audit import Action;"
            "from tests.builders import entry\n"
            "store = SqliteStore(Path(sys.argv[1]))\n"
            "for n in range(40):\n"
            "    store.put([entry(f'{sys.argv[2]}{n}')])\n"
            "    store.journal.append('default', [Noted(Action.SEARCH, sys.argv[2])])\n"
            "store.close()\n"
        )
        command = [sys.executable, "-c", code, str(tmp_path)]
        running = [subprocess.Popen([*command, name], cwd=ROOT, stderr=subprocess.PIPE, text=True) for name in "ab"]
        for process in running:
            _, complaint = process.communicate(timeout=60)
            assert (process.returncode, complaint) == (0, "")
        store = SqliteStore(tmp_path)
        found = store.journal.verify()
        assert (found.entries, found.breaks) == (240, ())
        assert len(store.journal.read(subject="a", limit=1000).entries) == 40
        store.close()


def with_store(folder: Path, act: Callable[[Store], object], clock: Callable[[], datetime] = lambda: NOW) -> None:
    store = SqliteStore(folder, clock=clock)
    act(store)
    store.close()
