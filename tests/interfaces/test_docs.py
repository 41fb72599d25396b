"""What the page on asking names is there, and what is there is named on it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from graphsvc.interfaces.cli.root import COMMANDS, cli
from graphsvc.interfaces.http.bodies import QuestionBody, SearchBody
from graphsvc.models.answer import AnswerStatus
from graphsvc.retrieve.config import SignalWeights
from graphsvc.retrieve.rank.answering import FEATURE
from graphsvc.retrieve.rank.rerank import RERANKER
from graphsvc.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "asking.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = "\n".join(re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)).splitlines()
CALLS = [
    line.partition("graphsvc ")[2]
    for line in SHELL
    if line.split("graphsvc ")[0].strip() in {"", "GRAPHSVC_RANKING=weights.toml"}
]
CALLS = [line for line in CALLS if line]
# What a memory gains by standing for another is no weight of its own: it is the other's score.
STANDS_FOR = "stands_for"
README_SHELL = "\n".join(re.findall(r"```bash\n(.*?)```", README, re.DOTALL)).splitlines()
README_CALLS = [line.removeprefix("graphsvc ") for line in README_SHELL if line.startswith("graphsvc ")]


@pytest.mark.parametrize("call", CALLS)
def test_every_command_of_the_page_can_be_given(call: str) -> None:
    name, *arguments = shlex.split(call)
    context = click.Context(cli)
    command = cli.get_command(context, name)
    assert command is not None
    assert command.make_context(name, arguments, parent=context).params


def test_every_signal_of_the_ranking_is_explained() -> None:
    table = PAGE[PAGE.index("| signal |") : PAGE.index("`fit` is what")]
    rows = (row.split("|")[1] for row in table.splitlines()[2:] if row.startswith("|"))
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert explained == {*SignalWeights.model_fields, FEATURE, RERANKER, STANDS_FOR}


def test_every_setting_of_the_page_is_one() -> None:
    named = set(re.findall(rf"{PREFIX}[A-Z_]+", PAGE))
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    assert named <= known
    wanted = {name for name in known if name.startswith((f"{PREFIX}RERANK", f"{PREFIX}ANSWER", f"{PREFIX}RANKING"))}
    assert wanted <= named


def test_every_status_is_explained() -> None:
    assert all(f"`{status}`" in PAGE for status in AnswerStatus)


def test_every_body_of_the_page_is_one() -> None:
    calls = [shlex.split(line) for line in SHELL if line.startswith("curl")]
    assert calls
    for call in calls:
        body = SearchBody if "/v1/search" in call[2] else QuestionBody
        assert body.model_validate_json(call[call.index("-d") + 1]).question


@pytest.mark.parametrize("call", README_CALLS)
def test_every_command_of_the_readme_can_be_given(call: str) -> None:
    context = cli.make_context("graphsvc", shlex.split(call))
    name, command, arguments = cli.resolve_command(context, context._protected_args + context.args)
    assert name is not None
    assert command is not None
    with command.make_context(name, arguments, parent=context) as inner:
        assert inner.params


def test_the_readme_names_every_command_and_the_page() -> None:
    assert "docs/asking.md" in README
    assert all(re.search(rf"\b{name}\b", README) for name in COMMANDS)
