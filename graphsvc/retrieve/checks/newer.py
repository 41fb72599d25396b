"""Whether a later memory replaces an earlier one in answer to a question.

Both must speak of the same slot, and the later one must say that something changed, ended or was wrong, or come
from the same mouth with another value. Likeness, and being later, do nothing by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphsvc.models.answer import Value
from graphsvc.models.facts import Polarity
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks import words
from graphsvc.retrieve.checks.agreement import Relation, relate
from graphsvc.retrieve.checks.asked import WHERE, asked_kind
from graphsvc.retrieve.checks.open_slot import OPEN, places
from graphsvc.retrieve.checks.slots import other_thing, swapped
from graphsvc.retrieve.checks.statements import Statement, asked_words, build, clauses, names_in
from graphsvc.retrieve.checks.values import values_of
from ontology.model import ValueKind

_TYPED = (ValueKind.AMOUNT, ValueKind.TIME, ValueKind.IDENTIFIER)
_FEWEST_SHARED = 2


def newer_of_same_slot(a: Memory, b: Memory, question: Question) -> bool | None:
    """Whether `b` replaces `a` for this question; False where it speaks of another thing, None where neither shows.

    `b` must be later than `a`. The two must be tied by their talk, thread or sender, or share two words.
    """
    if b.event_time <= a.event_time:
        return None
    kind = asked_kind(question)
    changes = _changes(a, b, question, kind)
    earlier = _told(a, clauses(a.text), question, kind)
    later = _told(b, changes or clauses(b.text), question, kind)
    if not _tied(a, b, earlier, later):
        return None
    by_time = kind is not ValueKind.TIME
    if other_thing(earlier, later, question, by_time=by_time) or swapped(earlier, later, question):
        return False
    if not (earlier.stated and later.stated):
        return None
    if changes and _same_topic(earlier, later, question):
        return True
    if any(relate(a, b, question, typed).relation is Relation.NEWER for typed in _TYPED):
        return True
    return None


def _changes(a: Memory, b: Memory, question: Question, kind: ValueKind) -> tuple[tuple[int, int], ...]:
    """The clauses of `b` that tell of a change: by a word of change, a claim that something ended, "now" or "new"."""
    ended = [claim for claim in b.facts.claims if claim.polarity is Polarity.CEASED]
    values = _values(b, question, kind)
    values += [one for typed in _TYPED if values_of(a, typed) for one in values_of(b, typed)]
    return tuple(
        span
        for span in clauses(b.text)
        if words.CHANGE.search(b.text, *span)
        or (words.NOW.search(b.text, *span) and (_any(values, span) or _says_alike(a, b, span)))
        or (words.NEW.search(b.text, *span) and (_any(values, span) or _heads_value(values, b, span)))
        or any(claim.start < span[1] and span[0] < claim.end for claim in ended)
    )


def _any(values: Sequence[Value], span: tuple[int, int]) -> bool:
    return any(span[0] <= value.start < span[1] for value in values)


def _heads_value(values: Sequence[Value], memory: Memory, span: tuple[int, int]) -> bool:
    """Whether a clause ends in a colon before a value: "New password: cedar-8820"."""
    return memory.text[span[1] : span[1] + 1] in {":", "："} and any(value.start > span[1] for value in values)


def _says_alike(a: Memory, b: Memory, span: tuple[int, int]) -> bool:
    """Whether a clause shares a word with `a` that names nobody."""
    names = {mention.key for mention in (*a.facts.mentions, *b.facts.mentions)}
    common = words.shared(words.words_in(b.text, span), words.content_words(a.text))
    return any(word not in names for word in common)


def _values(memory: Memory, question: Question, kind: ValueKind) -> list[Value]:
    """The values the question asks for; they are no part of what a clause is about."""
    found = places(memory, question) if WHERE.search(question.text) else values_of(memory, kind)
    return [value for value in found if value.text.casefold() not in question.text.casefold()]


def _told(memory: Memory, spans: Sequence[tuple[int, int]], question: Question, kind: ValueKind) -> Statement:
    """The one of some clauses that shares most words with the question, values taken out."""
    span = _best(memory, spans, question)
    values = _values(memory, question, kind)
    became = words.BECAME.search(memory.text, *span)
    if became is not None and became.end() < span[1]:
        start, end = became.end(), span[1]
        values.append(Value(type=OPEN, text=memory.text[start:end], start=start, end=end))
    told = build(memory, span, tuple(values))
    bare = not words.words_in(memory.text, span, [(time.start, time.end) for time in memory.facts.times])
    # What else the memory tells has dates of its own; a clause that holds a date alone tells the new one.
    here = names_in(memory, span)
    return replace(
        told,
        names=tuple(one for one in told.names if one[1] in here),
        periods=() if bare else tuple(t for t in told.periods if span[0] <= t.start < span[1]),
    )


def _best(memory: Memory, spans: Sequence[tuple[int, int]], question: Question) -> tuple[int, int]:
    asked = asked_words(question.text)
    return max(spans, key=lambda s: (len(words.shared(asked, words.words_in(memory.text, s))), -s[0]))


def _tied(a: Memory, b: Memory, earlier: Statement, later: Statement) -> bool:
    """Whether the talk, the thread, the mouth, or words in common tie two memories."""
    same = ((a.conversation_id, b.conversation_id), (a.thread_root_id, b.thread_root_id), (a.sender, b.sender))
    return any(one is not None and one == other for one, other in same) or (
        len(words.shared(earlier.around, later.around)) >= _FEWEST_SHARED
    )


def _same_topic(earlier: Statement, later: Statement, question: Question) -> bool:
    """A word or name that both texts hold, or a word of the question in each."""
    if words.shared(later.around, earlier.around) or _names_shared(earlier, later):
        return True
    asked = asked_words(question.text)
    return bool(words.shared(asked, later.around)) and bool(words.shared(asked, earlier.around))


def _names_shared(earlier: Statement, later: Statement) -> bool:
    return bool({key for _, key in earlier.names} & {key for _, key in later.names})
