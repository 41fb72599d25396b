"""What a session asked last, and what a question that leans on it means when it is written out.

The session is nothing but its last traces, read anew each time, so the service keeps no state of its own
and a session of another namespace is unknown. What stands on its own carries nothing over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphsvc.language.segment import query_tokens
from graphsvc.models.answer import Rewrite, RewriteKind, Trace
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import Memory
from graphsvc.models.question import Question, Route
from graphsvc.retrieve.ask import MAX_QUESTION_CHARS
from graphsvc.retrieve.ladder import leaning
from graphsvc.retrieve.ladder.wording import has_han
from graphsvc.store.traces import Traces

REMEMBERED = 5
_PERSON = "person"
# What a question is about, when it names it.
_NAMED = frozenset({"organisation", "product", "place", "identifier", "document", "event", "animal", "vehicle"})
_MOST_CARRIED = 6


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of the session, and the memory that answered it where one was accepted."""

    question: Question
    answered_by: Memory | None = None

    @property
    def people(self) -> tuple[str, ...]:
        """Whom it named, as it named them, whoever asked left out."""
        question = self.question
        named = [person.name for person in question.people if person.name in question.text]
        named += [mention.text for mention in question.mentions if mention.type == _PERSON]
        return tuple(name for name in dict.fromkeys(named) if name != "I")


@dataclass(frozen=True, slots=True)
class Preference:
    """What the session's earlier evidence stood in: a soft leaning, never a filter."""

    memories: frozenset[MemoryId] = frozenset()
    conversations: frozenset[str] = frozenset()
    threads: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()

    def prefers(self, memory: Memory) -> bool:
        """Whether a memory is earlier evidence, or stands in its conversation, thread or file."""
        source = None if memory.source is None else memory.source.file
        return (
            memory.id in self.memories
            or memory.conversation_id in self.conversations
            or memory.thread_root_id in self.threads
            or source in self.files
        )


@dataclass(frozen=True, slots=True)
class Completed:
    """A question written out; `text` is the question's own where nothing was carried."""

    text: str
    rewrites: tuple[Rewrite, ...] = ()
    prefer: Preference = field(default_factory=Preference)


def last_turns(traces: Traces, namespace: str, session_id: str | None) -> tuple[Turn, ...]:
    """The last questions of a session of this namespace, newest first; none of an unknown one."""
    if session_id is None:
        return ()
    return tuple(_turn(trace) for trace in traces.recent(namespace, session_id, REMEMBERED))


def complete(question: Question, turns: Sequence[Turn]) -> Completed:
    """Write out a question that leans on the session; `turns` newest first.

    What is written out is no longer than a question may be: of the carried words those that fit come along.
    """
    leans = question.route is Route.FOLLOW_UP or (leaning.elliptic(question.text) and not Turn(question).people)
    if not leans or question.identifiers or not turns:
        return Completed(question.text)
    turn = _meant(question, turns)
    swapped = _swapped(question, turn, turns)
    if swapped is not None:
        return Completed(swapped.replacement, (swapped,), _preference(turn))
    text, rewrites = _with_names(question, turn)
    carried = _carried(question, turn, text)
    han = has_han(question.text)
    while carried and not _fits(leaning.beside(text, carried, han=han)):
        carried = carried[:-1]
    if carried:
        rewrites.append(Rewrite(kind=RewriteKind.FOLLOW_UP, original="", replacement=" ".join(carried)))
        text = leaning.beside(text, carried, han=han)
    return Completed(text, tuple(rewrites), _preference(turn))


def _fits(text: str) -> bool:
    return len(text) <= MAX_QUESTION_CHARS


def _turn(trace: Trace) -> Turn:
    """What answered is what was handed out first; once that was deleted nothing did."""
    first = trace.accepted[0] if trace.accepted else None
    return Turn(trace.question, next((one.memory for one in trace.candidates if one.memory.id == first), None))


def _meant(question: Question, turns: Sequence[Turn]) -> Turn:
    """The turn whose question and answer share most words with this one; the last where none does.

    "What about …" goes on with the last: the words it brings are those the turn it means does not have.
    """
    if leaning.swap_of(question.text) is not None:
        return turns[0]
    asked = set(query_tokens(question.text))
    shared = [len(asked & _words_of(turn)) for turn in turns]
    return turns[shared.index(max(shared))]


def _words_of(turn: Turn) -> set[str]:
    answered = "" if turn.answered_by is None else turn.answered_by.text
    return set(query_tokens(turn.question.text)) | set(query_tokens(answered) if answered else ())


def _swapped(question: Question, turn: Turn, turns: Sequence[Turn]) -> Rewrite | None:
    """The earlier question with one piece exchanged: "what about 李娜", "那上个月呢", "what about hers"."""
    named = leaning.swap_of(question.text)
    if named is None:
        return None
    before = turn.question
    text = None
    own = Turn(question).people
    others = [name for name in _people_of(turns) if name not in turn.people]
    if leaning.is_pronoun(named) and turn.people and len(others) == 1:
        text = before.text.replace(turn.people[0], others[0])
    elif own and turn.people:
        text = before.text.replace(turn.people[0], own[0])
    elif question.times and before.times:
        text = before.text.replace(before.times[0].text, question.times[0].text)
    if text is None or text == before.text or not _fits(text):
        return None
    return Rewrite(kind=RewriteKind.FOLLOW_UP, original=question.text, replacement=text)


def _people_of(turns: Sequence[Turn]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for turn in turns for name in turn.people))


def _with_names(question: Question, turn: Turn) -> tuple[str, list[Rewrite]]:
    """The question with its pronouns replaced, where it names nobody itself and only one can be meant."""
    if Turn(question).people or len(turn.people) != 1:
        return question.text, []
    text, found = leaning.named(question.text, turn.people[0])
    if not _fits(text):
        return question.text, []
    return text, [Rewrite(kind=RewriteKind.FOLLOW_UP, original=old, replacement=new) for old, new in found]


def _carried(question: Question, turn: Turn, text: str) -> tuple[str, ...]:
    """What the earlier question named, people included, else its words; nothing that is in the text already."""
    before = turn.question
    names = [] if Turn(question).people else list(turn.people)
    things = [mention.text for mention in before.mentions if mention.type in _NAMED]
    subject = leaning.subject_words(before.text)
    # "金额呢" takes the place of what was asked of the same thing, which is said last: 李娜的合同编号.
    subject = subject[:-1] if _asks_anew(question, before) else subject
    words = [*names, *things] if things else [*names, *subject]
    folded = text.casefold()
    fresh = [word for word in dict.fromkeys(words) if word.casefold() not in folded]
    return tuple(word for word in fresh if not any(word != other and word in other for other in fresh))[:_MOST_CARRIED]


def _asks_anew(question: Question, before: Question) -> bool:
    """Whether "…呢" or "and the …" asks, by its own words, for another kind of thing than the question before."""
    told = question.query_type_probability == 1.0 and question.query_type != before.query_type
    return told and leaning.swap_of(question.text) is not None


def _preference(turn: Turn) -> Preference:
    memory = turn.answered_by
    if memory is None:
        return Preference()
    source = None if memory.source is None else memory.source.file
    return Preference(
        memories=frozenset({memory.id}),
        conversations=frozenset(() if memory.conversation_id is None else (memory.conversation_id,)),
        threads=frozenset(() if memory.thread_root_id is None else (memory.thread_root_id,)),
        files=frozenset(() if source is None else (source,)),
    )
