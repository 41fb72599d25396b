"""Whether an English sentence speaks of what is over or of what is to come.

Of several verbs the last one before the time tells, or else the first one after it: "I said I'll see you at
Christmas", "I'll call the man we met on Monday". A verb group counts as one: "will be closed" is to come.
"""

from __future__ import annotations

import re

from graphsvc.language.times.frame import Tense

_PAST = re.compile(
    r"(?<!\b(?:is|be) )(?<!\bare )\b(?:was|were|did|had|went|met|said|sent|got|made|took|saw|came|left|paid|told|gave"
    r"|bought|spoke|wrote|ate|held|lost|ran|found|felt|kept|began|heard|sold|won|brought|thought|flew|drove|spent"
    r"|taught|caught|wore|drank|sang|swam|slept|drew|grew|knew|rode|broke|chose|fell|threw|woke|stood|became|forgot"
    r"|built|dealt|led|fought|sat|understood|(?!hundred|need)[a-z]{3,}ed)\b"
)
# What was moved or planned is still to come, whatever its verb's tense: "moved the review to Friday".
_PLANNED = re.compile(
    r"\b(?:moved|postponed|rescheduled|scheduled|pushed|delayed|deferred|shifted|brought forward|planned|booked|set|due"
    r"|agreed|promised|expected|arranged|put off)\b[^.!?;\n]{0,50}?\b(?:to|until|till|for|on|by) (?:the )?$"
)
_COMING = re.compile(
    r"(?:(?<![a-z])(?:will|shall|won't|let's|plan(?:s|ning)? to|(?:want|hope|intend|mean|have|has|need)s? to"
    r"|can't wait|looking forward to|see (?:you|ya)|due|(?:is|are|am) going(?: to)?)"
    r"|'(?:ll|re going|m going|s going to))"
    r"(?![a-z])(?: not)?(?: be| have)?(?: [a-z]+)?"
)
_SENTENCE_END = re.compile(r"[.!?;\n]")
_CLAUSE = 60


def tense_of(line: str, start: int, end: int) -> Tense:
    """The tense of the sentence around a place, as far as some ten words away."""
    first = max(0, start - _CLAUSE)
    for stop in _SENTENCE_END.finditer(line, first, start):
        first = stop.end()
    if _PLANNED.search(line, first, start):
        return Tense.COMING
    past, coming = _last(_PAST, line, first, start), _last(_COMING, line, first, start)
    if past is None and coming is None:
        stop_after = _SENTENCE_END.search(line, end, end + _CLAUSE)
        last = stop_after.start() if stop_after else end + _CLAUSE
        over, ahead = _PAST.search(line, end, last), _COMING.search(line, end, last)
        past, coming = -over.start() if over else None, -ahead.start() if ahead else None
    if coming is not None and (past is None or coming >= past):
        return Tense.COMING
    return Tense.OPEN if past is None else Tense.PAST


def _last(pattern: re.Pattern[str], line: str, first: int, end: int) -> int | None:
    """Where the last match ends."""
    return max((match.end() for match in pattern.finditer(line, first, end)), default=None)
