"""Find the claims of a text: one for each clause that states, asks or supposes something.

Sentences go to the rules of the language that carries them. `Name: text` at the start of a line says who
speaks there. Cost grows with the text, up to a length beyond which no claims are looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphsvc.language.claims.chinese import chinese_claims
from graphsvc.language.claims.english import english_claims
from graphsvc.language.claims.parse import parse
from graphsvc.language.claims.quotes import Quotes
from graphsvc.language.claims.scene import Scene
from graphsvc.language.normalise import HAN, fold_key
from graphsvc.language.sentences import sentences
from graphsvc.models.facts import Claim, Mention

# Both models see so much of a text; a memory that tells more is a document and is cut before it comes here.
MOST_CLAIM_CHARS = 16_000
_LONGEST_SENTENCE = 600
_HAN_LETTER = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?")
_LETTER = re.compile(r"[^\W\d_]")
_SIGNS = re.compile(rf"[^\w\s]{{40}}|[^\s{HAN}]{{250}}")
_CAPITALISED = r"[A-Z][\w.'-]{0,20}"
_HEADER = re.compile(
    rf"(?:^|(?<=\n))[ \t]*({_CAPITALISED}(?: {_CAPITALISED}){{0,2}}|[{HAN}]{{2,5}}|@\w{{1,30}}) ?[:：][ \t]*"
)
_SPEAKER_ROLES = frozenset({"user", "用户", "human"})
_SELF_IN_LINE = re.compile(r"\b(?:I|I'm|my|me|we|you|your)\b|[我你您咱]", re.IGNORECASE)
# Words that head a line in a form or a letter and name nobody.
_LABELS = frozenset(
    [
        "note",
        "notes",
        "ps",
        "re",
        "subject",
        "update",
        "todo",
        "reminder",
        "warning",
        "summary",
        "question",
        "answer",
        "example",
        "tip",
        "important",
        "date",
        "time",
        "place",
        "address",
        "from",
        "to",
        "cc",
        "q",
        "a",
        "system",
    ]
)
# A Chinese word is about 1.6 characters long.
_WORDS_PER_HAN = 0.6


def find_claims(text: str, mentions: Sequence[Mention] = (), speaker: str | None = None) -> list[Claim]:
    """The claims of a text in order of place; spans are of the text as written.

    `mentions` are the text's named things, `speaker` the name of whoever says it.
    """
    known = sorted(mentions, key=lambda mention: mention.start)
    scene = Scene(text, known, speaker)
    quotes = Quotes.of(text[:MOST_CLAIM_CHARS])
    claims: list[Claim] = []
    english: list[tuple[int, int]] = []

    def read_english() -> None:
        for words in parse(text, english):
            claims.extend(english_claims(words, scene, quotes))
        english.clear()

    headers = _headers(text[:MOST_CLAIM_CHARS], known, speaker)
    for start, end, name in _spoken(text, headers):
        if name is not None and name != scene.speaker:
            read_english()
            scene = replace(scene, speaker=name, subject=None)
        if not _is_prose(text, start, end):
            read_english()
        elif is_chinese(text[start:end]):
            read_english()
            claims.extend(chinese_claims(text[start:end], start, scene, quotes))
        else:
            english.append((start, end))
    read_english()
    return sorted(claims, key=lambda claim: (claim.start, claim.end))


def _spoken(text: str, headers: dict[int, tuple[int, str]]) -> Iterator[tuple[int, int, str | None]]:
    """Sentences, long ones in pieces, each with the name at the head of its line, where a line has one."""
    name: str | None = None
    for start, end in _sentences(text[:MOST_CLAIM_CHARS]):
        first, name = headers.get(start, (start, name))
        for begin in range(first, end, _LONGEST_SENTENCE):
            yield begin, min(begin + _LONGEST_SENTENCE, end), name


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Sentences that never run over a line with a header."""
    for start, end in sentences(text):
        cuts = [found.start() for found in _HEADER.finditer(text, start, end) if found.start() > start]
        for left, right in zip([start, *cuts], [*cuts, end], strict=True):
            piece = text[left:right]
            yield left + len(piece) - len(piece.lstrip()), left + len(piece.rstrip())


def _headers(text: str, mentions: Sequence[Mention], speaker: str | None) -> dict[int, tuple[int, str]]:
    """Where lines headed by a speaker's name begin, with where the words begin and the name."""
    found = list(_HEADER.finditer(text))
    people = {mention.key for mention in mentions if mention.type == "person"}
    own = fold_key(speaker) if speaker else None
    headers = {}
    for header in found:
        name = header.group(1).lstrip("@")
        key = fold_key(name)
        if key in _SPEAKER_ROLES and speaker is not None:
            name = speaker
        line = text[header.end() : header.end() + 80].partition("\n")[0]
        latin = name.isascii() and key not in _LABELS and _SELF_IN_LINE.search(line)
        if key == own or key in people or key in _SPEAKER_ROLES or latin:
            headers[header.start() + len(header.group()) - len(header.group().lstrip())] = (header.end(), name)
    return headers


def _is_prose(text: str, start: int, end: int) -> bool:
    """Whether a stretch holds words, and no long run of signs, for which the tokenizer's cost is quadratic."""
    return _LETTER.search(text, start, end) is not None and _SIGNS.search(text, start, end) is None


def is_chinese(sentence: str) -> bool:
    """Whether Han words carry a sentence."""
    han = len(_HAN_LETTER.findall(sentence)) * _WORDS_PER_HAN
    return han > 0 and han >= len(_LATIN_WORD.findall(sentence)) * 0.8
