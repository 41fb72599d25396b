"""`graphsvc label`, `times` and `entities`: how a text would be read, without storing it.

Spans count characters of the text as given, one final line break of standard input left off.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
from rich.box import SIMPLE
from rich.table import Table

from graphsvc.errors import FieldInvalid, TextRefused
from graphsvc.interfaces.cli.context import Moment, json_option, open_graph, print_json, stdout_console, with_settings
from graphsvc.interfaces.cli.prose import plain
from graphsvc.language.normalise import check_text
from graphsvc.language.times import find_times
from graphsvc.memory_graph import MemoryGraph
from graphsvc.models.facts import Claim, Facts, Holder
from graphsvc.settings import Settings

NOTHING = "nothing found"


class Zone(click.ParamType[ZoneInfo]):
    name = "zone"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> ZoneInfo:
        try:
            return ZoneInfo(str(value))
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self.fail(f"{value!r} is not an IANA time zone, such as Asia/Shanghai", param, ctx)


@click.command()
@click.argument("text")
@json_option
@with_settings
def label(settings: Settings, *, text: str, as_json: bool) -> None:
    """Say what a text is about, and which senses its words have.

    TEXT may be "-" for standard input. Nothing is stored.
    """
    facts = _understand(settings, _read(text, settings.max_text_chars), at=None)
    if as_json:
        print_json(facts.model_dump(mode="json", include={"labels", "senses"}))
        return
    labels = Table("domain", "entity", "intent", "probability", "source", box=SIMPLE)
    for one in facts.labels:
        act = one.intent or "–"
        if one.intent_probability is not None:
            act += f" {one.intent_probability:.2f}"
        labels.add_row(one.domain, one.entity or "–", act, f"{one.probability:.2f}", one.source)
    senses = Table("word", "at", "sense", "probability", "source", box=SIMPLE)
    for sense in facts.senses:
        told = sense.sense or "unresolved"
        senses.add_row(
            plain(sense.surface), _span(sense.start, sense.end), told, f"{sense.probability:.2f}", sense.source
        )
    _print_tables(labels, senses, none="no label: nothing is likely enough")


@click.command()
@click.argument("text")
@click.option("--at", type=Moment(), help="When it was said, ISO 8601 with offset (else: now).")
@click.option("--zone", type=Zone(), help="The zone its times are read in, as Asia/Shanghai (else: that of --at).")
@json_option
@with_settings
def times(settings: Settings, *, text: str, at: datetime | None, zone: ZoneInfo | None, as_json: bool) -> None:
    """Resolve the expressions of time in a text.

    TEXT may be "-" for standard input. Intervals are half-open: `until` is the first moment after.
    """
    read = _read(text, settings.max_text_chars)
    said = datetime.now(zone or settings.zone) if at is None else at
    moment = said if zone is None else _in_zone(said, zone)
    found = find_times(read, moment)
    if as_json:
        print_json({"at": moment.isoformat(), "times": found})
        return
    offset = f"{moment:%z}"
    table = Table("expression", "at", box=SIMPLE, caption=f"clock times at {offset[:3]}:{offset[3:5]}")
    for heading in ("begin", "until", "granularity", "anchor"):
        table.add_column(heading, no_wrap=True)
    for one in found:
        interval = ["–" if end is None else f"{end:%Y-%m-%d %H:%M}" for end in (one.begin, one.until)]
        table.add_row(plain(one.text), _span(one.start, one.end), *interval, one.granularity, one.anchor)
    _print_tables(table, none=NOTHING)


@click.command()
@click.argument("text")
@click.option("--at", type=Moment(), help="When it was said, ISO 8601 with offset (else: now).")
@json_option
@with_settings
def entities(settings: Settings, *, text: str, at: datetime | None, as_json: bool) -> None:
    """Find names, amounts and claims in a text, with their spans.

    TEXT may be "-" for standard input. A claim is a clause with its polarity and whose it is. Nothing is stored.
    """
    read = _read(text, settings.max_text_chars)
    facts = _understand(settings, read, at=at)
    if as_json:
        print_json(facts.model_dump(mode="json", include={"mentions", "amounts", "claims"}))
        return
    mentions = Table("name", "at", "type", "key", box=SIMPLE)
    for mention in facts.mentions:
        mentions.add_row(plain(mention.text), _span(mention.start, mention.end), mention.type, plain(mention.key))
    amounts = Table("amount", "at", "value", "unit", box=SIMPLE)
    for amount in facts.amounts:
        value = f"{amount.value:,g}" if amount.high is None else f"{amount.value:,g} to {amount.high:,g}"
        amounts.add_row(plain(amount.text), _span(amount.start, amount.end), value, amount.unit or "–")
    claims = Table("claim", "at", "polarity", "certainty", "attitude", "whose", box=SIMPLE)
    for claim in facts.claims:
        claims.add_row(plain(read[claim.start : claim.end]), _span(claim.start, claim.end), *_claim(claim))
    _print_tables(mentions, amounts, claims, none=NOTHING)


def _in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:
        raise FieldInvalid(
            f"has no date in {zone}", where="--at", remedy="give a time between years 1 and 9999"
        ) from None


def _understand(settings: Settings, text: str, *, at: datetime | None) -> Facts:
    with _graph(settings) as graph:
        return graph.understand(text, at=at)


@contextmanager
def _graph(settings: Settings) -> Iterator[MemoryGraph]:
    """A graph to read with; a store that was not named is neither made nor opened."""
    with tempfile.TemporaryDirectory(prefix="graphsvc-reading-") as folder:
        given = settings.store != Settings().store
        chosen = settings if given else settings.model_copy(update={"store": f"sqlite:///{folder}"})
        with open_graph(chosen) as graph:
            yield graph


def _read(text: str, limit: int) -> str:
    """The text itself, or standard input for "-"; raises `TextRefused` for one that could not be stored."""
    if text == "-":
        data = sys.stdin.buffer.read()
        try:
            text = data.decode("utf-8").removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as error:
            what = f"not UTF-8 at byte {error.start}"
            raise FieldInvalid(what, where="standard input", remedy="send UTF-8") from None
    try:
        check_text(text, limit=limit)
    except TextRefused as error:
        raise TextRefused(error.what, where=error.where or "TEXT", remedy=error.remedy) from None
    return text


def _claim(claim: Claim) -> tuple[str, str, str, str]:
    quoted = " (quoted)" if claim.quoted else ""
    return claim.polarity, f"{claim.certainty}{quoted}", claim.attitude, _whose(claim.holder)


def _whose(holder: Holder) -> str:
    """The holder as named here, else by kind; a relative with the relation."""
    if holder.relation is None:
        return holder.text or holder.key or holder.kind
    return f"{holder.text or holder.kind} ({holder.relation} of {holder.possessor_key or holder.possessor or '?'})"


def _span(start: int, end: int) -> str:
    return f"{start}–{end}"


def _print_tables(*tables: Table, none: str) -> None:
    """The tables that have rows; nothing is cut off where the terminal is narrow."""
    console = stdout_console()
    filled = [table for table in tables if table.row_count]
    for table in filled:
        for column in table.columns:
            column.overflow = "fold"
        console.print(table)
    if not filled:
        console.print(none)
