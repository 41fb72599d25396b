"""How a question is ranked, in one typed record: the legs' mix, what each signal adds, how far edges are walked.

The shipped numbers are in `ranking.toml`, learnt by `graphsvc learn` and never typed by feel; a user's own file
of the same form replaces them. An unknown or missing name is refused.
"""

from __future__ import annotations

import tomllib
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from pydantic import Field, ValidationError

from graphsvc.errors import SettingsInvalid
from graphsvc.models.base import Record
from graphsvc.models.graph import EdgeType

SHIPPED = "ranking.toml"


class MixWeights(Record):
    """How much each leg counts, after each was scaled to [0, 1] among the candidates.

    Cosines within `dense_span` of each other, and late-interaction scores within `late_span`, are near-equals: a few
    candidates that happen to be close are not drawn apart as if one were right and another wrong.
    """

    dense: float = Field(ge=0.0)
    lexical: float = Field(ge=0.0)
    late: float = Field(ge=0.0)
    dense_span: float = Field(gt=0.0)
    late_span: float = Field(gt=0.0)
    leg_size: int = Field(gt=0)
    late_size: int = Field(gt=0)
    turn_seeds: int = Field(ge=0)
    talk_seeds: int = Field(ge=0)
    talk_size: int = Field(gt=0)
    talk_keeps: float = Field(ge=0.0, le=1.0)


class SignalWeights(Record):
    """What each signal of `rank.signals` adds to a mixed score in [0, 1]; below 0 it speaks against one."""

    person: float
    speaker: float
    wrong_direction: float
    conversation: float
    talk: float
    talk_above: float
    talk_newest: float
    talk_oldest: float
    talk_last: float
    changes: float
    changed_since: float
    window: float
    document: float
    domain: float
    side: float
    identifier: float
    amount: float
    value: float
    sense: float
    other_sense: float
    holder: float
    other_holder: float
    other_attitude: float
    own_words: float
    askers_words: float
    to_asker: float
    asks: float
    newest_asked: float
    oldest_asked: float
    replaced: float
    was_replaced: float
    bound: float
    kind: float
    contrast: float
    ageing: float
    low_confidence: float
    in_session: float


class FunnelConfig(Record):
    """Which soft stages narrow; labels and document types do so only among `worth_narrowing` memories or more.

    Below that, ranking weighs them: a label that was read wrongly cuts off what no later stage can bring back (on 6,000
    news passages narrowing at a sureness of .8 lost one answer in twelve).
    """

    soft: bool = True
    labels: bool = True
    worth_narrowing: int = Field(default=20_000, ge=0)
    sure_label: float = Field(default=0.95, ge=0.0, le=1.0)


class RankingConfig(Record):
    """Everything a question is ranked by.

    `walk` is what one hop over an edge of a type keeps of a score, `ties_lend` what the memory most related to those a
    question about ties names gets, `reranker` what a cross-encoder's part counts where one is configured. Rivals, and
    turns of one talk, count that score within so much of the best.
    """

    mix: MixWeights
    signals: SignalWeights
    walk: dict[EdgeType, float]
    funnel: FunnelConfig = FunnelConfig()
    rivals_within: float = Field(default=0.2, ge=0.0)
    turns_within: float = Field(default=0.35, ge=0.0)
    ties_lend: float = Field(default=0.3, ge=0.0)
    reranker: float = Field(default=0.5, ge=0.0)

    @cached_property
    def by_signal(self) -> dict[str, float]:
        """The weight of each signal by name."""
        return self.signals.model_dump()


def load_config(path: Path | None = None) -> RankingConfig:
    """The shipped configuration, or a file's; raises `SettingsInvalid` with the file, the key and the reason."""
    source = files("graphsvc.retrieve").joinpath(SHIPPED) if path is None else path
    try:
        return RankingConfig.model_validate(tomllib.loads(source.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        where = f"{source}, {'.'.join(map(str, first['loc']))}"
        raise SettingsInvalid(first["msg"], where=where, remedy=f"see {SHIPPED} of the package") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsInvalid(f"is no ranking configuration: {error}", where=str(source)) from None
