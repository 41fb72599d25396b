"""Chinese rules of direction: 给, 抄送, 跟…说, 对…怎么答复, 让, 收到, 由…发, and whose letter it is.

Closed classes: verbs of sending and of telling, the particles around them, and the adverbs that may
stand before a verb.
"""

from __future__ import annotations

from graphsvc.retrieve.parse.parties import ME, PARTY, TIME, WE
from graphsvc.retrieve.parse.rule import sent, told

_SEVERAL = rf"{PARTY}(?:[和与及、]{PARTY})*"
# A party that is only whose: 张伟的助理, 张伟妈妈 are other people.
_RELATED = (
    r"(?!(?:的|他|她)?(?:经理|老板|上司|领导|主管|助理|秘书|助手|下属|同事|同学|老师|学生|徒弟|师傅|朋友"
    r"|室友|邻居|客户|律师|医生"
    r"|妈|爸|母亲|父亲|老婆|老公|妻|丈夫|太太|先生|儿子|女儿|孩子|哥|姐|弟|妹|爷|奶|外公|外婆|叔|姑|舅|姨|岳"
    r"|婆婆|公公|女友|男友"
    r"|女朋友|男朋友|公司|单位|部门|团队|家人))"
)
_BY = rf"(?P<by>{_SEVERAL}){_RELATED}"
_TO = rf"(?P<to>{_SEVERAL}){_RELATED}"
_CC = rf"(?P<cc>{_SEVERAL}){_RELATED}"
_ADVERB = (
    rf"(?:{TIME}|昨天|今天|前天|后来|最后|最近|最先|先|又|再|也|还|都|就|只|才|曾经?|已经?|之前|以前|原来"
    r"|当时|当初|刚[才刚]?|单独|一共|总共|分别"
    r"|上次|首次|第一次|头一次|这次|那次|一次|没有?|是|有没有|是不是|什么时候|啥时候|几号|几点|哪天|何时"
    r"|为什么|为啥|到底|究竟|可能|应该|会|要|想|打算"
    r"|亲自|直接|私下|主动|正式|口头|书面|在[^，,。？?\ue000-\ue8ff]{1,8}?[里上中内]"
    r"|用[^，,。？?\ue000-\ue8ff]{1,4}|从[^，,。？?\ue000-\ue8ff]{1,6}?|的时候)*"
)
_THING = r"[^，,。？?\ue000-\ue8ff]{1,15}?"
_TAKEN = rf"(?:[把将]{_THING})?"
_SUBJECT = rf"(?:{_BY}{_ADVERB}{_TAKEN})?"
_SEND = r"(?:转发|回复|答复|汇报|提交|反馈|上报|发送|推送|发布|寄送|传真|抄送|[发寄写转回传递报])"
# Sends money, goods or heat, not words.
_NO_WORDS = r"(?![了过出来给]?的?(?:烧|火|脾气|言|芽|货|工资|红包|奖金|票|现|生|明|展|钱|账|款|定金|押金|薪))"
# "发给恒谷的14箱": what was sent are goods, and who speaks of them is open.
_NO_GOODS = r"(?!的?[这那]?(?:[\d一二两三四五六七八九十几]+[箱件台吨斤批套盒车块瓶袋只包卷桶板]|公斤|货(?!单|运单)))"
_LETTER = r"(?:来信|回信|来函|回函|邮件|回复|答复|短信|微信|消息|留言|便条|公函|信(?![息用誉箱号任心仰封贷]))"
_WHICH = (
    r"(?:的|[那这哪](?:一|两|几)?[封条份张篇]|第.{1,2}[封条份]|最[后近早初新](?:一|的)?[封条份]?|上一?[封条份]"
    r"|一[封条份])*"
)
_OF_ADDRESS = r"(?!的?(?:地址|账号|密码|箱))"
_TELL = (
    r"(?:说|讲|提(?![供前交醒款成取])|汇报|报告|保证|承诺|解释|道歉|反馈|确认|交代|提出|表示|抱怨|透露|吩咐|强调"
    r"|回复|答复|请假|申请)"
)
# What is handed over in words: 给他还的价, 给她提过的建议, 给他们开的条件.
_OFFER = "[还报开出提留交带]"
_OFFERED = "(?:价|报价|数|话|口信|言|建议|意见|方案|条件|要求|问题|理由)"
_ACT = r"(?:处理|答复|回复|回应|反馈|解释|表态|表示|说|讲|看|答|回)"
_ASKING = r"(?:是)?(?:怎么|怎样|如何)"

RULES = (
    told(rf"{_BY}{_ADVERB}在?(?:回复|答复|回){_TO}[^，,。？?]{{0,8}}?{_LETTER}[里中上]"),
    sent(rf"{_SUBJECT}(?:抄送|抄|密送)(?:[给到]|了)*{_CC}"),
    sent(rf"{_CC}{_ADVERB}被[^，,。？?]{{0,4}}抄送"),
    sent(rf"{_CC}{_ADVERB}(?:在|作为)抄送"),
    sent(
        rf"{_SUBJECT}{_SEND}{_NO_WORDS}(?:了|过)?(?:一|两|几)?[封条份]?(?:{_LETTER}|资料|文件|通知)?(?:给|到"
        rf"|往|致|向)了?{_TO}{_NO_GOODS}"
    ),
    sent(
        rf"{_SUBJECT}给{_TO}{_ADVERB}(?:{_SEND}{_NO_WORDS}|说|讲)(?=[了过的来去出什啥哪一两几那]|{_LETTER}|$"
        r"|[，,。？?])"
    ),
    sent(
        rf"{_BY}{_ADVERB}给[^，,。？?\ue000-\ue8ff]{{1,8}}?(?:{_SEND}{_NO_WORDS}|说|讲)(?=[了过的来去出什啥哪]|{_LETTER})"
    ),
    sent(rf"{_SUBJECT}给{_TO}{_ADVERB}{_OFFER}[了过]?(?:的|出|一个|个|什么|哪些|哪个|几个|多少)*{_OFFERED}"),
    sent(rf"(?:{_BY}{_ADVERB})?(?:给|致|写给|对){_TO}的?{_WHICH}{_LETTER}{_OF_ADDRESS}"),
    told(rf"{_BY}{_ADVERB}[跟向对]{_TO}{_ADVERB}{_ASKING}?{_TELL}"),
    told(rf"(?:^|[，,。 ])[跟向对]{_TO}{_ADVERB}{_TELL}[了过的]"),
    told(rf"{_BY}{_ADVERB}对[^，,。？?\ue000-\ue8ff]{{1,14}}?(?:{_ASKING}{_ACT}|(?:说|回复|答复|反馈)了?什么)"),
    told(rf"{_BY}{_ADVERB}{_ASKING}(?:答复|回复|回应|解释)(?:了|的)?{_TO}?"),
    told(rf"{_BY}{_ADVERB}(?:告诉|通知|回复|答复|回应|答应|提醒|问|催|警告|嘱咐|叮嘱|转告)[过了]?{_TO}"),
    told(rf"{_BY}{_ADVERB}(?:让|叫|要求|拜托|托|建议)(?={PARTY})"),
    told(rf"{_BY}{_ADVERB}(?:让|要求|通知|提醒|答应|承诺|保证)了?(?=谁|大家|全|哪|所有|各|什么)"),
    sent(rf"(?:(?P<to>{_SEVERAL}){_ADVERB})?(?:收到|接到|来自)了?(?:来自)?(?:过)?{_BY}"),
    sent(rf"(?P<to>{_SEVERAL}){_ADVERB}(?:收到|接到)"),
    sent(rf"[由被]{_BY}{_ADVERB}{_SEND}{_NO_WORDS}"),
    sent(rf"{_BY}{_ADVERB}{_TAKEN}{_SEND}{_NO_WORDS}(?=[给来出到的了过去]|信|邮件|什么|哪)"),
    sent(rf"(?P<by>(?![{ME}{WE}]){PARTY}){_WHICH}{_ADVERB}{_WHICH}{_LETTER}{_OF_ADDRESS}"),
    told(rf"(?<![和与跟及、给向对让])(?P<by>[{ME}{WE}]){_ADVERB}(?:{_TELL}|答应|写)(?=[了过的什啥哪])"),
)
