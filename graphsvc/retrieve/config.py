"""How a question is ranked, in one typed record: the legs' mix, what each signal adds, how far edges are walked.

The shipped numbers are in `ranking.toml`, learnt by `graphsvc learn` and never typed by feel; a user's own file
of the same form replaces them. An unknown or missing name is refused.
"""

from __future__ import annotations

import tomllib
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from graphsvc.errors import SettingsInvalid
from graphsvc.models.base import Record
from graphsvc.models.graph import EdgeType

SHIPPED = "ranking.toml"
CHANGE_EDGES = frozenset({EdgeType.SUPERSEDES, EdgeType.RETRACTS, EdgeType.CORRECTS, EdgeType.CONTRADICTS})

# Scores lie about [0, 1]; a weight far outside it is a slip, and none may be infinite or no number.
Weight = Annotated[float, Field(ge=-10.0, le=10.0, allow_inf_nan=False)]
Amount = Annotated[float, Field(ge=0.0, le=10.0, allow_inf_nan=False)]
Span = Annotated[float, Field(ge=0.001, le=2.0, allow_inf_nan=False)]
Kept = Annotated[float, Field(gt=0.0, le=1.0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=10_000)]
Days = Annotated[float, Field(gt=0.0, le=100_000.0, allow_inf_nan=False)]


class MixWeights(Record):
    """How much each leg counts, after each was scaled to [0, 1] among the candidates.

    Cosines within `dense_span` of each other, and late-interaction scores within `late_span`, are near-equals: a few
    candidates that happen to be close are not drawn apart as if one were right and another wrong.
    """

    dense: Amount
    lexical: Amount
    late: Amount
    dense_span: Span
    late_span: Span
    leg_size: Annotated[Count, Field(ge=1)]
    late_size: Annotated[Count, Field(ge=1)]
    turn_seeds: Count
    talk_seeds: Count
    talk_size: Annotated[Count, Field(ge=1)]
    talk_keeps: Annotated[Amount, Field(le=1.0)]


class SignalWeights(Record):
    """What each signal of `rank.signals` adds to a mixed score in [0, 1]; below 0 it speaks against one."""

    person: Weight
    speaker: Weight
    wrong_direction: Weight
    role_broken: Weight
    conversation: Weight
    talk: Weight
    talk_above: Weight
    talk_newest: Weight
    talk_oldest: Weight
    talk_last: Weight
    changes: Weight
    changed_since: Weight
    window: Weight
    document: Weight
    domain: Weight
    side: Weight
    identifier: Weight
    amount: Weight
    value: Weight
    sense: Weight
    other_sense: Weight
    holder: Weight
    other_holder: Weight
    other_attitude: Weight
    own_words: Weight
    askers_words: Weight
    to_asker: Weight
    asks: Weight
    newest_asked: Weight
    oldest_asked: Weight
    bound: Weight
    kind: Weight
    contrast: Weight
    ageing: Weight
    low_confidence: Weight
    in_session: Weight


class FunnelConfig(Record):
    """Which soft stages narrow; labels and document types do so only among `worth_narrowing` memories or more.

    Below that, ranking weighs them: a label that was read wrongly cuts off what no later stage can bring back (on 6,000
    news passages narrowing at a sureness of .8 lost one answer in twelve).
    """

    soft: bool = True
    labels: bool = True
    worth_narrowing: int = Field(default=20_000, ge=0)
    sure_label: float = Field(default=0.95, ge=0.0, le=1.0)


class AgeingConfig(Record):
    """After how many days a memory is worth half, by kind of document and by what it does; `otherwise` for the rest.

    What is `ageless` by its kind, its intent or a mention of such a type holds until something overturns it. An intent
    counts from a probability of `sure_intent` on.
    """

    otherwise: Days = 240.0
    sure_intent: float = Field(default=0.6, ge=0.0, le=1.0)
    ageless_documents: tuple[str, ...] = ()
    ageless_intents: tuple[str, ...] = ()
    ageless_mentions: tuple[str, ...] = ()
    documents: dict[str, Days] = Field(default_factory=dict)
    intents: dict[str, Days] = Field(default_factory=dict)


class RankingConfig(Record):
    """Everything a question is ranked by.

    `walk` is what one hop over an edge of a type keeps of a score, `ties_lend` what the memory most related to
    those a question about ties names gets, `reranker` what a cross-encoder's part counts where one is configured,
    `answers` what the probability counts that a memory answers and is not only about the same. Rivals, and turns of
    one talk, count that score within so much of the best. For a question that needs several memories, what the
    first ten cover together counts `cover` times beside their scores, and the days of the `day_seeds` best are
    looked up where it asks what else happened that day.
    """

    mix: MixWeights
    signals: SignalWeights
    walk: dict[EdgeType, Kept]
    funnel: FunnelConfig = FunnelConfig()
    ageing: AgeingConfig = AgeingConfig()
    rivals_within: Amount = 0.2
    turns_within: Amount = 0.35
    ties_lend: Amount = 0.3
    reranker: Amount = 0.5
    answers: Amount = 0.1
    cover: Amount = 2.0
    day_seeds: Count = 3

    @cached_property
    def by_signal(self) -> dict[str, float]:
        """The weight of each signal by name."""
        return self.signals.model_dump()

    @cached_property
    def lending(self) -> dict[EdgeType, float]:
        """What one hop keeps of a score, without the edges of change: those put one memory in the place of another."""
        return {kind: kept for kind, kept in self.walk.items() if kind not in CHANGE_EDGES}


def load_config(path: Path | None = None) -> RankingConfig:
    """The shipped configuration, or a file's; raises `SettingsInvalid` with the file, the key and the reason."""
    source = files("graphsvc.retrieve").joinpath(SHIPPED) if path is None else path
    try:
        return RankingConfig.model_validate(tomllib.loads(source.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        where = f"{source}, {'.'.join(map(str, first['loc']))}"
        raise SettingsInvalid(first["msg"], where=where, remedy=f"see {SHIPPED} of the package") from None
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsInvalid(f"is no ranking configuration: {error}", where=str(source)) from None
