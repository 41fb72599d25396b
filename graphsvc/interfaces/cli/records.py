"""Draw what the audit keeps: entries of the journal, a memory's history, answers that have fallen, and replays.

Each is a short block, its times and ids first, since a wide table folds badly at 80 columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from rich.console import Group, RenderableType
from rich.text import Text

from graphsvc.interfaces.cli.prose import Prose, indented, labelled, plain
from graphsvc.interfaces.verified import Verified
from graphsvc.models.audit import HistoryRow, JournalEntry, OverturnedAnswer, Replayed, Run
from graphsvc.models.upkeep import RepeatGroup

MOST_PLACES = 5
_MOST_CHARS = 200
_GONE = "(purged)"


def moment(at: datetime) -> str:
    return at.isoformat(sep=" ", timespec="seconds")


def journal_view(entries: Sequence[JournalEntry], *, after: str | None) -> RenderableType:
    """Entries oldest first; `after` continues on the next page."""
    shown: list[RenderableType] = []
    for one in entries:
        what = f"{one.action.value} {one.subject}" if one.subject else one.action.value
        shown.append(Prose(Text.assemble((f"{moment(one.at)} ", "dim"), plain(f"{one.actor}: {what}", "bold"))))
        shown.append(indented(Prose(plain(f"{one.chain} {one.seq} · {one.operation}", "dim"))))
        shown += _change(one.reason, _content(one.before), _content(one.after), purged=one.purged)
    return _or_nothing(shown, f"more with --after {after}" if after else "")


def history_view(rows: Sequence[HistoryRow]) -> RenderableType:
    shown: list[RenderableType] = []
    for one in rows:
        head = plain(f"{one.actor}: {one.action.value}", "bold")
        shown.append(Prose(Text.assemble((f"{moment(one.at)} ", "dim"), head)))
        shown += _change(one.reason, one.before, one.after, purged=one.purged)
    return _or_nothing(shown)


def fallen_view(answers: Sequence[OverturnedAnswer], *, after: str | None = None) -> RenderableType:
    """Answers that have fallen: when, because of what, by what, and by way of what."""
    shown: list[RenderableType] = []
    for one in answers:
        shown.append(Prose(plain(one.question, "bold")))
        told = f"answered {moment(one.answered_at)} · fell {moment(one.overturned_at)} · trace {one.trace_id}"
        shown.append(indented(Prose(plain(told, "dim"))))
        for label, names in (("because of", one.because), ("by", one.by), ("by way of", one.through)):
            shown += [indented(labelled(label, plain(", ".join(names))))] if names else []
        shown += [indented(labelled("reason", plain(one.reason)))] if one.reason else []
    return _or_nothing(shown, f"what is newer, with --after {after}" if after else "")


def replay_view(found: Replayed) -> RenderableType:
    """One question as it was answered, run again on what was known then, and on what is known now."""
    verdict = "exactly as it was" if found.exact else "not exactly as it was"
    shown: list[RenderableType] = [
        Prose(plain(found.question, "bold")),
        Text(f"replayed {verdict}, on what was known at {moment(found.known_at)}", style=_colour(found.exact)),
    ]
    for label, run in (("recorded", found.recorded), ("then", found.then), ("now", found.now)):
        shown.append(labelled(label, *(plain(line) for line in _run(run))))
    for label, lines in (("different", found.differences), ("deleted", found.deleted), ("without", found.notes)):
        shown += [labelled(label, *(plain(line) for line in lines), style="yellow")] if lines else []
    return Group(*shown)


def verified_view(found: Verified) -> RenderableType:
    verdict = "every chain holds" if found.holds else f"{len(found.breaks)} breaks"
    shown: list[RenderableType] = [Text(f"{found.entries:,} entries: {verdict}", style=_colour(found.holds))]
    shown += [labelled(chain, plain(head, "dim")) for chain, head in found.heads.items()]
    shown += [Prose(plain(f"{one.chain} {one.seq}: {one.what}", "red")) for one in found.breaks]
    return Group(*shown)


def groups_view(groups: Sequence[RepeatGroup]) -> RenderableType:
    """What stays, and what gives way to it."""
    shown: list[RenderableType] = [Prose(plain(f"{one.kept} stays, for {', '.join(one.merged)}")) for one in groups]
    return _or_nothing(shown)


def _colour(good: bool) -> str:
    return "green" if good else "yellow"


def _run(run: Run) -> Iterator[str]:
    verdict = "a search"
    if run.decision is not None:
        taken = run.decision.probability >= run.decision.threshold
        verdict = (
            f"{run.decision.probability:.3f} {'reaches' if taken else 'does not reach'} {run.decision.threshold:.3f}"
        )
    yield f"{verdict} · accepted {', '.join(run.accepted) or 'nothing'}"
    places = [f"{one.id} {one.score:.3f}" for one in run.candidates[:MOST_PLACES]]
    left = len(run.candidates) - MOST_PLACES
    yield " · ".join(places + ([f"{left} more"] if left > 0 else [])) or "found nothing"


def _change(reason: str | None, before: str | None, after: str | None, *, purged: bool) -> Iterator[RenderableType]:
    if reason:
        yield indented(labelled("reason", plain(reason)))
    for label, text in (("before", before), ("after", after)):
        if text:
            yield indented(labelled(label, plain(_clipped(text))))
    if purged:
        yield indented(labelled("content", Text(_GONE, style="yellow")))


def _content(content: str | None) -> str | None:
    """What a memory says, of its JSON; of anything else its fields."""
    if content is None:
        return None
    data = json.loads(content)
    if not isinstance(data, dict):
        return content
    if "text" in data:
        return str(data["text"])
    told = ((name, value) for name, value in data.items() if value not in (None, [], ""))
    return " · ".join(f"{name} {_value(value)}" for name, value in told)


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _clipped(text: str) -> str:
    told = " ".join(text.split())
    return told if len(told) <= _MOST_CHARS else f"{told[:_MOST_CHARS]}…"


def _or_nothing(shown: list[RenderableType], how_to_go_on: str = "") -> RenderableType:
    if not shown:
        return Text("none", style="dim")
    return Group(*shown, *([Prose(plain(how_to_go_on, "dim"))] if how_to_go_on else []))
