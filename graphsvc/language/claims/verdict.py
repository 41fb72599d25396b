"""Put together what the signs of a clause mean: how often it is negated, what it feels, how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

from graphsvc.models.facts import Attitude, Certainty, Polarity


@dataclass(slots=True)
class Signs:
    """What was seen in one clause; `negators` counts those left after idioms and quantifiers are set aside."""

    negators: int = 0
    ceased: bool = False
    # "used to", 以前: what ended is told as past, which says nothing about the feeling now.
    past: bool = False
    attitude: Attitude = Attitude.NONE
    asked: bool = False
    hypothetical: bool = False
    hedged: bool = False
    planned: bool = False

    def polarity(self) -> Polarity:
        """Two negators cancel; an end outlasts a negator it is made of."""
        if self.ceased:
            return Polarity.CEASED
        return Polarity.NEGATED if self.negators % 2 else Polarity.AFFIRMED

    def certainty(self) -> Certainty:
        """The sign that takes the most away from what is stated."""
        if self.asked:
            return Certainty.ASKED
        if self.hypothetical:
            return Certainty.HYPOTHETICAL
        if self.hedged:
            return Certainty.HEDGED
        return Certainty.PLANNED if self.planned else Certainty.CERTAIN

    def feeling(self) -> Attitude:
        """The attitude that holds now: a denied liking is a dislike, a denied dislike or an ended one is none."""
        if self.past or self.ceased:
            return Attitude.NONE
        if self.polarity() is Polarity.AFFIRMED:
            return self.attitude
        return Attitude.DISLIKE if self.attitude is Attitude.LIKE else Attitude.NONE
