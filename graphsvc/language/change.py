"""Words that say that something is no longer as it was: moved, cancelled, corrected, replaced, settled at last.

Closed classes of verbs and connectives of change in both languages; what it is that changed is not read here.
"""

from __future__ import annotations

import re

CHANGE = re.compile(
    r"改(?!善|革|进|造|编)|换|更正|纠正|订正|更新|调(?:整|到|至|为|成|低|高)|推迟|延(?:期|到|后|至)|提前|顺延|取消"
    r"|作废|撤销|撤回"
    r"|收回|退了|退掉|不再|停了|停用|[搬挪移转](?:到|至|去|往|为|成|进)|变(?:成|更|为)|[涨降升跌减增加](?:到|至|为"
    r"|价|成)|提高到|提高至"
    r"|上调|下调|应为|应是|应该是|说错|写错|记错|算错|弄错|报错|搞错|有误|笔误|取代|替换|代替|接替|接手|接管|接任"
    r"|继任|移交|算了|当我没说|不[^，,。]{1,4}了"
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
SETTLED = re.compile(
    r"没[^，,。]{1,5}成|不是[^，,。]{1,12}[，,]?是|重新|再次|最后|最终|定(?:了|在|为|下)|离职"
    r"|\bslip(?:s|ped)?\b|\bback to\b|\bforget (?:it|that|about)\b|\bended up\b|\bfinal(?:ly|ised)?\b|\bactually\b",
    re.IGNORECASE,
)
# A thing is taken back or ends, and nothing is said to stand in its place.
TAKEN_BACK = re.compile(
    r"取消|作废|撤销|撤回|收回|退[了掉订票]|离职|辞职|不再|停[了用掉办]|算了(?!一|下|算)|当我没说|就当没|不算数"
    r"|不作数|作罢|泡汤|黄了|吹了|免了|戒了|戒掉|放弃"
    r"|不(?!了|得了|错了|见了|少了|够了|住了|行了|完了|起了|到了|早了|晚了|远了|多了|对了"
    r"|怎么)[^，,。；;！!\s]{1,6}了(?!解)"
    r"|没[^，,。]{1,4}成(?!本|为|功|绩)|别(?!的|人|处)[^，,。；;]{1,6}了"
    r"|\bcancel(?:s|led|ed|ling|lation)?\b|\bcall(?:s|ed|ing)? (?:it |that |\w+ \w+ )?off\b|\b(?:is|are|it's"
    r"|that's|all) off(?=\s*(?:[.,;!]|$))"
    r"|^\s*off\b(?=\s*[.,;!])|[.;!]\s*off(?=\s*[.!]|$)|\bno longer\b|\bany ?more\b|\bstopped\b|\bquit(?:s|ting)?\b"
    r"|\bg(?:ave|iven|iving) up\b"
    r"|\bscrap(?:s|ped|ping)?\b|\bscratch that\b|\bforget (?!to\b)(?=\w)|\bnever ?mind\b"
    r"|\b(?:dropped|pulled|backed|opted) out\b|\bwithdr(?:ew|awn|aw)\b|\bfell through\b|\bunsubscribed\b"
    r"|\breturned the\b|\bno more (?=[a-z])"
    r"|唔[^，,。；;！!\s]{1,6}(?:喇|啦|了)|停咗|取消咗|用不着|不用[^，,。；;]{1,6}了"
    r"|\b(?:won't|not|can't|isn't|aren't|cannot|don't) [^.,;]{0,40}\bafter all\b|\bdisregard\b|\bignore (?:that|my"
    r"|the)\b|\bha(?:s|ve) left\b",
    re.IGNORECASE,
)
# What was said before was wrong from its beginning.
PUT_RIGHT = re.compile(
    r"更正|纠正(?!单)|订正|勘误|应为|应是|应该是|[说写记算弄报搞抄听看念打输填发数](?:错|串|岔|重了|漏了|反了)|走眼|有误|笔误"
    r"|口误|错了(?=\s*(?:[，,。；;！!]|$))"
    r"|不是[^，,。；;]{1,12}[，,；;]?\s*(?:而|应该?)?是|不对[，,。]"
    r"|\bcorrections?\b|^\s*corrected\b|\bcorrected to\b|\bshould (?:be|read|have (?:been|said|read))\b|\b(?:was"
    r"|were|is|got (?:it|that)) wrong\b|\b(?:told|gave|had|wrote|put|said|read) [^.,;]{0,16}\bwrong\b"
    r"|\bmis(?:take|taken|read|heard|typed|print|counted|spel(?:t|led)|wrote|written|stated|said|quoted|remembered|labelled"
    r"|calculated|dialled)\b|\bcounted [^.,;:]{1,24} twice\b"
    r"|\bin error\b|\bby error\b|\btypo\b|\bi meant\b|\bnot [^.,;]{1,30}(?:,| but) (?=[\w£$€])",
    re.IGNORECASE,
)
# Another value stands in the place of the one before.
REPLACED = re.compile(
    r"改(?!善|革|进|造|编|正)|换|调(?:整|到|至|为|成|低|高)|推(?:迟|到|后)|往后推|延(?:期|到|后|至)|提前|顺延|挪"
    r"|搬(?:到|去|至|进|家了|了)|[移转](?:到|至|去|往|为|成|进|了|给|由)"
    r"|变(?:成|更|为)|[涨降升跌减增加](?:到|至|为|价|成|了)|提高到|提高至|上调|下调|取代|替换|代替|接替|接手|接管"
    r"|接任|继任|移交|交给|追加|增至|恢复|重新|跑到|更新为|修订(?!版)"
    r"|\bchang(?:e|es|ed|ing)\b|\bmov(?:e|es|ed|ing)\b|\bswitch(?:ed|es|ing)?\b|\bswap(?:ped|s|ping)?\b"
    r"|\bshift(?:ed|s|ing)?\b(?= (?:it|this|that|them|the|our|my|to)\b)|\bre(?:did|done|doing)\b"
    r"|\bput(?:s|ting)? (?:[\w']+ ){1,3}(?:up|down) to\b|\bis off to\b|換|調整|調到|轉到|轉為|搬到"
    r"|\brevis(?:ed|ion)\b|\bamended\b|\bupdated?\b"
    r"|\bpostponed\b|\bput (?:off|back)\b|\bpushed (?:back|to|out)\b|\bbumped (?:to|up)\b|\bre(?:scheduled"
    r"|arranged|named|numbered|assigned|located|issued|set)\b"
    r"|\bbrought forward\b|\bdelayed\b|\bslipped to\b|\b(?:took|takes|taken|taking|hand(?:s|ed)) over\b"
    r"|\binstead\b|\breplac(?:ed?|es|ing)\b"
    r"|\b(?:goes|went|going|go|gone|is|are) (?:up|down) (?:to|from)\b|\b(?:raised|lowered|increased|reduced"
    r"|dropped|rose|rises|fell|falls|dropping|rising) to\b"
    r"|\bfrom now on\b|\b(?:is|are|go|goes|going|went) back to\b|\bgone for\b|\bwent (?:for|with)\b|\bmake it\b",
    re.IGNORECASE,
)
# A day or an hour is moved, though none is named.
PUT_OFF = re.compile(
    r"顺延|推迟|延期|延后|往后推|提前|\bpostponed\b|\bput (?:off|back)\b|\bdelayed\b|\bbrought forward\b"
    r"|\bpushed (?:back|out)\b"
    r"|\bre(?:scheduled|arranged)\b",
    re.IGNORECASE,
)
# Beside another value of the same slot these say that it holds now, or was settled in the end.
NOW_SO = re.compile(
    r"现在|如今|目前|从此|今后|往后|还是|最后|最终|到头来|(?<![重更全])新(?![闻年娘郎生鲜人手])"
    r"|\bnow\b|\bthese days\b|\bcurrently\b|\bnew\b|\bin the end\b|\bended up\b|\bturns out\b|\bactually\b"
    r"|\bfinally\b|(?<=\w) after all(?=\W*$)|[月周年日号期今]起(?!床|来|飞)"
    r"|\b(?:as of|as from|starting|effective) (?=\w)"
    r"|\bsince (?=(?:jan|feb|mar|apr|may|june|july|aug|sep|oct|nov|dec|mon|tues|wednes|thurs|fri|satur|sun"
    r"|easter|christmas"
    r"|last|new)|the \d|\d)",
    re.IGNORECASE,
)
# Added to what there is, an exception to it, or of a time gone by: none of these puts anything in another's place.
BESIDE = re.compile(
    r"还(?!是)[有要得挂订买在加]|也(?!许)|另外|破例|例外|仅限|[就只]这一?[次回天]"
    r"|\balso\b|\btoo\b|\bas well\b|\banother\b|\bin addition\b"
    r"|\b(?:this|next|on) \w+ only\b|\bonly (?:this|today|tonight)\b"
    r"|\bjust this once\b|\bfor once\b|\bone-off\b|\bas an exception\b",
    re.IGNORECASE,
)
GONE_BY = re.compile(
    r"那会儿|当年|小时候|以前|从前|曾经?|早年|那时|那年|那阵|时候"
    r"|\bused to\b|\bback then\b|\bat (?:uni|school|college)\b"
    r"|\bas an? (?:child|kid|boy|girl|student)\b|\bwhen (?:i|we|he|she|they) (?:was|were)\b|\byears ago\b|\bformerly\b"
    r"|\bin those days\b|\bonce upon\b",
    re.IGNORECASE,
)
# Said for fun, and not put forward as so.
JOKING = re.compile(
    r"开[^，,。]{0,3}玩笑|玩笑话|说着玩|逗[^，,。]{0,6}说|打趣"
    r"|\bjok(?:e|es|ed|ing)(?! about)\b|\bkidding\b|\bin jest\b",
    re.IGNORECASE,
)
# Put forward for others to decide on.
PROPOSED = re.compile(
    r"提议|提出[^，,。]{0,8}(?=[改换挪调])|要不要|不如|未定|待定|再定"
    r"|\b(?:propos(?:e[sd]?|als?|ing)|what about|how about|why don't|should we|undecided|throwing it out)\b",
    re.IGNORECASE,
)
# Something is not so.
DENIED = re.compile(
    r"不|没|別|别|未|唔|冇|无|無|\b(?:not|no|never|none|nobody|without|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE
)
# The rest stays as it was, or all does.
UNCHANGED = re.compile(
    r"不变|照旧|不动|没变|一样|如常|照常|\b(?:same|unchanged|as (?:ever|before|usual)|still (?:at|on|in|with))\b",
    re.IGNORECASE,
)
# Somebody undertakes something, and somebody cannot; the second takes the first back.
PROMISED = re.compile(
    r"我[^，,。]{0,6}(?:来|会|可以|帮|请|包)|答应|包在我|归我"
    r"|\b(?:i|we)(?:'ll| will| can|'m going to| am going to)\b|\bwelcome to\b"
    r"|\bpromis(?:e|ed)\b|\boffer(?:ed)?\b",
    re.IGNORECASE,
)
UNABLE = re.compile(
    r"不[成了]了|不[^，,。]{0,2}成了|没法|没办法"
    r"|\b(?:can't|cannot|can no longer|won't be able to|unable to|not able to|won't manage to)\b",
    re.IGNORECASE,
)
# An appointment denied: "No band practice on the 5th".
NONE_OF = re.compile(
    r"^\s*no (?!longer|more|one\b|problem|worr|need|idea|doubt|matter|way\b|news)(?=[a-z])", re.IGNORECASE
)
# One thing is taken of several, and then another after all.
CHOICE = re.compile(
    r"订|要|点|选|买|吃|喝|来[一份个杯碗]"
    r"|\b(?:have|take|order|get|book|choose|pick|buy|go for|go with|make|bring|paint|wear)\b",
    re.IGNORECASE,
)
CHOSEN = re.compile(
    r"^\s*(?:那?还是|要不|改)[^，,。]{1,10}吧"
    r"|^\s*(?:no, |actually,? )?(?:the|a|an|some|my)? ?[\w -]{2,30} (?:after all|instead|then)\W*$",
    re.IGNORECASE,
)
# Who or what vouches for what follows; the measuring and seeing ones need more shared words than the saying ones.
VOUCHED = re.compile(
    r"说|讲|称(?!为)|表示|记得|咬定|登记|显示|记载|(?:里|上)?[写记]着|[写记]的|上写|(?P<zh>测得?|量得|量出|看见|看到|听见)"
    r"|\b(?:says|said|reckons|claims|claimed|insists|insisted|tells|told|reports|reported|maintains|swears|swore|shows|states|writes"
    r"|wrote|thinks|remembers|recalls|logged|recorded|dates|puts|lists|reads|gives|prints"
    r"|(?P<book>log|logs|record|records|report|book|label|sign|notice|list|register|sheet|diary|calendar|letter|file|minutes|timetable"
    r"|catalogue|website|page|map|plaque|guide|certificate|contract) (?:has|have|had)"
    r"|(?P<en>saw|heard|measured|measures|noticed|watched|clocked|timed))\b",
    re.IGNORECASE,
)


def speaks_of_change(text: str) -> bool:
    """Whether any clause of the text is worded as a change, or as what was settled in the end."""
    return CHANGE.search(text) is not None or SETTLED.search(text) is not None
