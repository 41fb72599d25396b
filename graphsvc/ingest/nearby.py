"""Which memories a new one may bear on: the turns around it in its talk, and those that share its rare words.

A talk is a conversation, or a thread where no conversation is named. What comes with the same batch counts as
stored. Nothing is judged here; what is found is only near enough to be read together.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from graphsvc.change.stated import clauses
from graphsvc.change.words import content_words, shared, words_in
from graphsvc.language.segment import index_tokens
from graphsvc.language.stopwords import STOP_WORDS
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory, MemoryFields
from graphsvc.store.base import Selection, Store, Where
from graphsvc.store.filters import Op, both, compare, either, eq

TURNS = 24
# A short turn is read against the few before it; what lies further back is not between two turns.
BETWEEN = 8
ALIKE = 24
# Words a memory is looked up by, its rarest; more find the same ones at a higher price.
_WORDS = 10
# A word that more memories than this hold, and more than a tenth of all, tells nothing of what they speak of.
_COMMON = 200
# Outside a talk a name or a single word in common says nothing: of 23 pairs related across talks of the stories, the 4
# of one subject shared a quarter of the shorter text's words or more, of the other 19 all but 3 shared less.
_SHARE = 0.25
# Long texts speak of many things; so many words in common may be one of them.
_MANY = 4
_FEW_CLAUSES = 3
_FIRST_SPAN = timedelta(hours=1)
_MOST_TURNS = 512
# Turns of one moment are ordered by id, which pages of it cannot be cut by.
_SAME_MOMENT = 32

Said = tuple[datetime, str]
Talk = tuple[str, str]


def said(memory: Memory) -> Said:
    """A memory's place in its talk."""
    return memory.event_time, memory.id


def tokens_of(given: MemoryFields) -> tuple[str, ...]:
    """Search tokens of a memory: its text's, and its sender's name; an address is found by its own field."""
    named = () if given.sender is None or "@" in given.sender else index_tokens(given.sender)
    return (*index_tokens(given.text), *named)


def enough_in_common(one: str, other: str) -> bool:
    """Whether two texts of different talks may speak of one thing: a word of four they share, as the shorter counts.

    Of short texts a clause of each is enough; what else they say need not be of the same thing.
    """
    some, others = content_words(one), content_words(other)
    common = len(shared(some, others))
    if not common:
        return False
    if common >= _MANY or common >= _SHARE * min(len(some), len(others)):
        return True
    if max(len(clauses(one)), len(clauses(other))) > _FEW_CLAUSES:
        return False
    mine, theirs = ([words_in(text, span) for span in clauses(text)] for text in (one, other))
    return any(_of_one_clause(left, right, one, other) for left in mine for right in theirs if left and right)


def _of_one_clause(left: Sequence[str], right: Sequence[str], one: str, other: str) -> bool:
    common = shared(left, right)
    named = [word for word in common if word.isascii() and word.capitalize() in one and word.capitalize() in other]
    return len(common) > len(named) and len(common) >= _SHARE * min(len(left), len(right))


def talk_of(memory: Memory) -> Talk:
    """The talk a memory is part of; the first mail of a thread may not name the thread, and starts one."""
    if memory.conversation_id is not None:
        return "conversation_id", memory.conversation_id
    return "thread_root_id", memory.thread_root_id or memory.id


@dataclass(slots=True)
class _Turns:
    """A stretch of a talk, in the order in which it was said; what was said before `complete_from` may be missing."""

    complete_from: Said
    places: list[Said] = field(default_factory=list)
    memories: dict[Said, Memory] = field(default_factory=dict)

    def put(self, memory: Memory) -> None:
        place = said(memory)
        if place not in self.memories:
            insort(self.places, place)
        self.memories[place] = memory

    def before(self, place: Said, *, most: int = TURNS) -> list[Memory]:
        end = bisect_left(self.places, place)
        return [self.memories[one] for one in self.places[max(end - most, 0) : end]]

    def after(self, place: Said) -> list[Memory]:
        start = bisect_left(self.places, place)
        start += place in self.memories
        return [self.memories[one] for one in self.places[start : start + TURNS]]


@dataclass(slots=True)
class Nearby:
    """Finds for one batch of one namespace; `fresh` are its memories with their search tokens, stored or not."""

    store: Store
    namespace: str
    fresh: Mapping[MemoryId, Memory]
    tokens: Mapping[MemoryId, Sequence[str]]
    _talks: dict[Talk, _Turns] = field(default_factory=dict)
    _counts: Mapping[str, int] = field(default_factory=dict)
    _holding: dict[str, list[MemoryId]] = field(default_factory=dict)
    _everything: Selection | None = None
    _leads: dict[tuple[Talk, Said], list[Memory]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        by_talk: dict[Talk, list[Memory]] = defaultdict(list)
        for memory in self.fresh.values():
            by_talk[talk_of(memory)].append(memory)
        for talk, members in by_talk.items():
            self._talks[talk] = self._stretch(talk, members)
        words = {one: _content(tokens) for one, tokens in self.tokens.items()}
        self.tokens = words
        self._everything = self.store.select(self.namespace)
        self._counts = self.store.words.known(self.namespace, {word for some in words.values() for word in some})
        holding = defaultdict(list)
        for one, some in words.items():
            for word in some:
                holding[word].append(one)
        self._holding = {word: holders for word, holders in holding.items() if len(holders) > 1}

    def of(self, memory: Memory) -> dict[MemoryId, Memory]:
        """The memories that it may bear on, or that may bear on it."""
        found = {one.id: one for one in (*self.before(memory), *self.after(memory))}
        alike = [self.fresh[one] for one in self._alike_in_batch(memory, found)]
        wanted = [one for one in self._alike_in_store(memory) if one not in found and one not in self.fresh]
        alike += self.store.get(self.namespace, wanted) if wanted else []
        found.update((one.id, one) for one in alike if enough_in_common(memory.text, one.text))
        found.pop(memory.id, None)
        return found

    def before(self, memory: Memory) -> list[Memory]:
        """The last turns before a memory of the batch, oldest first."""
        return self._talks[talk_of(memory)].before(said(memory))

    def after(self, memory: Memory) -> list[Memory]:
        """The next turns after a memory of the batch, oldest first."""
        return self._talks[talk_of(memory)].after(said(memory))

    def between(self, earlier: Memory, later: Memory) -> tuple[Memory, ...]:
        """The turns of their talk that were said between the two, the last ones when there are many."""
        talk = talk_of(later)
        if talk_of(earlier) != talk:
            return ()
        first, last = sorted((said(earlier), said(later)))
        if (talk, last) not in self._leads:
            self._leads[talk, last] = self._leading_to(talk, last)
        return tuple(one for one in self._leads[talk, last] if said(one) > first)

    def _leading_to(self, talk: Talk, place: Said) -> list[Memory]:
        """The last turns of a talk before a place in it."""
        turns = self._talks.get(talk)
        if turns is not None and turns.complete_from <= place <= turns.places[-1]:
            return turns.before(place, most=BETWEEN)
        extra = () if turns is None else turns.memories.values()
        where = both(_within(talk), compare("event_time", Op.LTE, place[0]))
        stored = self.store.page(self.namespace, where, limit=BETWEEN + _SAME_MOMENT).memories
        merged = {said(one): one for one in (*stored, *extra) if said(one) < place}
        return [merged[one] for one in sorted(merged)[-BETWEEN:]]

    def _stretch(self, talk: Talk, members: Sequence[Memory]) -> _Turns:
        """The talk from some turns before the first of the batch to some after the last."""
        first, last = min(map(said, members)), max(map(said, members))
        turns = _Turns(first)
        within = _within(talk)
        if self.store.select(self.namespace, within).count:
            before = both(within, compare("event_time", Op.LTE, first[0]))
            for one in self.store.page(self.namespace, before, limit=TURNS + len(members)).memories:
                turns.put(one)
            for one in self._later(within, first[0], last[0]):
                turns.put(one)
        for one in members:
            turns.put(one)
        return turns

    def _later(self, within: Where, first: datetime, last: datetime) -> Iterable[Memory]:
        where: Where = both(within, compare("event_time", Op.GT, first))
        count = self.store.select(self.namespace, where).count
        if count > _MOST_TURNS:
            where = self._nearest_after(within, first, last)
            count = self.store.select(self.namespace, where).count
        return self.store.page(self.namespace, where, limit=count).memories if count else ()

    def _nearest_after(self, within: Where, first: datetime, last: datetime) -> Where:
        """Pages come newest first, so a long talk is cut where enough turns follow the batch."""
        span = _FIRST_SPAN
        for _ in range(12):
            until = both(within, compare("event_time", Op.GT, first), compare("event_time", Op.LTE, last + span))
            after = both(within, compare("event_time", Op.GT, last), compare("event_time", Op.LTE, last + span))
            if self.store.select(self.namespace, after).count >= TURNS:
                return until
            span *= 4
        return both(within, compare("event_time", Op.GT, first))

    def _alike_in_batch(self, memory: Memory, taken: Mapping[MemoryId, Memory]) -> Iterator[MemoryId]:
        """Those of the batch that share its words, the rarer the better."""
        scores: dict[MemoryId, float] = defaultdict(float)
        for word in self.tokens[memory.id]:
            holders = self._holding.get(word, ())
            for one in holders:
                if one != memory.id and one not in taken:
                    scores[one] += 1.0 / (len(holders) + self._counts.get(word, 0))
        yield from sorted(scores, key=lambda one: (-scores[one], one))[:ALIKE]

    def _alike_in_store(self, memory: Memory) -> list[MemoryId]:
        if self._everything is None:
            return []
        bound = max(_COMMON, self._everything.count // 10)
        known = [word for word in self.tokens[memory.id] if 0 < self._counts.get(word, 0) <= bound]
        rare = sorted(known, key=lambda word: (self._counts[word], word))[:_WORDS]
        return [hit.id for hit in self.store.match(self._everything, rare, ALIKE)] if rare else []


def _within(talk: Talk) -> Where:
    name, value = talk
    return eq(name, value) if name == "conversation_id" else either(eq(name, value), eq("id", value))


def _content(tokens: Iterable[str]) -> tuple[str, ...]:
    """Search tokens that say something, each once; a single letter or character says too little."""
    return tuple(
        token for token in dict.fromkeys(tokens) if token not in STOP_WORDS and (len(token) > 1 or token.isdigit())
    )
