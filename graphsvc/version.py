"""The version of the installed distribution, for `--version` and the OpenAPI document."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """`0.0.0` in a source tree that was never installed."""
    try:
        return version("graphsvc")
    except PackageNotFoundError:
        return "0.0.0"
