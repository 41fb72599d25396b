"""Turn a question that found nothing into one other search: dates made absolute, slips put right, words added.

Only words that memories of the namespace hold are added, so a rewriting that could find nothing new is none.
The added words search; they never count for the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from graphsvc.language.hanwords import cut
from graphsvc.language.segment import index_tokens, query_tokens
from graphsvc.models.answer import Rewrite, RewriteKind
from graphsvc.models.question import Question
from graphsvc.retrieve.ladder.dates import absolute
from graphsvc.retrieve.ladder.repair import Repaired
from graphsvc.retrieve.ladder.request import Request
from graphsvc.retrieve.ladder.synonyms import synonyms
from graphsvc.retrieve.ladder.wording import has_han
from ontology.model import Ontology

Known = Callable[[Iterable[str]], Mapping[str, int]]

# More words would drown those of the question.
MOST_PER_WORD = 4
MOST_WORDS = 24
_SURE_LABEL = 0.6
_NO_ALIASES: Mapping[str, tuple[str, ...]] = {}


def rewrite(
    question: Question,
    repaired: Repaired,
    ontology: Ontology,
    known: Known,
    aliases: Mapping[str, tuple[str, ...]] = _NO_ALIASES,
) -> Request | None:
    """One other search for the question; None when nothing in it can be said otherwise.

    `known` tells which index tokens the namespace holds, `aliases` other names the user gave to what the
    question names, by the wording in the question.
    """
    text, dated, date_words = _with_dates(question, repaired.text)
    asked = set(query_tokens(text)) | set(query_tokens(question.text))
    offers = [*_other_words(asked, aliases), *_of_senses(question, ontology), *_of_labels(question, ontology)]
    added = _held(offers, asked, known)
    rewrites = (*repaired.rewrites, *dated, *added)
    if not rewrites and not repaired.doubtful:
        return None
    words = [token for word in date_words for token in index_tokens(word) if not token.isdigit() or len(token) > 2]
    words += [_token(one.replacement) for one in added]
    return Request(
        text=text,
        judged_by=repaired.text,
        words=tuple(dict.fromkeys(word for word in words if word not in asked)),
        rewrites=rewrites,
        doubtful=repaired.doubtful,
    )


def _with_dates(question: Question, text: str) -> tuple[str, list[Rewrite], list[str]]:
    """The text with its relative dates made absolute; they were not touched by any repair."""
    han = has_han(question.text)
    rewrites: list[Rewrite] = []
    words: list[str] = []
    for time in question.times:
        dated = absolute(time, question.asked_at, han=han)
        if dated is not None and time.text in text:
            text = text.replace(time.text, dated.text, 1)
            rewrites.append(Rewrite(kind=RewriteKind.ABSOLUTE_TIME, original=time.text, replacement=dated.text))
            words += dated.words
    return text, rewrites, words


def _other_words(asked: Iterable[str], aliases: Mapping[str, tuple[str, ...]]) -> list[Rewrite]:
    found = [(name, other) for name, others in sorted(aliases.items()) for other in others]
    found += [(token, other) for token in sorted(asked) for other in synonyms(token)]
    return [Rewrite(kind=RewriteKind.SYNONYM, original=word, replacement=other) for word, other in found]


def _of_senses(question: Question, ontology: Ontology) -> list[Rewrite]:
    """A word of several senses, once it is settled which, is also called what that sense's gloss calls it."""
    found = []
    for one in question.senses:
        sense = None if one.sense is None else ontology.sense(one.sense)
        if sense is not None:
            words = [gloss for gloss in (sense.gloss.zh, sense.gloss.en) if _is_one_word(gloss)]
            found += [Rewrite(kind=RewriteKind.SYNONYM, original=one.surface, replacement=word) for word in words]
    return found


def _of_labels(question: Question, ontology: Ontology) -> list[Rewrite]:
    """The names of what the question is about, where the tagger is sure; "person" or "place" would say nothing."""
    found = []
    for label in question.labels:
        domain = ontology.domain(label.domain)
        if domain is None or domain.background or label.probability < _SURE_LABEL:
            continue
        words = [word for word in (domain.name.zh, domain.name.en) if _is_one_word(word)]
        found += [Rewrite(kind=RewriteKind.LABEL, original=label.domain, replacement=word) for word in words]
    return found


def _held(offers: Sequence[Rewrite], asked: set[str], known: Known) -> list[Rewrite]:
    """Those whose word is held by memories and not in the question, a few for each word of it, each once."""
    held = known([_token(one.replacement) for one in offers])
    kept: dict[str, Rewrite] = {}
    counts: dict[str, int] = {}
    for one in offers:
        token = _token(one.replacement)
        if token in held and token not in asked and token not in kept and counts.get(one.original, 0) < MOST_PER_WORD:
            kept[token] = one
            counts[one.original] = counts.get(one.original, 0) + 1
    return list(kept.values())[:MOST_WORDS]


def _token(word: str) -> str:
    return next(iter(index_tokens(word)), "")


def _is_one_word(text: str) -> bool:
    return " " not in text and (cut(text) == [text] if has_han(text) else text.isalpha())
