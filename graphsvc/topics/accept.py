"""Turn a proposal into the tables a user's overlay takes: a new domain, more of a known one, or new senses.

What is close to a known domain is not made a second one unless that is asked for by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphsvc.errors import FieldInvalid, SettingsInvalid
from graphsvc.models.topics import Example, ProposedMeaning, ProposedSense, ProposedTopic
from graphsvc.topics.words import is_han
from ontology.model import Ontology
from ontology.overlay import Addition

SETTING = "GRAPHSVC_ONTOLOGY"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What whoever accepts wants otherwise than proposed; `keywords_only` keeps memory texts out of the overlay."""

    name: str | None = None
    name_zh: str | None = None
    name_en: str | None = None
    domain_id: str | None = None
    keywords_only: bool = False


def overlay_of(setting: Path | None) -> Path:
    """Where a user's entries go; raises `SettingsInvalid` saying what to set."""
    if setting is None:
        remedy = "make a folder and set GRAPHSVC_ONTOLOGY to its path; accepted entries are written there"
        raise SettingsInvalid("no overlay is set, so there is nowhere to write", where=SETTING, remedy=remedy)
    return setting.expanduser()


def additions_for(proposal: ProposedTopic | ProposedSense, ontology: Ontology, wishes: Wishes) -> list[Addition]:
    """The tables to write; raises `FieldInvalid` when a choice is needed first."""
    if isinstance(proposal, ProposedTopic):
        return [_domain(proposal, ontology, wishes)]
    return _senses(proposal, ontology, wishes)


def _domain(topic: ProposedTopic, ontology: Ontology, wishes: Wishes) -> Addition:
    key = topic.suggested_id if wishes.domain_id is None else wishes.domain_id
    if topic.close_to is not None and wishes.domain_id is None:
        raise FieldInvalid(
            f"is close to the domain {topic.close_to!r} ({topic.closeness:.2f})",
            where=topic.id,
            remedy=f"--domain-id {topic.close_to} adds to it, --domain-id {topic.suggested_id} makes a new one",
        )
    table: dict[str, object] = {}
    if ontology.domain(key) is None:
        table["name"] = _name(topic.name, wishes, zh=topic.name_zh, en=topic.name_en)
        table["description"] = f"Proposed from {topic.size} memories: {', '.join(topic.keywords[:6]) or topic.name}."
    elif any((wishes.name, wishes.name_zh, wishes.name_en)):
        table["name"] = _name(topic.name, wishes, zh=topic.name_zh, en=topic.name_en)
    table["keywords"] = _by_language(topic.keywords)
    if not wishes.keywords_only:
        table["examples"] = _by_language(example.text for example in topic.examples)
    elif ontology.domain(key) is None:
        table["examples"] = {}
    return Addition(("domain", key), table)


def _senses(proposal: ProposedSense, ontology: Ontology, wishes: Wishes) -> list[Addition]:
    word = proposal.word or _word_id(proposal, ontology)
    additions = []
    if proposal.word is None:
        additions.append(Addition(("sense_word", word), {"surfaces": _by_language([proposal.surface])}))
    for meaning in proposal.meanings:
        domain = meaning.domain if wishes.domain_id is None else wishes.domain_id
        if domain is None:
            raise FieldInvalid(
                f"the sense {meaning.suggested_id!r} of {proposal.surface!r} is near no domain",
                where=proposal.id,
                remedy=f"name one with --domain-id: {', '.join(one.id for one in ontology.domains)}",
            )
        path = ("sense_word", word, "sense", meaning.suggested_id)
        additions.append(Addition(path, _sense(meaning, domain, wishes)))
    return additions


def _sense(meaning: ProposedMeaning, domain: str, wishes: Wishes) -> dict[str, object]:
    gloss = ", ".join(meaning.cues[:3]) or meaning.suggested_id
    examples: Sequence[Example] = () if wishes.keywords_only else meaning.examples
    return {
        "gloss": _name(gloss, wishes),
        "domain": domain,
        "cues": _by_language(meaning.cues),
        "examples": _by_language(example.text for example in examples),
    }


def _word_id(proposal: ProposedSense, ontology: Ontology) -> str:
    from_surface = "".join(letter for letter in proposal.surface.casefold() if letter.isalnum())
    number, key = 1, from_surface
    while ontology.sense_word(key) is not None:
        number += 1
        key = f"{from_surface}_{number}"
    return key


def _name(proposed: str, wishes: Wishes, *, zh: str | None = None, en: str | None = None) -> dict[str, str]:
    """Both languages are asked for; where only one is given, it stands for both."""
    return {
        "zh": wishes.name_zh or wishes.name or zh or proposed,
        "en": wishes.name_en or wishes.name or en or proposed,
    }


def _by_language(texts: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"zh": [], "en": []}
    for text in texts:
        found["zh" if is_han(text) else "en"].append(text)
    return found
