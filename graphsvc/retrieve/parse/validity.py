"""Whether a question asks for what holds, for the outcome of a change, or for what once held.

Tense, aspect and connectives of change decide. A word that merely refers back ("之前说的那个"), a
deadline ("before Friday") and an old thing still at hand ("旧投影可以给表弟了吗") ask for no past state.
"""

from __future__ import annotations

from graphsvc.models.question import Validity
from graphsvc.retrieve.parse.wording import worded

_CHANGE = (
    r"(?:修改|更改|改动|改版|调整|变更|变动|升级|更新|搬家|搬迁|装修|涨价|降价|提价|更换|重组|合并|取消"
    r"|退[掉了]?|改|换|涨|降|调|变|升|搬)"
)
_BEFORE = r"(?:之前|以前|前(?!面|台|天|年|排|后|提|往|途|景|程|段|任|女友|男友|妻|夫))"
_MUST = r"(?:要(?!是)|得(?!到)|应该|该|需要|需|必须|记得|别忘|可以|能|先|准备|请|交|到)"
_BACK = (
    r"(?:我们?|你|他们?|她们?|咱们?|[跟对和]\S{1,4})?(?:说|提|讲|聊|问|发|谈|约|答应|讨论|商量|写|看|记|给)(?:过"
    r"|好|到|起)?的"
)
_HISTORICAL_ZH = worded(
    r"原来(?!如此|是不是)|原先|原定|原本|本来|当初|起初|最初|最早(?!什么|几|哪|能|要|可)|一开始|曾经|从前"
    r"|早先|此前|往年|上一任|前任|[报说写记算抄]错的那|年初(?=[^，。]{0,6}(?:定[^，。]|说|打算|计划|答应))"
    rf"|当时(?=[^，。]{{0,12}}(?:多少|几|谁|哪|什么价|怎么[定算收]))"
    rf"|{_CHANGE}[^，,。？?的]{{0,8}}?{_BEFORE}(?!{_MUST})"
    rf"|(?<![\d号日月周天点年期末旬])(?:以前|之前)(?!{_BACK})(?![^，,。？?]{{0,10}}{_MUST})"
    rf"|过去(?!了|吗|的?[一二两三四五六七八九十几\d])(?=[^，。]{{0,8}}(?:多少|几|谁|哪|什么|怎么"
    r"|是))(?<![发寄送拿走跑搬开飞带拉回赶]过去)"
    r"|旧(?:的)?(?:价|地址|电话|号码?|版本?|单价|报价|费率|标准|规定|流程|合同|密码|时间|日期"
    rf"|名字)(?![^，。]{{0,8}}(?:还|了吗|能不能|可以))"
)
# What a year's own value was, where no event of that year is asked for.
_THEN_ZH = worded(
    r"(?:去年|前年|大前年|上(?:一)?年度?|上(?:一|个)?(?:学期|季度|赛季|财年)|(?:19|20)\d\d年)(?:的"
    r"|[^，,。？?了过去来花买]{1,8}?)(?:[^，,。？?了过]{0,6}?)"
    r"(?:是?(?:多少|几|谁|哪)|报价|价格|单价|费用|标准|房租|租金|工资|预算|利率|$)(?![^，,。？?]*[了过])"
)
_THEN_EN = worded(
    r"\b(?:was|were|cost)\b.*\b(?:last (?:year|season|term|semester|quarter)|(?:the"
    r"|a) (?:previous )?year before|(?:in|back in|for) (?:19|20)\d\d)\b"
    r"|\b(?:last (?:year|season|term|semester|quarter)|(?:19|20)\d\d)['’]s \w+(?: \w+)?\s*\??$"
    r"|\b(?:last (?:year|season|term)|in (?:19|20)\d\d)\b.*\b(?:was|were|cost)\b"
)
_HISTORICAL_EN = worded(
    r"\b(?:did\b.{1,60}|who |what |which |that )use to\b|\bused to\b|\boriginal(?:ly)?\b|\bat first\b"
    r"|\bat the (?:very )?(?:time|beginning|start|outset)\b|\bback then\b"
    r"|\bin the beginning\b|\bto begin with\b|\binitial(?:ly)?\b|\bprevious(?:ly)?\b(?! (?:said|mentioned"
    r"|discussed|agreed))|\bformer(?:ly)?\b|\bhad been\b"
    r"|\b(?:my|our|the|his|her|their|\w+['’]s) first (?:letter|message|e?-?mail|note|notice|offer|quote|estimate"
    r"|version|plan|date|answer|choice|price|figure)\b|\bdid (?:i|you|we|they|he|she|it) first \w+"
    r"|\bold (?=(?:\w+ )?(?:price|number|address|quote|rate|date|rent|fee|version|rule|limit|deadline|plan"
    r"|phone|time)\b)(?!.*\b(?:still|now|yet)\b)"
    r"|\b(?:was|were|did|had|been)\b.*\bbefore\b(?! (?:tomorrow|next|noon|midnight|we go|i go))"
    r"|\bbefore\b.*\b(?:was|were|did|had)\b|^(?:and )?(?:who|what|which|where|how)\b.*\bbefore\s*\?*$"
    r"|\bbefore (?:the |it |they |we |she |he |\w+['’]s )?(?:\w+ ){0,2}?(?:chang\w+|mov(?:e|ed)|switch\w*"
    r"|updat\w+|increas\w+|renovat\w+|renewal|rais\w+|replac\w+)\b"
    r"|\bwhat (?:was|were) .* (?:then|once)\b|\bonce (?:was|were|lived|worked)\b|\bin the old days\b"
)
_LATEST_ZH = worded(
    r"现在|目前|如今|当前|眼下|最新|最近一次|最后(?!一[天次排页个]|几)|最终|到底|究竟(?:改|定|选)"
    r"|实际(?!情况下)|还(?=[能可有会在要没用跑去做来剩])(?!有(?:谁|什么|哪))|还是(?=在|这|那|老|原来的|同)"
    rf"|{_CHANGE}(?:到|成|为|在|吃|用|学|住|喝|走|坐|由|去|叫|穿|开|选|期)"
    r"|(?:定|推迟|提前|延|挪|订|约|敲定|落实)(?:到|在|成|下来|好)了?(?:哪|几|多少|什么|谁|没|吗)"
    r"|以后(?=[^，。]{0,12}(?:改|换|归|由|多久|怎么|谁))"
    r"|了(?:吗|没有?|么|吧)\s*[?？]?\s*$"
    r"|是否(?:已|还|仍)|仍然?|依旧|依然|有没有(?:定|到|好|变|改|修|付|办|完)|[好完到定成](?:没有?|没)\s*[?？]?\s*$"
)
_LATEST_EN = worded(
    r"\bnow\b(?! that)|\bcurrent(?:ly)?\b|\blatest\b|\bstill\b|\bin the end\b|\bfinal(?:ly)?\b"
    r"|\beventually\b|\bas of (?:now|today)\b|\bno longer\b"
    r"|\bany ?more\b(?! \w+s\b)|\bany longer\b|\byet\b|\bby now\b|\balready\b|\bend(?:ed)? up\b"
    r"|\bturn(?:ed)? out\b|\bthese days\b|\bat (?:the moment|present)\b|\bactually\b"
    r"|\b(?:changed|moved|switched|postponed|brought forward|put back|pushed|rescheduled|increased|reduced"
    r"|lowered|raised) to\b"
    r"|^(?:so |and |ok |okay )?(?:has|have|hasn't|haven't) (?!anyone ever|i ever|we ever"
    r"|you ever).*\b(?:\w+ed|been|come|gone|done|got|gotten|made|paid|sent|found|left|sold|taken|given|begun"
    r"|become|chosen|broken|"
    r"fixed|put|set|cut|won|lost|bought|built|grown|arisen|signed|heard|had|run|met|kept|said|told|written"
    r"|seen|shown|let|quit|shut|split)\b"
    r"|^(?:so |and )?(?:is|are|am) (?!it (?:true|possible|ok|allowed)\b)(?:(?!going to be\b"
    r"|there\b).)+ (?:\w+ed|done|paid|sent|ready|open|over|on|off|sorted|settled|set|going|coming|taking|"
    r"finished|back|available|gone|sold|fixed|\w+ing)\b(?: \w+){0,5}\??\s*$"
    r"|^(?:the |my |our )?\w+(?: \w+)? (?:\w+ed|paid|sent|done|ready|sorted|back|fixed)\s*\?\s*$"
    r"|\bwhat did (?:we|they|he|she|i) (?:settle|decide|agree) on\b|\bwhat became of\b"
)


def validity(text: str) -> Validity:
    """Historical where the question asks for what held before a change, latest where it asks for now or the outcome.

    Words for now win over words for then: "does the old number still work" asks about today.
    """
    if _HISTORICAL_ZH.search(text) and not _NOW_ZH.search(text):
        return Validity.HISTORICAL
    if _LATEST_ZH.search(text) or _LATEST_EN.search(text):
        return Validity.LATEST
    historical = (_HISTORICAL_ZH, _HISTORICAL_EN, _THEN_ZH, _THEN_EN)
    return Validity.HISTORICAL if any(one.search(text) for one in historical) else Validity.PRESENT


_NOW_ZH = worded(
    r"现在|目前|如今|当前|眼下|最新|最后|最终|还(?=[能可有会在要用])|可以[^，。]{0,6}了吗|能[^，。]{0,6}了吗"
)
