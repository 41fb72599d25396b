"""Questions about several occasions: which came first, whether they fell together, what else happened that day.

Their answer is in no single memory: one tells of each occasion. A list of occasions is cut apart only where it is
plain which words join it; a name or a title may hold "和" of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphsvc.models.question import Question, QuestionPart
from graphsvc.retrieve.parse.parties import Span
from graphsvc.retrieve.parse.wording import worded

_SPAN_ZH = "(?:天|日|周|星期|礼拜|月份?|季度|年份?|时间|时候|时期|时段)"
_TOGETHER_ZH = rf"同(?:一|在)?个?(?:{_SPAN_ZH}|[时期])"
_FIRST_ZH = (
    r"(?:哪|谁)[^，,。？?]{0,10}?(?:更|最|比较|要|会)?(?:早(?!餐|饭|上|点)|晚(?!餐|饭|上|点)|先(?!生)"
    r"|(?<!以)(?<!最)后(?!来|面|备))"
)
_TOGETHER = re.compile(
    r"[，,]?\s*(?:是不是|是否|有没有|会不会|是|都|也|均|全)*(?:发生|举行|进行|出现|召开|公布|发布|落)?(?:在|于)?的?"
    rf"{_TOGETHER_ZH}[^，,。？?]{{0,8}}$"
)
_FIRST = re.compile(rf"[，,]?\s*(?:中|里|当中|之中)?(?:的)?{_FIRST_ZH}[^，,。？?]{{0,8}}$")
_SUMMED = re.compile(
    r"[，,]?\s*(?:这|那)?(?:[两二三四五几]|些)(?:者|[件个场次项起届]?(?:事情|事件|事儿|事|活动|比赛|会议|消息|新闻)?)(?:中|里|之间|当中)?$"
    r"|[，,]?\s*(?:两者|二者|它们|他们)(?:中|之间)?$"
)
_LISTED = re.compile("、")
_JOINT = re.compile("以及|还是|[和与跟及]|或者?")
_CLOSED = re.compile(r"[（(【\[《〈「『“\"‘][^）)】\]》〉」』”\"’]*[）)】\]》〉」』”\"’]")
_SHORTEST = 4
_WHEN_ZH = "是什么时候"

_TOGETHER_EN = re.compile(
    r"^(?:did|do|does|were|was|are|is|have|has|will) (?:both )?(?P<what>.{8,}?) (?:(?:both|all|happen|occur|held|fall|"
    r"take place|taking place|released|published|start|begin|end) )*(?:on|in|at|during) the same "
    r"(?:day|date|week|month|quarter|year|time)\b",
    re.IGNORECASE,
)
_JOINT_EN = re.compile(r"\s+and\s+", re.IGNORECASE)

_SAME_DAY = worded(
    r"当天|当日(?!常)|同一?[天日](?!常)|同一个日子|[那这]一?[天日](?!下)"
    r"|\b(?:the |that |this |on )?(?:same|very) day\b|\bthat day\b|\bthe day (?:when|that|of)\b|\bon the day\b"
)
_SEVERAL = worded(
    rf"{_TOGETHER_ZH}|{_FIRST_ZH}|(?<!同)当[月年](?!轻)|分别|[最更](?:早|晚|先)[^，,。？?]{{0,6}}(?:哪|谁)|先后顺序|时间顺序"
    r"|从早到晚"
    r"|\bthe same (?:day|date|week|month|quarter|year|time)\b|\b(?:came|come|comes|happened|happens|was|were|is) "
    r"(?:first|last|earlier|later|earliest|latest)\b"
)


def same_day(text: str) -> bool:
    """Whether a question asks for what happened on the day of something else it names, not on a day it dates."""
    return _SAME_DAY.search(text) is not None


def of_several(text: str) -> bool:
    """Whether a question is about several occasions, whether or not it is plain where one ends."""
    return same_day(text) or _SEVERAL.search(text) is not None


def several(question: Question) -> bool:
    """Whether a question needs more than one memory: it has parts, or is about several occasions."""
    return len(question.parts) > 1 or of_several(question.text)


def occasions(text: str, names: Sequence[Span]) -> list[QuestionPart]:
    """One part for each occasion of a question that asks for their order, or whether they fell together."""
    english = _TOGETHER_EN.match(text)
    if english is not None:
        return _english(english)
    asked = _TOGETHER.search(text) or _FIRST.search(text)
    if asked is None:
        return []
    summed = _SUMMED.search(text[: asked.start()])
    end = asked.start() if summed is None else summed.start()
    spans = _listed(text, end, names)
    if len(spans) < 2 or any(stop - start < _SHORTEST for start, stop in spans):
        return []
    return [QuestionPart(start=start, end=stop, text=text[start:stop] + _WHEN_ZH) for start, stop in spans]


def _listed(text: str, end: int, names: Sequence[Span]) -> list[Span]:
    """The things of a list: between its commas (、) and the one joint behind the last, or either side of one joint."""
    closed = [*names, *(found.span() for found in _CLOSED.finditer(text[:end]))]
    commas = [found.span() for found in _LISTED.finditer(text, 0, end) if not _inside(found.start(), closed)]
    since = commas[-1][1] if commas else 0
    joints = [found.span() for found in _JOINT.finditer(text, since, end) if not _inside(found.start(), closed)]
    if len(joints) > 1 or not (joints or commas):
        return []
    cuts = [*commas, *joints]
    starts, stops = [0, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), end]
    return [_trimmed(text, start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop]


def _trimmed(text: str, start: int, stop: int) -> Span:
    while start < stop and text[start] in " ，,、：:":
        start += 1
    while start < stop and text[stop - 1] in " ，,、：:":
        stop -= 1
    return start, stop


def _english(found: re.Match[str]) -> list[QuestionPart]:
    """ "Did the fair and the strike happen on the same day": when was each."""
    start, end = found.span("what")
    joints = list(_JOINT_EN.finditer(found.string, start, end))
    if len(joints) != 1:
        return []
    spans = [(start, joints[0].start()), (joints[0].end(), end)]
    return [QuestionPart(start=s, end=e, text=f"when was {found.string[s:e]}") for s, e in spans]


def _inside(place: int, spans: Sequence[Span]) -> bool:
    return any(start <= place < end for start, end in spans)
