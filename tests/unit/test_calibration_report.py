"""Pictures of a calibrator: readable files, the same bytes again, and a plain word where what draws is missing."""

from __future__ import annotations

import base64
import builtins
import re
from collections.abc import Mapping
from typing import Any

import pytest

from calibration.errors import PlotsMissing
from calibration.report import report
from calibration.thresholds import NOTHING, Basis, Bound, Thresholds
from calibration.train import Trained, train
from tests.calibrating import grouped_rows

PICTURES = {"reliability.png", "risk_coverage.png", "importance.png", "thresholds.png"}
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(grouped_rows(200), target_error=0.3)


@pytest.fixture(scope="module")
def drawn(trained: Trained) -> Mapping[str, bytes]:
    return report(trained.thresholds, trained.metrics, title="Calibrator <1>")


def test_there_are_four_pictures_and_one_page_that_holds_them(drawn: Mapping[str, bytes]) -> None:
    assert set(drawn) == {*PICTURES, "report.html"}
    page = drawn["report.html"].decode()
    inside = [base64.b64decode(one) for one in re.findall(r"data:image/png;base64,([^\"]+)", page)]
    assert inside == [drawn[name] for name in drawn if name in PICTURES]
    assert all(one.startswith(PNG) for one in inside)
    assert not re.findall(r"(?:src|href)=\"(?!data:)", page)


def test_the_page_escapes_its_title_and_states_promise_and_figures(
    drawn: Mapping[str, bytes], trained: Trained
) -> None:
    page = drawn["report.html"].decode()
    assert "Calibrator &lt;1&gt;" in page
    assert "within 30.0%" in page
    assert f"<b>{trained.metrics['test']['coverage']:.1%}</b>answered" in page


def test_the_same_artefact_gives_the_same_bytes(drawn: Mapping[str, bytes], trained: Trained) -> None:
    assert report(trained.thresholds, trained.metrics, title="Calibrator <1>") == drawn


def test_no_software_and_no_date_is_written_into_a_picture(drawn: Mapping[str, bytes]) -> None:
    for name in PICTURES:
        assert b"Software" not in drawn[name]
        assert b"tIME" not in drawn[name]


def test_a_calibrator_that_accepts_nothing_is_drawn_too(trained: Trained) -> None:
    nothing = Bound(NOTHING, Basis.GLOBAL, "none was shown", 12, 4)
    metrics: dict[str, Any] = {
        **trained.metrics,
        "test": {**trained.metrics["test"], "error": None, "coverage": 0.0},
        "reliability": [],
        "risk_coverage": [],
        "importance": dict.fromkeys(trained.metrics["importance"], 0.0),
    }
    drawn = report(Thresholds(0.05, 0.9, 0.0, nothing, {"who": nothing}), metrics, title="none")
    assert all(drawn[name].startswith(PNG) for name in PICTURES)
    assert "nothing is accepted" in drawn["report.html"].decode()


def test_without_what_draws_the_command_that_installs_it_is_told(
    trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(PlotsMissing, match=re.escape("pip install 'graphsvc[plots]'")):
        report(trained.thresholds, trained.metrics, title="")
