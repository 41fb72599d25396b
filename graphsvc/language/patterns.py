"""Mentions that are known by their shape alone: addresses, numbers to call, codes.

Works on folded text. Shapes are tried in order, so a mail address is never read as a code.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from graphsvc.language.normalise import HAN

_LETTER = rf"[^\W_{HAN}]"
_EDGE = rf"(?<![^\W{HAN}])"
_URL = re.compile(
    rf"(?:https?|ftp)://[^\s{HAN}<>\"'，。；、（）()「」]+|{_EDGE}www\.[\w-]+(?:\.[\w-]+)+(?:/[^\s{HAN}<>\"']*)?"
)
_EMAIL = re.compile(r"(?<![a-z0-9.+%_-])[a-z0-9][a-z0-9.+%_-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![a-z0-9])")
_IPV4 = re.compile(r"(?<![a-z0-9_.])(?:\d{1,3}\.){3}\d{1,3}(?![a-z0-9_]|\.\d)")
_IPV6 = re.compile(r"(?<![a-z0-9_:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![a-z0-9_:])")
_PHONE = re.compile(
    r"(?<![a-z0-9_.+-])(?:"
    r"(?:\+?86[ -]?)?1[3-9]\d(?:[ -]?)\d{4}(?:[ -]?)\d{4}"
    r"|\(?0\d{2,3}\)?[ -]\d{7,8}(?:-\d{1,5})?"
    r"|[48]00-?\d{3}-?\d{4}"
    r"|\+\d{1,3}(?:[ -]?\(?\d{1,4}\)?){2,5}"
    r"|\(\d{3}\)[ ]?\d{3}-\d{4}|\d{3}-\d{3}-\d{4}"
    r")(?![a-z0-9_]|-\d)"
)
# Letters and digits in one piece: HT2023-0876, tb-17, INV20240508, HT-2026-0031-B.
_CODE = re.compile(r"(?<![a-z0-9_@./#&+-])[a-z0-9]+(?:[-_/#][a-z0-9]+)*(?![a-z0-9_@]|[-_/.][a-z0-9])")
# Digits only, where the words before them say what they are.
_NUMBERED = re.compile(
    r"(?:(?:编|单|账|帐|卡|证|票|订单|合同|发票|工单|案|批|运单|快递|流水|序列|工)号|号码|编码|学号|order|invoice|ticket|case|contract|account|"
    r"tracking|po|ref)(?: (?:no|number|id))?[.]?[ ]?[是为:#]?[ ]?(?P<code>\d{3,20}(?:-\d+)*)(?![a-z0-9_])"
)
_LIKE_A_DATE = re.compile(
    r"(?:19|20)?\d{2}[-/]\d{1,2}(?:[-/]\d{1,4})?|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}|q[1-4]|h[12]|fy\d{2,4}"
)
_NOT_A_CODE = re.compile(
    r"(?:mid|pre|post|non|top|since|late|early|under|over|age|aged|level|part|phase|week|day|year|covid|class)[-/]\d+"
    r"|\d+(?:st|nd|rd|th|am|pm|k|w|m|g|kg|km|cm|mm|gb|mb|tb|kb|ms|kwh|kw|px|x|s|h|min|hz|ghz|mhz)"
)
_FEWEST_CODE_DIGITS = 3
_SHORTEST_SOLID_CODE = 6


def shaped(line: str) -> Iterator[tuple[int, int, str]]:
    """Spans of folded text with their entity types; they may overlap, the earlier kind is the truer one."""
    for found in _URL.finditer(line):
        yield found.start(), found.start() + len(found.group().rstrip(".,;:!?)")), "url"
    for found in _EMAIL.finditer(line):
        yield *found.span(), "email"
    for pattern in (_IPV4, _IPV6):
        for found in pattern.finditer(line):
            if _is_ip(found.group()):
                yield *found.span(), "ip"
    for found in _PHONE.finditer(line):
        yield *found.span(), "phone"


def codes(line: str) -> Iterator[tuple[int, int, str]]:
    """Spans of identifiers: letters with digits, or digits that are called a number of something."""
    for found in _CODE.finditer(line):
        if _is_code(found.group()):
            yield *found.span(), "identifier"
    for found in _NUMBERED.finditer(line):
        yield *found.span("code"), "identifier"


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return len(text) > 2


def _is_code(text: str) -> bool:
    """Letters and figures together, joined or long enough to be no quantity, date or word with a number."""
    digits = sum(char.isdigit() for char in text)
    if not digits or _LIKE_A_DATE.fullmatch(text) or _NOT_A_CODE.fullmatch(text):
        return False
    parts = re.split(r"[-_/#]", text)
    if digits + len(parts) - 1 == len(text):
        return False
    if len(parts) == 1:
        return len(text) >= _SHORTEST_SOLID_CODE and digits >= _FEWEST_CODE_DIGITS and not text[0].isdigit()
    words = [part for part in parts if part.isalpha()]
    if parts[0].isdigit() and any(len(word) > 2 for word in words):
        return False
    return all(len(word) <= 6 for word in words)
