"""Read files of notes: one or more notes in a few sentences, and questions each answers (`+`) or does not (`-`).

    @ 2025-03-04 chat
    M: The spare key hangs behind the meter, Rosa has the other one.
    M: Rosa had the spare key copied at the station, it cost 9 euros.
    +- location where is the spare key
    -+ amount what did the copy cost
    -- person who gave Rosa the key

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
_NEXT_TOLD = timedelta(minutes=1)
_HEAD = re.compile(r"@ (?P<day>\d{4}-\d\d-\d\d) (?P<type>\S+)")
_QUESTION = re.compile(r"(?P<signs>[+-]+) (?P<type>\w+) (?P<text>.+)")


@dataclass(slots=True)
class _Block:
    """Notes told together; a question has a sign for each."""

    told: datetime
    document_type: str
    notes: list[str] = field(default_factory=list)
    questions: list[tuple[str, str, str]] = field(default_factory=list)


def are_notes(path: Path) -> bool:
    """Whether a file is one of notes, by its suffix."""
    return path.suffix == _SUFFIX


def are_twins(file: EvaluationFile) -> bool:
    """Whether a file holds notes that were told together."""
    return are_notes(file.path) and len({one.conversation_id for one in file.memories}) < len(file.memories)


def read_lessons(path: Path) -> EvaluationFile:
    """A file of notes or an evaluation file; raises `FieldInvalid` as either does."""
    return read_notes(path) if are_notes(path) else read_evaluation(path)


def read_notes(path: Path) -> EvaluationFile:
    """The notes of a block are a conversation of their own. Raises `FieldInvalid` naming file and line."""
    blocks: list[_Block] = []
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise FieldInvalid("is not UTF-8", where=str(path)) from error
    for number, line in enumerate(lines, start=1):
        if line.strip() and not _taken(line.strip(), blocks):
            raise FieldInvalid("is neither a note nor a question of one", where=f"{path}, line {number}")
    memories, queries = [], []
    for place, block in enumerate(blocks):
        told = _memories(block, f"{path.stem}-{place}")
        memories += told
        queries += [_query(block, told, number) for number in range(len(block.questions))]
    return EvaluationFile(path, tuple(memories), tuple(queries))


def _taken(line: str, blocks: list[_Block]) -> bool:
    """Whether a line could be added to what was read so far."""
    head, asked = _HEAD.fullmatch(line), _QUESTION.fullmatch(line)
    told = _morning(head["day"]) if head is not None else None
    if head is not None and told is not None:
        blocks.append(_Block(told, head["type"]))
    elif blocks and line.startswith("M:") and not blocks[-1].questions:
        blocks[-1].notes.append(line[2:].strip())
    elif blocks and asked is not None and len(asked["signs"]) == len(blocks[-1].notes):
        blocks[-1].questions.append((asked["signs"], asked["type"], asked["text"]))
    else:
        return False
    return True


def _morning(day: str) -> datetime | None:
    try:
        return datetime.combine(datetime.fromisoformat(day), time(9), UTC)
    except ValueError:  # a day that no month has
        return None


def _memories(block: _Block, conversation: str) -> list[MemoryInput]:
    return [
        MemoryInput(
            id=MemoryId(f"{conversation}-{place}"),
            text=text,
            event_time=block.told + place * _NEXT_TOLD,
            document_type=block.document_type,
            conversation_id=conversation,
        )
        for place, text in enumerate(block.notes)
    ]


def _query(block: _Block, told: list[MemoryInput], number: int) -> QueryLine:
    signs, query_type, text = block.questions[number]
    right = tuple(str(one.id) for one, sign in zip(told, signs, strict=True) if sign == "+")
    return QueryLine(
        kind="query",
        id=f"{told[0].conversation_id}-q{number}",
        text=text,
        asked_at=block.told + _ASKED_AFTER,
        relevant=right,
        forbidden=tuple(str(one.id) for one, sign in zip(told, signs, strict=True) if sign == "-"),
        answerable=bool(right),
        query_type=query_type,
    )
