"""Mentions that are known by their shape alone: addresses, numbers to call, codes.

Works on folded text. Shapes are tried in order, so a mail address is never read as a code, and
every pattern is bounded or anchored, so that no text costs more than its length.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from graphsvc.language.normalise import HAN, MIDDLE_DOT

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
    r"|\(?0\d{2,3}\)?[ -]\d{7,8}"
    r"|[48]00-?\d{3}-?\d{4}"
    r"|\+\d{1,3}(?:[ -]?\(?\d{1,4}\)?){2,5}"
    # North America, then the groupings of Britain and its neighbours.
    r"|(?:1[ .-])?\(\d{3}\)[ ]?\d{3}[.-]\d{4}|(?:1-)?\d{3}-\d{3}-\d{4}|\d{3}\.\d{3}\.\d{4}"
    r"|\(?0\d{4}\)? \d{6}|\(?0\d{2}\)? \d{4} \d{4}|\(?0\d{3}\)? \d{3} \d{4}"
    r")(?![a-z0-9_]|-\d{6})"
)
# Short numbers, where a word says that one may call them.
_CALLED = re.compile(
    r"(?:(?:电话|热线|手机号?|座机|传真|致电|拨打|拨)(?:号码|号)?(?:是|为|:)?[ ]?"
    r"|(?:tel|phone|telephone|mobile|hotline|call|dial|fax)(?: number| no)?(?: is|:|\.)? ?)"
    r"(?P<phone>[1-9]\d{4,11})(?![\d.a-z万亿元块个次名位家]|[ ](?:people|customers|times|users))"
)
# Over the text as it was written: 10 Downing Street, 221B Baker Street.
STREET_ADDRESS = re.compile(
    r"(?<![\w.,/-])\d{1,5}[A-Z]?(?: [A-Z][\w'’.-]{1,20}){1,3} "
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Drive|Boulevard|Blvd|Square|Court|Terrace|Crescent|Row|Way)\b"
)
# A number's extension belongs to no other number.
EXTENSION = re.compile(r"[ ]?(?:转|分机|ext\.?|x|-)[ ]?\d{1,6}(?!\d)")
# Letters and digits in one piece: HT2023-0876, tb-17, INV20240508, HT-2026-0031-B.
_CODE = re.compile(r"(?<![a-z0-9_@./#&+-])[a-z0-9]+(?:[-_/#][a-z0-9]+)*(?![a-z0-9_@]|[-_/.][a-z0-9])")
# Codes whose form is laid down by whoever gives them out.
_FORMAL = re.compile(
    r"(?<![a-z0-9_.-])(?:"
    r"v\d{1,4}(?:\.\d{1,5}){1,3}(?:-[a-z0-9]{1,12})?"
    rf"|[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使领][a-z][{MIDDLE_DOT} -]?(?=[a-z]{{0,5}}\d)"
    r"[a-z0-9]{4,6}[学警港澳挂]?"
    r"|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}"
    r"|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|1z[0-9a-z]{16}"
    r"|[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dx]"
    r"|(?P<card>\d{4}(?P<gap>[ -])\d{4}(?P=gap)\d{4}(?P=gap)\d{4}(?:(?P=gap)\d{1,3})?)"
    r"|[a-z]{2}\d{2}(?: [a-z0-9]{4}){3,7}(?: [a-z0-9]{1,4})?"
    r"|[gcdztkyls]\d{1,4}(?=次)"
    r"|97[89]-\d{1,5}-\d{1,7}-\d{1,7}-\d"
    r")(?![a-z0-9_@]|[-.][a-z0-9])"
)
# Digits only, where the words before them say what they are.
_NUMBERED = re.compile(
    r"(?:(?:[编单账帐卡证票]|订单|合同|发票|工单|案|批|运单|快递|流水|序列|[学工户税尾件房]|qq|微信)号"
    r"|号码|编码|邮编|代码|(?:验证|取件|取货|提货|邀请|识别|确认|动态|条形|序列)码|密码|口令|身份证"
    r"|order|invoice|ticket|case|contract|account|"
    r"tracking|po|ref|pin|otp|passcode|postcode|zip)(?: (?:no|number|id|code))?[.]?[ ]?(?:是|为|:|#|is )?[ ]?"
    r"(?P<code>\d{4}(?: \d{4}){2,4}(?: \d{1,3})?|\d{3,20}(?:-\d+)*)"
    r"(?![a-z0-9_]|[.]\d|[元万块%]|[ ](?:units|pieces|pcs|boxes|sets|items|people|dollars|yuan|more|of)\b)"
)
_VERSION = re.compile(
    r"(?:版本(?:号|是|:|[ ])?|\b(?:version|ver|release|build)[.]?)[ ]?(?P<code>\d{1,4}(?:\.\d{1,5}){1,3})"
    r"(?![a-z0-9_]|[.]\d)"
)
_LIKE_A_DATE = re.compile(
    r"(?:19|20)?\d{2}[-/]\d{1,2}(?:[-/]\d{1,4})?|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}|q[1-4]|h[12]|fy\d{2,4}"
)
_QUANTITY = r"\d+(?:st|nd|rd|th|am|pm|k|w|m|g|kg|km|cm|mm|gb|mb|tb|kb|ms|kwh|kw|px|x|s|h|min|hz|ghz|mhz|mn|bn|pcs|pc)?"
_NOT_A_CODE = re.compile(
    r"(?:mid|pre|post|non|top|since|late|early|under|over|age|aged|level|part|phase|week|day|year|covid|class)[-/]\d+"
    rf"|{_QUANTITY}(?:[-/]{_QUANTITY})*"
    rf"|{_QUANTITY}/(?:mo|month|yr|year|wk|week|day|night|hr|h|hour|person|head|unit)"
    r"|(?:rmb|cny|usd|eur|gbp|hkd|jpy|sgd|aud|cad|chf)\d+(?:k|m|mn|bn|w)?|(?:\d+[a-z]{1,4})+|\d+x\d+"
)
_FEWEST_CODE_DIGITS = 3
_SHORTEST_SOLID_CODE = 6
_SHORTEST_LED_BY_DIGITS = 8


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
    for found in _FORMAL.finditer(line):
        yield *found.span(), "identifier"
    for found in _PHONE.finditer(line):
        yield *found.span(), "phone"
    for found in _CALLED.finditer(line):
        yield *found.span("phone"), "phone"


def codes(line: str) -> Iterator[tuple[int, int, str]]:
    """Spans of identifiers: letters with digits, or digits that are called a number of something."""
    for found in _CODE.finditer(line):
        if _is_code(found.group()):
            yield *found.span(), "identifier"
    for pattern in (_NUMBERED, _VERSION):
        for found in pattern.finditer(line):
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
        shortest = _SHORTEST_LED_BY_DIGITS if text[0].isdigit() else _SHORTEST_SOLID_CODE
        return len(text) >= shortest and digits >= _FEWEST_CODE_DIGITS
    words = [part for part in parts if part.isalpha()]
    if parts[0].isdigit() and any(len(word) > 2 for word in words):
        return False
    return all(len(word) <= 6 for word in words)
