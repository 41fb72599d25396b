"""Cut text into sentences and into the words a search looks for.

A question and a memory are cut by the same rules, so a name is found wherever its neighbours
would have drawn another cut: Han words come with their parts and single characters, codes come
whole and in parts, numbers come in figures however they were written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphsvc.language.amounts import find_amounts
from graphsvc.language.hanwords import cut, subwords
from graphsvc.language.normalise import HAN, Folded, fold
from graphsvc.language.sentences import sentences
from graphsvc.language.stopwords import GLUE, STOP_WORDS

__all__ = ["index_tokens", "query_tokens", "sentences"]

# Letters and digits of every script but Han; underscores join codes as hyphens do.
_LETTER = rf"[^\W_{HAN}]"
_TOKEN = re.compile(
    rf"(?P<han>[{HAN}]+)"
    rf"|(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!{_LETTER}))"
    # A dot that leads a word belongs to it: .NET, .env.
    rf"|(?P<word>(?:(?<![.)\]])(?<![^\W{HAN}])\.(?=[a-z]{{2}}))?{_LETTER}+(?:[-._/:@+&'#]{_LETTER}+)*(?:\+\+|[#%](?!{_LETTER}))?)"
)
_WRAPPED = re.compile(r"(?<=[a-z])-[ \t]*\r?\n[ \t]*(?=[a-z])")
_JOINTS = re.compile(r"[-._/:@+&'#%]+")
_LETTERS_OR_DIGITS = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+")
_ENGLISH = re.compile(r"[a-z]+")
_POSSESSIVE = re.compile(r"'s?$")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff]")
# Figures below this say little in another writing: 两 is everywhere.
_SMALLEST_REWRITTEN = 10
_SHORTEST_STEM = 3


def index_tokens(text: str) -> list[str]:
    """Search tokens of a text as they are stored: in order, repeats kept, no punctuation."""
    tokens: list[str] = []
    folded = fold(text)
    for kind, piece in _pieces(folded.text):
        if kind == "han":
            tokens += _han_tokens(piece)
        elif kind == "number":
            tokens.append(piece.replace(",", ""))
        else:
            tokens += _code_tokens(piece)
    tokens += _figures(text, folded, set(tokens))
    return tokens


def query_tokens(text: str) -> list[str]:
    """The tokens a question should be looked up by: no stop words, each once; empty only for text without words."""
    tokens: list[str] = []
    folded = fold(text)
    for kind, piece in _pieces(folded.text):
        if kind == "han":
            tokens += _han_query(piece)
        elif kind == "number":
            tokens.append(piece.replace(",", ""))
        else:
            tokens += _code_query(piece)
    kept = [token for token in tokens if token not in STOP_WORDS]
    kept += _figures(text, folded, set(kept))
    return list(dict.fromkeys(kept or tokens))


def _pieces(folded: str) -> Iterator[tuple[str, str]]:
    """Runs of Han, grouped numbers and words; a word hyphenated at a line's end is whole again."""
    for found in _TOKEN.finditer(_WRAPPED.sub("", folded)):
        yield found.lastgroup or "", found.group()


def _han_tokens(run: str) -> list[str]:
    """Words, their sub-words and characters, and the pairs that a cut through a name would lose."""
    words = cut(run)
    tokens = []
    for index, word in enumerate(words):
        tokens.append(word)
        if len(word) > 1:
            tokens += subwords(word)
            tokens += word
        follower = words[index + 1] if index + 1 < len(words) else ""
        if follower and (len(word) == 1 or len(follower) == 1):
            tokens += _pair(word[-1], follower[0])
    return tokens


def _han_query(run: str) -> list[str]:
    """Words and sub-words; neighbouring single characters as pairs, alone only where they stand alone."""
    words = cut(run)
    tokens: list[str] = []
    covered = False
    for index, word in enumerate(words):
        follower = words[index + 1] if index + 1 < len(words) else ""
        pair = _pair(word, follower) if len(word) == 1 == len(follower) else []
        if len(word) > 1 or not (covered or pair):
            tokens += [word, *subwords(word)]
        tokens += pair
        covered = bool(pair)
    return tokens


def _pair(left: str, right: str) -> list[str]:
    return [] if left in GLUE or right in GLUE else [left + right]


def _code_tokens(piece: str) -> list[str]:
    """A word, number or code: whole, without its joints, and in parts."""
    whole = _whole(piece)
    tokens = [whole]
    parts = [part for part in _JOINTS.split(piece) if part]
    if len(parts) > 1 and "'" not in piece:
        if "-" in piece:
            tokens.append(piece.replace("-", ""))
        tokens += [_stem(part) for part in parts]
    for part in parts:
        split = _LETTERS_OR_DIGITS.findall(part)
        if len(split) > 1:
            tokens += split
    if _UNSPACED.search(piece):
        tokens += [piece[at : at + 2] for at in range(len(piece) - 1)]
    elif len(parts) == 1 and parts[0] != piece:
        tokens.append(parts[0])
    return list(dict.fromkeys(token for token in tokens if token))


def _code_query(piece: str) -> list[str]:
    """As `_code_tokens`, but a code with figures asks for itself, not for every code that shares a part."""
    if any(char.isdigit() for char in piece):
        whole = _whole(piece)
        return [whole, piece.replace("-", "")] if "-" in piece else [whole]
    return _code_tokens(piece)


def _whole(piece: str) -> str:
    return _stem(_POSSESSIVE.sub("", piece) or piece)


def _figures(text: str, folded: Folded, seen: set[str]) -> list[str]:
    """The values of amounts in plain figures, so that 八十万 and 800,000 are one word; of a range both ends."""
    figures = []
    for amount in find_amounts(text, folded):
        for value in (amount.value, amount.high):
            figure = "" if value is None else f"{value:.6f}".rstrip("0").rstrip(".")
            if value is not None and value >= _SMALLEST_REWRITTEN and figure not in seen:
                seen.add(figure)
                figures.append(figure)
    return figures


def _stem(word: str) -> str:
    """English endings off: plural, -ing, -ed, a last e; anything with a sign, figure or accent stays as it is."""
    if len(word) <= _SHORTEST_STEM or not _ENGLISH.fullmatch(word):
        return word
    if word.endswith("ies"):
        stem = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        stem = word[:-2]
    elif word.endswith("s") and word[-2] not in "suai":
        stem = word[:-1]
    else:
        stem = _without_participle(word)
    if stem.endswith("y") and len(stem) > _SHORTEST_STEM and stem[-2] not in "aeiou":
        stem = stem[:-1] + "i"
    return stem[:-1] if len(stem) > _SHORTEST_STEM and stem.endswith("e") else stem


def _without_participle(word: str) -> str:
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST_STEM and any(vowel in stem for vowel in "aeiouy"):
            doubled = stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return stem[:-1] if doubled else stem
    return word
