"""Whether an English sentence speaks of what is over or of what is to come.

The verb that governs a time tells: the last one before it in its own clause, or else the first one after it there:
"I said I'll see you at Christmas", "the wedding is on 25 October, the hotel confirmed it". Where its own clause has
none, that of a clause beside it may make it to come, and never past. A verb group counts as one: "will be closed" is
to come. What was moved, planned, booked or announced may lie on either side of now, whatever the tense of its verb.
"""

from __future__ import annotations

import re

from graphsvc.language.times.frame import Tense

_IRREGULAR = (
    "was|were|did|had|went|met|said|sent|got|made|took|saw|came|left|paid|told|gave"
    "|bought|spoke|wrote|ate|held|lost|ran|found|felt|kept|began|heard|sold|won|brought|thought|flew|drove|spent"
    "|taught|caught|wore|drank|sang|swam|slept|drew|grew|knew|rode|broke|chose|fell|threw|woke|stood|became|forgot"
    "|built|dealt|led|fought|sat|understood"
)
_PAST = rf"(?<!\b(?:is|be) )(?<!\bare )\b(?:{_IRREGULAR}|(?!hundred|need)[a-z]{{3,}}ed)\b"
# What is arranged is still to come, whatever its verb's tense: "moved the review to Friday".
_ARRANGED = (
    r"moved|postponed|rescheduled|scheduled|pushed|delayed|deferred|shifted|brought forward|planned|booked|set|due"
    r"|agreed|promised|expected|arranged|put off|confirmed|announced|reserved|fixed|proposed|invited|changed"
)
_PLANNED = re.compile(rf"\b(?:{_ARRANGED})\b[^.!?;\n]{{0,50}}?\b(?:to|until|till|for|by) (?:the )?$")
# The verb itself, in any voice: of what was called off, only that it had been planned is known.
_ARRANGING = (
    r"(?:\b(?:have|has|had|was|were|is|are|got|gets) |'s )?(?:being |been )?"
    rf"\b(?:called off|cancell?ed|scrapped|{_ARRANGED})\b"
)
_COMING = (
    r"(?:(?<![a-z])(?:will|shall|won't|let's|plan(?:s|ning)? to|(?:want|hope|intend|mean|have|has|need)s? to"
    r"|can't wait|looking forward to|see (?:you|ya)|due|(?:is|are|am) going(?: to)?)"
    r"|'(?:ll|re going|m going|s going to))"
    r"(?![a-z])(?: not)?(?: be| have)?(?: [a-z]+)?"
)
_STATED = (
    r"(?<![a-z])(?:is|are|am|isn't|aren't)(?![a-z])|(?<=[a-z])'(?:s|re|m)(?= (?:on|in|at|from|now|the|still|not)\b)"
)
_VERB = re.compile(rf"(?P<coming>{_COMING})|(?P<arranged>{_ARRANGING})|(?P<past>{_PAST})|(?P<stated>{_STATED})")
_SENTENCE_END = re.compile(r"[.!?;\n]")
_CLAUSE_END = re.compile(
    r",|[()]| - | — |(?<![a-z])(?:because|since|although|though|but|so|while|whereas|which|who|whom|that|after|before"
    r"|when|until|as|if)(?![a-z])"
)
# Nothing but a preposition before a time: it opens its sentence, and the clause behind its comma is its own.
_OPENS = re.compile(
    r"\W*(?:(?:and|but|so|then|well)\W+)?(?:(?:on|in|at|by|for|since|during|over|last|from)\W+)?(?:the\W+)?"
)
_CLAUSE = 60
_TENSES = {"coming": Tense.COMING, "arranged": Tense.OPEN, "past": Tense.PAST, "stated": Tense.OPEN}


def tense_of(line: str, start: int, end: int) -> Tense:
    """The tense of the clause around a place, as far as some ten words away."""
    first = max(0, start - _CLAUSE)
    for stop in _SENTENCE_END.finditer(line, first, start):
        first = stop.end()
    if _PLANNED.search(line, first, start):
        return Tense.COMING
    stop_after = _SENTENCE_END.search(line, end, end + _CLAUSE)
    last = stop_after.start() if stop_after else min(len(line), end + _CLAUSE)
    own = max((stop.end() for stop in _CLAUSE_END.finditer(line, first, start)), default=first)
    own_end = _own_end(line, first, start, (end, last))
    found = _last(line, own, start) or _first(line, end, own_end)
    if found is None and Tense.COMING in {_last(line, first, own), _first(line, own_end, last)}:
        return Tense.COMING
    return found or Tense.OPEN


def _own_end(line: str, first: int, start: int, after: tuple[int, int]) -> int:
    """Where the clause of a time ends; that of a time that opens its sentence reaches over its comma."""
    place, last = after
    if _OPENS.fullmatch(line, first, start):
        comma = re.compile(r"\W*").match(line, place)
        place = comma.end() if comma and comma.end() <= last else place
    stop = _CLAUSE_END.search(line, place, last)
    return stop.start() if stop else last


def _last(line: str, first: int, end: int) -> Tense | None:
    kinds = [found.lastgroup for found in _VERB.finditer(line, first, end)]
    return _TENSES[kinds[-1] or "stated"] if kinds else None


def _first(line: str, first: int, end: int) -> Tense | None:
    found = _VERB.search(line, first, end)
    return None if found is None else _TENSES[found.lastgroup or "stated"]
