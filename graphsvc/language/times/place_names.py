"""Names of places that a time word opens: 春天路, 五一广场, Friday Harbour, May Street are no times.

What makes them names is the noun of a place that follows: one that stands after a name alone in Chinese, one with a
capital of its own in English. The number of a house in a street is no day of a month.
"""

from __future__ import annotations

import re

# 路上, 街头 and 店里 are where people are, whatever the day.
_PLACE_ZH = re.compile(
    "(?:东|西|南|北|中)?(?:路(?![上过程途边费况])|(?:大|后|前|老|步行)?街(?![上头边])|大道|广场|大厦|大楼|小区|花园|花苑|公寓"
    "|家园|新村|山庄|胡同|巷|桥|店(?![里内员铺面家主长]))"
)
_NAMED_ZH = re.compile(r"[^\d零〇一二三四五六七八九十年月日号点时]{2,}|[一二三四五六七八九十]{2}")
_HOUSE_ZH = re.compile(r"(?<![这那条的走马])(?:路|街|大道|巷|弄|胡同)$")
_NUMBER_ZH = re.compile(r"[\d一二三四五六七八九十百]+号")
_PLACE_EN = re.compile(
    r" (?:Roads?|Rd|Streets?|St|Squares?|Harbou?rs?|Avenue|Ave|Lane|Drive|Boulevard|Park|Bridge|House|Hall|Hill|Hills"
    r"|Islands?|Court|Place|Plaza|Tower|Towers|Terrace|Gardens?|Crescent|Close|Mews|Market|Station|Hotel|Inn|Lodge"
    r"|Beach|Bay|Valley|Creek|River|Lake|Falls|Point|Heights|Mall|Quay|Wharf|Pier|Mill|Farm|Cottage)\b(?!['’])"
)
_LAST_WORD = re.compile(r"(?:^|\s)([A-Z][a-z]+)$")


def in_place_name(text: str, start: int, end: int) -> bool:
    """Whether the time word at `start` to `end` of a text as written is part of the name of a place."""
    words = text[start:end]
    if _NUMBER_ZH.fullmatch(words):
        return _HOUSE_ZH.search(text, max(0, start - 3), start) is not None
    if _LAST_WORD.search(words):
        return _PLACE_EN.match(text, end) is not None
    return _NAMED_ZH.fullmatch(words) is not None and _PLACE_ZH.match(text, end) is not None
