"""What is shipped: three packages from one distribution, with their data, and public names that exist."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import graphsvc

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as archive:
        return archive.namelist()


@pytest.mark.parametrize(
    "name",
    [
        "graphsvc/py.typed",
        "ontology/py.typed",
        "calibration/py.typed",
        "graphsvc/interfaces/demo/change.jsonl",
        "graphsvc/interfaces/demo/story.jsonl",
        "graphsvc/encoding/bundled/data/card.json",
        "graphsvc/language/data/examples.json",
        "ontology/data/query_types.toml",
        "calibration/fallback.py",
    ],
)
def test_the_wheel_holds_the_packages_and_their_data(wheel: list[str], name: str) -> None:
    assert name in wheel


def test_the_wheel_holds_nothing_else(wheel: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"graphsvc", "ontology", "calibration"}


def test_our_packages_are_the_ones_in_this_tree() -> None:
    """Both names also exist elsewhere: an import must never reach a stranger's."""
    owners = packages_distributions()
    for name in ("ontology", "calibration"):
        module = __import__(name)
        assert module.__file__ is not None
        assert Path(module.__file__).is_relative_to(ROOT) or owners.get(name) == ["graphsvc"]


@pytest.mark.parametrize("name", graphsvc.__all__)
def test_every_public_name_exists(name: str) -> None:
    assert getattr(graphsvc, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = graphsvc.nothing_like_it
