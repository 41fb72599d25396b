"""The rules of English clock times and parts of the day: at 3pm, half past six, from 9 to 5, in the morning."""

from __future__ import annotations

import re

from graphsvc.language.times import en_build as build
from graphsvc.language.times import en_build_clock as clocks
from graphsvc.language.times.en_words import (
    AT,
    EDGE,
    END,
    HALF_DAY,
    HOUR_WORDS,
    MINUTE_WORDS,
    PART,
    WEEKDAY,
    Field,
    Rule,
    W,
    clock_rule,
)

# Words of meeting, leaving and starting; what starts at a price or closes at one is no clock time.
_MEETING = re.compile(
    r"(?<![a-z-])(?:(?:see|catch|call|meet|join|pick)(?:ing)? (?:you|ya|me|us|him|her|them|up)"
    r"(?: all| up| there| here)?|meet(?:s|ing)?"
    r"|leav(?:e|es|ing)|depart(?:s|ing)?|(?:get|be|come)(?:s|ting|ing)? (?:here|there|home|back|over)"
    r"|(?:wake|get)(?:s|ting|ing)? up|arriv(?:e|es|ing)"
    r"|(?<!prices )(?<!rates )(?<!tickets )(?<!fees )(?<!bids )(?:start|begin)(?:s|ning|ing)?) (?:at|around) $"
)
CLOCKS = (
    clock_rule(
        rf"(?<![{W}:./-])(?P<first>\d{{1,2}})(?::(?P<first_minute>[0-5]\d))?[ ]?(?:-| - |to | to | and )[ ]?"
        rf"(?P<last>\d{{1,2}})(?::(?P<last_minute>[0-5]\d))?[ ]?{HALF_DAY}",
        clocks.clock_range,
    ),
    clock_rule(
        rf"(?<![{W}:./-])(?P<first>\d{{1,2}}|{HOUR_WORDS})(?P<first_minute>)(?:-| - | to | and )"
        rf"(?P<last>\d{{1,2}}|{HOUR_WORDS})(?P<last_minute>)"
        r"(?= (?:o'?clock|in the (?:morning|afternoon|evening)|tomorrow|yesterday|today|tonight"
        rf"|(?:next|last|this) {WEEKDAY}))"
        r"(?P<half>)(?: o'?clock)?",
        clocks.clock_range,
    ),
    clock_rule(
        rf"(?:(?<![{W}:./-])|(?<=[ap]m-))(?P<hour>1[0-2]|0?[1-9])"
        rf"(?:[:.]?(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?)?[ ]?\.?{HALF_DAY}",
        clocks.clock,
    ),
    clock_rule(
        r"(?<![\w:.])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?P<half>)(?![\w:]|\.\d)",
        clocks.clock,
    ),
    clock_rule(
        rf"(?<![{W}:./-])(?P<hour>1[0-2]|[1-9]|{HOUR_WORDS})(?P<minute>)(?P<half>) ?o'?clock(?: sharp)?", clocks.clock
    ),
    clock_rule(
        rf"{EDGE}(?P<minutes>half|(?:a )?quarter|\d{{1,2}}|{MINUTE_WORDS})(?: min(?:ute)?s?)? (?P<side>past|to) "
        rf"(?P<hour>1[0-2]|[1-9]|{HOUR_WORDS})(?: o'?clock)?(?:[ ]?{HALF_DAY})?(?!:\d){END}",
        clocks.minutes_past,
    ),
    clock_rule(
        rf"(?<![{W}:./-])(?P<hour>{HOUR_WORDS})[ -](?P<minute>{MINUTE_WORDS})(?: minutes?)?"
        rf"(?:[ ]?{HALF_DAY}|(?P<none>){END})",
        clocks.clock,
        before=AT,
    ),
    clock_rule(rf"{EDGE}(?P<hour>{HOUR_WORDS})(?P<minute>)[ ]?{HALF_DAY}", clocks.clock),
    clock_rule(rf"{EDGE}(?P<hour>1[0-2]|[1-9])(?P<minute>)(?P<half>)-?ish{END}", clocks.clock),
    # "See you at 5", "the class starts at nine": no hour is meant before a noun, as in "meet at 5 locations".
    clock_rule(
        rf"(?P<hour>1[0-2]|[1-9]|{HOUR_WORDS})(?P<minute>)(?P<half>)"
        r"(?=$|[,.;!?)\n](?!\d)|[ ](?:on|tomorrow|today|sharp|then|please|but|with|for|near|outside|so|if|unless"
        r"|instead|next|because|when"
        r"|to (?![\d$]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))(?![a-z]))"
        r"(?: sharp)?",
        clocks.appointment,
        before=_MEETING,
    ),
    # "At 7 tonight", "five-thirty tomorrow": an hour that the day after it makes one.
    clock_rule(
        rf"(?P<hour>1[0-2]|[1-9]|{HOUR_WORDS})(?P<minute>)(?P<half>)"
        rf"(?= (?:tonight|tomorrow|today|yesterday|this (?:morning|afternoon|evening)|on {WEEKDAY}|(?:next|this"
        rf"|last) {WEEKDAY}){END})",
        clocks.clock,
        before=re.compile(r"(?<![a-z-])(?:at|around|about|by|until|till|before|after) $"),
    ),
    clock_rule(
        rf"{EDGE}(?P<hour>{HOUR_WORDS})[ -](?P<minute>{MINUTE_WORDS})(?P<half>)(?= (?:tonight|tomorrow|today"
        rf"|this {PART}|on {WEEKDAY}){END})",
        clocks.clock,
    ),
    clock_rule(
        rf"(?P<hour>1[0-2]|[1-9]|{HOUR_WORDS})(?P<minute>)(?P<half>)"
        r"(?=$|[,.;!?](?!\d)|[ ](?:in the|on|tomorrow|tonight|today)(?![a-z]))",
        clocks.clock,
        before=re.compile(r"(?<![a-z-])(?:at|around) $"),
        alone=False,
    ),
    clock_rule(
        rf"{EDGE}(?P<hour>1[0-2]|[1-9]|{HOUR_WORDS})(?P<minute>)(?P<half>)(?= in the (?:morning|afternoon|evening))",
        clocks.clock,
    ),
    clock_rule(
        r"(?<= at )(?P<hour>1[0-2]|[1-9])[.](?P<minute>[0-5]\d)(?P<half>)(?![\d%]|[ ]?(?:per ?cent|points?"
        r"|degrees|million|billion|trillion|dollars|kg|km|m|miles)\b)",
        clocks.clock,
    ),
    clock_rule(
        r"(?P<first>1[0-2]|[1-9])(?::(?P<first_minute>[0-5]\d))?(?:-| - | to | and )"
        r"(?P<last>1[0-2]|[1-9]):(?P<last_minute>[0-5]\d)(?P<half>)(?![\w:])",
        clocks.clock_range,
        before=AT,
    ),
    clock_rule(rf"{EDGE}lunch ?time{END}", clocks.lunch),
    clock_rule(rf"{EDGE}(?:noon|midnight|midday){END}", clocks.noon),
    Rule(
        Field.PART,
        re.compile(rf" ?(?:in the |at )?(?:(?:early|late) (?:in the )?)?{PART}{END}"),
        build.part,
        alone=False,
    ),
    Rule(Field.PART, re.compile(rf"{EDGE}(?:early |late )?in the {PART}(?= at |,? \d| [a-z]+ o'?clock)"), build.part),
)
