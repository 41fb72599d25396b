"""Labels of texts: what they are about and what they do, out of the ontology's closed library."""

from __future__ import annotations

from graphsvc.language.labels.base import Asked, Opinion, Ranking, Source, Tagger
from graphsvc.language.labels.tagger import LabelTagger

__all__ = ["Asked", "LabelTagger", "Opinion", "Ranking", "Source", "Tagger"]
