"""Whether an answer rests on the sentences it quotes: each statement on one of them, whole and the same way up.

Numbers and times count from the quotes alone, for a question may suppose what is not so. Names and words may be the
question's, as long as no name takes the place of the one quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphsvc.change import words
from graphsvc.language.sentences import sentences
from graphsvc.models.question import Question
from graphsvc.retrieve.answerer.claimed import (
    Said,
    beside_checked,
    named_in,
    names_of,
    supported_numbers,
    supported_times,
)
from graphsvc.retrieve.answerer.ground import Ground, bank_of, denies, held, supposes, without_denials
from graphsvc.retrieve.answerer.refusal import Reason
from graphsvc.retrieve.answerer.signs import domains

_PARTICLE = re.compile(
    r"^\s*(?:(?P<yes>yes|yeah|yep|correct|right|indeed|是的?|对的?|没错|有的?|好的?)"
    r"|(?P<no>no|nope|不是的?|不对|没有|不|否))\s*(?:[,，.。!！;；:：]\s*|$)",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[,，;；]\s*(?:(?:and|but|while|whereas|而且?|但是?|并且)\s*)?|\s(?:and|but|while|whereas)\s")


def judge(answer: str, question: Question, grounds: Sequence[Ground]) -> Reason | None:
    """The first thing in an answer that its quotes do not bear, or nothing."""
    at = question.asked_at
    quoted, asked = [ground.said for ground in grounds], Said.of(question.text, at)
    particle = _PARTICLE.match(answer)
    rest = Said.of(answer if particle is None else answer[particle.end() :], at)
    wrong = _invented(rest, quoted, asked)
    if wrong is not None:
        return wrong
    if particle is not None and not _is_so(asked, grounds, yes=particle["yes"] is not None):
        return Reason.CONTRADICTED
    units = (Said.of(unit, at) for unit in _units(rest))
    if not all(any(_rests(unit, ground, asked) for ground in grounds) for unit in units):
        return Reason.CONTRADICTED
    return None


def _invented(answer: Said, quoted: Sequence[Said], asked: Said) -> Reason | None:
    if not supported_times(answer, quoted):
        return Reason.INVENTED_TIME
    if not supported_numbers(answer, quoted):
        return Reason.INVENTED_NUMBER
    names = names_of(answer)
    if not all(named_in(name, (*quoted, asked)) for name in names):
        return Reason.INVENTED_NAME
    if not all(named_in(one.casefold(), quoted) for one in domains(answer.text)):
        return Reason.INVENTED_NAME
    bank = bank_of([*(said.text for said in quoted), asked.text])
    return None if all(held(word, bank) for word in _own_words(answer)) else Reason.INVENTED_WORD


def _own_words(said: Said) -> list[str]:
    """The words of a text that carry its subject, without what is checked as a number, time or name, or denies."""
    return list(words.content_words(without_denials(beside_checked(said))))


def _units(answer: Said) -> Iterator[str]:
    """The statements of an answer: its sentences, cut at the joints that stand in no number, time or name."""
    for first, last in sentences(answer.text):
        begin = first
        for joint in _JOINT.finditer(answer.text, first, last):
            figures = answer.text[joint.end() : joint.end() + 1].isdigit() and answer.text[joint.start()] in ",，"
            if not figures and not any(start < joint.end() and joint.start() < end for start, end in answer.spans):
                yield answer.text[begin : joint.start()]
                begin = joint.end()
        yield answer.text[begin:last]


def _rests(unit: Said, ground: Ground, asked: Said) -> bool:
    """Whether one sentence says what a statement says: its figures, of the same names in the same order, so or not."""
    support = [ground.said]
    about = words.content_words(without_denials(unit.text))
    if not about and not unit.times and not unit.amounts:
        return True
    if not (supported_times(unit, support) and supported_numbers(unit, support)):
        return False
    return (
        _same_names(unit, ground.said)
        and _same_matter(unit, ground, asked, about)
        and (not ground.doubtful or supposes(unit.text))
        and (not words.hedged(ground.sentence) or words.hedged(unit.text))
        and ground.denials(about) == {denies(unit.text)}
    )


def _same_names(unit: Said, ground: Said) -> bool:
    """No name of the question stands for one that was quoted, and those quoted keep their order.

    "Bo pays" does not follow from "Anna pays", whoever was asked about; nor "Bo owes Anna" from "Anna owes Bo".
    """
    names, quoted = names_of(unit), names_of(ground)
    here = [name for name in names if named_in(name, [ground])]
    if len(here) < len(names) and quoted - names:
        return False
    return sorted(here, key=unit.folded.find) == sorted(here, key=ground.folded.find)


def _same_matter(unit: Said, ground: Ground, asked: Said, about: Sequence[str]) -> bool:
    """No word of the question stands for one that was quoted: the boat's price does not follow from the garage's.

    Words of another script than the quote's say the same in another language, as far as anybody can tell.
    """
    own, quoted = _own_words(unit), bank_of([ground.said.text])
    lent = [word for word in own if not held(word, quoted)]
    both = bank_of([unit.text, asked.text])
    left = [word for word in ground.nearest(about) if not held(word, both)]
    return not any(one.isascii() == word.isascii() for one in lent for word in left)


def _is_so(asked: Said, grounds: Sequence[Ground], *, yes: bool) -> bool:
    """Whether a bare yes or no follows: all that is asked is quoted, and affirmed, or else denied or of other figures.

    Of a question that denies, neither yes nor no is sure to be understood.
    """
    if denies(asked.text):
        return False
    quoted = [ground.said for ground in grounds]
    bank = bank_of(said.text for said in quoted)
    if not all(held(word, bank) for word in _own_words(asked) if _plain(word, asked)):
        return False
    same = supported_times(asked, quoted) and supported_numbers(asked, quoted)
    about = words.content_words(without_denials(asked.text))
    sure = [ground for ground in grounds if not ground.doubtful and not words.hedged(ground.sentence)]
    denied = {flag for ground in sure for flag in ground.denials(about)}
    if yes:
        return same and denied == {False}
    return bool(denied) and (denied == {True} or not same)


def _plain(word: str, said: Said) -> bool:
    """Whether a word is no name of the text."""
    return word not in {part for name in names_of(said) for part in name.split()}
