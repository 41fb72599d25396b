"""Rows, their file, and the split by group."""

from pathlib import Path

import numpy as np
import pytest

from calibration.dataset import Dataset, Row, split_groups
from calibration.errors import BadRows, SchemaMismatch
from calibration.features import NAMES
from calibration.rows_file import header, line_of, read_rows, write_rows
from tests.calibrating import grouped_rows


def row(name: str, *, right: bool = True, group: str = "g", **values: float | None) -> Row:
    return Row(name, group, "who", values, right, "feedback", "zh")


def test_an_unknown_feature_is_nan_and_comes_back_as_none() -> None:
    data = Dataset.of([row("a", **{NAMES[0]: 0.5, NAMES[1]: None})])
    assert data.features[0, 0] == 0.5
    assert np.isnan(data.features[0, 1:]).all()
    assert data.rows()[0].values[NAMES[1]] is None


def test_the_last_word_about_an_id_counts() -> None:
    data = Dataset.of([row("a", right=True), row("b"), row("a", right=False)])
    assert data.ids.tolist() == ["a", "b"]
    assert data.right.tolist() == [False, True]


def test_a_feature_of_another_name_is_refused() -> None:
    with pytest.raises(SchemaMismatch, match="wingspan"):
        Dataset.of([row("a", wingspan=1.0)])


def test_rows_come_back_from_their_file_as_they_were(tmp_path: Path) -> None:
    data = grouped_rows(5, unknown=0.2)
    write_rows(tmp_path / "rows.jsonl", data.rows())
    again = read_rows(tmp_path / "rows.jsonl")
    np.testing.assert_array_equal(again.features, data.features)
    assert again.right.tolist() == data.right.tolist()
    assert again.languages.tolist() == data.languages.tolist()


def test_rows_of_other_features_are_refused_by_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"kind": "calibration-rows", "format": 1, "schema": "0000000000000000"}\n')
    with pytest.raises(SchemaMismatch):
        read_rows(path)


@pytest.mark.parametrize("text", ["", "hello\n", "[]\n", "{}\n", "[" * 200_000 + "\n"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "rows.jsonl").write_text(text)
    with pytest.raises(BadRows):
        read_rows(tmp_path / "rows.jsonl")


_WHOLE = line_of(row("a", late=0.25)).strip()


@pytest.mark.parametrize("broken", ["{", "{}", '{"id": 1}', "7", _WHOLE.replace("true", "1"), "[" * 200_000,
                                    _WHOLE.replace("0.25", f"1{'0' * 400}"),
                                    _WHOLE.replace('"id": "a"', '"id": "\\ud800"')])  # fmt: skip
def test_a_broken_line_is_named_by_its_number(tmp_path: Path, broken: str) -> None:
    (tmp_path / "rows.jsonl").write_text(header() + line_of(row("a")) + broken + "\n")
    with pytest.raises(BadRows, match="line 3"):
        read_rows(tmp_path / "rows.jsonl")


def test_a_number_that_is_not_finite_is_not_written() -> None:
    with pytest.raises(BadRows, match=NAMES[0]):
        line_of(row("a", **{NAMES[0]: float("inf")}))


def test_a_last_line_cut_short_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_rows(path, [row("a"), row("b")])
    path.write_bytes(path.read_bytes()[:-20])
    assert read_rows(path).ids.tolist() == ["a"]


def test_no_group_is_on_two_sides_and_each_part_has_about_its_share() -> None:
    parts = grouped_rows(1000).split(7)
    sides = [set(part.groups.tolist()) for part in (parts.fit, parts.tune, parts.test)]
    assert not sides[0] & sides[1] and not sides[0] & sides[2] and not sides[1] & sides[2]
    assert [round(len(side) / 1000, 1) for side in sides] == [0.6, 0.2, 0.2]


def test_groups_that_arrive_move_no_other() -> None:
    before = split_groups([f"g{number}" for number in range(200)], 7)
    after = split_groups([f"g{number}" for number in range(300)], 7)
    assert before.items() <= after.items()


@pytest.mark.parametrize("seed", range(30))
def test_three_groups_fill_three_parts(seed: int) -> None:
    assert sorted(split_groups(["a", "b", "c"], seed).values()) == [0, 1, 2]
