"""Read a text, a memory's or a question's: mentions, amounts, times, labels, senses, claims.

The text speaks first; what it leaves open, its conversation and then its author's habits may settle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphsvc.encoding.base import Encoder, FloatArray, TokenStates
from graphsvc.errors import EncoderUnavailable
from graphsvc.language.aliases import address_parts
from graphsvc.language.amounts import find_amounts
from graphsvc.language.claims import find_claims
from graphsvc.language.entities import Gazetteer, find_mentions
from graphsvc.language.labels import LabelTagger
from graphsvc.language.senses import SenseTagger
from graphsvc.language.times import find_times
from graphsvc.models.facts import Facts, Label, Mention, Sense, SenseSource
from graphsvc.understand.topic import NO_TOPIC, Topic
from ontology.model import Ontology

Habits = Callable[[Sequence[str]], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Seen:
    """A text as the encoder saw it; `passage` is what was encoded, where that is more than the text."""

    vector: FloatArray | None = None
    states: TokenStates | FloatArray | None = None
    passage: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What a text is read against.

    `at` is when it was said, and the zone its times are read in; `speaker` the name its "I" goes by; `habits` tells
    how often its author means each sense of the given surfaces, asked only where all else left a sense open.
    """

    at: datetime
    speaker: str | None = None
    topic: Topic = NO_TOPIC
    habits: Habits | None = None


@dataclass(frozen=True, slots=True)
class Tagger:
    """The taggers of one ontology and encoder, run in one call."""

    ontology: Ontology
    labels: LabelTagger
    senses: SenseTagger
    gazetteer: Gazetteer | None = None

    def tag(self, text: str, seen: Seen, setting: Setting) -> Facts:
        """Everything a memory's text says, claims included."""
        facts = self.read(text, seen, setting)
        return facts.model_copy(update={"claims": tuple(find_claims(text, facts.mentions, setting.speaker))})

    def read(self, text: str, seen: Seen, setting: Setting) -> Facts:
        """The same without claims, which a question makes none of."""
        mentions = tuple(find_mentions(text, self.gazetteer))
        labels, senses = self.classify(text, seen, setting, mentions)
        return Facts(
            labels=labels,
            senses=senses,
            mentions=mentions,
            amounts=tuple(find_amounts(text)),
            times=tuple(find_times(text, setting.at)),
        )

    def classify(
        self,
        text: str,
        seen: Seen,
        setting: Setting,
        mentions: Sequence[Mention],
        corrected: Sequence[Sense] = (),
    ) -> tuple[tuple[Label, ...], tuple[Sense, ...]]:
        """Labels and senses alone: all that hangs on the library.

        Senses are told first, for a label must not rest on a meaning that a word does not have here; what a person
        set right in this text goes before what is told.
        """
        senses = with_corrections(self._senses(text, seen, setting), corrected, self.ontology)
        labels = self.labels.tag(text, seen.vector, setting.topic.labels, mentions=mentions, senses=senses)
        return labels, senses

    def _senses(self, text: str, seen: Seen, setting: Setting) -> tuple[Sense, ...]:
        def told(habits: Mapping[str, float]) -> tuple[Sense, ...]:
            return self.senses.tag(
                text,
                vector=seen.vector,
                states=seen.states,
                passage=seen.passage,
                topic=setting.topic.vectors,
                told_before=setting.topic.senses,
                habits=habits,
            )

        senses = told({})
        open_words = tuple(dict.fromkeys(sense.surface for sense in senses if sense.sense is None))
        if not open_words or setting.habits is None:
            return senses
        habits = setting.habits(open_words)
        return told(habits) if habits else senses


def with_corrections(found: Sequence[Sense], before: Sequence[Sense], ontology: Ontology) -> tuple[Sense, ...]:
    """What a person set right stays, as long as the library still has that sense."""
    kept = [
        sense
        for sense in before
        if sense.source is SenseSource.CORRECTION and sense.sense and ontology.sense(sense.sense)
    ]
    spans = {(sense.start, sense.end) for sense in kept}
    return tuple(sorted((*kept, *(s for s in found if (s.start, s.end) not in spans)), key=lambda s: s.start))


def speaker_name(sender: str | None) -> str | None:
    """What a sender goes by in a text: the name beside an address, if there is one."""
    return None if sender is None else address_parts(sender).name


def read_facts(tagger: Tagger, encoder: Encoder, text: str, *, at: datetime) -> Facts:
    """Facts of a text that is not stored; while the encoder is out of reach, what can be told without."""
    try:
        passages = encoder.encode_passages([text])
    except EncoderUnavailable:
        return tagger.tag(text, Seen(), Setting(at))
    states = None if passages.states is None else passages.states[0]
    return tagger.tag(text, Seen(passages.vectors[0], states), Setting(at))
