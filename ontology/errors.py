"""The one failure of this package: a data file that cannot be used, said so that it can be mended."""

from __future__ import annotations

from pathlib import Path


class OntologyInvalid(Exception):
    """`file` is the file at fault, `key` the dotted path inside it, `line` set where the reader knows it."""

    code = "ontology-invalid"

    def __init__(
        self, reason: str, *, file: Path | str = "", key: str = "", remedy: str = "", line: int | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = str(file)
        self.key = key
        self.remedy = remedy
        self.line = line

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        where = ": ".join(part for part in (place, self.key) if part)
        text = f"{where}: {self.reason}" if where else self.reason
        return f"{text} ({self.remedy})" if self.remedy else text
