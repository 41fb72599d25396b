"""English times that hang on an event nobody dated: after the meeting, upon delivery, when she gets back.

They keep no interval. What stands after the preposition must be an event by its form (leaving, graduation,
shipment), by its name (lunch, work) or by its verb (gets back), and its phrase must end there: "before the court",
"after the bridge" and "after the meeting room" are places, and say nothing of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from graphsvc.language.times import walk
from graphsvc.language.times.calendar import UNKNOWN, Reading
from graphsvc.models.facts import Anchor

_EVENTS = """
lunch dinner breakfast supper brunch class school work church bed practice game match show concert movie film flight
trip exam test interview call lesson lecture launch release merger war birth death wedding holidays vacation break race
tour visit sale ceremony funeral audit review demo sprint standup shift nap sleep kickoff semester term storm strike
vote sunrise sunset dark harvest arrival approval renewal trial rehearsal festival withdrawal removal departure closure
closing opening surgery delivery recovery divorce marriage conference performance acceptance receipt signing expiry
party appointment breakup accident earthquake election hearing handover checkout takeoff landing deadline maturity
purchase return checkup event events workout commute
"""
# Endings that make a noun of a verb, and words of places and things that have them.
_NOT_EVENTS = """
station section junction intersection position location question portion fraction option mention foundation
region religion fashion mansion million nation ration caution apartment department basement monument document element
statement equipment pavement government environment cement segment argument instrument compartment fragment
building ceiling string spring ring king thing wing morning evening sibling clothing nothing something anything
everything ping bring sing during being parking sterling pudding duckling lightning darling railing flooring
stuffing awning outing painting heading listing string spelling setting dwelling crossing
"""
_SPACED = "|".join(_NOT_EVENTS.split())
_FORMED = rf"(?!(?:{_SPACED})(?![a-z]))[a-z]{{3,}}(?:tion|sion|ment|ing)s?"
_EVENT = rf"(?:{'|'.join(_EVENTS.split())}|{_FORMED})"
_OWN = r"(?:the|my|our|your|his|her|their|its|this|that|today's|tomorrow's|a|an)"
# A phrase of the event ends where a word without a meaning of its own follows.
_ENDS = (
    r"(?=$|[,.;:!?)\n]|[ ](?:we|i|you|he|she|they|it|i'll|we'll|the|a|an|my|our|your|his|her|their|on|at|with|in|for"
    r"|and|but|or|is|was|are|were|will|of|to|from|by|please|today|tomorrow|tonight|yesterday|then|so|if|because|when"
    r"|let's|can|could|should|must|did|do|does|had|has|have|until|next|last|this|that|there|everyone|nobody)(?![a-z]))"
)
_NOT_OF_TIME = (
    "(?<!look )(?<!looks )(?<!looked )(?<!looking )(?<!named )(?<!called )(?<!takes )(?<!ask )(?<!asked )(?<!chasing )"
)
_BESIDE = "(?:after|before|until|till|since|following|prior to|at the end of)"
_OVER_NOUN = rf"{_BESIDE} (?:{_OWN} )?(?:[a-z]+ )??{_EVENT}{_ENDS}"
# Nothing but time has a during.
_NOT_DURING = r"(?!days?|weeks?|weekends?|months?|years?|summer|winter|spring|autumn|fall|nights?|mornings?|hours?)"
_DURING = rf"during (?:{_OWN} (?:[a-z]+ )??{_NOT_DURING}[a-z]{{3,}}|{_EVENT}){_ENDS}"
_UPON = rf"upon (?:{_OWN} )?{_EVENT}|on (?:arrival|delivery|receipt|completion|departure|expiry|maturity|approval)"
_GERUND = (
    rf"(?:after|before|upon|since) (?:not )?(?:being |having )?(?!(?:{_SPACED})(?![a-z]))[a-z]{{2,}}ing"
    rf"(?: (?:up|back|home|out|off|in|down))?(?: {_OWN} [a-z]+)?(?![a-z-])(?!'s)"
)
_COMES = (
    r"(?:gets? (?:back|home|here|there|off work|up|in|married|paid|out)|arrives?|returns?|comes? (?:back|home|over|in)"
    r"|leaves?|finish(?:es)?|ends?|starts?|begins?|lands?|graduates?|retires?|wakes? up|opens|closes"
    r"|is over|moves? (?:in|out)|(?:is|are|am|'s|'re|'m) (?:back|done|home|over|ready|finished|asleep|born|awake))"
)
_WHO = rf"(?:i|you|we|he|she|they|it|(?:{_OWN} )?[a-z]{{2,}})"
_CLAUSE = (
    rf"(?:when|once|after|before|until|till|as soon as|by the time) {_WHO} ?{_COMES}(?![a-z-])"
    r"|(?<!not )(?:after|before|until|till|as soon as|by the time) (?:i|we|he|she|they) (?!(?:and|or|who|all) )"
    r"[a-z']{2,}"
    r"(?: (?:up|back|home|out|off|in|down|there|here))?(?![a-z-])"
)
_ANCHOR = re.compile(
    rf"(?<![a-z0-9'-])(?=[abdfopsuwt]){_NOT_OF_TIME}(?:{_CLAUSE}|{_DURING}|(?:{_UPON}){_ENDS}|{_GERUND}|{_OVER_NOUN})"
)
_OPENING = re.compile(
    r"(?<![a-z0-9'-])(?:after|before|until|till|since|following|prior to|at the end of|during|upon|on|when|once"
    r"|as soon as|by the time)(?= )"
)


def find(line: str, known: Sequence[Reading]) -> Iterator[Reading]:
    """Events that none of the times already read takes a part of, in order."""
    index, at = 0, 0
    for opening in islice(_OPENING.finditer(line), walk.budget(line)):
        match = _ANCHOR.match(line, opening.start()) if opening.start() >= at else None
        if match is None:
            continue
        while index < len(known) and known[index].end <= match.start():
            index += 1
        if index < len(known) and known[index].start < match.end():
            continue
        at = match.end()
        yield Reading(match.start(), at, UNKNOWN, Anchor.EVENT)
