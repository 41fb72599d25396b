"""Label a text with domain–entity–intent out of the closed library, or leave it unlabelled.

Three taggers are asked best first: a language model where one is configured, the trained
classifier, the dictionary. The first with an opinion speaks; one rule turns it into labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from graphsvc.encoding.base import Encoder, FloatArray
from graphsvc.language.centroids import ExampleSpace
from graphsvc.language.keywords import read
from graphsvc.language.labels.base import Asked, Opinion, Tagger
from graphsvc.language.labels.cache import LabelCache
from graphsvc.language.labels.choose import Chooser
from graphsvc.language.labels.classifier import ClassifierTagger
from graphsvc.language.labels.dictionary import DictionaryTagger
from graphsvc.language.labels.head import SHIPPED
from graphsvc.models.facts import Label, Mention, Sense
from ontology.model import Ontology

# What a long text is about is said at its beginning; a label costs the same for a line of a megabyte.
READ_CHARS = 2_000


class LabelTagger:
    """Thread-safe. `encoder=None` leaves the dictionary alone; so does an encoder that is out of reach.

    `model` is asked before the others. Labels of short texts are remembered, unless a better tagger than the one
    that spoke may be back the next time.
    """

    def __init__(
        self,
        ontology: Ontology,
        encoder: Encoder | None,
        *,
        cache_dir: Path | None = None,
        space: ExampleSpace | None = None,
        model: Tagger | None = None,
        head_path: Path | None = SHIPPED,
    ) -> None:
        dictionary = DictionaryTagger(ontology)
        self._chooser = Chooser(ontology, dictionary)
        self._last = dictionary
        self._better: list[Tagger] = [] if model is None else [model]
        if encoder is not None:
            space = space or ExampleSpace(ontology, encoder, cache_dir=cache_dir)
            self._better.append(ClassifierTagger(ontology, encoder, dictionary, space, head_path=head_path))
        self._cache = LabelCache(f"{ontology.content_hash} {encoder.fingerprint if encoder else ''}")

    def tag(
        self,
        text: str,
        vector: FloatArray | None = None,
        context: Sequence[Label] = (),
        *,
        mentions: Sequence[Mention] = (),
        senses: Sequence[Sense] = (),
    ) -> tuple[Label, ...]:
        """Labels, the primary one first; empty when nothing is likely enough.

        `vector` is the text's unit vector, encoded here when absent; `context` the labels of what was
        said before, newest first; `mentions` help to find the entity type; `senses` are those of the text's
        ambiguous words, which then speak for no other domain than their sense's. `probability` is that of the
        domain; further labels carry other domains, or the same domain with a second intent.
        """
        shown = text[:READ_CHARS]
        asked = Asked(shown, read(""), vector, tuple(context), tuple(mentions), tuple(senses))
        key = self._cache.key(asked)
        kept = self._cache.get(key)
        if kept is not None:
            return kept
        asked = replace(asked, reading=read(shown))
        opinion, first_choice = self._opinion(asked)
        labels = self._chooser.labels(opinion, asked)
        if first_choice:
            self._cache.put(key, labels)
        return labels

    def _opinion(self, asked: Asked) -> tuple[Opinion, bool]:
        """The opinion of the best tagger that has one, and whether it was the best there is."""
        for place, tagger in enumerate(self._better):
            opinion = tagger.judge(asked)
            if opinion is not None:
                return opinion, place == 0
        return self._last.judge(asked), not self._better
