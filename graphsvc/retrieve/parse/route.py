"""Which path a question takes: back into the session, through the graph, by comparing, by the latest, step by step.

A question that leans on what was said before goes back first, for its other words are not its own.
"""

from __future__ import annotations

from graphsvc.models.question import Route, Validity
from graphsvc.retrieve.parse.wording import worded

_FOLLOW_UP = worded(
    r"[那这][个份封条张次家位笔件台支款只]?[^，,。？?]{0,10}来着|刚才|刚刚(?:说|问|提|那)|(?:上面|前面"
    r"|上一个|前一个|上个)(?:说|提|那|的?问题|问)|你(?:刚)?(?:说|提)(?:过)?的"
    r"|^(?:那么?|所以)?(?:他|她|它|他们|她们|它们|人家)(?:的|呢|们)?(?!俩)|^(?:那么?"
    r"|所以)[^，,。？?]{0,10}呢\s*[?？]?$|^(?:那么?|然后)(?:什么时候|几点|哪天|在哪|为什么|谁|多少|怎么)"
    r"|^[^，,。？?]{1,6}(?<!什么)(?<!怎么)(?<!谁)(?<!哪)(?<!几)的?呢\s*[?？]?$|^(?:另外|其他|别)(?:一个|的"
    r"|人)(?:呢|多少|在哪)"
    r"|^(?:and|so|but|ok|okay|then)[, ]+(?:when|where|why|who|how(?: (?:much|many|long|far|often))?"
    r"|which(?: one)?|what time|since when|by whom)\s*\?*$"
    r"|^(?:and |so |but |ok |okay |then )?(?:what|how) about\b|^and (?:the |his |her |their |my |for |in "
    r"|on |with )?(?:\w+ ?){1,3}\?*$"
    r"|^(?:and |so |but |then )?(?:(?:did|does|do|is|was|are|were|has|have|had|can|could|will|would"
    r"|should) (?:he|she|it|they|that|this|those|these)\b(?! (?:true|possible|ok|okay|allowed|right|correct"
    r"|worth|safe|necessary) (?:to|that|if|for)\b))"
    r"|^(?:and |so |but |then )?(?:who|what|when|where|why|how(?: (?:much|many|long|far|often|old|big))?"
    r"|which(?: one)?)(?:['’]s| is| was| are| were| did| does| do| has| had| will| would| can)"
    r" (?:he|she|it|they|that|this|those|hers|his|theirs|him|her|them)\b(?! (?:that|who|which|was that"
    r"|is that))(?! (?:\w+ ){0,2}?(?:who|that|which)\b)"
    r"|\bthat (?:\w+ ){1,3}again\b|\byou (?:just )?(?:said|mentioned|told me|listed)\b|\bjust now\b"
    r"|\bthe (?:same|other) (?:question|one|thing) (?:for|about|again)\b|\b(?:the )?(?:previous"
    r"|last) (?:question|answer)\b"
    r"|^(?:his|hers|theirs|same|the other one|the second one|the first one)\b"
)
_GRAPH = worded(
    r"什么关系|啥关系|(?:有|没有)(?:什么|啥|没有)?(?:联系|关联|往来|牵连|瓜葛)|怎么认识|(?:认识|来往"
    r"|合作)(?:哪些|什么|谁)|(?:和|跟|与|同)(?:谁|哪些\S{1,4}?|什么人|哪[家个位]\S{0,2}?)(?:都)?(?:有(?:过)?)?(?:关系|关联|联系|往来|来往|交集"
    r"|打交道)|(?:谁|哪些人|什么人|哪些\S{0,4})(?:和|跟|与|同)[^，,。？?]{1,16}?(?:有关|相关"
    r"|有联系|认识|来往|打交道)"
    r"|(?:和|跟|与|同)[^，,。？?]{1,16}?(?:有关|相关|有联系|关联|挂钩)的?(?:人|东西|事|文件|记录|都?有?(?:哪"
    r"|什么|谁))|[^，,。？?]{2,16}?(?:牵扯|涉及|关联|影响)(?:到)?了?(?:哪些|谁|什么)|之间(?:是)?(?:什么|怎么"
    r"|有)"
    r"|\bhow (?:is|are|was|were|do|does|did) .{2,60}\b(?:related|connected|linked|tied|associated"
    r"|know (?:each other|one another))\b|\b(?:who|what)(?:['’]s| is| are| else is)? (?:related|connected"
    r"|linked|tied|attached|associated)\b"
    r"|\bwhat (?:hangs|depends|rests|builds) on\b|\b(?:relationship|relation|connections?|links?"
    r"|ties) (?:between|of|to|with)\b|\bhow (?:does|do|did) .{2,40}\bknow\b|\bwho (?:knows|works with"
    r"|deals with|reports to)\b"
    r"|\bwhat (?:connects|links|ties)\b|\bin common\b"
)
_KINDS = {"comparison": Route.COMPARE, "howto": Route.HOWTO, "latest_value": Route.LATEST}


def route(text: str, query_type: str, validity: Validity) -> Route:
    """The path of one question."""
    asked = text.strip()
    if _FOLLOW_UP.search(asked):
        return Route.FOLLOW_UP
    if _GRAPH.search(asked):
        return Route.GRAPH
    if query_type == "comparison":
        return Route.COMPARE
    if validity is Validity.LATEST and query_type != "howto":
        return Route.LATEST
    return _KINDS.get(query_type, Route.DIRECT)
