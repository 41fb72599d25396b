"""The rules of Chinese dates and clock times: one part of an expression each, from the year to the minute.

Rules stand in the order in which parts follow each other; a part is a pattern and the builder that
adds it to a frame.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from graphsvc.language.times import zh_build as build
from graphsvc.language.times import zh_ranges as ranges
from graphsvc.language.times import zh_spans as spans
from graphsvc.language.times.eras import ANIMALS, BRANCHES, ERAS, STEMS
from graphsvc.language.times.frame import Frame
from graphsvc.language.times.holidays import HOLIDAY_NAMES

Build = Callable[[Frame, "re.Match[str]", datetime], "Frame | None"]

_N = "零〇一二三四五六七八九十两"
_DAY = r"(?:三十一|三十|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九]|[12]\d|3[01]|0?[1-9])"
_MONTH = r"(?:十[一二]?|[一二三四五六七八九]|1[0-2]|0?[1-9])"
_HOUR = r"(?:二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九]|[01]?\d|2[0-4])"


@dataclass(frozen=True, slots=True)
class Rule:
    """One part of an expression; `level` orders the parts."""

    level: int
    pattern: re.Pattern[str]
    build: Build


def _words(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _rule(level: int, pattern: str, builder: Build) -> Rule:
    return Rule(level, re.compile(pattern), builder)


_WEEK = "个?(?:星期|礼拜|周)"
_STEP = "(上上|上|本|这|下下|下)(?:一)?"
_RANGE = r"[ ]?(?:-{1,2}|~|—{1,2}|至|到)[ ]?"
_NOT_NUMBER = rf"(?<![\d{_N}第./])"
_NOT_MONTH_BEFORE = rf"{_NOT_NUMBER}(?<![农阴旧]历)(?<![近过])"
_FIGURES_BEFORE = r"(?<![a-z0-9_.-])"
# 5号楼, 3号线: a number of something, not a day.
_NOT_A_DAY = r"(?![楼线门机车店桌院位房仓厅码员球馆厂库井岛公文令电会键笔床梯路])"
_MINUTES = (
    r"(?P<minute>[0-5]\d(?!\d)|[二三四五]?十[一二三四五六七八九]?|零[一二三四五六七八九\d])(?:分(?!钟|之))?(?![个位名人台件天岁万千百块元条])"
    r"|(?P<few>[一二三四五六七八九\d])分(?!钟|之)"
)
# 7点5元 is a price as it is spoken.
_NO_DECIMAL = r"(?![\d一二三四五六七八九]{1,2}(?:[元块毛折万亿%斤米倍度]|公[斤里]|千[克米]|kg|个百分))"
_PAST_HOUR = rf"(?:(?P<half>半)(?!个)|(?P<quarters>[一三13])刻|(?:{_MINUTES}))"
_SECONDS = r"(?:(?P<second>[0-5]?\d|[二三四五]?十[一二三四五六七八九]?|[零一二三四五六七八九]{1,2})秒(?!钟))?"
# Two figures that no one says for an approximate count, as 三五年 and 七八年 are.
_HAN_YEAR = (
    "(?!一二|二三|三四|三五|四五|五六|六七|七八|八九)"
    "(?:[零〇][零〇一二三四五六七八九]|[一二三四五六七八九][零〇一二三四五六七八九])"
)
_DIGITS = "[零〇一二三四五六七八九]"
_NTH = (
    r"(?:的)?(?:第(?P<number>\d{1,3}|[一二三四五六七八九十]{1,3})|(?P<last>最后一|末(?!班))|首(?=[月周日])"
    "|头一(?=个?[月周天]))"
)
# 周一到五点, 周一至四川: a number or a place, not a weekday.
_ALONE = (
    rf"(?![\d{_N}百千万点时月日号个天年周星礼楼层次岁期级班届环路街道川亚里台安常明峡沙塘姑大小本津])"
    "(?:(?<=[-~—至 ].)|(?=$|[^\u3400-\u9fff]|的|之?间|每|都|[上下中]午|[早晚凌]|上[班课学]|[开在要有休]))"
)
_FIGURED_MONTH = r"((?:19|20)\d\d)\.(0?[1-9]|1[0-2])"
_AFTER_FIGURED_MONTH = ranges.after_any([r"(?<!版本)(?:19|20)\d\d\.\d", r"(?<!版本)(?:19|20)\d\d\.\d\d"])
_NO_MORE_FIGURES = r"(?![\d/%‰元块万亿-]|\.\d)"
_AFTER_FIGURED_DAY = ranges.after_any(
    [rf"(?:19|20)\d\d[/.]{month}[/.]{day}" for month in (r"\d", r"\d\d") for day in (r"\d", r"\d\d")]
)
_OTHER_FIGURED_DAY = r"(?:(?:19|20)\d\d[/.])?\d{1,2}[/.]\d{1,2}(?![\d/.])"
_AFTER_ISO_DAY = ranges.after_any(
    [rf"(?:19|20)\d\d-{month}-{day}" for month in (r"\d", r"\d\d") for day in (r"\d", r"\d\d")],
    ["[~—至到]", "——", "[ ][-~—至到][ ]"],
)
_COUNT = r"(?P<count>\d{1,2}|几|[一二两三四五六七八九十]{1,3})"
RULES = (
    _rule(
        0,
        r"(?:农历|阴历|旧历)(?=(?:\d{4}|[一二][零〇九][零〇一二三四五六七八九]{2})年|[今去明前后]年)",
        spans.lunar_mark,
    ),
    _rule(1, rf"({_words(build.YEARS)})(?:度|里|间)?", build.relative_year),
    _rule(1, rf"(?<![\d.])((?:1[5-9]|20)\d\d|[一二][零〇八九][{_N}]{{2}})[ ]?年(?:度|间)?", build.whole_year),
    _rule(1, r"公元(\d{3,4}|[一二][零〇一二三四五六七八九]{3})年", build.whole_year),
    _rule(1, rf"{_NOT_NUMBER}({_HAN_YEAR})年(?![多来半间级代]|以[内来上])", build.whole_year),
    # 08年 is no count, nor is 98年 but after the words of one.
    _rule(1, rf"{_NOT_NUMBER}(?<![了过近满约共历达经])(0\d|[89]\d)年(?![多来半间级代]|以[内来上])", build.whole_year),
    _rule(1, rf"(?<!{_DIGITS})({_DIGITS}{{2}})年(?={_MONTH}月)", build.whole_year),
    _rule(1, rf"(?P<era>{_words(ERAS)})(?P<number>元|\d{{1,3}}|[一二三四五六七八九十百]{{1,4}})年", spans.reign_year),
    _rule(
        1,
        rf"(?:(?P<this>[上本这])个?世纪|{_NOT_NUMBER}(?P<century>\d{{1,2}}|[一二三十]?十?[一二三四五六七八九十])世纪)?"
        r"(?:(?<!\d)(?P<decade>[0-9]0|[一二三四五六七八九]十|[零〇一二三四五六七八九][零〇])年代)?(?<=[纪代])(?P<part>初|早|前|中|末|后|晚)?期?",
        spans.century,
    ),
    _rule(
        1,
        rf"{_NOT_NUMBER}(\d\d)年(?=[ ]?{_MONTH}月|第?[一二三四1-4]季"
        r"|(?:第[\d一二三四五六七八九十]{1,3}|最后一)(?:个?(?:月|周|星期|礼拜)|[天日])|[上下]半年|q[1-4]|[初底末首春夏秋冬]|伊始)",
        build.whole_year,
    ),
    _rule(
        1,
        f"([{STEMS}][{BRANCHES}])年|(?<![属一二三四五六七八九十\\d])([{ANIMALS}])年(?![龄代级轮底]|马月)",
        spans.cycle_year_of,
    ),
    _rule(1, r"(?:(?<=年[-~至到])|(?<=[12][90]\d\d[-~至到]))(\d\d)年(?![前后内多来半])", build.whole_year),
    _rule(2, "([上下前后])半年度?(?![前后以之])", build.half),
    _rule(2, r"(?:第([一二三四1-4])个?|(?<![\d一二三四前后])([一二三四1-4]))季度?(?!节)", build.quarter),
    _rule(2, "([首头末])个?季度?()(?!节)", build.quarter),
    _rule(2, r"(?<![a-z0-9])q()([1-4])(?![a-z0-9])(?:季度)?", build.quarter),
    _rule(2, rf"(?<![马早]){_STEP}个?季度?(?!节)", build.relative_quarter),
    _rule(3, rf"{_NTH}个?月(?!份)", spans.nth_month),
    _rule(
        3,
        rf"{_FIGURES_BEFORE}((?:19|20)\d\d)[-/.](0?[1-9]|1[0-2])[-/.]([0-2]?\d|3[01])"
        rf"(?!\d(?!\d?:\d\d)|[/.]\d|-(?!{_OTHER_FIGURED_DAY})\d{{1,4}}(?![\d:]))",
        build.iso,
    ),
    # 2021/3/5-3/8: figures that are a date only behind another.
    _rule(
        3,
        rf"{_AFTER_FIGURED_DAY}(?:((?:19|20)\d\d)[/.])?(0?[1-9]|1[0-2])[/.](3[01]|[12]\d|0?[1-9])[日号]?{_NO_MORE_FIGURES}",
        build.iso,
    ),
    _rule(3, rf"{_AFTER_ISO_DAY}()(0?[1-9]|1[0-2])-(3[01]|[12]\d|0?[1-9])[日号]?{_NO_MORE_FIGURES}", build.iso),
    _rule(3, rf"{_FIGURES_BEFORE}((?:19|20)\d\d)[ ](0?[1-9]|1[0-2])[ ](0?[1-9]|[12]\d|3[01])(?![\d:])", build.iso),
    _rule(3, rf"{_FIGURES_BEFORE}((?:19|20)\d\d)[-/](0[1-9]|1[0-2])(?![\d/a-z_-])()()", build.iso_month),
    # A month with a point is one only beside another, or it is a price.
    _rule(
        3,
        rf"{_FIGURES_BEFORE}((?:19|20)\d\d)\.(0[1-9]|1[0-2])(?={_RANGE}(?:19|20)\d\d(?![\d]))"
        r"|(?<=\d[-~至到])((?:19|20)\d\d)\.(0[1-9]|1[0-2])(?![\d.])",
        build.iso_month,
    ),
    _rule(
        3,
        rf"{_FIGURES_BEFORE}(?<!版本){_FIGURED_MONTH}(?={_RANGE}(?:19|20)\d\d\.(?:0?[1-9]|1[0-2]){_NO_MORE_FIGURES})"
        rf"|{_AFTER_FIGURED_MONTH}{_FIGURED_MONTH}{_NO_MORE_FIGURES}",
        build.iso_month,
    ),
    _rule(
        3,
        rf"(?<=\d[-~至到])(?<!q\d-)((?:19|20)\d\d)(?![\d./-])|{_FIGURES_BEFORE}((?:19|20)\d\d)(?=[-~至到](?:\d\d)?\d\d年)|(?<=^)((?:19|20)\d\d)(?=[-~至到](?:19|20)\d\d$)",
        build.bare_year,
    ),
    _rule(3, rf"{_FIGURES_BEFORE}()(0?[1-9]|1[0-2])-([0-2]?\d|3[01])(?=[ ]\d{{1,2}}:\d\d)", build.iso),
    _rule(3, rf"{_FIGURES_BEFORE}()(0?[1-9]|1[0-2])[/.](0?[1-9]|[12]\d|3[01])[日号]{_NOT_A_DAY}", build.iso),
    _rule(3, rf"{_FIGURES_BEFORE}()(0?[1-9]|1[0-2])·([0-2]\d|3[01])(?![\d.·])", build.iso),
    _rule(
        3,
        rf"(?:(?:农历|阴历|旧历)(?=[\d闰正冬腊{_N}])|(?=[正冬腊闰]))(?P<leap>闰)?(?P<month>[正冬腊]|{_MONTH})月份?"
        rf"(?:(?:初)?(?P<day>廿[一二三四五六七八九]?|{_DAY})[日号]?)?",
        spans.lunar_day,
    ),
    # Days written 初五 and 廿九 are of the lunar calendar; so is 八月十五, written without 日.
    _rule(
        3,
        rf"{_NOT_NUMBER}(?P<month>{_MONTH})月(?P<day>初[一二三四五六七八九十]|廿[一二三四五六七八九]?"
        rf"|(?:二?十[一二三四五六七八九]|二十|三十)(?![日号一二三四五六七八九十至到个几多余天年月周元块万千百名人%]))",
        spans.lunar_day,
    ),
    _rule(3, rf"大年初(?P<month>)(?P<day>{_DAY})", spans.lunar_day),
    _rule(3, rf"{_FIGURES_BEFORE}((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?![a-z0-9_.-])", build.iso),
    _rule(
        3,
        rf"{_NOT_MONTH_BEFORE}({_MONTH})(?:月份?)?{_RANGE}({_MONTH})月份?(?!{_DAY}[日号]|[初底末]|[上中下]旬)",
        build.month,
    ),
    _rule(3, rf"{_NOT_MONTH_BEFORE}([一二三四五六七八九])([二三四五六七八九])月份?", build.near_months),
    _rule(3, rf"{_NOT_MONTH_BEFORE}({_MONTH})[、,]({_MONTH})月份?(?!{_DAY}[日号])", build.near_months),
    _rule(3, rf"{_NOT_MONTH_BEFORE}({_MONTH})月()(?:份|里)?(?![球饼亮])", build.month),
    _rule(3, "(?<![马早以之碰])(上上|上|本|这|当|下下|下)(?:一)?个?月(?:份|里)?(?![球饼亮台光])", build.relative_month),
    _rule(4, "月?(上(?=、?中)|中(?=、?下))、?(?:中、?(?=下))?([中下])旬", ranges.thirds),
    _rule(4, ranges.after_any(["月[初中]", "旬"]) + "月?(初|上旬|中旬|下旬|底|末(?!周))", ranges.third_alone),
    _rule(4, ranges.after_any(["年[初中]"]) + "年(中|底|末|终)", ranges.third_alone),
    _rule(4, "月?(伊始|初(?![夏春秋冬一二三四五六七八九十])|上旬|中旬|下旬|底|末(?!周|个?季度?|个?月))", build.third),
    _rule(4, "([上下前后])半月", spans.half_month),
    _rule(
        4,
        r"(?:的)?(?P<of>[今去明](?=[春夏秋冬]))?(?P<early>[初早孟仲盛深晚暮](?=[春夏秋冬]))?(?P<season>[春夏秋冬])"
        r"(?:[天季](?![奥运赛])|(?<=[今去明年初早孟仲盛深晚暮][春夏秋冬])(?![节游晚装季天])|(?=[初末]))(?P<late>[初末])?",
        spans.season,
    ),
    _rule(4, "(暑假|寒假|暑期)(?:期间)?(?!工|作业)", spans.holidays),
    _rule(4, "(中)(?![国间心午文秋学东外小])", build.third),
    _rule(
        4,
        rf"(?<![大次那同每\d{_N}])(年|月)(初|底|末|中(?![国间心旬])|(?<=年)终(?![奖总评审结]))(?!班)",
        build.bare_third,
    ),
    _rule(4, "(岁)(末)", build.bare_third),
    _rule(4, "(月)(中旬|上旬|下旬)", build.bare_third),
    _rule(5, rf"{_STEP}{_WEEK}(?:的)?([一二三四五六日天末1-6](?!个|次|周))?", build.week),
    _rule(6, "(?:的)?(?:今天|今日|这个时候|此时|这时)(?:的)?", build.same_day),
    _rule(6, _words(build.DAYS), build.named_day),
    _rule(6, rf"{_NOT_NUMBER}({_DAY})[日号]?{_RANGE}({_DAY})[日号]{_NOT_A_DAY}", build.day),
    _rule(6, rf"{_NOT_NUMBER}({_DAY})()[日号]{_NOT_A_DAY}(?![内期])", build.day),
    _rule(
        6,
        r"(?<=[上下本这当个]月)(初[一二三四五六七八九十]|廿[一二三四五六七八九]?)"
        r"(?![一二三四五六七八九十几多来]|[个天点时次周星月年种名人位回级班学生家件项场节套篇批轮门台条款中高])",
        ranges.day_of_month,
    ),
    # 1月3至2月10: the day of a month in figures, where nothing is counted by it.
    _rule(
        6,
        rf"(?<=月)([12]\d|3[01]|0?[1-9])()(?=$|[ ]?[-~至到,。;、)]|[上下中凌早晚傍半]|起)"
        rf"(?!{_RANGE}[\d一二三四五六七八九十]{{1,3}}[日号])",
        build.day,
    ),
    # The first of October by its figures, where a holiday is spoken of.
    _rule(
        6,
        r"十一(?=长假|假期|黄金周|期间|放假)()|(?<=[\d今去明前后]年)十一(?![月号日点个年岁人次万千百天周])()",
        build.national_day,
    ),
    _rule(
        6,
        rf"(?:(?:三八|五四|六一|八一|五一|国际|世界)(?={_words(HOLIDAY_NAMES)}))?({_words(HOLIDAY_NAMES)})(?:节|日)?(?:假期|长假|期间)?(?![路街广大口零一二三四五六七八九十](?![个天周月]))",
        build.named_holiday,
    ),
    _rule(7, r"(?<!个)[ ]?[(]?(?:周|星期|礼拜)([一二三四五六日天末])[)]?(?![个次岁期边游刊报记年])", build.weekday),
    _rule(
        7,
        ranges.after_any(["周[一二三四五六]", "星期[一二三四五六]", "礼拜[一二三四五六]"])
        + rf"([二三四五六日天]){_ALONE}",
        ranges.weekday_alone,
    ),
    _rule(7, rf"{_NTH}个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末])?(?!年)", spans.nth_week),
    _rule(7, rf"{_NTH}[天日]", spans.nth_day),
    _rule(
        7,
        rf"(?:的)?(?P<side>前|后|最后|头|首){_COUNT}个?(?P<unit>月|季度|周|星期|天|日)(?![日号]|期)",
        spans.first_units,
    ),
    _rule(8, rf"({_words(set(build.PARTS) - {'早', '晚'})})", build.part),
    _rule(8, r"(?<=[日号一二三四五六末])(早|晚)(?=$|[^\w]|[ ]|[\u4e00-\u9fff])", build.part),
    _rule(8, rf"(早|晚)(?=[ ]?{_HOUR}(?:点|:|时))", build.part),
    _rule(
        9,
        rf"{_NOT_NUMBER}([一二两三四五六七八九])([二三四五六七八九十])[点时]钟?(?![\d半一二三四五六七八九十])",
        build.about_clock,
    ),
    _rule(
        9,
        rf"{_NOT_NUMBER}({_HOUR}){_RANGE}({_HOUR})[点时](?:{_PAST_HOUR}|钟?(?![\d半一二三四五六七八九十]))",
        build.clock_range,
    ),
    _rule(
        9,
        rf"{_NOT_NUMBER}(?:(?P<hour>{_HOUR})点钟?(?P<side>差|过)(?:(?P<minutes>{_DAY})分|(?P<quarters>[一三13])刻)"
        rf"|差(?:(?P<short>{_DAY})分钟?|(?P<short_quarter>[一1])刻)(?:就|到)?(?P<next>{_HOUR})点钟?)",
        build.about_hour,
    ),
    _rule(
        9,
        rf"{_NOT_NUMBER}({_HOUR})(?:点钟?{_NO_DECIMAL}|时(?![间候代期而常有长尚机光区空段刻]))"
        rf"(?:{_PAST_HOUR}{_SECONDS}|整|(?P<_m>))?",
        build.clock,
    ),
    _rule(
        9,
        r"(?:(?<![a-z0-9_:.])|(?<=-\d\d)|(?<=\d-))([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?时?(?![a-z0-9_:]|\.\d)",
        build.digital,
    ),
)
