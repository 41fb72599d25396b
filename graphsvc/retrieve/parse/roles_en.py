"""English rules of direction: active and passive, "did X send", "X's reply to Y", copies, and who got what.

Closed classes: verbs of sending and of telling, nouns for messages and papers, and the adverbs that may
stand before a verb.
"""

from __future__ import annotations

from graphsvc.retrieve.parse.parties import ME, PARTY, TIME, WE
from graphsvc.retrieve.parse.rule import sent, told

_SEVERAL = rf"{PARTY}(?:,? (?:and|&|or) {PARTY})*"
# "Anna's sister" is not Anna.
_BY, _TO, _CC = (rf"(?P<{role}>{_SEVERAL})(?!['’]s)" for role in ("by", "to", "cc"))
_ADVERB = (
    rf"(?: (?:{TIME}|just|only|then|actually|really|originally|first|last|already|never|ever|once|also|later|recently"
    r"|finally|even|ask to|have|had|has|been|kindly|again|personally|not))*"
)
_DONE = r"(?:sent|wrote|written|mailed|e-?mailed|forwarded|texted|messaged)"
_DO = r"(?:send|write|mail|e-?mail|forward|text|message)"
_SENDING = r"(?:sending|writing|mailing|e-?mailing|forwarding|texting)"
# "The mail Zhang sent" has no verb before the name; the one behind it makes him the sender.
_A_VERB = "".join(
    rf"(?<!\b{word} )"
    for word in ("the", "a", "an", "this", "that", "my", "his", "her", "our", "their", "your", "last")
)
_NO_SENDER = rf"(?!{_ADVERB} (?:{_DONE})\b)"
_NO_STOP = r"(?!(?:to|by|from|and|but|that|which|who|whom|when|because|if|about)\b)"
_OBJECT = rf"(?: {_NO_STOP}(?:{PARTY}['’]s|[\w'’-]+)){{0,5}}?"
_MESSAGE = r"(?:e-?mails?|mails?|messages?|letters?|notes?|repl(?:y|ies)|answers?|responses?|texts?|memos?)"
_PAPER = (
    r"(?:invoices?|quotes?|quotations?|offers?|reports?|updates?|drawings?|drafts?|documents?|files?|attachments?"
    r"|photos?|pictures?|forms?|lists?|summar(?:y|ies)|reminders?|requests?|complaints?|invitations?|notices?"
    r"|announcements?|proposals?|feedback|news|anything|something|everything|ones?|that|those)"
)
_ABOUT = r"(?: (?:about|on|regarding|concerning|of) (?:[\w'’-]+ ?){1,4}?)?"
_TOLD = r"(?:told|asked|informed|notified|reminded|warned|promised|answered|assured|advised|instructed|urged|begged)"
_TELL = r"(?:tell|ask|inform|notify|remind|warn|promise|answer|assure|advise|instruct|urge|beg)"
_SAID = (
    r"(?:replied|responded|explained|reported|complained|apologi[sz]ed|suggested|proposed|said|confirmed|mentioned"
    r"|announced|promised|answered|wrote back|admitted)"
)
_SAY = (
    r"(?:reply|respond|explain|report|complain|apologi[sz]e|suggest|propose|say|confirm|mention|announce|promise"
    r"|answer|write back|admit)"
)
_BE = r"(?:was|were|is|are|am|been|being|got|be|'m|'s)"
_HAVE = r"(?:did|has|have|had|does|do|will|would|should|could|can)"
_COPIED = r"(?:cc'?e?d|cced|copied)"
_FOLLOWED = r"(?= (?:about|on|of|from|say|says|said|to|that|in|with|mention|arriv|ask|announc|regarding)|,)"
_MINE = r"(?P<by>[\ue800\ue801])"

RULES = (
    sent(
        rf"{_CC}(?:['’]m|['’]ve been)?(?: (?:{_BE}|have|had|only|just|merely|simply|also))* (?:{_COPIED}"
        r"|in copy|on copy|(?:in|on) cc)\b"
    ),
    sent(rf"{_BE} {_CC}(?: (?:only|just|merely|simply|also|ever|not))* (?:{_COPIED}|in copy|(?:in|on) cc)\b"),
    sent(rf"(?:{_BY}{_ADVERB} )?(?:{_COPIED}|cc|copy|copying|cc'?ing)(?: in| it to| to)? {_CC}"),
    sent(rf"\b{_DONE}{_OBJECT} to {_TO}{_ADVERB} by {_BY}"),
    sent(rf"\b{_DONE}{_ADVERB}{_OBJECT} by {_BY}(?: to {_TO})?"),
    told(rf"{_TO}(?: {_BE})+{_ADVERB} {_TOLD}[^,.?]*? by {_BY}"),
    sent(rf"{_TO} (?:was|were|got|had been|have been) {_DONE}\b"),
    sent(rf"\b(?:was|were) {_TO} {_DONE}\b"),
    sent(rf"{_BY}{_ADVERB} {_DONE} {_TO}"),
    sent(rf"{_BY}{_ADVERB} (?:{_DONE}|{_SENDING}|{_DO}s?){_OBJECT} (?:on )?to {_TO}"),
    sent(rf"\b{_HAVE} {_BY}{_ADVERB} (?:{_DO}|{_DONE})(?:{_OBJECT} (?:on |back )?to)? {_TO}"),
    sent(rf"{_A_VERB}\b(?:{_DO}|{_DONE}|{_SENDING})(?:{_OBJECT} (?:on )?to)? {_TO}{_NO_SENDER}"),
    told(rf"{_BY}{_ADVERB} {_TOLD} {_TO}"),
    told(rf"\b{_HAVE} {_BY}{_ADVERB} (?:{_TELL}|{_TOLD}) {_TO}"),
    told(rf"{_BY}{_ADVERB} {_SAID}{_OBJECT} to {_TO}"),
    told(rf"\b{_HAVE} {_BY}{_ADVERB} (?:{_SAY}|{_SAID}){_OBJECT} to {_TO}"),
    told(rf"\b(?:{_SAY}|{_SAID}) to {_TO}"),
    sent(rf"(?P<by>{PARTY})['’]s (?:[\w-]+ ){{0,2}}?{_MESSAGE}{_ABOUT} to {_TO}"),
    sent(rf"\b{_MESSAGE}(?: (?:that )?(?:went|addressed|sent))?{_ABOUT} (?:from {_BY} )?to {_TO}"),
    sent(
        rf"\b(?:{_MESSAGE}|{_PAPER}){_ABOUT}(?: (?:that )?(?:came|arrived|[\ue800\ue801] (?:got|received"
        rf"|had)))? from {_BY}"
    ),
    sent(rf"\bh(?:ear|eard) (?:back )?(?:anything )?from {_BY}"),
    sent(rf"^(?:and |what )?(?:came )?from {_BY}(?=[,:?]|$)"),
    sent(rf"\b{_MESSAGE} by {_BY}"),
    sent(
        rf"(?P<by>(?![{ME}{WE}]){PARTY})['’]s (?:[\w-]+ ){{0,2}}?(?:messages?|letters?|notes?|repl(?:y|ies)"
        r"|memo)\b"
    ),
    sent(
        rf"(?P<by>(?![{ME}{WE}]){PARTY})['’]s (?:[\w-]+ ){{0,2}}?(?:e-?mails?|mails?|answers?"
        rf"|responses?)\b{_FOLLOWED}"
    ),
    sent(rf"{_TO}{_ADVERB} received\b"),
    sent(rf"\b{_HAVE} {_TO}{_ADVERB} receive\b"),
    sent(rf"{_TO}{_ADVERB} (?:got|get) (?:[\w-]+ ){{0,3}}?{_MESSAGE}\b"),
    sent(rf"{_BY}{_ADVERB} (?:{_DONE})\b"),
    sent(rf"\b{_HAVE} {_BY}{_ADVERB} (?:{_DO}|{_DONE})\b"),
    sent(rf"(?<!when )(?<!if )(?<!after )(?<!since )(?<!because )(?<!as ){_MINE}{_ADVERB} (?:{_SAID}|{_TOLD})\b"),
    sent(rf"\b(?:did|have|had) {_MINE}{_ADVERB} (?:{_SAY}|{_TELL}|{_SAID}|{_TOLD})\b"),
)
