"""Draw the library, one of its entries, and what is proposed for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from rich.box import SIMPLE
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from graphsvc.interfaces.cli.prose import plain
from graphsvc.interfaces.library import Library
from graphsvc.models.topics import Example, Proposals, ProposedSense, ProposedTopic
from ontology.model import Entry

# What `show` calls a family, and the field of the outline that holds it.
FAMILIES: Mapping[str, str] = MappingProxyType(
    {"domains": "domains", "intents": "intents", "senses": "words", "edges": "edge_types"}
)
_SHOWN_EXAMPLES = 3
_SHOWN_CHARS = 100


def family_table(family: str, library: Library) -> Table:
    table = Table("id", "zh", "en", title=family, title_justify="left", box=SIMPLE)
    if FAMILIES[family] == "words":
        for word in library.words:
            table.add_row(Text(word.id, style="bold"), plain("、".join(word.surfaces)), "")
            for sense in word.senses:
                table.add_row(f"  {sense.id}", plain(sense.zh), plain(sense.en))
        return table
    for name in getattr(library, FAMILIES[family]):
        table.add_row(name.id, plain(name.zh), plain(name.en))
    return table


def entry_view(entry: Entry) -> RenderableType:
    """Every key of an entry with its value; lists by language."""
    table = Table(show_header=False, box=SIMPLE)
    for key, value in _flat(entry.model_dump(mode="json", exclude={"id"})):
        table.add_row(Text(key, style="bold"), plain(value))
    return Panel(table, title=f"{type(entry).__name__} {entry.id}", title_align="left")


def proposals_view(found: Proposals) -> RenderableType:
    parts: list[RenderableType] = [part for topic in found.topics for part in _topic(topic)]
    parts += [part for sense in found.senses for part in _sense(sense)]
    if not parts:
        parts.append(Text("nothing to propose", style="yellow"))
    head = f"{found.memories:,} memories, {found.unlabelled:,} without a domain and {found.unsure:,} unsure of it"
    head += f"; looked at {found.considered:,}"
    parts += [Text(f"{head}; {found.criterion}", style="dim")]
    if found.topics or found.senses:
        parts.append(Text("graphsvc ontology accept ID writes one into your overlay", style="dim"))
    return Group(*parts)


def _topic(topic: ProposedTopic) -> Iterator[RenderableType]:
    near = f" · close to {topic.close_to} ({topic.closeness:.2f})" if topic.close_to else ""
    size = f"  {topic.size} memories{near}  as {topic.suggested_id}"
    yield Text.assemble((topic.id, "bold"), " ", plain(topic.name, "bold cyan"), size)
    if topic.keywords:
        yield Padding(plain(f"keywords: {', '.join(topic.keywords)}"), (0, 0, 0, 3))
    yield from _examples(topic.examples)


def _sense(proposal: ProposedSense) -> Iterator[RenderableType]:
    known = f"a sense {proposal.word} lacks" if proposal.word else "a word of several senses"
    yield Text.assemble((proposal.id, "bold"), " ", plain(proposal.surface, "bold cyan"), f"  {known}")
    for meaning in proposal.meanings:
        domain = meaning.domain or "no domain is near"
        told = f"{meaning.suggested_id}: {', '.join(meaning.cues)}  {meaning.size} memories · {domain}"
        yield Padding(plain(told), (0, 0, 0, 3))
        yield from _examples(meaning.examples)


def _examples(examples: tuple[Example, ...]) -> Iterator[RenderableType]:
    for example in examples[:_SHOWN_EXAMPLES]:
        text = " ".join(example.text.split())
        shown = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
        yield Padding(plain(shown, "dim"), (0, 0, 0, 3))


def _flat(data: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
            for one in value:
                yield from _flat(one, f"{prefix}{one.get('id', key)}.")
        elif value not in ([], None, ""):
            yield prefix + key, ", ".join(map(str, value)) if isinstance(value, list) else str(value)
