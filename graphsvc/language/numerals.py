"""Read numerals: figures, Chinese characters, both in one, and English words.

三万五 is 35000 and 一百二 is 120 (a last digit counts in tenths of the unit before it), 十二万零六百
is 120600; 两三, 十几 and 几十 are ranges. Works on folded text.
"""

from __future__ import annotations

import re

HAN_DIGITS = "零〇一二两三四五六七八九壹贰叁肆伍陆柒捌玖"
HAN_UNITS = "十百千万亿拾佰仟"
FIGURES = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
# A numeral in figures, characters or both; 几 and 数 stand for a digit beside a unit.
NUMERAL = rf"(?:{FIGURES}|[{HAN_DIGITS}{HAN_UNITS}]|点(?=[{HAN_DIGITS}])|(?<=[十百千万亿])几|[几数](?=[{HAN_UNITS}]))+"

_SAME_DIGITS = ("零〇", "一壹", "二两贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")
_DIGITS = {char: value for value, chars in enumerate(_SAME_DIGITS) for char in chars}
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000, "万": 10_000, "亿": 100_000_000}
_ATOM = re.compile(rf"{FIGURES}|.")
_ASCENDING = re.compile(r"一两|一二|二三|两三|三四|三五|四五|五六|六七|七八|八九")
_LONGEST_NUMERAL = 24

_SMALL = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def _number_words() -> dict[str, int]:
    small = {word: value for value, word in enumerate(_SMALL.split())}
    return small | {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}


_WORDS = _number_words()
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ANY_WORD = "|".join(sorted([*_WORDS, *_SCALES], key=len, reverse=True))
_DIGIT_WORD = "|".join(_SMALL.split()[:10])
# Twenty-five thousand, a hundred and ten, two point five million, half a million, two dozen.
NUMBER_WORDS = (
    rf"(?<![\w'-])(?:half a (?:million|billion|dozen)|(?:a|{_DIGIT_WORD}) dozen"
    rf"|(?:{_DIGIT_WORD}) point(?: (?:{_DIGIT_WORD})){{1,6}}(?: (?:{'|'.join(_SCALES)}))?"
    rf"|(?:an? (?=hundred|thousand|million|billion))?(?:{_ANY_WORD})(?:(?:[ -]| and )(?:{_ANY_WORD})){{0,9}})(?![\w'])"
)


def parse_numeral(text: str) -> tuple[float, float | None] | None:
    """The value of a numeral, or the two ends of a range; `None` when the characters are no number."""
    if not text or len(text) > _LONGEST_NUMERAL:
        return None
    if text.isascii() and text.isdigit():
        return float(text), None
    pair = _ASCENDING.search(text)
    if pair and _is_range(text, pair):
        low = _evaluate(text[: pair.start() + 1] + text[pair.end() :])
        high = _evaluate(text[: pair.start()] + text[pair.start() + 1 :])
    elif "几" in text or "数" in text:
        low = _evaluate(re.sub("[几数]", "一" if text[0] not in "几数" else "二", text))
        high = _evaluate(re.sub("[几数]", "九", text))
    else:
        low, high = _evaluate(text), None
    return None if low is None else (low, high)


def parse_words(text: str) -> float | None:
    """The value of an English numeral in lower case: "two hundred and five thousand" is 205000."""
    if " point " in text:
        return _spoken_decimal(text)
    if text.endswith(" dozen") and not text.startswith("half"):
        return 12.0 * _WORDS.get(text.split(" ", 1)[0], 1)
    if text.startswith("half a "):
        scale = text.rsplit(" ", 1)[-1]
        return 6.0 if scale == "dozen" else _SCALES[scale] / 2
    total, part = 0, 0
    for word in re.split(r"[ -]", text):
        if word in {"a", "an"}:
            part = 1
        elif word in _WORDS:
            part += _WORDS[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _SCALES:
            total += max(part, 1) * _SCALES[word]
            part = 0
    return float(total + part)


def _spoken_decimal(text: str) -> float:
    """Two point five million."""
    whole, _, after = text.partition(" point ")
    words = after.split(" ")
    scale = _SCALES[words.pop()] if words[-1] in _SCALES else 1
    digits = "".join(str(_WORDS[word]) for word in words)
    return float(f"{_WORDS[whole]}.{digits}") * scale


def integer(text: str) -> int | None:
    """A whole number as dates and counts are written, 二〇二四 included."""
    if text.isascii() and text.isdigit():
        return int(text) if len(text) < 10 else None
    if len(text) > 1 and all(char in _DIGITS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text[:9]))
    found = parse_numeral(text)
    return int(found[0]) if found and found[1] is None and found[0] == int(found[0]) else None


def _is_range(text: str, pair: re.Match[str]) -> bool:
    """两三百, 十七八: a pair of digits stands where one may, and no third digit follows."""
    after = text[pair.end() : pair.end() + 1]
    before = text[pair.start() - 1 : pair.start()] if pair.start() else ""
    return after not in _DIGITS and before not in _DIGITS and not after.isdigit() and not before.isdigit()


def _evaluate(text: str) -> float | None:
    """One value; `None` for strings such as 一一 or 十十 that no number is written as."""
    whole, section = 0.0, 0.0
    pending: float | None = None
    unit, zero = 0, False
    for atom in _ATOM.findall(_decimal(text)):
        scale = _UNITS.get(atom, 0)
        if not scale:
            digit = _DIGITS.get(atom)
            value = float(digit) if digit is not None else _figure(atom)
            if value is None or (pending is not None and pending != 0):
                return None
            zero = zero or value == 0
            pending = value
        elif scale < 10_000:
            if pending is None and scale != 10 and (section or whole or unit):
                return None
            section += (1 if pending is None else pending) * scale
            pending, unit, zero = None, scale, False
        else:
            section += pending or 0
            if section == 0 and whole == 0:
                section = 1
            whole, section = _raise(whole, section, scale)
            pending, unit, zero = None, scale, False
    if pending is not None:
        tail = unit >= 100 and not zero and 0 < pending < 10 and pending == int(pending)
        section += pending * unit / 10 if tail else pending
    return whole + section


def _raise(whole: float, section: float, scale: int) -> tuple[float, float]:
    """三万亿 multiplies all before it; 一亿二千万 only the section."""
    if scale == 100_000_000:
        return (whole + section) * scale, 0.0
    return whole + section * scale, 0.0


def _decimal(text: str) -> str:
    """三点五万 as 3.5万."""
    point = text.find("点")
    if point < 1:
        return text
    head = _evaluate(text[:point])
    tail = re.match(rf"[{HAN_DIGITS}]+", text[point + 1 :])
    if head is None or tail is None or head != int(head):
        return text
    digits = "".join(str(_DIGITS[char]) for char in tail.group())
    return f"{int(head)}.{digits}{text[point + 1 + tail.end() :]}"


def _figure(atom: str) -> float | None:
    plain = atom.replace(",", "")
    return float(plain) if plain[:1].isdigit() else None
