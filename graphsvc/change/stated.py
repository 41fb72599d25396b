"""One clause of a memory as a statement: its values, its frame, whose it is, when it holds, who says so.

The frame is what is left of the clause without values, times, names and source: which attribute of what.
Names, codes and periods beside it say whose and when. Nothing is compared here, and nothing is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphsvc.change import words
from graphsvc.language.aliases import address_parts
from graphsvc.language.normalise import fold_key
from graphsvc.models.answer import Value
from graphsvc.models.facts import Certainty, Claim, HolderKind, TimeExpression
from graphsvc.models.memory import Memory

_CUT = re.compile(r"[,，](?!\d{3}(?!\d))|[。；;！!？?\n]|\.(?=\s|$)|[:：](?!\d)|\bso\b|\bbut\b")
_END = re.compile(r"[。；;！!？?\n]|\.(?=\s|$)|$")
_ASKING = re.compile(r"[?？]|吗\s*$|行不行|好不好|可以吗|\bshall we\b|\bcould we\b", re.IGNORECASE)
_SUPPOSING = re.compile(
    r"如果|(?<![主只需重])要是|假如|万一|除非|的话|\bif\b|\bunless\b|\bin case\b|\bwould\b", re.IGNORECASE
)
_SELF = re.compile(r"我(?![们方司国校])|咱(?!们)|本人|\b(?:i|i'm|i've|my|me|mine)\b", re.IGNORECASE)
_NAMES = frozenset({"person", "organisation", "place", "product"})
_CODES = frozenset({"identifier", "ip", "phone", "email", "url"})
_DIGIT = re.compile(r"\d")
_UNSTATED = frozenset({Certainty.ASKED, Certainty.HYPOTHETICAL})


@dataclass(frozen=True, slots=True)
class Statement:
    """`values` are those of the asked-for kind in `clause`, a span of the memory's text.

    `frame` are the words of the clause, `around` those of the whole text, `whole` the same with nothing masked;
    `names` are folded names, by entity type; `codes` identifiers and words with figures; `holders` the claims of the
    clause that name whose fact it is; `source` who says so, None where nothing tells.
    """

    memory: Memory
    clause: tuple[int, int]
    values: tuple[Value, ...]
    frame: tuple[str, ...]
    around: tuple[str, ...]
    whole: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    codes: frozenset[str]
    periods: tuple[TimeExpression, ...]
    holders: tuple[Claim, ...]
    source: str | None
    reporter: str | None
    stated: bool

    @property
    def text(self) -> str:
        return self.memory.text[slice(*self.clause)]


@lru_cache(maxsize=2048)
def clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Spans between commas, stops and colons that are not inside a number or a clock time."""
    cuts = [0, *(place for found in _CUT.finditer(text) for place in found.span()), len(text)]
    spans = zip(cuts[::2], cuts[1::2], strict=True)
    return tuple((start, end) for start, end in spans if text[start:end].strip()) or ((0, len(text)),)


def names_in(memory: Memory, span: tuple[int, int]) -> frozenset[str]:
    """The folded names and codes mentioned inside a span."""
    return frozenset(m.key for m in memory.facts.mentions if span[0] <= m.start < span[1])


def build(memory: Memory, clause: tuple[int, int], values: tuple[Value, ...]) -> Statement:
    """The statement of one clause; one without a frame of its own takes that of the clause before it."""
    text = memory.text
    spans = clauses(text)
    place = spans.index(clause) if clause in spans else 0
    report = words.reported(text, spans[max(place - 1, 0)][0], clause[1]) or words.reported(text)
    masks = [(value.start, value.end) for value in values]
    if report is not None:
        masks.append(report[1])
    masks += [(time.start, time.end) for time in memory.facts.times]
    start = clause[0]
    frame = words.words_in(text, (start, clause[1]), masks)
    if not frame and place and not _is_header(text, spans[place - 1]):
        start = spans[place - 1][0]
        frame = words.words_in(text, (start, clause[1]), masks)
    return Statement(
        memory=memory,
        clause=clause,
        values=values,
        frame=frame,
        around=words.words_in(text, (0, len(text)), masks),
        whole=words.content_words(text),
        names=_names(memory, masks),
        codes=_codes(memory, frame, masks),
        periods=_periods(memory, clause, values),
        holders=_holders(memory, (start, clause[1]), masks[: len(values) + (report is not None)]),
        source=_source(memory, report),
        reporter=None if report is None else report[0],
        stated=_stated(memory, clause),
    )


def _names(memory: Memory, masks: Sequence[tuple[int, int]]) -> tuple[tuple[str, str], ...]:
    """Names that are neither a value nor the source."""
    head = words.header(memory.text)
    masked = words.masked_by(memory.text, masks)
    return tuple(
        (mention.type, mention.key)
        for mention in memory.facts.mentions
        if mention.type in _NAMES
        and not masked[mention.start]
        and not (head is not None and mention.start < len(head) + 1)
    )


def _codes(memory: Memory, frame: Sequence[str], masks: Sequence[tuple[int, int]]) -> frozenset[str]:
    masked = words.masked_by(memory.text, masks)
    shaped = {mention.key for mention in memory.facts.mentions if mention.type in _CODES and not masked[mention.start]}
    amounts = {amount.text.casefold() for amount in memory.facts.amounts}
    models = {word for word in frame if _DIGIT.search(word) and not word.isdigit() and word not in amounts}
    return frozenset(shaped | models)


def _holders(memory: Memory, span: tuple[int, int], masks: Sequence[tuple[int, int]]) -> tuple[Claim, ...]:
    """Claims that name whose fact they tell; a speaker nobody names, and who only reports, is no holder."""
    return tuple(
        claim
        for claim in memory.facts.claims
        if claim.start < span[1]
        and span[0] < claim.end
        and (
            (claim.holder.kind is HolderKind.OTHER and (claim.holder.relation or claim.holder.key) and not claim.quoted)
            or (claim.holder.kind is HolderKind.SPEAKER and _SELF.search(memory.text[claim.start : claim.end]))
        )
        and not any(claim.holder.start is not None and _inside(claim.holder.start, mask) for mask in masks)
    )


def _periods(memory: Memory, clause: tuple[int, int], values: Sequence[Value]) -> tuple[TimeExpression, ...]:
    """The times said in the clause or before it that are no value themselves; what follows has dates of its own."""
    taken = words.masked_by(memory.text, [(value.start, value.end) for value in values])
    return tuple(time for time in memory.facts.times if time.start < clause[1] and not taken[time.start])


def _is_header(text: str, span: tuple[int, int]) -> bool:
    return span[0] == 0 and text[span[1] : span[1] + 1] in {":", "："}


def _inside(place: int, span: tuple[int, int]) -> bool:
    return span[0] <= place < span[1]


def _source(memory: Memory, report: tuple[str, tuple[int, int]] | None) -> str | None:
    """Who vouches: the one quoted, the one whose line it is, else the sender."""
    if report is not None:
        return report[0]
    if memory.sender is not None:
        parts = address_parts(memory.sender)
        return fold_key(parts.address or parts.name or memory.sender)
    head = words.header(memory.text)
    return None if head is None else fold_key(head)


def _stated(memory: Memory, clause: tuple[int, int]) -> bool:
    """Whether the clause is put forward as so: neither asked nor supposed."""
    text = memory.text
    end = _END.search(text, clause[1])
    around = text[clause[0] : len(text) if end is None else end.end()]
    claims = [claim for claim in memory.facts.claims if claim.start < clause[1] and clause[0] < claim.end]
    if _ASKING.search(around) or _SUPPOSING.search(around):
        return False
    return not (claims and all(claim.certainty in _UNSTATED for claim in claims))
