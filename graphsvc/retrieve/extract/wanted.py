"""What exactly a question asks for: finer than a value kind, told by its question word, classifier and head noun.

Closed classes of the two languages only: question words, measure words, and the nouns that name a
measure, a time or a sort of number themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from graphsvc.language.amounts.units import UNITS
from graphsvc.language.normalise import fold
from graphsvc.models.question import Question
from graphsvc.retrieve.extract.askwords import (
    AMOUNTS,
    ANY_AMOUNT,
    CHOICE,
    CODES,
    HAN_COUNTED,
    IN_CHARGE,
    MANY,
    NAME,
    OWNER,
    PLACE,
    REASON,
    RECIPIENT,
    SHORT_NUMBER,
    TAKEN,
    TIMES,
    WH,
    WHO,
    YES_NO,
    Asks,
    Code,
    Part,
    When,
)
from graphsvc.retrieve.extract.dimensions import Dimension, dimensions_of
from graphsvc.retrieve.extract.heads import measured_by_head

__all__ = ["Asks", "Code", "Part", "Wanted", "When", "wanted"]

_QUESTIONS_KEPT = 256
_OF_TYPE = {
    "time_point": Asks.TIME,
    "amount": Asks.AMOUNT,
    "identifier": Asks.IDENTIFIER,
    "person": Asks.PERSON,
    "responsible_party": Asks.PERSON,
    "location": Asks.PLACE,
    "yes_no": Asks.YES_NO,
    "reason": Asks.REASON,
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for; `start:end` are the question's words that say so, (0, 0) where only its type does.

    `dimensions` are those an amount may have, none for any; `noun` is what is counted; `options` are the two of an
    either-or.
    """

    asks: Asks
    start: int = 0
    end: int = 0
    when: When | None = None
    dimensions: frozenset[Dimension] = frozenset()
    noun: str | None = None
    part: Part | None = None
    code: Code | None = None
    options: tuple[str, ...] = ()


def wanted(question: Question) -> Wanted:
    """What the question asks for, by its wording, else by its type."""
    return _wanted(question.text, question.query_type)


@lru_cache(maxsize=_QUESTIONS_KEPT)
def _wanted(question: str, query_type: str) -> Wanted:
    text = fold(question).text
    for reader in (_reason, _yes_no, _choice, _rhythm, _code, _amount, _time, _name, _person, _place, _loose):
        found = reader(text)
        if found is not None:
            return found
    asks = _OF_TYPE.get(query_type, Asks.NONE)
    return Wanted(asks, when=When.POINT if asks is Asks.TIME else None, part=Part.ANY if asks is Asks.PERSON else None)


def _reason(text: str) -> Wanted | None:
    found = REASON.search(text)
    return None if found is None else Wanted(Asks.REASON, *found.span())


def _yes_no(text: str) -> Wanted | None:
    """A question for whether, unless it holds a question word: "do you know where …" asks where."""
    found = YES_NO.search(text)
    if found is None or WH.search(text) or _options(text):
        return None
    return Wanted(Asks.YES_NO, *found.span())


def _choice(text: str) -> Wanted | None:
    options = _options(text)
    if not options:
        return None
    asked = WH.search(text)
    if asked is not None and not re.match(r"which|what|哪|who|谁", asked.group(), re.IGNORECASE):
        return None
    return Wanted(Asks.CHOICE, options=options)


def _options(text: str) -> tuple[str, ...]:
    for pattern in CHOICE:
        found = pattern.search(text)
        if found is not None:
            return found["left"].strip(), found["right"].strip()
    return ()


def _rhythm(text: str) -> Wanted | None:
    found = TIMES[0][1].search(text)
    return None if found is None else Wanted(Asks.TIME, *found.span(), when=When.RECURRING)


def _code(text: str) -> Wanted | None:
    """An identifier, where nothing else is asked about it: when the phone was bought is no number."""
    if re.search(r"什么时候|何时|哪天|多久|谁|多少钱|\b(?:when|who|how|where|why)\b|放哪|在哪", text):
        return None
    for code, pattern in CODES:
        found = pattern.search(text)
        if found is not None:
            return Wanted(Asks.IDENTIFIER, *found.span(), code=code)
    found = SHORT_NUMBER.search(text)
    return None if found is None else Wanted(Asks.IDENTIFIER, *found.span(), code=Code.PHONE)


def _amount(text: str) -> Wanted | None:
    if any(pattern.search(text) for when, pattern in TIMES[1:4]) and not re.search(r"how long (?:is|are|was)\b", text):
        return None
    head = measured_by_head(text)
    if head is not None and _asks_amount(text):
        return Wanted(Asks.AMOUNT, head[1], head[2], dimensions=head[0])
    for dimensions, pattern in AMOUNTS:
        found = pattern.search(text)
        if found is not None and _asks_amount(text):
            noun = _counted(text) if Dimension.COUNT in dimensions else None
            counted = frozenset() if noun is None else _dimensions_of_noun(noun)
            return Wanted(Asks.AMOUNT, *found.span(), dimensions=counted or dimensions, noun=noun)
    return None


def _asks_amount(text: str) -> bool:
    """Whether the question word itself may ask for an amount: who paid the deposit does not."""
    return not re.search(
        r"谁|什么时候|何时|哪天|几号|几点|为什么|怎么|哪里|哪儿|\b(?:who|whose|when|where|why|which)\b"
        r"|\bwhat (?:day|time|date|month)\b",
        text,
    )


def _counted(text: str) -> str | None:
    found = MANY.search(text)
    return found.group(1) if found is not None else None


def _dimensions_of_noun(noun: str) -> frozenset[Dimension]:
    return dimensions_of(UNITS.get(noun)) - {Dimension.COUNT}


def _time(text: str) -> Wanted | None:
    taken = TAKEN.search(text)
    if taken is not None and not re.search(r"\bwhat time\b", text, re.IGNORECASE):
        return Wanted(Asks.TIME, *taken.span(), when=When.DURATION)
    for when, pattern in TIMES[1:]:
        found = pattern.search(text)
        if found is None:
            continue
        if when is When.DURATION and re.search(r"how long (?:is|are|was)\b", text):
            continue
        return Wanted(Asks.TIME, *found.span(), when=when)
    return None


def _name(text: str) -> Wanted | None:
    found = NAME.search(text)
    return None if found is None else Wanted(Asks.NAME, *found.span())


def _person(text: str) -> Wanted | None:
    for part, pattern in (
        (Part.OWNER, OWNER),
        (Part.RECIPIENT, RECIPIENT),
        (Part.AGENT, WHO),
        (Part.ANY, IN_CHARGE),
    ):
        found = pattern.search(text)
        if found is not None:
            return Wanted(Asks.PERSON, *found.span(), part=part)
    return None


def _place(text: str) -> Wanted | None:
    found = PLACE.search(text)
    return None if found is None else Wanted(Asks.PLACE, *found.span())


def _loose(text: str) -> Wanted | None:
    """Amounts of unknown dimension, and lengths that may be stretches of time."""
    long = re.search(r"\bhow long\b", text, re.IGNORECASE)
    if long is not None:
        either = frozenset({Dimension.LENGTH, Dimension.DURATION})
        return Wanted(Asks.AMOUNT, *long.span(), dimensions=either)
    found = ANY_AMOUNT.search(text)
    if found is None:
        return None
    han = HAN_COUNTED.search(text)
    unit = None
    if han is not None:
        unit = next((han[1][:size] for size in (4, 3, 2, 1) if han[1][:size] in UNITS), None)
    return Wanted(
        Asks.AMOUNT, *found.span(), dimensions=dimensions_of(UNITS.get(unit or "")), noun=han[1] if han else None
    )
