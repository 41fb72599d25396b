"""Verbs that name one event from several sides: what was received has arrived, who agreed approved.

Closed classes of the commonest events between people; two words meet where one pattern holds both.
"""

from __future__ import annotations

import re

_EVENTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"到|来|抵达|进库|入库|收到|签收|送达|回来|\barriv\w+|\bdeliver\w+|\bcame?\b|\breceiv\w+|\bgot here\b"
        r"|\bturned up\b|\bhere\b",
        r"发|寄|出库|送出|\bsent?d?\b|\bship\w+|\bmail\w+|\bpost(?:ed)?\b|\bdispatch\w+",
        r"付|交[钱费款]|缴|结清|转账|打款|汇|\bpa(?:y|id|ys|ying)\b|\bsettled?\b|\btransfer\w+",
        r"[完好成]了|搞定|办妥|弄好|完成|结束|\bfinish\w+|\bdone\b|\bcomplet\w+|\bready\b",
        r"(?<!不)同意|批(?!评|发)|核准|准许|点头|拍板|\bagree[ds]?\b|\bapprov\w+|\bsign(?:ed|s)? off\b|\bgo ahead\b"
        r"|\bok(?:ay)?(?:ed)?\b",
    )
)


def same_event(word: str, text: str) -> bool:
    """Whether a text has a word for the event that another word names."""
    return any(event.search(word) and event.search(text) for event in _EVENTS)
