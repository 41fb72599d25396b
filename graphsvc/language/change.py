"""Whether a text says that something is no longer as it was: moved, cancelled, corrected, replaced, settled at last.

Closed classes of verbs and connectives of change in both languages; what it is that changed is not read here.
"""

from __future__ import annotations

import re

_CHANGE = re.compile(
    r"改(?!善|革|进|造|编)|换(?!句)|更正|纠正|订正|更新|修订|调(?:整|到|至|为|成|低|高)|推迟|延(?:期|到|后|至)|提前|顺延|取消"
    r"|作废|撤[销回]|收回|退[了掉回]|不再|停[了用]|[搬挪移转](?:到|至|去|往|为|成|进)|变(?:成|更|为)"
    r"|[涨降升跌减增加](?:到|至|为|价|成|了)|提高[到至]|[上下]调|应[为是]|应该是|[说写记算弄报搞]错|有误|笔误|取代|替换|代替|接替|接手|算了|当我没说|不[^，,。]{1,4}了"
    r"|没[^，,。]{1,5}成|不是[^，,。]{1,12}[，,]?是|重新|再次|最后|最终|定(?:了|在|为|下)"
    r"|\bchang(?:e|es|ed|ing)\b|\bmov(?:e|es|ed|ing) (?:to|it|the|into|from|back|up|on)\b"
    r"|\bmove[ds]\b"
    r"|\bslip(?:s|ped)?\b|\bswitch(?:ed|es|ing)?\b|\bcorrect(?:ion|ed|ing)\b|\brevis(?:ed|ion)\b|\bamended\b"
    r"|\bupdated?\b|\bpostponed\b"
    r"|\bput (?:off|back)\b|\bpushed (?:back|to)\b|\brescheduled\b|\bbrought forward\b|\bdelayed\b|\bback to\b"
    r"|\bcancel(?:led|ed|ling)?\b|\bcall(?:ed)? off\b|\b(?:is|are) off\b|\bno longer\b|\bany ?more\b|\bstopped\b"
    r"|\bquit\b|\bgave up\b|\binstead\b|\breplac(?:ed?|es|ing)\b"
    r"|\bshould (?:be|read|have been)\b|\bwas wrong\b|\bmistake\b"
    r"|\bin error\b|\bscrap(?:ped)?\b|\bscratch that\b|\bforget (?:it|that|about)\b"
    r"|\b(?:goes|went|going|go) (?:up|down) to\b"
    r"|\b(?:raised|lowered|increased|reduced|cut|dropped|rose|fell|dropping|rising)\b|\bfrom now on\b|\bafter all\b"
    r"|\bnot [^.,]{1,30} but\b|\b(?:superseded|retired|withdrawn)\b|\bhas left\b|\bended up\b|\bfinal(?:ly|ised)?\b"
    r"|\bactually\b",
    re.IGNORECASE,
)


def speaks_of_change(text: str) -> bool:
    """Whether any clause of the text is worded as a change."""
    return _CHANGE.search(text) is not None
