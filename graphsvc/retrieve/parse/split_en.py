"""English questions that ask two things: two asking clauses, two question words, two things compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from graphsvc.models.question import QuestionPart
from graphsvc.retrieve.parse.parties import Span

_AUX = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may|am)"
_WH = (
    r"(?:how (?:much|many|long|often|far|old|big|late|soon)|(?:at )?what time|(?:until|since|by) when|who|whom"
    r"|whose|what|when|where|why|how|which)"
)
_ASKS = re.compile(rf"\b{_WH}\b|^(?:so |and |but )?{_AUX}\b|\?$", re.IGNORECASE)
_JOINT = re.compile(
    rf"\s*(?:[,;]\s*(?:and|but|or)?\s+|\s(?:and|but)\s)(?=(?:also |then |in )?(?:{_WH}\b|{_AUX} (?!\w+ed\b|by\b)\w))",
    re.IGNORECASE,
)
# What may stand before a question word that opens no question of its own.
_EMBEDDED = re.compile(
    r"\b(?:know|knows|remember|tell|told|wonder|ask|asked|say|said|sure|see|explain|decide|decided|agree"
    r"|agreed|find out|understand|forget|forgot)(?: \w+)?$",
    re.IGNORECASE,
)
_TWO_WH = re.compile(rf"^(?P<one>{_WH})(?:,? and |, | & )(?P<two>{_WH}) (?P<rest>{_AUX} .+|to .+)$", re.IGNORECASE)
_TRAILING = re.compile(rf"^(?P<main>.+?),? and (?P<wh>{_WH})$", re.IGNORECASE)
_YES_NO = re.compile(rf"^{_AUX} ", re.IGNORECASE)
_WH_AUX = re.compile(rf"^{_WH} (?P<rest>{_AUX} .+)$", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?P<it>it|they|them|he|she|him)\b", re.IGNORECASE)
_THING = re.compile(
    rf"\b(?:the|my|our|your|his|her|their|that|this) (?:[\w-]+ ){{0,12}}?[\w-]+(?= (?:{_AUX}|cost|costs|go|went|come"
    r"|came|take|took|happen|end|start|arrive|leave|need|get|last|weigh|work|mean|run|close|open)\b|$| (?:in"
    r"|on|at|for|from|of|with|by|to)\b)",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"^(?P<topic>[^,?]{3,40}), ")
_MORE = (
    r"(?:cheaper|dearer|faster|slower|bigger|smaller|larger|higher|lower|better|worse|longer|shorter|earlier"
    r"|later|older|newer|heavier|lighter|closer|stronger|nearer|(?:more|less) \w+)"
)
_THING_IN = r"[^,?]{1,40}?"
_WHICH_OF = re.compile(
    rf"^(?:which|who|what) (?:of (?P<of1>{_THING_IN}) and (?P<of2>{_THING_IN}) )?(?P<verb>(?:one )?(?:is|are"
    r"|was|were|has|had|costs?|comes?|came|got|gets|quoted|offered|charges?|charged|lasts?|takes?"
    rf"|took) .{{0,20}}?{_MORE}[^,:]{{0,30}})(?:[,:] (?P<or1>{_THING_IN}) or (?P<or2>{_THING_IN}))?$",
    re.IGNORECASE,
)
_THAN = re.compile(
    rf"^(?:is|are|was|were) (?P<one>{_THING_IN}) (?P<how>\w{{3,}}er|worse|(?:more"
    rf"|less) \w+) than (?P<two>{_THING_IN})$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"^(?P<head>(?:what(?:'s| is| are| was| were) )?(?:the )?differences?|compare|comparison|(?:how does"
    rf"|how do|how did) (?P<how1>{_THING_IN}) (?:compare|differ) (?:to|with|from))(?: between)? (?P<rest>.+)$",
    re.IGNORECASE,
)
_PAIRS = (
    re.compile(
        rf"^(?P<what>.+? )(?P<prep>in|of|from|for|on|at|by) (?P<one>{_THING_IN}) (?:and|with|to|vs\.?|versus"
        r"|against) "
        r"(?P=prep) (?P<two>[^,?]{1,40})$",
        re.IGNORECASE,
    ),
    re.compile(rf"^(?P<one>{_THING_IN}) (?:and|with|vs\.?|versus|against) (?P<two>[^,?]{{1,40}})$", re.IGNORECASE),
)
_YEARS = re.compile(r"\s*(?:and|vs\.?|versus|&|compared (?:to|with)|against)\s*(?:in |on )?", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?! (?:19|20)?\d\d?)"
)
_BEFORE_AND_AFTER = re.compile(
    rf"^(?P<head>{_WH} .+?),? (?P<one>before) (?:and|versus|vs\.?) (?P<two>after) (?P<event>[^,?]{{2,60}})$",
    re.IGNORECASE,
)
# "Where do we meet": who does something, and nothing it is done to, with or for.
_BARE_CLAUSE = re.compile(
    rf"^(?:and |also |then )?{_WH} (?:{_AUX} )?(?:we|i|you|they|everyone|everybody|people) (?:all |need to |have to )?"
    r"[a-z]+(?: up| off| out| in| back| there)?$",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|respectively)\b", re.IGNORECASE)


def asks(text: str) -> bool:
    """Whether a stretch of text asks, in English."""
    return _ASKS.search(text.strip()) is not None


def joined(text: str, names: Sequence[Span]) -> list[QuestionPart]:
    """Clauses that each ask, and question words that share what they ask of."""
    two = _TWO_WH.match(text)
    if two and two["one"].casefold() != two["two"].casefold():
        return [_part(two.span(which), f"{two[which]} {two['rest']}") for which in ("one", "two")]
    trailing = _TRAILING.match(text)
    if trailing:
        return _with_trailing(trailing)
    spans = _clauses(text)
    if len(spans) < 2:
        return []
    first = text[slice(*spans[0])]
    parts = [_part(spans[0], first)]
    for start, end in spans[1:]:
        parts.append(_part((start, end), _completed(text[start:end], first, start, names)))
    return parts


def compared(text: str, names: Sequence[Span], times: Sequence[Span]) -> list[QuestionPart]:
    """One part for each of two things that are compared, or asked about one by one."""
    return _around(text) or _dated(text, times) or _which(text) or _between(text) or _one_by_one(text, names)


def _clauses(text: str) -> list[Span]:
    spans: list[Span] = []
    at = 0
    for joint in _JOINT.finditer(text):
        before = text[at : joint.start()]
        if not asks(before) or _EMBEDDED.search(before) or len(before.split()) < 2:
            continue
        spans.append((at, joint.start()))
        at = joint.end()
    spans.append((at, len(text)))
    return spans


def _with_trailing(found: re.Match[str]) -> list[QuestionPart]:
    """ "did Anna pay, and when": the last word asks of the same clause."""
    main, word = found["main"], found["wh"]
    if not asks(main):
        return []
    inner = _WH_AUX.match(main)
    rest = main if _YES_NO.match(main) else inner["rest"] if inner else None
    if rest is None:
        return []
    return [_part(found.span("main"), main), _part(found.span("wh"), f"{word} {rest}")]


def _completed(clause: str, first: str, start: int, names: Sequence[Span]) -> str:
    """A later clause with its pronoun filled, or with the topic that the first one set before a comma."""
    topic = _TOPIC.match(first)
    if topic and not asks(topic["topic"]):
        return f"{topic['topic']}, {clause}"
    things = [found.group() for found in _THING.finditer(first)]
    if _BARE_CLAUSE.match(clause) and things:
        return f"{clause} for {things[-1]}"
    pronoun = _PRONOUN.search(clause)
    if pronoun is None or any(begin >= start for begin, _ in names):
        return clause
    people = [span for span in names if span[1] <= start]
    if pronoun["it"].casefold() in {"he", "she", "him"}:
        if len(people) != 1:
            return clause
        filler = first[people[0][0] : people[0][1]]
    elif len(things) >= 1:
        filler = things[0]
    elif len(people) == 1:
        filler = first[people[0][0] : people[0][1]]
    else:
        return clause
    return clause[: pronoun.start()] + filler + clause[pronoun.end() :]


def _dated(text: str, times: Sequence[Span]) -> list[QuestionPart]:
    """ "2022 and 2024 rent": one question a time, save for what lies between two."""
    months = [found.span() for found in _MONTH.finditer(text)]
    known = [span for span in times if not any(span[0] <= month[0] and month[1] <= span[1] for month in months)]
    spans = sorted({*known, *months, *(found.span() for found in _YEAR.finditer(text))})
    for one, two in pairwise(spans):
        between = re.search(r"\b(?:between|from)\s+$", text[: one[0]], re.IGNORECASE)
        if between or not _YEARS.fullmatch(text[one[1] : two[0]]):
            continue
        head, rest = text[: one[0]], text[two[1] :]
        if len((head + rest).split()) >= 1 and (head + rest).strip():
            head = re.sub(r"^compare ", "", head, flags=re.IGNORECASE)
            if not head.strip() and one in months:
                return [_part(span, f"{rest.strip()} in {text[slice(*span)]}") for span in (one, two)]
            return [_part(span, f"{head}{text[slice(*span)]}{rest}") for span in (one, two)]
    return []


def _around(text: str) -> list[QuestionPart]:
    """ "What was the rent before and after the renewal": one question for each side of a change."""
    found = _BEFORE_AND_AFTER.match(text)
    if found is None:
        return []
    head, event = found["head"], found["event"]
    return [_part(found.span(side), f"{head} {found[side]} {event}") for side in ("one", "two")]


def _which(text: str) -> list[QuestionPart]:
    than = _THAN.match(text)
    if than:
        return [_part(than.span(which), f"how {_plain(than['how'])} is {than[which]}") for which in ("one", "two")]
    found = _WHICH_OF.match(text)
    if found is None:
        return []
    for one, two in (("of1", "of2"), ("or1", "or2")):
        if found[one] and found[two]:
            return [_part(found.span(which), _of_one(found[which], found["verb"])) for which in (one, two)]
    return []


_PLAIN = {
    "cheaper": "expensive", "dearer": "expensive", "bigger": "big", "larger": "large", "lower": "high",
    "better": "good", "worse": "good", "shorter": "long", "smaller": "big", "slower": "fast",
    "earlier": "early", "later": "late",
    "lighter": "heavy", "heavier": "heavy", "closer": "close", "newer": "old",
}  # fmt: skip


def _plain(how: str) -> str:
    """The adjective of a comparative."""
    word = how.casefold()
    return _PLAIN.get(word, word.rpartition(" ")[2].removesuffix("er"))


def _of_one(thing: str, verb: str) -> str:
    plain = re.fullmatch(r"(?:one )?(is|are|was|were) (\w+er|better|worse|(?:more|less) \w+)", verb, re.IGNORECASE)
    return f"how {_plain(plain[2])} {plain[1]} {thing}" if plain else f"{thing} {verb}"


def _between(text: str) -> list[QuestionPart]:
    found = _BETWEEN.match(text)
    if found is None:
        return []
    if found["how1"]:
        return [_part(found.span("how1"), found["how1"]), _part(found.span("rest"), found["rest"])]
    pair = next((pair for one in _PAIRS if (pair := one.match(found["rest"]))), None)
    if pair is None:
        return []
    groups = pair.groupdict()
    head = f"{groups['what']}{groups['prep']} " if "what" in groups else ""
    one, two = pair["one"], pair["two"]
    if len(one.split()) == 2 and len(two.split()) > 2 and not head:
        one = f"{one} {two.split()[-1]}"  # "the basic and the premium plan"
    offset = found.start("rest")
    return [
        _part((offset + pair.start(which), offset + pair.end(which)), head + thing)
        for which, thing in (("one", one), ("two", two))
    ]


def _one_by_one(text: str, names: Sequence[Span]) -> list[QuestionPart]:
    """ "What did A and B each quote?": two questions, where the question says so."""
    if not _EACH.search(text):
        return []
    for one, two in pairwise(names):
        if text[one[1] : two[0]].strip() == "and":
            head, rest = text[: one[0]], _EACH.sub("", text[two[1] :]).rstrip()
            return [_part(span, re.sub(r" {2,}", " ", head + text[slice(*span)] + rest)) for span in (one, two)]
    return []


def _part(span: Span, text: str) -> QuestionPart:
    return QuestionPart(start=span[0], end=span[1], text=text.strip())
