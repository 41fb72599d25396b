"""Compare two extracted values of like kind: which is the less, the more, the earlier, and by how much.

The winner is one of the two values as it stands in its text. A difference is a number no text holds:
it is given as `normalised` alone, at the span of the second value, and never worded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from graphsvc.models.answer import Value
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.choose import Extracted
from graphsvc.retrieve.extract.dimensions import Dimension, dimensions_of
from graphsvc.retrieve.extract.figures import measured

DIFFERENCE = "difference"
_LESS = re.compile(
    r"便宜|[更最较]?[低少轻短小早近薄窄浅慢](?!多少)|年轻|划算|省"
    r"|\b(?:cheap|low|light|short|small|earli|near|clos|young|narrow|thinn?|cool|cold|slow)(?:er|est)\b"
    r"|\b(?:less|least|fewer|fewest|sooner|soonest|first|earlier|earliest)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"贵|[更最较]?[高多重长大晚远厚宽深快](?!少)|年长"
    r"|\b(?:expensive|dear(?:er|est)|high(?:er|est)|heav(?:ier|iest)|long(?:er|est)|big(?:ger|gest)|larg(?:er|est)"
    r"|lat(?:er|est)"
    r"|farther|further|old(?:er|est)|wid(?:er|est)|deep(?:er|est)|tall(?:er|est)|warm(?:er|est)|hot(?:ter|test)"
    r"|more|most|last)\b",
    re.IGNORECASE,
)
_FAST = re.compile(r"更快|最快|哪.{0,4}快|\b(?:faster|fastest|quicker|quickest)\b", re.IGNORECASE)
_APART = re.compile(
    r"差(?:了)?(?:多少|几|多久)|相差|差额|差距|(?:贵|多|少|高|低|便宜|重|轻|长|短|早|晚|涨|降)(?:了)?(?:多少|几)"
    r"|\bdifferences?\b|\bhow (?:much|many) (?:\w+ )?(?:more|less|fewer|cheaper|higher|lower|longer|shorter"
    r"|heavier|lighter|later|earlier)\b"
    r"|\bhow (?:many|much) (?:\w+ )?(?:apart|between)\b",
    re.IGNORECASE,
)
# What one of each unit is in the first unit of its line.
_SCALES = (
    {"kg": 1.0, "g": 0.001, "mg": 0.000001, "t": 1000.0, "斤": 0.5, "lb": 0.45359237, "oz": 0.028349523},
    {"m": 1.0, "km": 1000.0, "cm": 0.01, "mm": 0.001, "里": 500.0, "mile": 1609.344, "ft": 0.3048, "inch": 0.0254},
    {"hour": 1.0, "minute": 1 / 60, "second": 1 / 3600, "day": 24.0, "week": 168.0},
    {"month": 1.0, "quarter": 3.0, "year": 12.0},
    {"l": 1.0, "ml": 0.001, "立方米": 1000.0},
    {"m2": 1.0, "亩": 666.6667, "ha": 10000.0},
    {"GB": 1.0, "MB": 1 / 1024, "TB": 1024.0},
)


@dataclass(frozen=True, slots=True)
class _Measured:
    """A value as a number in a common unit; points in time count days and have the unit `day`."""

    number: float
    unit: str | None
    point: bool = False


def compare(left: Extracted, right: Extracted, question: Question) -> Value | None:
    """The winner of a comparison, or the difference asked for; None where the two are not of like unit.

    The value's `memory_id` says whose it is. `normalised` of a difference is right minus left, with its unit.
    """
    if left.value is None or right.value is None:
        return None
    first, second = _measured(left.value), _measured(right.value)
    if first is None or second is None or not _alike(first, second):
        return None
    unit = first.unit or second.unit
    if _APART.search(question.text):
        apart = measured(second.number - first.number, unit)
        return right.value.model_copy(update={"type": DIFFERENCE, "normalised": apart, "memory_id": right.memory.id})
    less = _wants_less(question.text, unit)
    if less is None or first.number == second.number:
        return None
    if (first.number < second.number) == less:
        return left.value.model_copy(update={"memory_id": left.memory.id})
    return right.value.model_copy(update={"memory_id": right.memory.id})


def _wants_less(text: str, unit: str | None) -> bool | None:
    """Whether the lesser one is asked for; the faster of two durations is the lesser."""
    if _FAST.search(text):
        return Dimension.DURATION in dimensions_of(unit)
    less, more = _LESS.search(text), _MORE.search(text)
    if less is None and more is None:
        return None
    return more is None or (less is not None and less.start() < more.start())


def _alike(left: _Measured, right: _Measured) -> bool:
    return left.point == right.point and (left.unit == right.unit or None in {left.unit, right.unit})


def _measured(value: Value) -> _Measured | None:
    if value.normalised is None:
        return None
    if value.type == "time":
        return _point(value.normalised) or _number(value.normalised)
    return _number(value.normalised)


def _point(normalised: str) -> _Measured | None:
    try:
        moment = datetime.fromisoformat(normalised)
    except ValueError:
        return None
    return _Measured(moment.timestamp() / 86_400, "day", point=True)


def _number(normalised: str) -> _Measured | None:
    found = re.fullmatch(r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(.*)", normalised)
    if found is None:
        return None
    number, unit = float(found[1]), found[2] or None
    for scale in _SCALES:
        if unit in scale:
            return _Measured(number * scale[unit], next(iter(scale)))
    return _Measured(number, unit)
