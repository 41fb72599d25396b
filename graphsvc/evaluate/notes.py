"""Read files of notes: a note in a few sentences, and questions it answers (`+`) or does not (`-`).

    @ 2025-03-04 chat
    M: The spare key hangs behind the meter, Rosa has the other one.
    +location where is the spare key
    -person who made the copies

They teach what a single note tells; `calibration/notes` holds some. They read as evaluation files do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from graphsvc.errors import FieldInvalid
from graphsvc.evaluate.files import EvaluationFile, QueryLine, read_evaluation
from graphsvc.models.base import MemoryId
from graphsvc.models.memory import MemoryInput

_SUFFIX = ".txt"
_ASKED_AFTER = timedelta(days=7)
_HEAD = re.compile(r"@ (?P<day>\d{4}-\d\d-\d\d) (?P<type>\S+)")
_QUESTION = re.compile(r"(?P<sign>[+-])(?P<type>\w+) (?P<text>.+)")


@dataclass(slots=True)
class _Note:
    told: datetime
    document_type: str
    text: list[str] = field(default_factory=list)
    questions: list[tuple[bool, str, str]] = field(default_factory=list)


def are_notes(path: Path) -> bool:
    """Whether a file is one of notes, by its suffix."""
    return path.suffix == _SUFFIX


def read_lessons(path: Path) -> EvaluationFile:
    """A file of notes or an evaluation file; raises `FieldInvalid` as either does."""
    return read_notes(path) if are_notes(path) else read_evaluation(path)


def read_notes(path: Path) -> EvaluationFile:
    """Each note is a conversation of its own. Raises `FieldInvalid` naming file and line."""
    notes: list[_Note] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        if not _taken(line.strip(), notes):
            raise FieldInvalid("is neither a note nor a question of one", where=f"{path}, line {number}")
    memories = [
        MemoryInput(
            id=MemoryId(f"{path.stem}-{place}"),
            text=" ".join(note.text),
            event_time=note.told,
            document_type=note.document_type,
            conversation_id=f"{path.stem}-{place}",
        )
        for place, note in enumerate(notes)
    ]
    queries = [
        _query(str(memory.id), note, place)
        for memory, note in zip(memories, notes, strict=True)
        for place in range(len(note.questions))
    ]
    return EvaluationFile(path, tuple(memories), tuple(queries))


def _taken(line: str, notes: list[_Note]) -> bool:
    """Whether a line could be added to what was read so far."""
    head, asked = _HEAD.fullmatch(line), _QUESTION.fullmatch(line)
    if head is not None:
        notes.append(_Note(datetime.combine(datetime.fromisoformat(head["day"]), time(9), UTC), head["type"]))
    elif notes and line.startswith("M:"):
        notes[-1].text.append(line[2:].strip())
    elif notes and asked is not None:
        notes[-1].questions.append((asked["sign"] == "+", asked["type"], asked["text"]))
    else:
        return False
    return True


def _query(memory: str, note: _Note, place: int) -> QueryLine:
    answers, query_type, text = note.questions[place]
    return QueryLine(
        kind="query",
        id=f"{memory}-{place}",
        text=text,
        asked_at=note.told + _ASKED_AFTER,
        relevant=(memory,) if answers else (),
        forbidden=() if answers else (memory,),
        answerable=answers,
        query_type=query_type,
    )
