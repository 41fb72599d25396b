"""The command line: `graphsvc add`, `answer`, `serve` and their like.

Commands live one module a group and are imported when they are called, so that `graphsvc --help`
need not load an encoder.
"""

from __future__ import annotations

from graphsvc.interfaces.cli.root import cli, main

__all__ = ["cli", "main"]
