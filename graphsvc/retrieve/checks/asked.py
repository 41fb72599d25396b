"""What kind of value a question asks for, where its type leaves that open: the question words say.

A question of place may ask for a day (婚礼在哪天), one of the latest state for a number.
"""

from __future__ import annotations

import re
from functools import lru_cache

from graphsvc.models.question import Question
from ontology.model import ValueKind

_WORDED: tuple[tuple[ValueKind, re.Pattern[str]], ...] = (
    (
        ValueKind.TIME,
        re.compile(
            r"什么时候|啥时候|何时|几点|几号|几月|哪(?:一)?[天年月日]|哪个(?:月|星期|礼拜|周末)|(?:星期|周|礼拜)几|什么时间"
            r"|\bwhen (?:is|was|are|were|do|does|did|will|has|have|had)\b|\bwhat (?:time|day|date|year|month|week)\b"
            r"|\b(?:which|on what) (?:day|date|year|month|weekend|week)\b|\bsince when\b|\b(?:by|until) when\b",
            re.IGNORECASE,
        ),
    ),
    (
        ValueKind.AMOUNT,
        re.compile(
            r"多少(?!号)|几[个人块元斤台件次箱位张份成折层平亩米岁]|多[大高重长宽远贵厚深久]"
            r"|\bhow (?:much|many|often|long|big|tall|heavy|far|large|high|wide|deep|old|fast|hard)\b",
            re.IGNORECASE,
        ),
    ),
    (ValueKind.PERSON, re.compile(r"谁|哪位|\bwho(?:m|se)?\b", re.IGNORECASE)),
)
WHERE = re.compile(
    r"哪里|哪儿|[在住去到]哪(?!一?[天年月日])|哪个(?:城市|国家|地方)|什么地方"
    r"|\bwhere\b|\bwhich (?:city|country|town|place)\b",
    re.IGNORECASE,
)
CLOCK = re.compile(r"几点|\bwhat time\b", re.IGNORECASE)
_CODE = re.compile(
    r"(?:单号|编号|号码|密码|账号|电话|邮箱|网址|序列号|车牌|取件码|[^几多]号)(?:是|为|叫)?(?:多少|什么|几|$)|(?<![a-z])ip(?![a-z])"
    r"|\b(?:number|password|passcode|code|pin|serial|e-?mail address|url|plate)\b(?! of (?:people|guests))",
    re.IGNORECASE,
)


def asked_kind(question: Question, kind: ValueKind | None = None) -> ValueKind:
    """The kind given by the question's type, unless it is none, or its own words say another."""
    if kind in (ValueKind.TIME, ValueKind.AMOUNT, ValueKind.PERSON, ValueKind.IDENTIFIER, ValueKind.YES_NO):
        return kind
    return _worded(question.text) or kind or ValueKind.NONE


def asks_for_code(question: Question) -> bool:
    """Whether its own words ask for a code, a number of something, or an address: 密码, the serial number."""
    return _worded(question.text) is ValueKind.IDENTIFIER


@lru_cache(maxsize=512)
def _worded(text: str) -> ValueKind | None:
    if _CODE.search(text):
        return ValueKind.IDENTIFIER
    return next((kind for kind, pattern in _WORDED if pattern.search(text)), None)
