"""Chinese questions that ask two things: two asking clauses, two question words, two things compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from graphsvc.models.question import QuestionPart
from graphsvc.retrieve.parse.aspects import side_spans
from graphsvc.retrieve.parse.parties import Span

_ASK = (
    r"(?:什么|啥|谁|哪|几(?!乎)|多少|多(?:久|长|大|高|重|远|宽|贵)|怎么|如何|怎样|为何|何时|是否|是不是|有没有"
    r"|能不能|会不会|要不要|可不可以|行不行)"
)
_ASKS = re.compile(rf"{_ASK}|[吗么]\s*[?？]?$|[了好到完]没有?\s*[?？]?$")
_CLAUSES = re.compile(r"\s*(?:、|[，,；;]\s*(?:还有|以及|另外|而且|并且|同时|而)?|(?:以及|还有|并且))\s*")
# A clause before another that only sets its scene.
_SCENE = re.compile(
    r"^(?:如果|要是|假如|因为|由于|既然|虽然|除了|关于|等|当|在|按照|根据|自从|不管|无论)|(?:时|的时候|之后"
    r"|以后|后|之前|的话)$"
)
_OWN_SUBJECT = re.compile(r"^(?:他|她|它|我|你|咱|人家|对方|双方|[那这])")
_AND = "(?:和|跟|与|及|以及|、|还是|或者?)"
_WH = r"(?:什么时候|啥时候|何时|几点|几号|哪[天年月]|在?哪[里儿]|在什么地方|谁|为什么|为啥|怎么|多少钱|多久)"
_TWO_WH = re.compile(rf"(?P<one>{_WH})(?:[、和及,，]|以及)(?P<two>{_WH})")
_MORE = "(?:高|低|多|少|贵|便宜|快|慢|大|小|好|差|早|晚|长|短|强|重|轻|近|远|新|旧|厚|薄|宽|合适|划算)"
_END = "(?=[一点些多少了的，,。？?呢]|$)"
_WHICH = re.compile(
    rf"(?P<of>的(?P<what>[^，,。？?]{{1,8}}?))?[,，]?(?:哪(?:个|一个|家|种|款|边|台|位|份|条|年|次"
    rf"|一?[方边])?|谁)(?:的?(?P<asked>[^，,。？?更最比]{{1,6}}?))?(?:更|比较|最|要)?(?P<how>{_MORE}){_END}"
    rf"|(?P<of2>的(?P<what2>[^，,。？?]{{1,8}}?))?(?:有(?:什么|啥|哪些)?(?:区别|差别|不同|差异)|(?:差"
    rf"|相差)(?:多少|几)|(?:分别|各自?)(?:是|有|报|要|花|卖|用)?了?(?P<each>.{{1,8}}))"
)
_THAN = re.compile(
    rf"^(?P<one>[^，,。？?]{{1,16}}?)(?:比|相比|跟|和)(?P<two>[^，,。？?]{{1,14}}?)(?:更"
    rf"|要)?(?P<how>{_MORE})(?:了|出)?(?:多少|几|吗|很多)"
)
_BY_KIND = {
    "贵": "多少钱",
    "便宜": "多少钱",
    "划算": "多少钱",
    "早": "什么时候",
    "晚": "什么时候",
    "快": "多久",
    "慢": "多久",
}
_TIMES = re.compile(r"^[和与跟及、]$")
_MODAL = re.compile(r"(?:会|能|要|可以|可|该|应该|需要|得|是|还|有|已经|也|又|被|算)")
# Of what went before a change and what came after it; 春节前后 alone is one stretch of days.
_BEFORE_AND_AFTER = re.compile(
    r"^(?P<event>[^，,。？?]{2,24}?)(?:之前和?之后|以前和?以后|前和后|前后)(?P<what>的?[^，,。？?]{1,8}?)??"
    r"(?:(?:各自|各|分别)(?:是|为|有|要|花)?了?(?P<asked>[^，,。？?]{1,8})|(?:有什么|有啥|有哪些)(?:区别|差别|不同|变化)"
    r"|(?:相差|差|变化?)了?(?:多少|什么))$"
)
_LONGEST_THING = 14


def asks(text: str) -> bool:
    """Whether a stretch of text asks."""
    return _ASKS.search(text.strip()) is not None


def joined(text: str, names: Sequence[Span]) -> list[QuestionPart]:
    """Clauses that each ask, and question words that share what they ask of."""
    two = _TWO_WH.search(text)
    if two and two["one"] != two["two"]:
        rest = text[two.end() :]
        if len(text) - len(two.group()) >= 2:
            head = text[: two.start()]
            return [_part(two.span(which), head + two[which] + rest) for which in ("one", "two")]
    clauses = _clauses(text)
    asking = [span for span in clauses if asks(text[slice(*span)]) and not _SCENE.search(text[slice(*span)])]
    if len(asking) < 2:
        return []
    lead = text[clauses[0][0] : clauses[0][1]] if clauses[0] not in asking else ""
    first = text[slice(*asking[0])]
    topic = lead or _topic(first, asking[0][0], names)
    parts = [_part(asking[0], f"{lead},{first}" if lead else first)]
    for span in asking[1:]:
        clause = text[slice(*span)]
        alike = _opens_with_party(first, asking[0][0], names) and _opens_with_party(clause, span[0], names)
        complete = alike or _complete(clause, span[0], names)
        if not complete and not topic:
            return []
        parts.append(_part(span, clause if complete and not lead else _glued(topic, clause, lead)))
    return parts


def compared(text: str, names: Sequence[Span], times: Sequence[Span]) -> list[QuestionPart]:
    """One part for each of two things that are compared, or asked about one by one."""
    than = _THAN.search(text)
    if than and not _inside(text.find("比", than.start()), names):
        return _than(than)
    dated = _around(text) or _dated(text, times)
    if dated:
        return dated
    which = _WHICH.search(text)
    while which and which.start() < 3:
        which = _WHICH.search(text, which.start() + 1)
    if which is None:
        return []
    pair = _pair(text, which.start(), names)
    if pair is None:
        return []
    tail = _asked(which)
    return [_part(span, text[slice(*span)] + tail) for span in pair]


def _clauses(text: str) -> list[Span]:
    spans: list[Span] = []
    at = 0
    for joint in _CLAUSES.finditer(text):
        if joint.group() == "、" and not asks(text[at : joint.start()]):
            continue
        if joint.start() > at:
            spans.append((at, joint.start()))
        at = joint.end()
    if at < len(text):
        spans.append((at, len(text)))
    return spans or [(0, len(text))]


def _topic(clause: str, offset: int, names: Sequence[Span]) -> str:
    """What the first clause is about: the words before its subject, else before its question word."""
    subjects = [s for s, _ in side_spans(clause)] + [s - offset for s, _ in names if 0 < s - offset < len(clause)]
    own = re.search(r"(?:我们|咱们|我|他们|她们|他|她|你)(?=[^的])", clause)
    if own:
        subjects.append(own.start())
    starts = [start for start in subjects if start >= 2]
    asked = re.search(_ASK, clause) or _MODAL.search(clause)
    if asked is None:
        return ""
    end = min([start for start in starts if start < asked.start()], default=asked.start())
    return re.sub(r"(?:应该|可以|还有|还|要|是|在|到|有|会|能|得|的|了|由|被|给|跟|和)+$", "", clause[:end])


def _complete(clause: str, offset: int, names: Sequence[Span]) -> bool:
    """Whether a later clause names what it is about by itself."""
    asked = re.search(_ASK, clause)
    before = clause if asked is None else clause[: asked.start()]
    if _MODAL.match(clause) or _opens_with_party(clause, offset, names):
        return False
    return len(re.findall(r"[\u4e00-\u9fffA-Za-z0-9]", before)) >= 4


def _opens_with_party(clause: str, offset: int, names: Sequence[Span]) -> bool:
    """Whether a clause begins with somebody: a name, a side of a contract, a pronoun."""
    named = any(start == offset for start, _ in names) or any(start == 0 for start, _ in side_spans(clause))
    return named or _OWN_SUBJECT.match(clause) is not None


def _glued(topic: str, clause: str, lead: str) -> str:
    if not topic or clause.startswith(topic):
        return clause
    return f"{topic},{clause}" if lead else topic + clause


def _than(than: re.Match[str]) -> list[QuestionPart]:
    one, two = than["one"], than["two"]
    whose, of, what = one.rpartition("的")
    if of and "的" not in two and len(what) <= 6 and len(whose) >= 1:
        return [
            _part(than.span("one"), one + _by_kind(than["how"], "的")),
            _part(than.span("two"), f"{two}的{what}" + _by_kind(than["how"], "的")),
        ]
    return [_part(than.span(which), than[which] + _by_kind(than["how"], "")) for which in ("one", "two")]


def _dated(text: str, times: Sequence[Span]) -> list[QuestionPart]:
    """ "2022年和2024年的租金": one question a time."""
    for one, two in pairwise(times):
        joint = text[one[1] : two[0]].strip()
        rest = re.sub(r"(?:之间|期间).*|^(?:的?)(?:变化|区别)", "", text[two[1] :])
        if _TIMES.fullmatch(joint) and len(rest) >= 2 and rest == text[two[1] :]:
            return [_part(span, text[: one[0]] + text[slice(*span)] + rest) for span in (one, two)]
    return []


def _around(text: str) -> list[QuestionPart]:
    """ "涨价前后各多少": what it was before, and what after."""
    found = _BEFORE_AND_AFTER.match(text)
    if found is None:
        return []
    asked = found["asked"] or "是怎样的"
    place = found.end("event")
    spans = ((0, place + 1), (place + 1, len(text)))
    return [
        _part(span, f"{found['event']}{side}{found['what'] or ''}{asked}")
        for span, side in zip(spans, ("前", "后"), strict=True)
    ]


def _pair(text: str, end: int, names: Sequence[Span]) -> tuple[Span, Span] | None:
    """The two things before `end`, joined by a word that is no part of a name."""
    joints = [
        j for j in re.finditer(_AND, text[:end]) if not _inside(j.start(), names) and j.start() > 0 and j.end() < end
    ]
    if len(joints) != 1:
        return None
    one, two = (0, joints[0].start()), (joints[0].end(), end)
    start = max(text.rfind(mark, 0, one[1]) for mark in "，,。") + 1
    one = (start, one[1])
    if not (1 <= one[1] - one[0] <= _LONGEST_THING and 1 <= two[1] - two[0] <= _LONGEST_THING):
        return None
    return one, two


def _asked(which: re.Match[str]) -> str:
    what = which["what"] or which["what2"]
    of = f"的{what}" if what else ""
    if which["each"]:
        return of + re.sub(r"^(?:分别|各自?)", "", text_of_each(which))
    if which["how"] is None:
        return f"{of}是多少" if "差" in which.group()[len(of) :] and "别" not in which.group() else f"{of}是怎样的"
    asked = which["asked"]
    return of + (f"的{asked}" if asked and not of else "") + _by_kind(which["how"], of or asked or "")


def text_of_each(which: re.Match[str]) -> str:
    """What is asked of each of two things."""
    return which.group()[len(which["of2"] or "") :]


def _by_kind(how: str, of: str) -> str:
    """What one asks of a single thing to compare it by an adjective."""
    return (
        "是多少"
        if of and how not in {"早", "晚", "快", "慢", "好", "差"}
        else _BY_KIND.get(how, f"{how}吗" if not of else "怎么样")
    )


def _inside(place: int, names: Sequence[Span]) -> bool:
    return any(start <= place < end for start, end in names)


def _part(span: Span, text: str) -> QuestionPart:
    return QuestionPart(start=span[0], end=span[1], text=text.strip())
