"""Where a Chinese expression of time may begin.

What may follow a first character is told with it, so that few places have to be read and refused. Every
alternative begins with a plain character, which the engine turns down at once.
"""

from __future__ import annotations

import re

from graphsvc.language.times.eras import ANIMALS, BRANCHES, ERAS, STEMS
from graphsvc.language.times.holidays import HOLIDAY_NAMES

_N = "零〇一二三四五六七八九十两"
_ERA_FIRST = "".join(sorted({name[0] for name in ERAS}))
OPENING = re.compile(
    "|".join(name for name in HOLIDAY_NAMES if not name.isascii())
    + rf"|[{_ERA_FIRST}](?=.{{1,3}}[元\d一二三四五六七八九十百]{{1,5}}年)"
    r"|[今昨明][天日年早晚晨夜]|[去今明][春夏秋冬]|[去昨今明][今明]?[今明后][两二三年天日]"
    r"|前[天日年晚几些半一二两三四五六七八九十\d]|后[天年晚半一二两三四五六七八九十几\d]|即日|从[现此即]|从今(?=天?[起开])|大[前后大年清]|[去来]年"
    "|当[天日晚月年]|[次翌][日月年]|隔[天日]|同[日月年一]|那天"
    r"|[上下](?<![马早以之][上下])[上下]?一?(?:[个周星礼月年季半午本旬世小分秒天]|学期)|本[周月年季日星世]|这[个周月年星礼季两几些一]"
    r"|[正冬腊闰][月一二三四五六七八九十]|[农阴旧]历|[初廿][一二三四五六七八九十]"
    r"|[春夏秋冬][天季初末]|[初早盛仲深晚暮][春夏秋冬]|[寒暑][假期]|民国|公元|十一[长假黄期放]"
    r"|首个?季|差[\d一二三四五六七八九十]{1,3}[分刻]|[早晚](?=[\d一二三四五六七八九十]{1,2}[点时:])"
    r"|第[\d一二三四五六七八九十]"
    r"|黎明|拂晓|破晓|凌晨|早[上晨]|[清一]大?早|清晨|午[前后间夜]|[中正]午|傍晚|晚[上间]|夜[里间]|[深半]夜"
    r"|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]|[(](?<=[ (][(])(?:周|星期)"
    "|[月年][初中底末上下内]|年终|岁末|周内|子夜|黄昏|晌午|入夜|将?近些"
    rf"|[{STEMS}][{BRANCHES}]年|[{ANIMALS}]年"
    r"|[按逐][天日周月季年]|刚[才刚]|最近|过[去\d几半一二两三四五六七八九十]|再过|近[\d一二两三四五六七八九十几半日期来仨俩数]"
    "|此前|未来|接下来|往后|今后|提前|每"
    r"|半(?<![一二两三四五六七八九十\d个第对]半)[年个天月小钟分秒周星]|之[后前][\d一二两三四五六七八九十几半]"
    + "".join(
        rf"|{first}(?<![{_N}.\d]{first}){rest}(?=\d{{4}}|[ ]?[-~:/.·]|[ ]年"
        r"|[年月日号点时天周个多来半小分秒工季星礼至到世钟刻]|[ ][01]?\d[ ]\d|、\d{{1,2}}月)"
        for first, rest in (
            (rf"[{_N}百千仨俩]", rf"[{_N}百千几]{{0,3}}"),
            ("[几数]", "[十百千]?"),
            ("[好若多](?=[几干年])", "[几干]?"),
            (r"\d", r"\d{0,3}"),
        )
    )
    + r"|q(?<![a-z0-9]q)[1-4]"
)
