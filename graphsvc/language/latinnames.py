"""Names in Latin script: by spaCy in English, by what stands around them in a Chinese sentence.

A lone word between Han characters gives an English model nothing to go by, so there an
organisation counts only where the sentence treats it as one; Mr. and Dr. name whoever follows
them, in capitals or not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from graphsvc.language.latinroles import given_subjects, kind_here
from graphsvc.language.normalise import HAN
from graphsvc.language.patterns import STREET_ADDRESS
from graphsvc.language.recognisers import MOST_MODEL_CHARS, english_names

_TYPES = {
    "PERSON": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "product",
    "WORK_OF_ART": "product",
}
_PARTICLE_WORDS = "de da di del della van von der den bin al el la le of and the for &"
_PARTICLES = frozenset(_PARTICLE_WORDS.split())
_CALENDAR = re.compile(
    r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?s?|today|tomorrow|yesterday"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|ok|yes|no|hi|hello|thanks|please|dear|re|fw|fwd"
)
_KIN = re.compile(
    r"(?:my |our |his |her )?(?:mum|mummy|mom|mommy|mother|dad|daddy|father|granny|nana"
    r"|grand(?:ma|pa|mother|father|dad|mum)|brother|sister|bro|sis|aunt(?:ie|y)?|uncle|cousin|wife|husband|son|daughter|boss|sir|madam)"
)
# The English model knows few accents; a letter stands for a letter, so that spans stay.
_PLAIN = str.maketrans(
    "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöøùúûüýÿŁłŚśŠšŽžŹźŻżĆćČčĎďĘęĚěŃńŇňŘřŤťŮů",
    "AAAAAACEEEEIIIINOOOOOOUUUUYaaaaaaceeeeiiiinoooooouuuuyyLlSsSsZzZzZzCcCcDdEeEeNnNnRrTtUu",
)
_EDGE = rf"(?<![^\W{HAN}])(?<![.@/-])"
_VARIANT = r"(?: (?:Pro|Max|Ultra|Plus|Mini|Air|Lite|SE|FE)(?![A-Za-z0-9]))"
# iPhone 15 Pro, PlayStation 5: a word with a capital inside and a number, or any with a number and a variant.
_MODEL = re.compile(
    rf"{_EDGE}(?:[A-Za-z]{{1,12}}[a-z][A-Z][A-Za-z]{{0,12}}|[a-z][A-Z][A-Za-z]{{1,12}}) "
    rf"[A-Z]?\d{{1,3}}[A-Za-z]{{0,2}}(?![\w%]|[.,:/]\d){_VARIANT}{{0,2}}"
    rf"|{_EDGE}[A-Z][A-Za-z]{{1,15}} [A-Z]?\d{{1,3}}{_VARIANT}{{1,2}}"
)
_WORD = r"[A-Z][a-zà-ÿ]{1,15}"
_NAME = re.compile(rf"{_EDGE}{_WORD}(?: {_WORD}){{0,2}}(?![A-Za-z0-9_@./+#-])")
_FIRM = re.compile(rf"{_EDGE}[A-Z][A-Za-z0-9&]{{1,20}}(?: [A-Z][A-Za-z0-9&]{{1,15}}){{0,3}}(?![A-Za-z0-9_@./+#-])")
_TITLED = re.compile(
    rf"{_EDGE}(?:mr|mrs|ms|dr|prof|mister|professor|doctor)\.? "
    r"(?P<name>[a-zà-ÿ][a-zà-ÿ'’-]{1,20}(?: (?!and |or |to |is |was |has |will )[a-zà-ÿ][a-zà-ÿ'’-]{1,20})??)"
    r"(?=$|[\s,.;:!?)’']|[^\x00-\x7f])",
    re.IGNORECASE,
)
_NO_NAME_WORDS = "who what the a an and or is was will can has please at in on to for from right no"
_NO_NAMES = frozenset(_NO_NAME_WORDS.split())
# Common nouns too: "my doctor told me" names nobody.
_PROFESSIONS = frozenset({"doctor", "professor", "mister"})
_ADDRESSING = re.compile(r"(?:给|请|让|找|跟|和|问|告诉|由|联系|通知|@)[ ]?$")
_SPEAKING = re.compile(r"[ ]?(?:说|问|答|负责|确认|同意|回复|批准|表示|提到|发来|告诉|建议|觉得|认为|反馈)")
_JOINING = re.compile(r"(?:加入|入职|跳槽到|投资|收购|起诉|供职于|就职于|任职于)了?[ ]?$")
_WORKING = re.compile(
    r"[ ]?(?:公司|集团|总部|团队|官网|客服|员工|股价|上班|工作|实习|任职|就职|发布会|宣布|收购|裁员|招聘|中国区)"
)
_IN = re.compile(r"(?:在|从|去|与|跟|和|由|给|向|找|对|是)[ ]?$")
_OF = re.compile(r"[ ]?(?:的|那边|发布|推出|签)")
_HAN_LEFT = re.compile(rf"[{HAN}，。、：；！？（）《》“”@][ ]?$")
_HAN_RIGHT = re.compile(rf"[ ]?[{HAN}，。、：；！？（）《》“”]")


def latin_names(text: str, known: Collection[tuple[int, int]] = ()) -> Iterator[tuple[int, int, str]]:
    """Spans with entity types, the surest first; they may overlap. `known` mentions are not read again."""
    for found in _TITLED.finditer(text, 0, MOST_MODEL_CHARS):
        told = found.group().split(" ", 1)[0].lower() in _PROFESSIONS and found["name"][0].islower()
        if not told and found["name"].split(" ")[0].lower() not in _NO_NAMES:
            yield found.start("name"), _unowned(text, *found.span("name")), "person"
    for address in STREET_ADDRESS.finditer(text, 0, MOST_MODEL_CHARS):
        yield *address.span(), "address"
    for model in _MODEL.finditer(text, 0, MOST_MODEL_CHARS):
        yield *model.span(), "product"
    yield from _called(text)
    yield from given_subjects(text)
    for start, end, label in english_names(text.translate(_PLAIN), known):
        kind = _TYPES.get(label)
        span = _trimmed(text, start, end)
        if kind and span and _stands(text, *span, kind):
            yield *span, kind_here(text, *span, kind)


def _called(text: str) -> Iterator[tuple[int, int, str]]:
    """A capitalised name a Chinese sentence works for, addresses or lets speak: 在 Google 上班, 请 Lena 确认."""
    for name in _FIRM.finditer(text, 0, MOST_MODEL_CHARS):
        joined = _JOINING.search(text, max(0, name.start() - 6), name.start())
        if joined or _WORKING.match(text, name.end()):
            yield *name.span(), "organisation"
    for name in _NAME.finditer(text, 0, MOST_MODEL_CHARS):
        before = _ADDRESSING.search(text, max(0, name.start() - 4), name.start())
        if (before or _SPEAKING.match(text, name.end())) and not _CALENDAR.fullmatch(name.group().lower()):
            yield *name.span(), "person"


def _stands(text: str, start: int, end: int, kind: str) -> bool:
    """Whether the model's guess has a sentence to rest on; parts of a handle are no names."""
    if text[start - 1 : start] == "_" or text[end : end + 1] in {"_", "@"}:
        return False
    if kind not in {"organisation", "product"} or " " in text[start:end]:
        return True
    left = start == 0 or _HAN_LEFT.search(text, max(0, start - 2), start)
    right = end == len(text) or _HAN_RIGHT.match(text, end)
    if not (left and right) or (start == 0 and end == len(text)):
        return True
    return bool(_IN.search(text, max(0, start - 3), start) or _OF.match(text, end) or _WORKING.match(text, end))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A model's span without its article and possessive; nothing where it is not written as a name."""
    if text[start : start + 4].lower() == "the ":
        start += 4
    end = _unowned(text, start, end)
    name = text[start:end]
    if (
        not name.strip()
        or "\n" in name
        or "_" in name
        or _CALENDAR.fullmatch(name.lower())
        or _KIN.fullmatch(name.lower())
    ):
        return None
    named = [word for word in name.split() if word.lower() not in _PARTICLES]
    if not named or not all(word[0].isupper() or not word[0].isalpha() or not word[0].isascii() for word in named):
        return None
    return (start, end) if any(char.isupper() for char in named[0]) else None


def _unowned(text: str, start: int, end: int) -> int:
    """Where a name ends without its possessive."""
    for possessive in ("'s", "’s", "'", "’"):
        if text.endswith(possessive, start, end):
            return end - len(possessive)
    return end
