"""What a Latin name is by its role in the sentence: who flies, loves or is my sister is a person.

Jordan, Grace and Virginia are people, places and firms; the words beside such a name say which. Only where they
say so is the model's guess overruled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphsvc.language.nicknames import full_forms

_KIN = (
    r"(?:mother|father|mum|mom|dad|sister|brother|wife|husband|son|daughter|aunt|uncle|cousin|niece|nephew|friend|girlfriend"
    r"|boyfriend|partner|fianc[eé]e?|colleague|boss|teacher|neighbou?r|roommate|flatmate|classmate|doctor|client|landlord)"
)
_OWN = r"(?:my|our|his|her|their|your)"
# What bodies and countries do not do.
_PERSONAL = (
    r"(?:flew|flies|walk(?:s|ed)|ran|drove|drives|slept|sleeps|ate|eats|drank|drinks|cook(?:s|ed)|cried|cries|laugh(?:s|ed)"
    r"|smil(?:es|ed)|lov(?:es|ed)|hat(?:es|ed)|lik(?:es|ed)|married|hugg?(?:s|ed)|kiss(?:es|ed)|danc(?:es|ed)|sang|sings|wore|wears"
    r"|went|mov(?:es|ed) (?:to|in|out)|liv(?:es|ed)|swam|swims|jogg?(?:s|ed)|forgot|forgets|felt|feels|studi(?:es|ed)"
    r"|(?:was|is) born|(?:is|was) (?:\d{1,2} years|pregnant|married|sick|tired|asleep|ill|crying)"
    rf"|(?:is|was) (?:{_OWN}|an?) (?:\w{{1,12}} )?{_KIN}|(?:lost|broke|forgot|brushed|washed|hurt) (?:his|her))"
)
_SAYING = (
    r"(?:said|says|told|tells|asked|asks|replied|answered|wrote|thinks|thought|promised|complained|admitted|texted)"
)
_DOES = re.compile(rf"[ ](?:also |never |always |just |often |still )?{_PERSONAL}(?![\w-])")
_SAYS_OF_SELF = re.compile(rf"[ ]{_SAYING}(?: (?:me|us|him|her|them))?(?: that)? (?:she|he|his|her)(?!\w)")
_TELLS = re.compile(r"[ ](?:told|tells|asked|asks|texted|called|hugged|helped|wrote to) (?:me|us|him|her|them)(?!\w)")
_SPEAKS = re.compile(
    rf"[ ](?:{_SAYING}|bought|sold|has|had|came|left|called|met|works|worked|wants|wanted|needs)(?![\w-])"
)
_ACTS = re.compile(r"[ ](?:bought|sold|wants|wanted|has|had|came|said|says|told|posed|adopted)(?![\w-])")
_BESIDE = re.compile(
    rf"(?:{_OWN} (?:\w{{1,12}} )?{_KIN},? |(?<![A-Za-z])(?:[Mm]et|[Mm]arried|[Hh]ugged|[Kk]issed|[Dd]ated) )$"
)
_LONGEST_BEFORE = 44
_TRADING = re.compile(
    r"(?:(?:order|bought|buy|sell|sold|shop|found|find|list|post|sign)[a-z]*(?: \w+){0,3} on"
    r"|(?<![a-z])(?:work|interview|intern)(?:s|ed|ing)? (?:at|for)) $",
    re.IGNORECASE,
)
_BODY = re.compile(
    r"\b(?:Bank|Group|Inc|Corp|Ltd|LLC|Company|University|College|School|Hospital|Hotel|Airport|Station|Times|Post|Club|Institute"
    r"|Union|Council|Party|Airlines?|Street|Road|River|Lake|City|County|Island|Bay|Park)\b"
)
_PLAIN = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]+(?:-[A-ZÀ-Þ][a-zà-ÿ]+)?(?: [A-ZÀ-Þ][a-zà-ÿ]+(?:-[A-ZÀ-Þ][a-zà-ÿ]+)?)?")
_OPENING = re.compile(r"(?:^|(?<=[.!?\n;,:] )|(?<=\n)|(?<=\band )|(?<=\bbut ))[A-Z][a-z]{2,11}(?= )")
_GUESSED = frozenset({"organisation", "place", "product"})


def kind_here(text: str, start: int, end: int, kind: str) -> str:
    """The type of a name the model took for `kind`, by what it does and what is done with it."""
    if kind not in _GUESSED:
        return kind
    name = text[start:end]
    before = text[max(0, start - _LONGEST_BEFORE) : start]
    if _PLAIN.fullmatch(name) and not _BODY.search(name) and _is_person(text, end, name, before, kind):
        return "person"
    return "organisation" if kind == "place" and _TRADING.search(before) else kind


def given_subjects(text: str) -> Iterator[tuple[int, int, str]]:
    """Words that are given names and more (Rose, Mark, Will), where one heads a clause and does what people do."""
    for found in _OPENING.finditer(text):
        end = found.end()
        if (_DOES.match(text, end) or _SPEAKS.match(text, end)) and full_forms(found.group().lower()):
            yield *found.span(), "person"


def _is_person(text: str, end: int, name: str, before: str, kind: str) -> bool:
    if _DOES.match(text, end) or _SAYS_OF_SELF.match(text, end) or _BESIDE.search(before):
        return True
    if kind == "place":
        return _TELLS.match(text, end) is not None
    given = full_forms(re.split("[- ]", name)[0].lower())
    return bool((given and " " not in name) or (" " in name and _ACTS.match(text, end)))
