"""Words that say that something is no longer as it was: moved, cancelled, corrected, replaced, settled at last.

Closed classes of verbs and connectives of change in both languages; what it is that changed is not read here.
"""

from __future__ import annotations

import re

CHANGE = re.compile(
    r"改(?!善|革|进|造|编)|换|更正|纠正|订正|更新|调(?:整|到|至|为|成|低|高)|推迟|延(?:期|到|后|至)|提前|顺延|取消|作废|撤销|撤回"
    r"|收回|退了|退掉|不再|停了|停用|[搬挪移转](?:到|至|去|往|为|成|进)|变(?:成|更|为)|[涨降升跌减增加](?:到|至|为|价|成)|提高到|提高至"
    r"|上调|下调|应为|应是|应该是|说错|写错|记错|算错|弄错|报错|搞错|有误|笔误|取代|替换|代替|接替|接手|接管|接任|继任|移交|算了|当我没说|不[^，,。]{1,4}了"
    r"|\bchang(?:e|es|ed|ing)\b|\bmov(?:e|es|ed|ing) (?:to|it|the|into|from|back|up|on)\b|\bmove[ds]\b"
    r"|\bswitch(?:ed|es|ing)?\b|\bcorrect(?:ion|ed|ing)\b|\brevis(?:ed|ion)\b|\bamended\b|\bupdated?\b|\bpostponed\b"
    r"|\bput (?:off|back)\b|\bpushed (?:back|to)\b|\brescheduled\b|\bbrought forward\b|\bdelayed\b"
    r"|\bcancel(?:led|ed|ling)?\b|\bcall(?:ed)? off\b|\b(?:is|are) off\b|\bno longer\b|\bany ?more\b"
    r"|\bstopped\b|\bquit\b|\b(?:took|takes|taken|hand(?:s|ed)) over\b"
    r"|\bgave up\b|\binstead\b|\breplac(?:ed?|es|ing)\b|\bshould (?:be|read|have been)\b|\bwas wrong\b|\bmistake\b"
    r"|\bin error\b|\bscrap\b|\bscratch that\b|\b(?:goes|went|going|go) (?:up|down) to\b"
    r"|\b(?:raised|lowered|increased|reduced|cut|dropped|rose|fell|dropping|rising)\b|\bfrom now on\b|\bafter all\b"
    r"|\bnot [^.,]{1,30} but\b|\b(?:superseded|retired|withdrawn)\b|\bhas left\b",
    re.IGNORECASE,
)
# What was settled in the end, or came back, was otherwise before; beside a value these say so less surely.
_SETTLED = re.compile(
    r"没[^，,。]{1,5}成|不是[^，,。]{1,12}[，,]?是|重新|再次|最后|最终|定(?:了|在|为|下)|离职"
    r"|\bslip(?:s|ped)?\b|\bback to\b|\bforget (?:it|that|about)\b|\bended up\b|\bfinal(?:ly|ised)?\b|\bactually\b",
    re.IGNORECASE,
)


def speaks_of_change(text: str) -> bool:
    """Whether any clause of the text is worded as a change, or as what was settled in the end."""
    return CHANGE.search(text) is not None or _SETTLED.search(text) is not None
