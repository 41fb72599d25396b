"""The wheel holds three packages with all their data and nothing else, and its public names work from it alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import graphsvc

ROOT = Path(__file__).parents[2]
PACKAGES = ("graphsvc", "ontology", "calibration")
PROBE = """
import json, calibration, graphsvc, ontology
from graphsvc.interfaces.demo import __file__ as demo
from ontology.loader import load_ontology
found = {name: repr(getattr(graphsvc, name)) for name in graphsvc.__all__}
files = [module.__file__ for module in (graphsvc, ontology, calibration)] + [demo]
print(json.dumps({"names": found, "files": files, "domains": len(load_ontology().domains)}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def members(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_file_of_the_three_packages(wheel: Path) -> None:
    sources = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"graphsvc/py.typed", "ontology/py.typed", "calibration/py.typed"} <= sources
    assert {Path(name).suffix for name in sources} >= {".py", ".toml", ".jsonl", ".json", ".f16", ".f32"}
    assert sources - members(wheel) == set()


def test_the_wheel_holds_nothing_but_the_packages_and_its_own_description(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in members(wheel)}
    assert tops == {*PACKAGES, next(name for name in tops if name.endswith(".dist-info"))}


def test_the_wheel_carries_its_licence_and_its_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (about,) = {name.split("/")[0] for name in archive.namelist()} - set(PACKAGES)
        assert "Apache License" in archive.read(f"{about}/licenses/LICENSE").decode()
        assert "graphsvc = graphsvc.interfaces.cli:main" in archive.read(f"{about}/entry_points.txt").decode()


def test_the_public_names_and_the_data_are_loaded_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    run = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
        text=True,
    )
    told = json.loads(run.stdout)
    assert set(told["names"]) == set(graphsvc.__all__)
    assert [path for path in told["files"] if not Path(path).is_relative_to(tmp_path / "site")] == []
    assert told["domains"] > 0


def test_the_public_names_are_sorted_and_a_strange_one_is_refused() -> None:
    assert list(graphsvc.__all__) == sorted(graphsvc.__all__)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = graphsvc.no_such_name
