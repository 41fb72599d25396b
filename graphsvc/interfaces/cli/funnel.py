"""Draw how a question narrowed what is stored, from all of it to what answers.

An answer may have searched more than once: in other words, for what a check found missing, for each part of the
question. Each search is told apart, and begins with all there is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from graphsvc.interfaces.cli.prose import Prose, plain
from graphsvc.models.answer import Answer, Stage, Step

# Stages by the names the ask path gives them: a search begins, is decided on, was made for a check.
STORED = "stored"
ACCEPT = "accept"
FOLLOW_UP = "follow up"
# These read the wording before a search, and count no memories.
_READING = frozenset({"encode", "parse"})
_NAME = 11
_BAR = 16
# What the other columns need before a bar is drawn.
_BESIDE = 62


@dataclass(slots=True)
class Search:
    """One search: the stages from reading its wording to its end, and what it was for."""

    stages: list[Stage] = field(default_factory=list)
    title: str = ""

    def holds(self, name: str) -> bool:
        return any(stage.name == name for stage in self.stages)


def searches(stages: Sequence[Stage], *, attempts: int) -> list[Search]:
    """The searches of a run in order; of those decided on the first `attempts` were for the whole question."""
    found = [Search()]
    for stage in stages:
        if found[-1].holds(STORED) and (stage.name == STORED or stage.name in _READING):
            found.append(Search())
        found[-1].stages.append(stage)
    decided = 0
    for one in found:
        own = _title(decided, attempts)
        one.title = f"{own}: again, for what a check found missing" if one.holds(FOLLOW_UP) else own
        decided += one.holds(ACCEPT)
    return found


def _title(decided: int, attempts: int) -> str:
    if decided >= attempts:
        return f"part {decided - attempts + 1} of the question"
    return "first attempt" if decided == 0 else "rewritten"


def brief(answer: Answer) -> Text:
    """The search an answer rests on in one line, and how many there were in all."""
    found = searches(answer.stages, attempts=_attempts(answer))
    title = "rewritten" if answer.step is Step.REWRITTEN else "first attempt"
    own = [stage for one in found if one.title.startswith(title) for stage in one.stages]
    told = line(own[: _second(own)] + [stage for stage in own[_second(own) :] if stage.name == ACCEPT])
    if len(found) > 1:
        told.append(f" · {len(found)} searches")
    return told


def _attempts(answer: Answer) -> int:
    decided = sum(stage.name == ACCEPT for stage in answer.stages)
    return max(1, decided - len(answer.parts))


def _second(stages: Sequence[Stage]) -> int:
    """Where a search made for a check begins, at the end where there was none."""
    begins = [at for at, stage in enumerate(stages) if stage.name == STORED]
    return begins[1] if len(begins) > 1 else len(stages)


def line(stages: Sequence[Stage]) -> Text:
    """How many memories each stage left, `stored 190 → role 23 → rank 4`; several filters of a stage count once."""
    kept: list[Stage] = []
    for stage in stages:
        if stage.name in _READING:
            continue
        if kept and kept[-1].name == stage.name:
            before = kept.pop()
            kept.append(stage.model_copy(update={"relaxed": stage.relaxed or before.relaxed}))
        else:
            kept.append(stage)
    steps = (f"{one.name} {one.remaining:,}{' (relaxed)' if one.relaxed else ''}" for one in kept)
    return Text(" → ".join(steps), style="dim")


def picture(stages: Sequence[Stage], *, attempts: int) -> RenderableType:
    """Every search as bars, each stage with its count and time, what it applied, and what was given up and why."""
    found = searches(stages, attempts=max(1, attempts))
    most = max((stage.remaining for stage in stages), default=1)
    parts: list[RenderableType] = []
    for one in found:
        parts += [Text(f"  {one.title}", style="italic")] if len(found) > 1 else []
        parts.append(_Bars(one.stages, most))
    return Group(*parts)


@dataclass(frozen=True, slots=True)
class _Bars:
    """One search's stages as rows; where there is little room the bars give way, what was applied does not."""

    stages: Sequence[Stage]
    most: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = max(0, min(_BAR, options.max_width - _BESIDE))
        wide = room == _BAR
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(width=_NAME, no_wrap=True)
        table.add_column(width=room, no_wrap=True)
        table.add_column(width=9 if wide else None, justify="right", no_wrap=True)
        table.add_column(width=11 if wide else None, justify="right", no_wrap=True)
        table.add_column()
        for stage in self.stages:
            counts = stage.name not in _READING
            drawn = Text(bar(stage.remaining, self.most, width=room) if counts else "", style="cyan")
            count = f"{stage.remaining:,}" if counts else ""
            table.add_row(plain(f"  {stage.name}"), drawn, count, f"{stage.ms:,.1f} ms", Prose(_applied(stage)))
        yield table


def bar(remaining: int, most: int, *, width: int = _BAR) -> str:
    """A bar on a logarithmic scale: full for the most there is, a sliver for one, nothing for none."""
    if remaining <= 0 or width <= 0:
        return ""
    eighths = max(1, round(math.log(remaining + 1) / math.log(max(most, 1) + 1) * width * 8))
    return "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8]).strip()


def _applied(stage: Stage) -> Text:
    if stage.relaxed:
        return plain(f"relaxed, would leave nothing: {stage.applied}", "yellow")
    return plain(stage.applied, "dim")
