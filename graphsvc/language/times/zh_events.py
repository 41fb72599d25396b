"""Chinese times that hang on an event nobody dated: 开会之前, 等下课以后, 吃完饭后, 收到发票后, 会议期间.

They keep no interval. 以前 and 之前 are adverbs too, and 前 and 后 name places, so what stands before them must be
an event: a verb with the object it commonly takes, a verb that is over (吃完, 收到), a noun of an event, or a
clause that 等 opens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from graphsvc.language.normalise import HAN
from graphsvc.language.times import walk
from graphsvc.language.times.calendar import UNKNOWN, Reading
from graphsvc.models.facts import Anchor

# Where one stops: no place (前台, 后面), no rank (前三名), no 后来.
_SIDE = re.compile(
    r"之前|以前|之后|以后|期间|的时候|前(?![台院排面端夕往者任景锋途后女男妻夫提言沿\d一二两三四五六七八九十几])"
    r"|后(?![台面院续果来勤期悔者备边门退座视裔代方遗天年])"
)
# A verb and the object that it takes in everyday speech; 出口 and 上海 are none of these.
_VERB_OBJECT = (
    "[开散参]会|[上下听逃翘备补]课|[上下加值换交]班|[开放上入升退转]学|[毕结创停]业|[结离订成]婚|[吃做煮用]饭|睡[觉着]|起床"
    "|洗[澡碗脸头]|刷牙|[考面笔口复]试|[进出回离]国|[回到搬离成]家|[到发收交退进提送]货|[付交汇退打收]款|[签续解]约|签[字收订]"
    "|[入离退辞求]职|退休|[装]修|[住出入]院|[登起落转]机|[上下停到换]车|[起]飞|[落]地|[收交买租退卖看]房|[进出关锁]门|生[病孩娃]"
    "|怀孕|出[生发差]|去世|放假|休假|请假|度假|喝酒|打[球针]|跑步|健身|化疗|体检|报[到名]|投产|上[市线]|[开闭落]幕|开[业工庭盘机学奖]"
    "|完[工成]|竣工|验收|交付|到期|生效|[开]始|结束|完结|[回到进出过]来|回去|离开|到[达场站岗]|抵达|发布|收到|改版|[合重]并|退[出订]"
)
_NOUN = (
    "会议|会谈|发布会|聚会|晚会|婚礼|葬礼|典礼|仪式|手术|比赛|考试|面试|培训|演出|讲座|活动|战争|疫情|地震|事故|电影|训练|谈判"
    "|审批|审核|实习|旅行|婚后|孕|午饭|晚饭|早饭|[早午晚]餐|暴雨|台风|选举|答辩|会诊|彩排|项目|治疗|检查"
)
_BOUND = rf"(?<![{HAN}])(?:饭|餐|会|课|婚|睡|术|产|赛|战|节|考|婚)"
_OVER = (
    rf"[吃喝做看写读听说洗办买忙谈用聊开打玩考学跑]完(?![全善整美])[{HAN}]{{0,4}}?"
    rf"|[收拿看听接等找买遇回赶得见]到[{HAN}a-z]{{1,8}}?"
    rf"|[吃下上看签交付发收办离结毕洗喝](?:了|过)(?!解)[{HAN}]{{1,4}}?|[走吃喝签买卖搬睡醒]了"
)
_WAIT = rf"(?<![{HAN}])(?:[我你您他她咱]们?)?(?:就|先|要|得|再)?(?P<wait>等(?![级于等候式号])[{HAN}]{{2,10}}?)"
_BEFORE_SIDE = re.compile(rf"(?:{_WAIT}|(?P<event>{_OVER}|{_VERB_OBJECT}|{_NOUN}))$")
_ALONE = re.compile(rf"{_BOUND}$")
_BOUND_SIDES = frozenset("前后")
_LONGEST = 14


def find(line: str, known: Sequence[Reading]) -> Iterator[Reading]:
    """Events that none of the times already read takes a part of, in order."""
    index, at = 0, 0
    for side in islice(_SIDE.finditer(line), walk.budget(line)):
        start = _start(line, side, max(at, side.start() - _LONGEST))
        if start is None:
            continue
        while index < len(known) and known[index].end <= start:
            index += 1
        if index < len(known) and known[index].start < side.end():
            continue
        at = side.end()
        yield Reading(start, at, UNKNOWN, Anchor.EVENT)


def _start(line: str, side: re.Match[str], first: int) -> int | None:
    """Where the words of the event begin that stand before a side; nothing where they are none."""
    if side[0] in _BOUND_SIDES and (bound := _ALONE.search(line, max(first, side.start() - 1), side.start())):
        return bound.start()
    match = _BEFORE_SIDE.search(line, first, side.start())
    if match is None:
        return None
    return match.start("wait") if match["wait"] else match.start("event")
