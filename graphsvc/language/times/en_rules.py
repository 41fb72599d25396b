"""The rules of English dates: last Friday, the end of June, 5 May 2024, Q3; and where an expression may begin.

Words that are also names or verbs (May, March, Sun) count only where the words beside them make them dates.
"""

from __future__ import annotations

import re

from graphsvc.language.times import en_build as build
from graphsvc.language.times import en_build_clock as clocks
from graphsvc.language.times import en_spans as spans
from graphsvc.language.times import en_years as years
from graphsvc.language.times.en_words import (
    CLEAR_MONTHS,
    DATED_BY,
    DAY,
    DAY_BY,
    EDGE,
    END,
    END_WORD,
    HOLIDAYS,
    LAST_DAY,
    MONTH,
    NAMED_DAYS,
    NO_STEP,
    NO_THIRD,
    NO_YEAR,
    OF_SOME_YEAR,
    OF_YEAR,
    ON,
    ORDINAL,
    ORDINAL_DAYS,
    PART,
    SHORT_DAY,
    SHORT_MONTHS,
    STEP,
    THE_BY,
    THIRD,
    WEEKDAY,
    WEEKDAY_AFTER,
    WEEKDAY_FIRST,
    YEAR,
    W,
    date_rule,
)

_DECADES = "|".join(years.DECADE_WORDS)
DATES = (
    date_rule(
        rf"{EDGE}({NAMED_DAYS})(?! of)(?!'s (?:world|child))(?: {PART})?{END}",
        build.named_day,
    ),
    date_rule(rf"{EDGE}(?:tonight|tonite){END}", build.tonight),
    date_rule(rf"{EDGE}(this|last) {PART}{END}", build.this_part),
    date_rule(
        rf"{EDGE}(?:(?:the )?end of (?:the )?|(?:eod|(?:the )?end of (?:the )?(?:business )?day) (?:on )?)"
        rf"(?:(?P<named>{NAMED_DAYS})|(?:(?P<step>this|next|last) )?(?P<weekday>{WEEKDAY})){END}",
        spans.end_of_named_day,
    ),
    date_rule(rf"{EDGE}(?:the )?end of (?:the )?day{END}|{EDGE}(?:the )?eod{END}", spans.end_of_day),
    date_rule(
        rf"{EDGE}(last|past|previous|preceding|this coming|this|next|coming|following) ({WEEKDAY}|{SHORT_DAY}){END}",
        build.stepped_weekday,
    ),
    date_rule(
        rf"{EDGE}(?P<day>{WEEKDAY}|{SHORT_DAY}),? (?:of |in )?(?:the )?{STEP} week{END}"
        rf"|{EDGE}(?P<step_first>last|this|next|previous) week(?:'s|,| on)? "
        rf"(?P<day_last>{WEEKDAY}|{SHORT_DAY}){END}",
        spans.weekday_of_week,
    ),
    date_rule(
        rf"{EDGE}{WEEKDAY_FIRST}{MONTH}(?:[ /-](?:the )?|, (?=\d{{1,2}}(?:st|nd|rd"
        rf"|th)))?{DAY}{LAST_DAY}{WEEKDAY_AFTER}{OF_YEAR}",
        build.month_day,
        named=True,
    ),
    date_rule(
        rf"(?<![$€£])(?<![$€£] ){EDGE}{WEEKDAY_FIRST}(?:the )?{DAY}{LAST_DAY}[ -]?(?:of )?{MONTH}{OF_YEAR}(?![a-z])",
        build.month_day,
        named=True,
    ),
    date_rule(rf"(?<![{W}])(?P<year>(?:19|20)\d\d)[-/ ]{MONTH}[-/ ]{DAY}(?P<last>)(?P<short_year>)", build.month_day),
    date_rule(
        rf"{EDGE}(?:the )?(?P<nth>first|second|third|fourth|fifth|last|[1-5](?:st|nd|rd|th)) "
        rf"(?P<unit>week|weekend|{WEEKDAY}|day) (?:of|in) "
        rf"(?:(?:the )?(?P<step>last|this|next) )?(?:{MONTH}|(?:the )?(?P<whole>month|year)|(?P<whole_year>"
        rf"(?:19|20)\d\d)(?![\d.,]\d)){OF_YEAR}{END_WORD}",
        spans.nth,
    ),
    date_rule(
        rf"{EDGE}(?:the )?{DAY} (?:of|in) (?:the )?(?:(?P<step>last|this|next|following|current) )?month{END}",
        build.day_of_stepped_month,
    ),
    date_rule(rf"{EDGE}{NO_THIRD}{NO_STEP}(?P<year>(?:19|20)\d\d)[ ]{MONTH}(?![a-z]|[ ]\d)", build.month),
    date_rule(
        rf"{EDGE}{NO_THIRD}{NO_STEP}{NO_YEAR}{MONTH}(?=[ ]?(?:-|to|through|until)[ ]?(?:{SHORT_MONTHS}))", build.month
    ),
    date_rule(rf"(?<=[a-z][-]){NO_THIRD}{NO_STEP}{MONTH}(?:,? {YEAR})?(?![a-z]|[ -]?\d)", build.month),
    date_rule(rf"(?<=[a-z][-]){MONTH} {DAY}(?P<last>){OF_YEAR}", build.month_day),
    date_rule(
        rf"{EDGE}(?:the )?week (?P<number>\d{{1,2}})(?: of {YEAR})?(?![\d:.,]\d|[ ]?%){END_WORD}", spans.week_number
    ),
    date_rule(rf"{EDGE}{THIRD}(?:(?P<step>last|this|next) )?{MONTH}{OF_YEAR}{END_WORD}", build.month),
    date_rule(rf"{EDGE}{NO_THIRD}{NO_STEP}{MONTH}(?:[ ]?,? of |[ ]?,[ ]?|[ ]|[-/]){YEAR}", build.month, named=True),
    date_rule(rf"(?<![{W}/-]){NO_THIRD}{NO_STEP}(?P<month_figure>0[1-9]|1[0-2])[-/]{YEAR}", build.month_figure),
    date_rule(rf"{EDGE}{NO_THIRD}{NO_YEAR}(?P<step>last|this|next) {MONTH}{END_WORD}", build.month, named=True),
    date_rule(
        rf"{EDGE}{NO_THIRD}{NO_STEP}{NO_YEAR}(?P<month>march|may|august){END}",
        build.month,
        named=True,
        before=DATED_BY,
    ),
    date_rule(rf"{EDGE}{NO_THIRD}{NO_STEP}{NO_YEAR}(?P<month>{CLEAR_MONTHS}){END}", build.month, named=True),
    date_rule(
        rf"{EDGE}{NO_THIRD}{NO_STEP}{NO_YEAR}{MONTH}(?![a-z0-9/-])",
        build.month,
        before=re.compile(r"(?<![a-z-])(?:in|since|until|till|to|from|by|of|mid|late|early) $"),
    ),
    date_rule(
        rf"{EDGE}(?P<earlier>earlier|later)(?: in)? (?:(?P<step>this|the|last|next|previous)) "
        rf"(?P<unit>week|month|quarter|year){END}",
        spans.side_of_unit,
    ),
    date_rule(
        rf"{EDGE}(?:{THIRD})?{STEP} (?:calendar |fiscal )?(?P<unit>weekend|week|month|quarter|year)"
        rf"(?:'s (?P<number>first|second|third|fourth) quarter)?(?P<further>){END}",
        build.unit,
    ),
    date_rule(
        rf"{EDGE}(?:the )?{NO_THIRD}(?P<number>)(?P<unit>weekend|week|month|quarter|year)"
        rf" (?P<further>before (?=last)|after (?=next))(?P<step>last|next){END}",
        build.unit,
    ),
    # "For the month" and "of the year", with nothing after them that says which.
    date_rule(
        rf"(?<=(?:for|.of|.in) )the {NO_THIRD}{NO_STEP}(?P<number>)(?P<further>)(?P<unit>week|month|quarter"
        rf"|year)(?=$|[.,;!?])",
        build.unit,
    ),
    date_rule(
        rf"{EDGE}(?:the )?{NO_STEP}(?P<number>)(?P<further>)(?P<unit>month|quarter|year)[ -](?P<third>end){END}",
        build.unit,
    ),
    date_rule(rf"{EDGE}{THIRD}{NO_STEP}(?P<number>)(?P<further>)(?P<unit>week|month|quarter|year){END}", build.unit),
    date_rule(rf"{EDGE}(?:year to date|ytd){END}", spans.year_to_date),
    date_rule(rf"{EDGE}(?:the |at the |over the )?weekend{END}", spans.weekend),
    date_rule(
        rf"{EDGE}(?:(?:the )?(?P<edge>end|beginning|start) of )?(?:(?P<early_year>(?:19|20)\d\d)[ -]?)?"
        rf"(?P<number>q[1-4]){OF_SOME_YEAR}{END_WORD}",
        build.quarter,
    ),
    date_rule(rf"{EDGE}(?:the )?(?P<early_year>){ORDINAL} quarter{OF_SOME_YEAR}{END_WORD}", build.quarter),
    date_rule(
        rf"{EDGE}(?:the )?(?P<number>first|second) half of "
        rf"(?:(?P<step>last|this|next) year|the year|{YEAR}){END_WORD}",
        build.half,
    ),
    date_rule(rf"{EDGE}(?P<number>h[12]){NO_STEP}[ -]{YEAR}", build.half),
    date_rule(rf"{EDGE}{NO_STEP}(?P<year>(?:19|20)\d\d)[ -]?(?P<number>h[12]){END}", build.half),
    date_rule(rf"{EDGE}{THIRD}{YEAR}(?!,\d)", build.whole_year),
    date_rule(
        rf"{EDGE}(?:the )?(?:(?P<third>early|mid|late)[ -](?:the )?)?(?:(?P<decade>(?:1[5-9]|20)\d0)'?s"
        rf"|(?:(?<=the )|(?<=the mid[ -])|(?<=the late[ -])|(?<=the early[ -])|(?='))'?(?P<short>[0-9]0)'?s|"
        rf"(?<=the |rly |mid |mid-|ate )"
        rf"(?P<word>{_DECADES})){END}",
        years.decade,
    ),
    date_rule(
        rf"{EDGE}(?:the )?(?:(?P<third>early|mid|late)[ -])?(?P<number>\d{{1,2}}(?:st|nd|rd|th)"
        rf"|{ORDINAL_DAYS})[ -]century{END}",
        years.century,
    ),
    date_rule(
        rf"{EDGE}(?:the )?(?P<step>last|this|next|current|previous|past) (?P<unit>decade|century){END}",
        years.stepped_decade,
    ),
    date_rule(
        rf"{EDGE}(?:(?P<step>last|this|next|past|previous|coming|following) (?P<season>spring|summer|autumn"
        rf"|fall|winter)(?P<year>){END}"
        rf"|(?:the )?(?P<season_of>spring|summer|autumn|fall|winter)(?:,? of| in|,)?[ ](?P<year_of>(?:19"
        rf"|20)\d\d){END})",
        years.season,
    ),
    date_rule(
        rf"{EDGE}{years.SPOKEN_YEAR}{END}(?! (?:people|dollars|times|years|days))", years.spoken, before=DATED_BY
    ),
    date_rule(rf"(?<![{W}.,]){NO_THIRD}{YEAR}(?![%]|[.,]\d| [a-z]+s\b| people\b)", build.whole_year, before=DATED_BY),
    date_rule(
        rf"(?<![\d./])(?<!\d-)(?:{WEEKDAY_FIRST})((?:19|20)\d\d)([-/. ])(0?[1-9]|1[0-2])\2([0-2]?\d|3[01])"
        r"(?!\d|[-/.]\d)",
        build.iso,
    ),
    date_rule(
        rf"(?<![{W}./])(?:(?<!\d-)|(?<=/\d\d\d\d-)|(?<=/\d-)|(?<=/\d\d-))(\d{{1,2}})([/.-])(\d{{1,2}})\2((?:19"
        rf"|20)\d\d)(?![{W}]|[/.]\d|-\d+(?![\d/]))",
        build.slashed,
    ),
    date_rule(
        rf"(?<![{W}./])(?<!\d-\d-)(?:{WEEKDAY_FIRST})(1[0-2]|0?[1-9])()/(3[01]|[12]\d|0?[1-9])"
        rf"(?:,? ((?:19|20)\d\d))?(?![{W}/%])",
        build.slashed,
        before=DAY_BY,
    ),
    date_rule(
        rf"{EDGE}(?:{WEEKDAY}|{SHORT_DAY}),? (1[0-2]|0?[1-9])()/(3[01]|[12]\d|0?[1-9])()(?![{W}/%])", build.slashed
    ),
    date_rule(
        rf"(?<![{W}./])(?<!\d-)(1[0-2]|0?[1-9])()/(3[01]|[12]\d|0?[1-9])()(?=-\d{{1,2}}/\d{{1,2}}/(?:19|20)\d\d(?!\d))",
        build.slashed,
    ),
    date_rule(
        rf"{EDGE}(?:(?P<step>last|this|next|previous|coming) )?(?P<name>{HOLIDAYS})"
        rf"(?:,?(?: of| in)? {YEAR}|,?(?: of)? (?P<step_year>last|this|next) year)?"
        rf"(?![{W}-]| (?:tree|card|party|present|gift|song|carol))",
        build.named_holiday,
    ),
    date_rule(
        rf"{EDGE}(?P<weekday>{WEEKDAY}|{SHORT_DAY})(?:,? the|,)? "
        rf"(?P<day>(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th)|(?:{ORDINAL_DAYS})(?: day)?"
        r"|(?:3[01]|[12]\d|[1-9])(?=$|[.,;!?](?!\d)|[ ](?:at|between|from|until|to)[ ]\d))(?![a-z0-9/-])",
        build.day_of_month,
    ),
    date_rule(
        rf"the (?P<day>(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)|{ORDINAL_DAYS})"
        r"(?=$|[,.;:!?)]|[ ](?:at|and|or|to|by|for|from|until|till|if|when|with|so|but)(?![a-z]))",
        build.day_of_month,
        before=THE_BY,
    ),
    date_rule(rf"{EDGE}({WEEKDAY})(){END}", build.weekday),
    date_rule(rf"{EDGE}({SHORT_DAY})(){END}", build.weekday, before=ON),
    date_rule(
        rf"{EDGE}({SHORT_DAY})(?=[ ]?(?:-|to|through)[ ]?{SHORT_DAY})"
        rf"|(?<=[a-z]-)({SHORT_DAY}|{WEEKDAY}){END}",
        build.weekday,
    ),
)
_OPENERS = """
the this last past previous next coming current today tonight tonite tomorrow yesterday day noon midnight midday early
earlier late later mid middle lunchtime lunch week weekend year ytd eod in half quarter five ten fifteen twenty
beginning start end preceding spring summer autumn fall winter nineteen eighteen seventeen sixteen year month quarter
first second third fourth 1st 2nd 3rd 4th
"""


def _openers() -> str:
    """First words an expression may have, but for figures and holidays."""
    short = [name[:3] for name in (*build.WEEKDAYS, *build.MONTHS)]
    return "|".join(
        [*_OPENERS.split(), *short, *clocks.HOUR_WORDS, *(word[:5] for word in build.DAY_WORDS), "q[1-4]", "h[12]"]
    )


OPENERS = rf"{EDGE}(?:{_openers()}|{HOLIDAYS})"
# A figure that may begin a date or a clock time.
FIGURE_OPENERS = (
    rf"(?<![\d.,:/])(?<![a-z])\d{{1,4}}(?=[-:/.]\d|(?:st|nd|rd|th)\b|-?ish|[ ]?\.?(?:am|pm|a[. ]|p[. ]|[ap]\b)"
    rf"|[ ](?:to|and|-)[ ][a-z\d]|[ ]o'?clock|[ -][qh][1-4]|[ ]in[ ]the|[ ](?:min|past)|[ -][adfjmnos][a-z]{{2}}"
    r"|[ ]\d\d?[ ]\d|[ ](?:tonight|tomorrow|today|yesterday|this[ ]|on[ ])"
    rf"|[-/ ]?(?:of[ ])?(?:{'|'.join(name[:3] for name in build.MONTHS)}))|{EDGE}(?:19|20)\d\d"
    # Whether anybody meets at it is seen where it is read.
    r"|(?:1[0-2]|[1-9])(?:(?<= at \d)|(?<= at \d\d)|(?<=around \d)|(?<=around \d\d))(?=$|[ ,.;!?)\n])"
)
