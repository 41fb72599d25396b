"""What a unit measures, so that a weight is never given for a price.

Units are those that amounts are read with; Chinese measure words count things.
"""

from __future__ import annotations

from enum import StrEnum

from graphsvc.language.amounts.units import CURRENCIES, DURATIONS, MEASURE_WORDS


class Dimension(StrEnum):
    """What is measured; `NUMBER` stands for any of them."""

    MONEY = "money"
    COUNT = "count"
    PERCENTAGE = "percentage"
    LENGTH = "length"
    WEIGHT = "weight"
    TEMPERATURE = "temperature"
    AGE = "age"
    OCCASIONS = "occasions"
    AREA = "area"
    VOLUME = "volume"
    SPEED = "speed"
    ENERGY = "energy"
    DATA = "data"
    DURATION = "duration"
    SCORE = "score"
    NUMBER = "number"


_UNITS = {
    Dimension.PERCENTAGE: "% ‰ pp 折 倍",
    Dimension.WEIGHT: "kg g mg t 斤 lb oz pound",
    Dimension.LENGTH: "km m cm mm 里 mile ft inch",
    Dimension.AREA: "m2 亩 ha 平方公里",
    Dimension.VOLUME: "l ml 立方米 立方",
    Dimension.TEMPERATURE: "°C °F °",
    Dimension.AGE: "岁",
    Dimension.OCCASIONS: "次 遍 趟 顿",
    Dimension.SPEED: "km/h mph Mbps",
    Dimension.ENERGY: "kWh W kW mAh kcal",
    Dimension.DATA: "MB GB TB KB",
    Dimension.SCORE: "分 票",
    Dimension.COUNT: "人 套 台 件 箱 pallet",
}


def _table() -> dict[str, Dimension]:
    table = dict.fromkeys(MEASURE_WORDS, Dimension.COUNT)
    table |= dict.fromkeys(CURRENCIES, Dimension.MONEY) | dict.fromkeys(DURATIONS, Dimension.DURATION)
    for dimension, units in _UNITS.items():
        table |= dict.fromkeys(units.split(), dimension)
    return table


_OF_UNIT = _table()
# A pound is money and a weight, a degree an angle, a warmth and a lens; 分 counts points and minutes.
_ALSO = {
    "pound": frozenset({Dimension.MONEY}),
    "斤": frozenset({Dimension.COUNT}),
    "块": frozenset({Dimension.MONEY}),
    "年": frozenset({Dimension.AGE}),
    "year": frozenset({Dimension.AGE}),
    "分": frozenset({Dimension.DURATION}),
    "°": frozenset({Dimension.NUMBER}),
}


def dimensions_of(unit: str | None) -> frozenset[Dimension]:
    """What an amount with this unit may measure; empty for a bare number."""
    if unit is None:
        return frozenset()
    known = _OF_UNIT.get(unit)
    return (frozenset() if known is None else frozenset({known})) | _ALSO.get(unit, frozenset())
