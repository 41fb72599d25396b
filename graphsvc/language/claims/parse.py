"""English sentences as dependency trees, by spaCy's parser.

Only the parser's own components are loaded: they share no weights with the recogniser of names.
What is kept of a word is plain data, so a tree outlives spaCy's memory zone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphsvc.language.packaged import EnglishPipeline

_PARSER = EnglishPipeline("ner", "senter", "attribute_ruler", "lemmatizer")
_SUBJECT_PRONOUNS = frozenset({"i", "we", "they", "you", "he", "she"})
_APOSTROPHES = str.maketrans("’‘ʼ", "'''")


@dataclass(frozen=True, slots=True)
class Word:
    """A word at `start:end` of its text; `text` is in small letters, `head` an index into its sentence."""

    index: int
    start: int
    end: int
    text: str
    shape: str
    tag: str
    dep: str
    head: int


def parse(text: str, spans: Sequence[tuple[int, int]]) -> list[list[Word]]:
    """The trees of a text's sentences, in one run; `spans` are the ends that are known, the parser may find more."""
    if not spans:
        return []
    begin = spans[0][0]
    with _PARSER.open() as nlp:
        doc = nlp.make_doc(text[begin : spans[-1][1]].translate(_APOSTROPHES))
        starts = iter(start - begin for start, _ in spans)
        due = next(starts, None)
        for token in doc:
            if due is not None and token.idx >= due:
                token.is_sent_start = True
                due = next(starts, None)
        return [_mended(_words(sentence, begin)) for sentence in nlp(doc).sents]


def _words(sentence: Any, begin: int) -> list[Word]:
    first = sentence.start
    return [
        Word(
            index=token.i - first,
            start=begin + token.idx,
            end=begin + token.idx + len(token),
            text=token.lower_,
            shape=token.text,
            tag=token.tag_,
            dep=token.dep_,
            head=token.head.i - first,
        )
        for token in sentence
    ]


def _mended(words: list[Word]) -> list[Word]:
    """`I no longer like …` taken for a comparison: `like` is made the verb, what hung on the pronoun hangs on it."""
    root = next((word for word in words if word.head == word.index), None)
    if root is None or root.text not in _SUBJECT_PRONOUNS:
        return words
    verb = next(
        (word for word in words if word.text == "like" and word.dep == "prep" and word.head == root.index), None
    )
    if verb is None:
        return words
    mended = [replace(word, head=verb.index) if word.head == root.index else word for word in words]
    mended[root.index] = replace(root, dep="nsubj", head=verb.index)
    mended[verb.index] = replace(verb, dep="ROOT", tag="VBP", head=verb.index)
    return mended
