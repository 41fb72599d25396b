"""Read a memory's own text: mentions, amounts, times, labels, senses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graphsvc.encoding.base import FloatArray
from graphsvc.language.amounts import find_amounts
from graphsvc.language.entities import Gazetteer, find_mentions
from graphsvc.language.labels import LabelTagger
from graphsvc.language.senses import SenseTagger
from graphsvc.language.times import find_times
from graphsvc.models.facts import Facts


@dataclass(frozen=True, slots=True)
class Tagger:
    """The taggers of one ontology and encoder, run in one call."""

    labels: LabelTagger
    senses: SenseTagger
    gazetteer: Gazetteer | None = None

    def tag(self, text: str, *, at: datetime, vector: FloatArray | None) -> Facts:
        """Facts of a text said at `at`, which is also the zone its times are read in."""
        mentions = tuple(find_mentions(text, self.gazetteer))
        return Facts(
            labels=self.labels.tag(text, vector, mentions=mentions),
            senses=self.senses.tag(text, vector=vector),
            mentions=mentions,
            amounts=tuple(find_amounts(text)),
            times=tuple(find_times(text, at)),
        )
