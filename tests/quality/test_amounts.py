"""A hundred and fifty lines of amounts, and of what looks like one, in two languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphsvc.language.amounts import find_amounts
from graphsvc.language.entities import find_mentions

LINES = [json.loads(line) for line in Path(__file__).with_name("amounts.jsonl").read_text("utf-8").splitlines()]
# The types that are known by their shape; names are measured elsewhere.
SHAPED = frozenset({"identifier", "phone", "email", "ip", "url"})


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["text"])
def test_amounts_and_shapes_are_read_as_a_reader_reads_them(line: dict[str, Any]) -> None:
    amounts = find_amounts(line["text"])
    assert [[amount.value, amount.high, amount.unit] for amount in amounts] == line["amounts"]
    shapes = [[found.text, found.type] for found in find_mentions(line["text"]) if found.type in SHAPED]
    assert shapes == line["mentions"]


def test_there_are_a_hundred_and_fifty_lines() -> None:
    assert len({line["text"] for line in LINES}) == 150
