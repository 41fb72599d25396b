"""A clock that goes on whenever it is read, for what turns on which of two things came first."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.builders import NOW


class Ticking:
    """Starts at NOW, and goes on by a minute at each look; `now` is what it showed last."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now
