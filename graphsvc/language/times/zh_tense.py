"""Whether a Chinese clause speaks of what is over or of what is to come: 12月30日去了, 12月30日要交, 打算国庆去西藏.

The first mark after a time tells; where there is none, what stands just before the time.
"""

from __future__ import annotations

import re

from graphsvc.language.times.frame import Tense

# 过年 and 过节 are no past, nor is 怎么过; 除了 and 了解 hold no mark of what is over.
_PAST = re.compile(r"(?<![除为])了(?!解)|(?<![么起通超经再不难要想])过(?![年节生日冬夏])|已|刚|曾")
_COMING = re.compile(
    r"将|要|打算|计划|准备|预计|必须|想[去来回]|再[去来说见聊看]|怎么过|一起过|快[到要来]|就到"
    r"|会(?=[在去来有把给跟和到])|见(?=$|[,。;!?吧啦哦\n])"
)
# What was called off, put off or settled may lie on either side of now: 5月4日取消了, 10月25日定了.
_ARRANGED = re.compile(
    "取消|改[期到在成为]|推[迟后]|延[期后迟]|顺延|提前|作废|撤[销掉]|确[认定]|通知|公布|宣布|预[订定约]|[订定约](?:了|好|在|下)"
)
_STOP = re.compile("[,。;!?\n]")
_PAST_CHARS, _COMING_CHARS = 16, 10
_COMING_BEFORE = re.compile(
    "(?:将|要|等|打算|计划|准备|预计|[想盼期]望?|约[好在]|定[在到]|改[到在]|推迟到|离|距离?|快到)(?:着)?[^,。;!?\n]{0,2}$"
)
_BEFORE_CHARS = 6


def tense_of(line: str, start: int, end: int) -> Tense:
    """The tense of the clause around a time that takes up `start` to `end`."""
    stop = _STOP.search(line, end, end + _PAST_CHARS)
    last = stop.end() if stop else end + _PAST_CHARS
    past = _PAST.search(line, end, last)
    coming = _COMING.search(line, end, min(last, end + _COMING_CHARS))
    if coming and (past is None or coming.start() <= past.start()):
        return Tense.COMING
    if past:
        return Tense.OPEN if _ARRANGED.search(line, end, last) else Tense.PAST
    return Tense.COMING if _COMING_BEFORE.search(line, max(0, start - _BEFORE_CHARS), start) else Tense.OPEN
