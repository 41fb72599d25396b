"""The paths a question may take after it was read, and how they differ.

Pure data: the ask path looks its path up and does what it says; nothing here searches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from graphsvc.models.question import Question, Route, Validity


class Reach(StrEnum):
    """Which edges are walked from what was found.

    `context`: neighbours in talk and document; `changes`: what supersedes, retracts or contradicts it;
    `steps`: what comes before and after in the same document or talk; `ties`: all roles and entities.
    """

    CONTEXT = "context"
    CHANGES = "changes"
    STEPS = "steps"
    TIES = "ties"


@dataclass(frozen=True, slots=True)
class Path:
    """One path: what differs from the direct one.

    `validity` is asked for instead of the question's own where it says nothing itself; `parts_apart` has each
    part searched and decided on its own; `in_order` wants what comes along in the order of its text or talk;
    `latest_first` lets the newest of those that agree stand for the rest; `several` wants all that
    qualify and not the best one; `in_session` reads the question after what the session asked before.
    """

    route: Route
    reach: Reach = Reach.CONTEXT
    validity: Validity | None = None
    parts_apart: bool = False
    in_order: bool = False
    latest_first: bool = False
    several: bool = False
    in_session: bool = False

    def validity_of(self, question: Question) -> Validity:
        """What the question asks for on this path: its own word where it says one."""
        if self.validity is None or question.validity is not Validity.PRESENT:
            return question.validity
        return self.validity


_PATHS = {
    path.route: path
    for path in (
        Path(Route.DIRECT),
        Path(Route.COMPARE, parts_apart=True, several=True),
        Path(Route.LATEST, reach=Reach.CHANGES, validity=Validity.LATEST, latest_first=True),
        Path(Route.HOWTO, reach=Reach.STEPS, in_order=True, several=True),
        Path(Route.FOLLOW_UP, in_session=True),
        Path(Route.GRAPH, reach=Reach.TIES, several=True),
    )
}


def path_of(question: Question) -> Path:
    """The path of a question's route; parts are asked apart wherever it has some."""
    path = _PATHS[question.route]
    return replace(path, parts_apart=True) if len(question.parts) > 1 else path
