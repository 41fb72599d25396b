"""Why a model's answer is not used; the answer taken from the evidence itself then stands alone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ANSWERER = "answerer"


class Reason(StrEnum):
    """The first thing that was wrong."""

    NO_EVIDENCE = "no_evidence"
    UNAVAILABLE = "unavailable"
    NOT_OF_THE_FORM = "not_of_the_form"
    SILENT = "silent"
    """The model itself says that the evidence does not tell."""
    NO_QUOTE = "no_quote"
    UNKNOWN_MEMORY = "unknown_memory"
    INVENTED_QUOTE = "invented_quote"
    SHORT_QUOTE = "short_quote"
    """A quote is no clause: a word or two stand everywhere."""
    FORBIDDEN_SIGN = "forbidden_sign"
    """The answer holds a link, markup, or signs that nobody sees."""
    INVENTED_NUMBER = "invented_number"
    INVENTED_TIME = "invented_time"
    INVENTED_NAME = "invented_name"
    INVENTED_WORD = "invented_word"
    CONTRADICTED = "contradicted"
    """It says of one what its quote says of another, or yes where the quote says no, might, or only asks."""


@dataclass(frozen=True, slots=True)
class Refused:
    """No worded answer, and why; `detail` says how the server failed, and never holds text of a memory or a model."""

    reason: Reason
    detail: str = ""

    @property
    def degraded(self) -> tuple[str, ...]:
        """What the answer has to do without: nothing where there was nothing to word."""
        return () if self.reason in {Reason.NO_EVIDENCE, Reason.SILENT} else (ANSWERER,)
