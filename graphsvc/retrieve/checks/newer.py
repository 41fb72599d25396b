"""Whether a later memory replaces an earlier one in answer to a question.

Both must speak of the same slot, and the later one must say that something changed, ended or was wrong, or come
from the same mouth with another value. Likeness, and being later, do nothing by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphsvc.change import words
from graphsvc.change.stated import Statement, build, clauses, names_in
from graphsvc.change.values import values_of
from graphsvc.language.change import CHANGE
from graphsvc.models.answer import Value
from graphsvc.models.base import MemoryId
from graphsvc.models.facts import Polarity
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question
from graphsvc.retrieve.checks.agreement import Reader, Relation
from graphsvc.retrieve.checks.asked import WHERE, asked_kind
from graphsvc.retrieve.checks.open_slot import OPEN, places
from graphsvc.retrieve.checks.slots import other_thing, swapped
from graphsvc.retrieve.checks.statements import asked_words
from ontology.model import ValueKind

Spans = tuple[tuple[int, int], ...]

_TYPED = (ValueKind.AMOUNT, ValueKind.TIME, ValueKind.IDENTIFIER)
_FEWEST_SHARED = 2


@dataclass(frozen=True, slots=True)
class _Marked:
    """A clause that may tell of a change: it does, or it has "now" or "new" in it, which alone say nothing."""

    span: tuple[int, int]
    changes: bool
    now: bool
    new: bool


@dataclass(frozen=True, slots=True)
class Replacing:
    """Asks of pairs of memories whether one replaces the other; each is read once for the question, told by its id."""

    question: Question
    kind: ValueKind
    _values: dict[MemoryId, list[Value]] = field(default_factory=dict)
    _told: dict[tuple[MemoryId, Spans], Statement] = field(default_factory=dict)
    _marked: dict[MemoryId, tuple[_Marked, ...]] = field(default_factory=dict)
    _readers: dict[ValueKind, Reader] = field(default_factory=dict)

    @classmethod
    def of(cls, question: Question) -> Replacing:
        return cls(question, asked_kind(question))

    def replaces(self, b: Memory, a: Memory) -> bool:
        """Whether `b` is sure to replace `a`: `newer`, the costly looks spared where nothing tells of a change."""
        if b.event_time <= a.event_time:
            return False
        told = any(self._reader(typed).tells(a) and self._reader(typed).tells(b) for typed in _TYPED)
        return (told or bool(self._changes(a, b))) and self.newer(a, b) is True

    def newer(self, a: Memory, b: Memory) -> bool | None:
        """Whether `b` replaces `a`; False where it speaks of another thing, None where neither shows.

        `b` must be later than `a`. The two must be tied by their talk, thread or sender, or share two words or
        all asked.
        """
        if b.event_time <= a.event_time:
            return None
        question = self.question
        changes = self._changes(a, b)
        earlier, later = self._read(a, clauses(a.text)), self._read(b, changes or clauses(b.text))
        if not (_tied(a, b, earlier, later) or _all_asked(earlier, later, question)):
            return None
        by_time = self.kind is not ValueKind.TIME
        if other_thing(earlier, later, question, by_time=by_time) or swapped(earlier, later, question):
            return False
        if not (earlier.stated and later.stated):
            return None
        if changes and _same_topic(earlier, later, question):
            return True
        if any(self._reader(typed).relate(a, b).relation is Relation.NEWER for typed in _TYPED):
            return True
        return None

    def _changes(self, a: Memory, b: Memory) -> Spans:
        """The clauses of `b` that tell of a change: by a word of change, a claim that something ended, "now", "new"."""
        marked = self._marks(b)
        values: list[Value] = []
        if any(one.now or one.new for one in marked):
            values += self._wanted(b)
            values += [one for typed in _TYPED if values_of(a, typed) for one in values_of(b, typed)]
        return tuple(
            one.span
            for one in marked
            if one.changes
            or (one.now and (_any(values, one.span) or _says_alike(a, b, one.span)))
            or (one.new and (_any(values, one.span) or _heads_value(values, b, one.span)))
        )

    def _marks(self, memory: Memory) -> tuple[_Marked, ...]:
        if memory.id not in self._marked:
            self._marked[memory.id] = _marks(memory)
        return self._marked[memory.id]

    def _wanted(self, memory: Memory) -> list[Value]:
        if memory.id not in self._values:
            self._values[memory.id] = _values(memory, self.question, self.kind)
        return self._values[memory.id]

    def _read(self, memory: Memory, spans: Spans) -> Statement:
        if (memory.id, spans) not in self._told:
            self._told[memory.id, spans] = _told(memory, spans, self.question, self._wanted(memory))
        return self._told[memory.id, spans]

    def _reader(self, typed: ValueKind) -> Reader:
        if typed not in self._readers:
            self._readers[typed] = Reader(self.question, asked_kind(self.question, typed))
        return self._readers[typed]


def _marks(memory: Memory) -> tuple[_Marked, ...]:
    """The clauses with a word of change, with "now" or "new", or of a claim that something ended."""
    text = memory.text
    ended = [claim for claim in memory.facts.claims if claim.polarity is Polarity.CEASED]
    found = []
    for span in clauses(text):
        changes = CHANGE.search(text, *span) is not None or any(
            claim.start < span[1] and span[0] < claim.end for claim in ended
        )
        now, new = (pattern.search(text, *span) is not None for pattern in (words.NOW, words.NEW))
        if changes or now or new:
            found.append(_Marked(span, changes, now, new))
    return tuple(found)


def newer_of_same_slot(a: Memory, b: Memory, question: Question) -> bool | None:
    """Whether `b` replaces `a` for this question, as `Replacing.newer` tells."""
    return Replacing.of(question).newer(a, b)


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


def _told(memory: Memory, spans: Spans, question: Question, asked: Sequence[Value]) -> Statement:
    """The one of some clauses that shares most words with the question, values taken out."""
    span = _best(memory, spans, question)
    values = list(asked)
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


def _all_asked(earlier: Statement, later: Statement, question: Question) -> bool:
    """Whether every word of the question stands in both, so that a short one ties by a single word."""
    asked = asked_words(question.text)
    return bool(asked) and not words.apart(asked, earlier.around) and not words.apart(asked, later.around)


def _same_topic(earlier: Statement, later: Statement, question: Question) -> bool:
    """A word or name that both texts hold, or a word of the question in each."""
    if words.shared(later.around, earlier.around) or _names_shared(earlier, later):
        return True
    asked = asked_words(question.text)
    return bool(words.shared(asked, later.around)) and bool(words.shared(asked, earlier.around))


def _names_shared(earlier: Statement, later: Statement) -> bool:
    return bool({key for _, key in earlier.names} & {key for _, key in later.names})
