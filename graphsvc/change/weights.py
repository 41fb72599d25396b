"""How much each number of the evidence counts; printed by `python -m calibration.change`, not edited by hand.

Learnt from the rows of `python -m graphsvc.evaluate.evidence calibration`: judged pairs, and pairs of the stories.
"""

from __future__ import annotations

from collections.abc import Mapping

BIAS = -0.600
WEIGHTS: Mapping[str, float] = {
    "all_of_earlier": 0.272,
    "amount": 0.018,
    "bare": 1.477,
    "both_left": -0.192,
    "code": -0.106,
    "codes_apart": -3.357,
    "cue_differ": -0.173,
    "cue_foreign": -0.079,
    "denied": -0.429,
    "designators_apart": -0.502,
    "differ": 0.125,
    "earlier_parts": -4.183,
    "far": -1.41,
    "far_shared": 3.592,
    "first_foreign": -0.126,
    "first_shared": -0.187,
    "foreign": -0.278,
    "length": -0.954,
    "many_apart": -2.081,
    "modifiers_apart": -0.074,
    "named": 1.527,
    "names_apart": -0.104,
    "names_left": -0.526,
    "near": 1.344,
    "now": 1.222,
    "of_earlier": 1.271,
    "old_named": 1.862,
    "one_mouth": 1.666,
    "one_of_each": -0.041,
    "other_kind": -1.18,
    "parted": -1.059,
    "put_right": 2.284,
    "replaced": 0.414,
    "right": -1.746,
    "right_bare": 4.545,
    "shared": 0.555,
    "shared_differ": -0.199,
    "subject_foreign": -1.667,
    "subject_pair": -1.249,
    "supposed_before": -1.739,
    "taken_back": 1.001,
    "taken_shared": -0.029,
    "talk_cue": 0.875,
    "talk_denied": 1.308,
    "talk_differ": -0.511,
    "talk_differ_bare": -0.995,
    "time": -0.509,
    "times_apart": -0.923,
    "two_mouths": -0.301,
    "unchanged": -2.413,
    "unstated": -1.279,
    "vouched_differ": 1.788,
}
