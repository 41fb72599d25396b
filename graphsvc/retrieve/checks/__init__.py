"""Check accepted evidence before it is handed out: it agrees, it is credible, it is complete."""

from graphsvc.retrieve.checks.agreement import Comparison, Relation, relate
from graphsvc.retrieve.checks.check import Checked, check
from graphsvc.retrieve.checks.completeness import FollowUp, complete_with
from graphsvc.retrieve.checks.newer import newer_of_same_slot
from graphsvc.retrieve.checks.wording import MissingPart

__all__ = [
    "Checked",
    "Comparison",
    "FollowUp",
    "MissingPart",
    "Relation",
    "check",
    "complete_with",
    "newer_of_same_slot",
    "relate",
]
