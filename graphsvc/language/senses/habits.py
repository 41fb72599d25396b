"""Learn which sense of a word a user usually means, from what their own texts and corrections said.

Resolved senses are counted by how sure they were and how long ago they were said; a correction is
the user's own word and counts for several. Shares are smoothed, so that one use makes no habit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# A correction outweighs what five readings by machine said.
CORRECTION = 5.0
# Two uses make a share of one half: with the tagger's weight of habits that alone settles nothing.
_DOUBT = 2.0
_HALF_LIFE_DAYS = 180.0
_LEAST_SURE = 0.5


@dataclass(frozen=True, slots=True)
class Use:
    """A sense one text of the user had: `probability` as told then, `age_days` since it was said."""

    sense: str
    probability: float = 1.0
    age_days: float = 0.0


def count_uses(uses: Iterable[Use]) -> dict[str, float]:
    """Counts by sense id: a use weighs how sure it was above even odds, half as much every 180 days."""
    counts: dict[str, float] = {}
    for use in uses:
        sure = max(0.0, (use.probability - _LEAST_SURE) / (1.0 - _LEAST_SURE))
        weight = min(sure, 1.0) * 0.5 ** (max(use.age_days, 0.0) / _HALF_LIFE_DAYS)
        if weight > 0:
            counts[use.sense] = counts.get(use.sense, 0.0) + weight
    return counts


def habits_of(counts: Mapping[str, float], corrections: Mapping[str, float] | None = None) -> dict[str, float]:
    """How often the user means each sense, in [0, 1), by sense id `word.sense`: the `habits` of `SenseTagger.tag`.

    `corrections` count by sense how often the user said it is this one; below 0, how often that it is not. The shares
    of a word's senses sum to less than 1: what is missing is doubt, and shrinks with every use.
    """
    weights: dict[str, dict[str, float]] = {}
    for source, factor in ((counts, 1.0), (corrections or {}, CORRECTION)):
        for sense, count in source.items():
            senses = weights.setdefault(sense.partition(".")[0], {})
            senses[sense] = senses.get(sense, 0.0) + factor * count
    habits: dict[str, float] = {}
    for senses in weights.values():
        kept = {sense: weight for sense, weight in senses.items() if weight > 0}
        total = sum(kept.values()) + _DOUBT
        habits.update({sense: round(weight / total, 4) for sense, weight in sorted(kept.items())})
    return habits
