"""Which state of a thing a question asks for, or whether, how often, since when and why it changed.

Aspect, connectives and verbs of change decide, in both languages; what a question is about never does. A question
about the change itself asks for no single state, so nothing that was replaced is kept from it.
"""

from __future__ import annotations

from enum import StrEnum

from graphsvc.models.question import Question, Validity
from graphsvc.retrieve.parse.wording import worded


class Sought(StrEnum):
    """What of a chain of memories, each replacing the one before, a question asks for.

    `current`: the one in force; `previous`: the one before it, or before the change the question names; `first`: the
    earliest; `whether`, `times`: all of them, in order; `since`: the one in force, and when it came;
    `reason`: why it changed, which any of them may tell.
    """

    CURRENT = "current"
    PREVIOUS = "previous"
    FIRST = "first"
    WHETHER = "whether"
    TIMES = "times"
    SINCE = "since"
    REASON = "reason"


OF_THE_CHANGE = frozenset({Sought.WHETHER, Sought.TIMES, Sought.SINCE, Sought.REASON})
OF_THE_PAST = frozenset({Sought.PREVIOUS, Sought.FIRST})
OF_ALL = frozenset({Sought.WHETHER, Sought.TIMES})

_VERB_ZH = (
    r"(?:修改|更改|改动|改|调整|调|变更|变动|变|更新|更换|更正|换|动|搬|挪|迁|转|涨|降|升|推迟|延期|延|提前|取消|撤回"
    r"|撤销|退|停|终止|反悔|松口|改口)"
)
_VERB_EN = (
    r"(?:chang(?:e|ed|ing)|mov(?:e|ed|ing)|switch(?:ed|ing)?|replac(?:e|ed|ing)|updat(?:e|ed|ing)|revis(?:e|ed|ing)"
    r"|correct(?:ed|ing)?|amend(?:ed|ing)?|reschedul(?:e|ed|ing)|postpon(?:e|ed|ing)|delay(?:ed|ing)?|cancel(?:led|ed"
    r"|ling|ing)?|call(?:ed|ing)? off|rais(?:e|ed|ing)|lower(?:ed|ing)?|increas(?:e|ed|ing)|reduc(?:e|ed|ing)"
    r"|swap(?:ped|ping)?|alter(?:ed|ing)?|adjust(?:ed|ing)?|reassign(?:ed|ing)?|renam(?:e|ed|ing)|revok(?:e|ed|ing)|withdr(?:aw|ew"
    r"|awn))"
)
_TIMES = worded(
    rf"{_VERB_ZH}[过了]?(?:几|多少)[次回遍趟]|(?:几|多少)[次回遍趟][^，,。？?]{{0,6}}{_VERB_ZH}"
    rf"|\bhow (?:many times|often)\b.*\b{_VERB_EN}\b"
)
_WHETHER = worded(
    rf"{_VERB_ZH}过(?!(?:[来去程渡期户]|什么|哪|谁|几|多少|之?后|以后|的))|(?:有没有|是不是|是否)[^，,。？?]{{0,6}}{_VERB_ZH}过?(?:主意|[?？]?\s*$)"
    r"|(?:一直|始终|从来)(?:都|就)?是?[^，,。？?]{1,16}(?:吗|么|没变)[?？]?\s*$"
    rf"|\b(?:has|have|had|did|was|were|is)\b.*\bever\b.*\b{_VERB_EN}\b|\b(?:ever|at any point) (?:been )?{_VERB_EN}\b"
    rf"|\b{_VERB_EN} at any point\b|\b(?:has|have|was|were) .{{1,60}}\b(?:always|all along)\b"
    r"|\bchang\w* (?:\w+ ){0,2}minds?\b"
)
_SINCE = worded(
    r"(?:从|自|打)(?:什么时候|何时|哪[一]?[天年月]|几[月号]|啥时候?)|(?:什么时候|何时|哪[一]?天|啥时候?)(?:开始|起)[^，,。？?]{1,14}的"
    rf"|(?:什么时候|何时|哪[一]?[天年月]|几[月号]|啥时候?)[^，,。？?]{{0,6}}{_VERB_ZH}[^，,。？?]{{0,8}}的(?=[?？]?\s*$)"
    rf"|(?:什么时候|何时|啥时候?)[^，,。？?]{{0,4}}{_VERB_ZH}(?:成|为|到|掉|走)?了"
    r"|\bsince when\b|\bfrom when\b|\bhow long (?:has|have)\b"
    rf"|\bwhen (?:did|was|were|has|have) .{{1,60}}\b{_VERB_EN}\b"
)
_REASON = worded(
    r"为(?:什么|何|啥|嘛)|干嘛|怎么(?:会|就|突然|又|不)|什么原因|原因是|\bwhy\b|\bhow come\b|\bwhat made\b|\breasons?\b"
)
_FIRST = worded(
    r"最初|最早|一开始|起初|起先|当初|原先|原定|原来|原本|本来|年初|第一[次版稿]|\boriginal(?:ly)?\b|\bat first\b"
    r"|\binitial(?:ly)?\b|\bto begin with\b|\bin the beginning\b|\bat the (?:very )?(?:start|beginning|outset)\b"
    r"|\bfirst (?:version|quote|plan|date|letter|message|e?-?mail|note|notice|offer|estimate"
    r"|answer|choice|price|figure)\b|\bdid (?:i|you|we|they|he|she|it) first\b"
)


def sought(question: Question) -> Sought:
    """What the question asks for of something that may have changed."""
    text = question.text
    if _TIMES.search(text):
        return Sought.TIMES
    if _SINCE.search(text):
        return Sought.SINCE
    if _REASON.search(text):
        return Sought.REASON
    if _WHETHER.search(text):
        return Sought.WHETHER
    if question.validity is not Validity.HISTORICAL:
        return Sought.CURRENT
    return Sought.FIRST if _FIRST.search(text) and not before_what(text) else Sought.PREVIOUS


_BEFORE_ZH = worded(r"(?P<what>[^，,。？?]{2,16}?)(?:之前|以前|前)(?!面)")
_BEFORE_EN = worded(
    r"\bbefore (?P<what>(?:the|it|they|we|she|he|i|you|\w+['’]s?|my|our|your|his|her|their) [^?,.]{3,60})"
)


def before_what(text: str) -> str:
    """The change of which the question asks what held before it ("换盒子之前", "before we moved"); empty for none."""
    found = _BEFORE_ZH.search(text) or _BEFORE_EN.search(text)
    return "" if found is None else found.group("what")
