"""Expressions of time against two public sets: equality of intervals, errors by class, what is unseen apart.

A case belongs to a part by the hash of its text. Grammar was developed on quarters 1 and 2 first, on quarter
3 in a second round and on eighth A, half of the fourth quarter, in a third; until then eighth A was counted
but not read. Of eighth B only totals have ever been read. Bare durations name no stretch of time and are
counted apart, right when nothing is dated.

    python -m tests.benchmarks.times --data FOLDER [--errors 10] [--part A] [--unseen]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path
from statistics import quantiles

from rich.console import Console
from rich.table import Table

from graphsvc.language.times import find_times
from graphsvc.models.facts import Anchor, Granularity, TimeExpression

CHINA = timezone(timedelta(hours=8))
JIONLP_BASE = 1623604000
RANGE_WORDS = (" to ", "-", "~", " and ", "through", "到", "至", "和", "——", "until", "till")
EDGE = timedelta(minutes=1)


class Verdict(StrEnum):
    """`CONVENTION` is the same stretch, cut by another rule that the module's notes name."""

    RIGHT = "right"
    CONVENTION = "other convention"
    MISSED = "missed"
    UNDATED = "found without an interval"
    WRONG = "another interval"
    INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class Span:
    """An answer: half-open, an end absent where it is open; `clock_only` compares hours, not days."""

    begin: datetime | None
    until: datetime | None
    clock_only: bool = False
    point: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    kind: str
    start: int
    end: int
    answers: tuple[Span, ...] = ()
    anchor: Anchor | None = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    at: datetime
    wanted: tuple[Wanted, ...]
    latest: datetime | None = None
    """The last moment that a base given as a year, month, day or hour may mean."""

    def bases(self) -> tuple[datetime, ...]:
        """Where in its base a case may be read: the set counts from its beginning or to its end, or dates within it."""
        return (self.at,) if self.latest is None else (self.at, self.at + (self.latest - self.at) / 2, self.latest)

    def part(self) -> str:
        """1 and 2 are the first half of an earlier division, A and B halve its fourth, so that the unseen stays so."""
        first, second, *_ = hashlib.sha256(self.text.encode()).digest()
        return ("1", "3", "2", "AB"[second % 2])[first % 4]


@dataclass(slots=True)
class Tally:
    """Verdicts by kind, and whole cases of which every expression counted."""

    verdicts: dict[str, Counter[Verdict]] = field(default_factory=lambda: defaultdict(Counter))
    lines: list[str] = field(default_factory=list)
    negatives: int = 0
    quiet: int = 0

    def share(self, *accepted: Verdict, kinds: frozenset[str]) -> tuple[int, int]:
        counted = [count for kind, count in self.verdicts.items() if kind in kinds]
        return sum(count[one] for count in counted for one in accepted), sum(count.total() for count in counted)


JIONLP_KINDS = frozenset({"time_point", "time_span", "time_period"})
MS_KINDS = frozenset({"date", "datetime", "daterange", "datetimerange", "time", "timerange"})
MS_SET, DURATION = "set", "duration"
DEVELOPED, UNSEEN = ("1", "2", "3", "A"), "B"


def jionlp(folder: Path) -> Iterator[Case]:
    """Its cases: closed ends to the second become half-open ones; a base may be a partial date."""
    for line in (folder / "jionlp_time_zh" / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        text, base, *_, answer = json.loads(line)["case"]
        kind = answer["type"]
        whole = (0, len(text))
        if kind == "time_delta":
            wanted = Wanted(DURATION, *whole)
        elif kind == "time_period":
            wanted = Wanted(kind, *whole, anchor=Anchor.RECURRING)
        else:
            begin, last = (_moment(value, CHINA) for value in answer["time"])
            until = last + timedelta(seconds=1) if last and (last.second == 59 or last == begin) else last
            wanted = Wanted(kind, *whole, answers=(Span(begin, until),))
        at, latest = _jionlp_base(base)
        yield Case(text, at, (wanted,), latest)


def _jionlp_base(base: object) -> tuple[datetime, datetime | None]:
    """A timestamp, or the first and the last moment of the year, month, day, hour or minute that is given."""
    if isinstance(base, int | float):
        return datetime.fromtimestamp(base, CHINA), None
    names = ("year", "month", "day", "hour", "minute", "second")
    given: dict[str, int] = base if isinstance(base, dict) else dict(zip(names, base or (), strict=False))
    if not given:
        return datetime.fromtimestamp(JIONLP_BASE, CHINA), None
    first = datetime(given["year"], given.get("month", 1), given.get("day", 1), tzinfo=CHINA)
    first = first.replace(**{name: given[name] for name in names[3:] if name in given})
    lengths = {1: 365, 2: 28, 3: 1, 4: 1 / 24, 5: 1 / 1440}
    if len(given) not in lengths:
        return first, None
    return first, first + timedelta(days=lengths[len(given)]) - timedelta(seconds=1)


def microsoft(folder: Path, language: str) -> Iterator[Case]:
    """Cases its Python edition supports; an answer it leaves unresolved asks for no date at all."""
    path = folder / "ms_datetime" / language / "DateTimeModel.json"
    for row in json.loads(path.read_text(encoding="utf-8-sig")):
        if "python" in (row.get("NotSupported", "") + row.get("NotSupportedByDesign", "")).lower():
            continue
        at = datetime.fromisoformat(row.get("Context", {}).get("ReferenceDateTime", "2016-11-07T00:00:00"))
        at = at.replace(tzinfo=CHINA)
        yield Case(row["Input"], at, tuple(_microsoft_wanted(row["Input"], found) for found in row["Results"]))


def _microsoft_wanted(text: str, found: dict[str, object]) -> Wanted:
    kind = str(found["TypeName"]).removeprefix("datetimeV2.")
    words = str(found["Text"])
    start = found.get("Start", text.lower().find(words.lower()))
    assert isinstance(start, int)
    resolution = found["Resolution"]
    values = resolution["values"] if isinstance(resolution, dict) else []
    answers = tuple(_span(kind, value) for value in values if value.get("value") != "not resolved")
    if kind in MS_KINDS and not answers:
        kind = "unresolved"
    return Wanted(
        kind,
        start,
        start + len(words),
        answers=answers if kind in MS_KINDS else (),
        anchor=Anchor.RECURRING if kind == MS_SET else None,
        joined=any(word in words for word in RANGE_WORDS),
    )


def _span(kind: str, value: dict[str, str]) -> Span:
    clock = kind.startswith("time")
    day = "2000-01-01 " if clock else ""
    if "value" in value:
        if kind in {DURATION, MS_SET}:
            return Span(None, None)
        begin = _moment(day + value["value"], CHINA)
        assert begin is not None
        if kind == "date":
            return Span(begin, begin + timedelta(days=1))
        return Span(begin, None, clock_only=clock, point=True)
    begin, until = (_moment(day + value[name] if name in value else "inf", CHINA) for name in ("start", "end"))
    if until and until.strftime("%H:%M:%S") == "23:59:59":
        until += timedelta(seconds=1)
    return Span(begin, until, clock_only=clock)


def _moment(value: str, zone: timezone) -> datetime | None:
    return None if "inf" in value else datetime.fromisoformat(value).replace(tzinfo=zone)


def verdict(wanted: Wanted, found: Sequence[TimeExpression], at: datetime) -> Verdict:
    """What is said of one expression by those found at its place."""
    here = [one for one in found if one.start < wanted.end and wanted.start < one.end]
    dated = [one for one in here if one.begin or one.until]
    if wanted.anchor is not None:
        if any(one.anchor is wanted.anchor for one in here) and not dated:
            return Verdict.RIGHT
        return Verdict.WRONG if dated else Verdict.MISSED
    if not wanted.answers:
        return Verdict.INVENTED if dated else Verdict.RIGHT
    if not dated:
        return Verdict.UNDATED if here else Verdict.MISSED
    if len(dated) == 1:
        for answer in wanted.answers:
            if _equal(dated[0], answer, wanted, at):
                return Verdict.RIGHT
        if any(_by_convention(dated[0], answer) for answer in wanted.answers):
            return Verdict.CONVENTION
    return Verdict.WRONG


def _equal(found: TimeExpression, answer: Span, wanted: Wanted, at: datetime) -> bool:
    """Equal ends; an open end may stop at the moment of speaking, a named last unit may be in or out."""
    begin, until = found.begin, found.until
    if answer.clock_only:
        return _same_clock(begin, answer.begin) and (answer.point or _same_clock(until, answer.until))
    if answer.point:
        fine = found.granularity in {Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND, Granularity.RANGE}
        return fine and begin is not None and _near(begin, answer.begin, EDGE)
    starts = begin == answer.begin or (answer.begin is None and begin in {None, at})
    if not starts:
        return False
    if until == answer.until or (answer.until is None and until in {None, at}):
        return True
    return _near(until, answer.until, EDGE) or (wanted.joined and _one_unit_on(until, answer.until))


def _near(one: datetime | None, other: datetime | None, apart: timedelta) -> bool:
    return one is not None and other is not None and abs(one - other) < apart + timedelta(seconds=1)


def _one_unit_on(until: datetime | None, named: datetime | None) -> bool:
    """Ranges of the second set end where their last unit begins: April, when it is "January to April"."""
    if until is None or named is None:
        return False
    units = [named + timedelta(days=1)]
    if named.day == 1:
        units.append((named + timedelta(days=31)).replace(day=1))
        if named.month == 1:
            units.append(named.replace(year=named.year + 1))
    return until in units


def _same_clock(one: datetime | None, other: datetime | None) -> bool:
    if one is None or other is None:
        return one is other or other is None
    apart = abs((one.hour * 60 + one.minute) - (other.hour * 60 + other.minute))
    return apart <= 1


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _same_bound(found: TimeExpression, answer: Span) -> bool:
    """A bound with the named day on its other side: after 1 January, which is out, or in."""
    day = timedelta(days=1)
    if answer.clock_only:
        return False
    if answer.begin and not answer.until and not answer.point:
        return found.begin is not None and abs(found.begin - answer.begin) <= day and found.until is None
    if answer.until and not answer.begin:
        return found.until is not None and abs(found.until - answer.until) <= day
    return False


def _by_convention(found: TimeExpression, answer: Span) -> bool:
    """The unit around their point ("two weeks ago"), or the same part of the same day with other hours."""
    if _same_bound(found, answer):
        return True
    if found.begin is None or found.until is None or answer.begin is None:
        return False
    if answer.until is None and not answer.point:
        return False
    if found.begin == answer.begin and _midnight(found.until) == _midnight(answer.until or answer.begin):
        return True
    last = answer.until or answer.begin + timedelta(seconds=1)
    if answer.clock_only:
        day = found.begin.date()
        begin, last = (datetime.combine(day, one.timetz()) for one in (answer.begin, last))
    else:
        begin = answer.begin
    wide = {Granularity.WEEK, Granularity.MONTH, Granularity.QUARTER, Granularity.YEAR, Granularity.HOUR}
    if found.granularity in wide and last - begin <= timedelta(days=1):
        return found.begin <= begin and last <= found.until
    return found.granularity is Granularity.HALF_DAY and found.begin.date() == begin.date() and begin < found.until


def run(cases: Sequence[Case]) -> Tally:
    tally = Tally()
    for case in cases:
        at, found = _read(case)
        if not case.wanted:
            dated = [one for one in found if one.begin or one.until]
            tally.negatives += 1
            tally.quiet += not dated
            if dated:
                tally.lines.append(f"[{Verdict.INVENTED}] {case.text[:90]} -> {_shown(dated)}")
        for wanted in case.wanted:
            said = verdict(wanted, found, at)
            tally.verdicts[wanted.kind][said] += 1
            if said is not Verdict.RIGHT:
                tally.lines.append(
                    f"[{wanted.kind}: {said}] {case.text[:90]} @ {at:%Y-%m-%d %H:%M} "
                    f"{case.text[wanted.start : wanted.end]!r} -> {_shown(found)}, wanted "
                    + " or ".join(f"{one.begin} to {one.until}" for one in wanted.answers[:2])
                )
    return tally


def _read(case: Case) -> tuple[datetime, list[TimeExpression]]:
    """The reading at the moment of the base that answers the case, if any, else at the first."""
    readings = [(at, find_times(case.text, at)) for at in case.bases()]
    return next((one for one in readings if _is_right(case, *one)), readings[0])


def _is_right(case: Case, at: datetime, found: Sequence[TimeExpression]) -> bool:
    return all(verdict(wanted, found, at) is Verdict.RIGHT for wanted in case.wanted)


def _shown(found: Sequence[TimeExpression]) -> str:
    return "; ".join(f"{one.text!r} {one.begin} to {one.until} ({one.granularity})" for one in found) or "nothing"


def _add(table: Table, name: str, part: str, tally: Tally, kinds: frozenset[str]) -> None:
    strict, total = tally.share(Verdict.RIGHT, kinds=kinds)
    wide, _ = tally.share(Verdict.RIGHT, Verdict.CONVENTION, kinds=kinds)
    apart, apart_total = tally.share(Verdict.RIGHT, kinds=frozenset({DURATION, MS_SET, "unresolved"}))
    table.add_row(
        name,
        part,
        f"{strict}/{total}",
        f"{strict / max(total, 1):.1%}",
        f"{wide / max(total, 1):.1%}",
        f"{apart}/{apart_total}",
        f"{tally.quiet}/{tally.negatives}",
    )


def _chosen() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--errors", type=int, default=0, help="how many misses of each set to print")
    parser.add_argument("--part", choices=DEVELOPED, help="of which quarter or eighth they are printed")
    parser.add_argument("--unseen", action="store_true", help="count the unseen eighth too, and the whole")
    return parser.parse_args()


def main() -> None:
    chosen = _chosen()
    console = Console(width=200, soft_wrap=True)
    table = Table("set", "part", "equal", "share", "with other conventions", "durations, recurring", "no date invented")
    classes = Table("set", "kind", *Verdict)
    sets = (
        ("jionlp zh", list(jionlp(chosen.data)), JIONLP_KINDS),
        ("microsoft en", list(microsoft(chosen.data, "English")), MS_KINDS),
        ("microsoft zh", list(microsoft(chosen.data, "Chinese")), MS_KINDS),
    )
    parts: dict[str, tuple[str, ...]] = {"quarters 1, 2": ("1", "2"), "quarter 3": ("3",), "eighth A": ("A",)}
    parts["developed"] = DEVELOPED
    if chosen.unseen:
        parts |= {"eighth B, unseen": (UNSEEN,), "all": (*DEVELOPED, UNSEEN)}
    for name, cases, kinds in sets:
        for part, named in parts.items():
            _add(table, name, part, run([case for case in cases if case.part() in named]), kinds)
        shown = (chosen.part,) if chosen.part else DEVELOPED
        for line in run([case for case in cases if case.part() in shown]).lines[: chosen.errors]:
            console.print(line, markup=False, highlight=False)
        tally = run([case for case in cases if case.part() in DEVELOPED])
        for kind, count in sorted(tally.verdicts.items()):
            classes.add_row(name, kind, *(str(count[one]) for one in Verdict))
    console.print(table, classes)
    _print_cost(console, [case for _, cases, _ in sets for case in cases])


def _print_cost(console: Console, cases: Sequence[Case]) -> None:
    """Milliseconds a text of the sets takes, and seconds a hostile megabyte takes."""
    spent = []
    for case in cases:
        begun = time.perf_counter()
        find_times(case.text, case.at)
        spent.append(1000 * (time.perf_counter() - begun))
    cuts = quantiles(spent, n=100)
    console.print(f"a text: p50 {cuts[49]:.2f} ms, p95 {cuts[94]:.2f} ms")
    at = datetime(2026, 3, 6, 10, tzinfo=CHINA)
    for piece in HOSTILE:
        text = piece * (1_000_000 // len(piece))
        begun = time.perf_counter()
        find_times(text, at)
        console.print(f"a megabyte of {piece!r}: {time.perf_counter() - begun:.2f} s")


HOSTILE = (
    "3月",
    "1",
    "周",
    "下",
    "at ",
    "1/",
    "1-",
    "三点",
    "last ",
    "每",
    "2024年",
    "q1 ",
    "前",
    "to ",
    "5 ",
    "年后",
    "in 3 days ",
)

if __name__ == "__main__":
    main()
