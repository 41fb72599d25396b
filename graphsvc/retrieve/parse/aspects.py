"""What a question wants in passing: what is not so, whose words, and which sides of a contract it names.

Negation counts where a question word is asked of it ("哪台没修"), not in A-not-A ("有没有"), in a
rhetorical "isn't it", or in what somebody does not know.
"""

from __future__ import annotations

from graphsvc.retrieve.parse.parties import Span
from graphsvc.retrieve.parse.wording import worded

_WH_ZH = r"(?:谁|哪|什么|啥|几|多少|为何|怎么)"
_NOT_ZH = (
    r"(?<!有)(?<!好)(?<!能)(?<!是)(?<!会)(?<!要)(?<!对)(?<!行)(?:没(?!关系|事|意思|准|问题)|不(?!同|错|知|记得"
    r"|清楚|过|仅|管|只|要紧|如|是|得不|太|少钱|到一)|未(?!来)|无法|尚未|别(?!人|的|名|墅))"
)
_NEGATED_ZH = worded(
    rf"{_WH_ZH}[^，,。？?]{{0,10}}?{_NOT_ZH}(?!有?\s*[?？]?\s*$)"
    rf"|{_NOT_ZH}(?!知道|记得|清楚)[^，,。？?]{{1,12}}?{_WH_ZH}"
    r"|(?:还|仍)?(?:差|缺|漏|欠|少)了?(?=谁|哪|什么|啥|几[个份张台项页人样件])|(?:谁|哪\S{1,3})(?:还)?(?:缺"
    r"|漏|欠)(?!点)|缺席|缺货"
)
_RHETORICAL_ZH = worded(r"(?:不是|没)[^，,。？?]*吗|差不多|差多少|差几|差别")
_NOT_EN = (
    r"(?:\bnot\b|n['’]t\b|\bnever\b|\bno longer\b|\bwithout\b|\bcannot\b|\bunable to\b|\bfail(?:ed|s)? to\b"
    r"|\brefused? to\b|\bno one\b|\bnobody\b)"
)
_KNOWING = r"(?! (?:know|remember|recall|sure|sorry|mind)\b)"
_WH_EN = r"\b(?:who|whom|whose|what|which|where|when|why|how (?:many|much|come))\b"
_NEGATED_EN = worded(
    rf"{_WH_EN}(?:(?!, | and ).){{0,200}}?{_NOT_EN}{_KNOWING}"
    rf"|{_WH_EN}.{{0,200}}\b(?:missing|lacking|absent|outstanding|overdue|left to|still (?:open|owed?|owing|to be"
    r"|need\w*|lack\w*|miss\w*)|yet to)\b"
    rf"|{_WH_EN}.{{0,200}}\bun(?!it|iver|ion|iq|der|til|ix|cle)\w+(?:ed|aid|old|ent|ead|one|old|lt)\b"
    rf"|^(?:what['’]s|what is|who['’]s|who is|anyone|anything) (?:still )?(?:missing|lacking|absent|outstanding)\b"
)
_OWN_VERB_ZH = r"(?:说|讲|提(?![供前交醒款成取])|报告|汇报|反馈|承诺|答应|保证|回复|答复|问|建议|写|告诉)"
_SAY_ZH = r"(?:说(?!明|法)|讲(?!座|课)|答复|回复|回应|回答|表示|解释|承诺|答应|保证|建议|提议|声称|抱怨|告诉|交代)"
_OWN_ZH = worded(
    r"(?<![和跟给对向让叫帮请])我(?!们|方"
    rf"|司)(?:[给跟向对]\S{{1,6}}?)?(?:[^，,。？?的我他她]{{0,6}}?){_OWN_VERB_ZH}"
    r"(?=[了过的什啥哪没给到几\u4e00-\u9fff]|$)"
)
_OTHERS_ZH = worded(
    r"(?:^|[，,。 ])(?!请|帮|跟我|给我|告诉我|说说|讲讲|听说|据说|谁"
    rf"|哪)[^，,。？?我谁哪]{{1,14}}?(?:[给跟向对](?:我们?|\S{{1,6}}?))?(?:是)?(?:怎么|如何|都|也|又"
    rf"|没)?(?<!信)(?<!邮件)(?<!合同)(?<!报告)(?<!通知)(?<!纪要)(?<!文件)(?<!里)(?<!中)(?<!上){_SAY_ZH}(?!说)"
)
_OWN_EN = worded(
    r"\b(?:did|have|had|do) i (?:\w+ ){0,2}?(?:say|said|tell|told|write|written|report|reported|promise"
    r"|promised|mention|mentioned|ask|asked"
    r"|suggest|suggested|propose|proposed|answer|answered|reply|replied|send|sent|complain|complained"
    r"|announce|announced|explain|explained)\b"
    r"|(?<!when )(?<!if )(?<!after )(?<!since )(?<!because )\bi (?:said|told|wrote|reported|promised"
    r"|mentioned|asked|suggested|proposed|replied|sent|announced|complained)\b"
    r"|\bmy (?:\w+ )?(?:promise|report|reply|answer|message|words) (?:to|about|on)\b|\baccording to me\b"
)
_OTHERS_EN = worded(
    r"\b(?:did|do|does|has|have|had) (?!i\b|you\b|we\b)(?:[\w'’.-]+ ){1,5}?(?:say|said|tell|told|write"
    r"|written|report|reported|promise|promised|answer|answered"
    r"|reply|replied|respond|responded|explain|explained|claim|claimed|suggest|suggested|propose|proposed"
    r"|advise|advised|announce|announced|mention|mentioned)\b"
    r"|\b(?!what|that|it|let|here|there|who|my)\w+['’]s? (?:\w+ )?(?:reply|answer|response|explanation"
    r"|advice|statement|version|opinion)\b"
    r"|\b(?:their|his|her|its) (?:\w+ )?(?:reply|answer|response|explanation|advice|statement|version|opinion)\b"
    r"|\baccording to (?!me\b)|\b(?:reply|answer|response) from\b|\bwhat was the (?:reply|answer|response)\b"
)
_SIDES_ZH = (
    r"甲方|乙方|丙方|丁方|我方|我司|我们这边|我们公司|贵方|贵司|对方|己方|双方|各方|供应商|供货商|供货方"
    r"|供方|需方|买方|卖方|买家|卖家|买受人|出卖人|出租方|出租人"
    r"|承租方|承租人|房东|房客|租客|租户|客户方?|业主|物业|发包方|发包人|承包方|承包商|承包人|委托方|委托人"
    r"|受托方|受托人|雇主|用人单位|劳动者|保险公司|保险人|被保险人"
    r"|投保人|受益人|贷款人|借款人|出借人|债权人|债务人|担保人|担保方|保证人|收购方|出让方|转让方|受让方"
    r"|授权方|许可方|被许可方|平台方?|中介|开发商|服务商|服务方|运营方|施工方|施工队"
    r"|设计方|监理|总包方?|分包方?|分包商|经销商|代理商|代工厂|厂家|商家|校方|院方|旅行社|航空公司|承运人"
    r"|承运方|托运人|收货人|发货人|第三方"
)
_SIDES_EN = (
    r"(?:the |our |their |my |your )?(?:suppliers?|vendors?|buyers?|sellers?|purchasers?|landlords?|landlady"
    r"|tenants?|lessors?|lessees?|clients?|customers?|contractors?"
    r"|subcontractors?|employers?|employees?|licensors?|licensees?|lenders?|borrowers?|guarantors?|insurers?"
    r"|policyholders?|insured|(?:service )?providers?|carriers?|shippers?"
    r"|consignees?|distributors?|manufacturers?|brokers?|counterpart(?:y|ies)|franchisors?|franchisees?)"
    r"|party [ab]|both (?:parties|sides)|either party|(?:the )?(?:first|second|third|other"
    r"|opposing) (?:party|side)|(?:our|their|my|your) side|(?:our|their) company"
)
_SIDES = worded(rf"(?:{_SIDES_ZH})|\b(?:{_SIDES_EN})\b")


def negated(text: str) -> bool:
    """Whether the question asks for what is not so, or for what is missing."""
    if _NEGATED_EN.search(text):
        return True
    return _NEGATED_ZH.search(text) is not None and _RHETORICAL_ZH.search(text) is None


def own_words(text: str) -> bool | None:
    """True for the asker's own words, False for somebody else's, None where the question does not tell."""
    own = _OWN_ZH.search(text) or _OWN_EN.search(text)
    others = _OTHERS_EN.search(text) or (None if own else _OTHERS_ZH.search(text))
    if own and others:
        return None
    return True if own else False if others else None


def sides(text: str) -> tuple[str, ...]:
    """The contract sides a question names, each once, as its words."""
    return tuple(dict.fromkeys(found.group() for found in _SIDES.finditer(text)))


def side_spans(text: str) -> list[Span]:
    """Where the sides of a contract are named."""
    return [found.span() for found in _SIDES.finditer(text)]
