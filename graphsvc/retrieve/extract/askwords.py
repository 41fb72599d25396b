"""How Chinese and English word what they ask for: question words, measure words, and nouns that name a sort.

Closed classes only: nouns that name a measure, a time or a sort of number themselves, never what is asked about.
"""

from __future__ import annotations

import re
from enum import StrEnum

from graphsvc.retrieve.extract.dimensions import Dimension


class Asks(StrEnum):
    """The sort of thing asked for."""

    TIME = "time"
    AMOUNT = "amount"
    PERSON = "person"
    IDENTIFIER = "identifier"
    PLACE = "place"
    YES_NO = "yes_no"
    REASON = "reason"
    CHOICE = "choice"
    NAME = "name"
    NONE = "none"


class When(StrEnum):
    """The sort of time: a point of any size, a clock time, a date, a stretch, a start, an end, a rhythm."""

    POINT = "point"
    CLOCK = "clock"
    DATE = "date"
    DURATION = "duration"
    SINCE = "since"
    DEADLINE = "deadline"
    RECURRING = "recurring"


class Part(StrEnum):
    """The part of the person asked for: who did it, to whom, whose."""

    AGENT = "agent"
    RECIPIENT = "recipient"
    OWNER = "owner"
    ANY = "any"


class Code(StrEnum):
    """The sort of identifier."""

    PHONE = "phone"
    EMAIL = "email"
    IP = "ip"
    URL = "url"
    PLATE = "plate"
    VERSION = "version"
    KEY = "key"
    ANY = "any"


def worded(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_HAN = "[\u4e00-\u9fff]"
TIMES: tuple[tuple[When, re.Pattern[str]], ...] = (
    (
        When.RECURRING,
        worded(
            r"(?:多久|多长时间|隔多久|几天|几周|几个?月|几年|多少天|几个?小时)(?:来|去|换|做|开|见|洗|浇|发|交|收"
            r"|打|吃|检查|更新)?一次"
            r"|每(?:周|星期|礼拜|月|天|年|逢)[^，。?？]{0,3}(?:几|哪|什么时候)|每隔(?:多久|几)|\bhow (?:often"
            r"|frequently)\b"
        ),
    ),
    (
        When.SINCE,
        worded(
            r"(?:从|自从?|打)(?:什么时候|何时|哪天|几号|几月|哪年|哪个月|几点)|什么时候起|\bsince when\b"
            r"|\bfrom when\b"
        ),
    ),
    (
        When.DEADLINE,
        worded(
            r"(?:最晚|最迟|截止|截至)[^，。?？]{0,8}(?:什么时候|何时|哪天|几号|几点|时间|日期)"
            r"|(?:什么时候|哪天|几号|几点|何时)(?:之?前|截止|截稿)"
            r"|(?:截止|到期)(?:日期|时间|日)|\b(?:by|until|till) (?:when|what (?:time|date|day))\b|\bdeadline\b"
            r"|\bhow late\b"
            r"|\bdue(?: date)?\b|\blatest (?:date|day)\b"
        ),
    ),
    (
        When.DURATION,
        worded(
            r"多久|多长时间|(?:几|多少)个?(?:天|周(?!岁)|星期(?!几)|礼拜|月(?!份|号)|小时|钟头|分钟|年(?!级)"
            r"|工作日|季度|秒)"
            r"|几个月|(?<!每)几天|\bhow (?:long|soon)\b"
            r"|\bhow many (?:\w+ )?(?:seconds|minutes|hours|days|nights|weeks|months|years)\b(?! old)"
        ),
    ),
    (
        When.CLOCK,
        worded(r"几点|什么钟点|\b(?:at )?what(?:'s| is)? (?:the )?(?:time|hour)\b(?! (?:of year|in))|\bo'clock\b"),
    ),
    (
        When.DATE,
        worded(
            r"几月|几号|哪(?:一)?[天年月日]|哪个(?:月|星期|礼拜|周末|日子)|(?:星期|周|礼拜)几|什么日子|生日(?:是"
            r"|在)?(?:$|[?？])"
            r"|(?:日期|生日)(?:是|定)|\b(?:what|which)(?:'s| is| was)? (?:(?:the|exact) )?(?:\w+ )?(?:day|date"
            r"|month|year|weekend|week)\b"
            r"|\b(?:date|day|birthday)\b(?= of\b)|\bbirthday\?|\bon which (?:day|date)"
        ),
    ),
    (
        When.POINT,
        worded(r"什么时候|啥时候?|何时|什么时间|多会儿|时间(?:是|定)|\bwhen\b(?!\s+(?:i|we|you|he|she|they)\b)"),
    ),
)
_MONEY = r"(?:价钱?|费用?|租金?|款|金额?|钱|薪|工资|预算|成本|押金|奖金|房租|售价|报价|份子)"
AMOUNTS: tuple[tuple[frozenset[Dimension], re.Pattern[str]], ...] = tuple(
    (frozenset(dimensions), worded(pattern))
    for dimensions, pattern in (
        (
            {Dimension.MONEY},
            r"多少(?:块|元|钱|费用|美元|欧元|租金|押金)|几(?:块|元|毛)(?!地)|什么价|多贵"
            r"|\bat what price\b",
        ),
        (
            {Dimension.PERCENTAGE},
            r"百分之(?:几|多少)|几成|几折|多少个?百分点|\bwhat (?:percentage|percent|share"
            r"|proportion)\b",
        ),
        ({Dimension.OCCASIONS}, r"(?:几|多少)(?:次|回|遍|趟)|\bhow many times\b|\bhow many (?:attempts|tries)\b"),
        ({Dimension.AGE}, r"几岁|多少岁|多大(?:年纪|岁数|了)|年龄|几周岁|\bhow old\b|\b(?:what|at what) age\b"),
        (
            {Dimension.TEMPERATURE, Dimension.NUMBER},
            r"(?:几|多少)度|(?:温度|体温|水温|气温)|\bhow (?:hot|cold"
            r"|warm)\b|\btemperature\b",
        ),
        (
            {Dimension.WEIGHT},
            r"多重|(?:几|多少)(?:斤|公斤|克|吨|千克)|\bhow heavy\b|\bhow much (?:does|do"
            r"|did) .{1,40}\bweigh\b|\bweight\b",
        ),
        (
            {Dimension.AREA},
            r"多大(?:面积|地方)|面积|(?:几|多少)(?:个?平|亩)|占地多|\bhow large an area\b"
            r"|\barea of\b",
        ),
        ({Dimension.VOLUME}, r"(?:几|多少)(?:毫?升|立方)|\bhow many (?:litres|liters|gallons|ml)\b"),
        (
            {Dimension.LENGTH},
            r"多(?:高|长|宽|远|深|厚|粗)(?!时间)|(?:几|多少)(?:厘米|公里|毫米|千米|公分|米|里地"
            r"|寸|英里)|身高"
            r"|\bhow (?:tall|wide|deep|far|high|thick)\b|\bhow many (?:km|kilometres|kilometers|metres|meters|miles"
            r"|cm|feet|inches)\b"
            r"|\bwhat(?:'s| is| was) the (?:height|width|depth|length|distance)\b",
        ),
        ({Dimension.SPEED}, r"多快|时速|网速|\bhow fast\b|\bspeed(?: limit)?\b"),
        (
            {Dimension.COUNT},
            r"(?:(?<!哪)几|多少)(?:个|人|位|名|套|台|箱|张|条|只|本|件|辆|盒|袋|瓶|份|家|户|页|节|堂|门"
            r"|棵|株|间|层|把|双|颗)|\bhow many\b",
        ),
        (
            {Dimension.MONEY},
            rf"{_MONEY}[^，。?？]{{0,6}}(?:多少|几)|(?:多少){_MONEY}|\b(?:price|cost|costs|fee|fees"
            rf"|rent|salary|budget|deposit|fare|wage|fine|bill|tuition)\b"
            r"|\bhow much\b.*\b(?:cost|pay|paid|spend|spent|charge[ds]?|owe[ds]?|worth|sell|sold|buy|bought"
            r"|raise[ds]?|earn(?:ed|s)?)\b",
        ),
        (
            {Dimension.PERCENTAGE},
            rf"{_HAN}(?<![汇心频功速])(?:率|比例|占比|百分比)[^，。?？]{{0,6}}(?:多少|几)|\b(?:interest"
            rf"|response|tax) rate\b|\bdiscount\b",
        ),
    )
)
ANY_AMOUNT = worded(
    r"多少|(?<!哪)几(?!乎|何)|多大|\bhow (?:much|big|large|strong|loud)\b|\b(?:what|which) (?:\w+ )?(?:numbers?"
    r"|scores?|sizes?)\b|哪[几两三些]个?(?:数|号)"
    r"|\bwhat(?:'s| is| was| are| were)\b.*\b(?:pressure|score|total|amount|size|balance|mileage|limit|level"
    r"|capacity)\b"
)
# "Ben's marathon time" is how long Ben took.
TAKEN = worded(r"(?:'s|\b(?:my|your|his|her|our|their|finish(?:ing)?)) (?:[\w-]+ ){0,3}time\b")
MANY = worded(
    r"how many ((?:[a-z'-]+ )*?[a-z'-]+)(?= (?:do|does|did|are|is|were|was|have|has|had|can|could|will|would"
    r"|should|in|on|at|for|of|to|there|came|left|go|went|per)\b|\?|$)"
)
HAN_COUNTED = re.compile(rf"(?:几|多少)({_HAN}{{1,4}})")
CODES: tuple[tuple[Code, re.Pattern[str]], ...] = (
    (Code.EMAIL, worded(r"邮箱|电子邮件地址|邮件地址|\be-?mail(?: address)?\b(?! (?:about|from|to|did|say))")),
    (Code.IP, worded(r"(?<![a-z])ip(?![a-z])")),
    (Code.URL, worded(r"网址|链接|\burl\b|\bweb ?site\b|\bweb address\b|\blink\b")),
    (Code.PLATE, worded(r"车牌|\b(?:licen[cs]e|number|registration) plate\b")),
    (Code.VERSION, worded(r"版本|哪一?版|\bversion\b|\brelease number\b")),
    (
        Code.KEY,
        worded(
            r"密码|口令|取件码|验证码|提货码|暗号|邀请码|激活码|\b(?:pass(?:word|code)|pin"
            r"|(?:\w+ )code)\b"
        ),
    ),
    (
        Code.PHONE,
        worded(
            r"电话|手机号?|座机|联系方式|\b(?:phone|mobile|cell|telephone|emergency) ?(?:number|no)?\b"
            r"|\bcall (?:him|her|them) on\b"
        ),
    ),
    (
        Code.ANY,
        worded(
            r"(?:编|单|号|账|帐|卡|证|案|户|税|型|序列|航班|房间|学|工|座位|桌|门牌|车位|楼|合同|运单"
            r"|订单)号码?|型号|车次|尺码|代码|多少号"
            r"|(?:票|单|证|卡|门|楼|床|箱|柜|桌|批|[a-z])号(?:码)?(?:是)?(?:多少|几|什么|[?？]|$)"
            r"|\b(?:order|contract|ticket|tracking|serial|part|account|invoice|case|flight|room|reference|policy"
            r"|model"
            r"|customer|booking|house|card|meter|seat|passport|licen[cs]e|gate|membership|registration|claim|batch"
            r"|lot|bib|locker|platform|track|job) (?:number|id|code|no)\b"
            r"|\bwhich (?:flight|gate|room|platform|model|seat|locker)\b|\bwhat (?:gate|platform|flight|room|model"
            r"|seat)\b|\bserial\b"
        ),
    ),
)
SHORT_NUMBER = worded(r"'s number\b|\bnumber (?:of|for) (?:the )?(?!people|guests|items|times)")
OWNER = worded(r"谁的|哪位的|\bwhose\b")
RECIPIENT = worded(
    rf"(?:给|跟|向|和|与|找|问|替|帮|对|教|借给|交给|卖给|送给|寄给|发给|通知)了?(?:谁|哪位|什么人|哪个人)|\bwhom\b"
    rf"|\bwho (?:did|does|do|should|shall|can|could|will|would|is|was|are|were|has|have)\b.*\b(?:to|for|with|from"
    rf"|about)\s*\?*$"
    rf"|\bwho (?:did|does|do|should|can|could|will|shall)\b (?!the \w+ with)(?:[a-z'.]+ ){{1,3}}(?:{_HAN}|[a-z])"
)
WHO = worded(
    r"谁|哪位|什么人|哪(?:个|几个|些)人|\bwho(?:'s|m|se)?\b|\bwhich (?:person|colleague|friend|doctor|teacher)\b"
)
IN_CHARGE = worded(r"负责人|责任人|联系人|接口人|对接人(?=是|[?？]|$)|经手人")
PLACE = worded(
    r"哪里(?!不)|哪儿|在哪|去哪|放哪|何处|什么(?:地方|位置)|哪(?:个|座|家|条|间)(?:城市|国家|地方|酒店|楼|房间"
    r"|会议室|医院|学校|餐厅|街|站)"
    r"|地址(?!是否)|什么位置|\bwhere\b|\bwhich (?:city|country|building|place|street|floor|town|restaurant|shelf"
    r"|drawer|hotel)\b"
    r"|\b(?:postal |home |street )?address\b|\bvenue\b"
)
REASON = worded(
    r"为什么|为何|为啥|原因|怎么会|凭什么|理由|因为(?:什么|啥)|何故|怎么(?:没|不)|\bwhy\b|\breasons?\b"
    r"|\bhow come\b|\bwhat caused\b"
)
NAME = worded(
    r"叫(?:什么|啥)|什么名字|名字(?:是|叫)|(?:什么|哪个|啥)(?:牌子?|品牌)|\bwhat(?:'s| is| was"
    r"| are)? .{1,60}\bcalled\b|\bname of\b|\bwhat(?:'s| is| was) .{1,40}\bnames?\b"
)
CHOICE = (
    re.compile(r"(?P<left>[^，,。?？\s]{1,10}?)还是(?P<right>[^，,。?？\s]{1,10})"),
    worded(r"(?P<left>(?:[\w'-]+ ){0,2}[\w'-]+) or (?P<right>(?:[\w'-]+)(?: [\w'-]+){0,2})\s*\??$"),
)
YES_NO = worded(
    r"吗\s*[?？。]?\s*$|是不是|有没有|能不能|会不会|要不要|对不对|行不行|可不可以|是否|好不好|够不够"
    r"|(?:没有|了没|了没有|没)\s*[?？]?\s*$"
    r"|^(?:so |and |but |ok |okay |hey )?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should"
    r"|may|am|isn't|aren't|wasn't|didn't|doesn't|don't|hasn't|haven't|won't)\b"
    r"|\bwhether\b"
)
WH = worded(r"谁|什么|啥|哪|几|多少|怎么|为何|多久|\b(?:who|what|when|where|which|why|how)\b")
