"""The odds that a memory answers, by nets that have not seen its story: for whoever learns from the same stories again.

Asked of all nets, a decision would learn to trust them as they are on what they were fitted to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.answers import Answers, fold_of, load
from graphsvc.encoding.base import Encoder
from graphsvc.evaluate.files import EvaluationFile, QueryLine
from graphsvc.language.passage import passage_of
from graphsvc.models.memory import Memory
from graphsvc.retrieve.rank.answering import FEATURE, odds_of


@dataclass(frozen=True, slots=True)
class HeldOut:
    """One question file's memories by the fold of their story, and the nets that never saw each fold."""

    encoder: Encoder
    nets: Answers
    folds: Mapping[str, int]

    @classmethod
    def of(cls, file: EvaluationFile, encoder: Encoder, nets: Answers | None = None) -> HeldOut:
        """`nets` are those that a search asks unless others are given."""
        folds = {str(one.id): fold_of(file.path.name, one.conversation_id or str(one.id)) for one in file.memories}
        return cls(encoder, load() if nets is None else nets, folds)

    def told(self, query: QueryLine, memory: Memory, values: Mapping[str, float | None]) -> dict[str, float | None]:
        """A decision's features, the odds among them from nets without the question's story; unknown stays unknown."""
        if values.get(FEATURE) is None:
            return dict(values)
        asked, passage = self.encoder.encode_query(query.text), passage_of(memory)
        nets = self.nets.held_out(self._fold(query, memory))
        (odds,) = odds_of(nets, self.encoder, query.text, asked, [passage])
        return {**values, FEATURE: odds}

    def _fold(self, query: QueryLine, memory: Memory) -> int:
        """Of the story of what the question names, as when the nets were fitted; else of the memory's own."""
        named = (*query.relevant, *query.forbidden, str(memory.id))
        return next(self.folds[one] for one in named if one in self.folds)
