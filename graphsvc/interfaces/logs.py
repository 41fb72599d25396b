"""Where events go: structlog to standard error, so that standard output stays the caller's.

A server writes JSON lines and its web server's own messages join them; a command writes warnings
for a person. Events carry fields and never memory text; an unexpected error is logged by its type
and place, since its message may quote what was stored.
"""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import Literal

import structlog

LogLevel = Literal["debug", "info", "warning", "error"]


def configure_logs(level: LogLevel, *, machine: bool) -> None:
    """Send structlog events to standard error, as JSON lines for a machine or plainly for a person."""
    renderer = structlog.processors.JSONRenderer(ensure_ascii=False) if machine else structlog.dev.ConsoleRenderer()
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
    structlog.configure(
        processors=[structlog.processors.add_log_level, stamp, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )


class ForwardToStructlog(logging.Handler):
    """Hands a library's log records to structlog: the message, and an exception's type and place."""

    def emit(self, record: logging.LogRecord) -> None:
        fields: dict[str, object] = {"logger": record.name}
        if record.exc_info and record.exc_info[1]:
            fields |= describe_error(record.exc_info[1])
        log = structlog.get_logger()
        log.log(record.levelno, record.getMessage() if not record.exc_info else "library_failed", **fields)


def describe_error(error: BaseException) -> dict[str, object]:
    """An error's type and the places it passed, innermost last; its message is left out."""
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__name__,
        "frames": [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames[-12:]],
    }
