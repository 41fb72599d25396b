"""What one Chinese clause denies, doubts, plans and feels, read off its characters and words.

Words that only look like negators, questions by repetition and pairs that cancel are blanked first; of what
is left one negator or several side by side deny once.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from graphsvc.language.claims import chinese_words as zh
from graphsvc.language.claims.verdict import Signs
from graphsvc.language.recognisers import Token
from graphsvc.models.facts import Attitude

_BECAUSE = re.compile(r"(?<=[\u4e00-\u9fff]{2})不是(?:因为|由于)")
_WORDLIKE = frozenset("别未无勿甭莫非")
_FORBIDDEN = re.compile(r"^(?:你们?|您)?(?:别|不要|不用|甭|勿)")
_UNENDED = re.compile(r"(?:不|没有?|别|从未)(?:能|会|想|要|肯|再)?$")


def signs_of(phrase: str, tokens: Sequence[Token], start: int) -> Signs:
    """The signs of one clause; `phrase` is folded and its first character stands at `start` of the tokens' text."""
    signs = Signs()
    begins = {token.start - start for token in tokens}
    # 现在不在 is no question: it does not repeat a word.
    text = zh.A_NOT_A.sub(lambda found: _blank(found) if found.start() in begins else found.group(), phrase)
    signs.asked = text != phrase and not re.search(r"不管|无论|不知|不确定", phrase)
    signs.hedged = bool(zh.HEDGE.search(phrase))
    whole = zh.WHOLE_DISLIKE.search(text)
    text = zh.WHOLE_DISLIKE.sub(_blank, text)
    _feel(phrase, whole, signs)
    text = _cancelled(text, signs)
    unforgotten = zh.FORGET.search(text) is not None
    text = zh.FORGET.sub(_blank, zh.NOT_NEGATORS.sub(_blank, text))
    denied = _negator(text, tokens, start, after_feeling=_feeling_end(phrase))
    _end(text, phrase, denied, signs)
    if (denied is not None and not signs.ceased) or (denied is None and zh.SELDOM.search(phrase)):
        signs.negators += 1
    _past(phrase, tokens, start, signs)
    _plan(phrase, tokens, signs)
    signs.planned |= unforgotten
    return signs


def _cancelled(text: str, signs: Signs) -> str:
    """The text without the negators that cancel each other or belong to "nearly"."""
    if not zh.NOT_DOUBLE.search(text):
        text = zh.DOUBLE.sub(_blank, text)
    text = zh.UNLESS_SO.sub(_blank, text)
    nearly = zh.NEARLY.search(text)
    if nearly:
        denied, rest = nearly.group(1), text[nearly.end() :]
        signs.negators += not denied or bool(zh.MISHAP.search(rest[:4]))
        text = zh.NEARLY.sub(_blank, text)
    return _BECAUSE.sub(_blank, text)


def _negator(text: str, tokens: Sequence[Token], start: int, *, after_feeling: int) -> re.Match[str] | None:
    """The first negator whose scope is the clause: not one inside what is liked or disliked."""
    for found in zh.NEGATOR.finditer(text):
        if found.start() >= after_feeling:
            return None
        if found.group()[0] not in _WORDLIKE or _is_word(found.start() + start, tokens):
            return found
    return None


def _is_word(at: int, tokens: Sequence[Token]) -> bool:
    for token in tokens:
        if token.start <= at < token.end:
            return token.text in zh.NEGATOR_TOKENS or (token.start == at and token.tag in {"d", "v"})
    return False


def _feeling_end(phrase: str) -> int:
    found = min(
        (one for one in (zh.LIKE.search(phrase), zh.DISLIKE.search(phrase)) if one),
        key=lambda one: one.start(),
        default=None,
    )
    return len(phrase) if found is None or found.group() in zh.SOFT_LIKES else found.end()


def _feel(phrase: str, whole: re.Match[str] | None, signs: Signs) -> None:
    like, dislike = zh.LIKE.search(phrase), zh.DISLIKE.search(phrase)
    if whole is not None:
        dislike = whole
    if dislike is not None and (like is None or dislike.start() < like.start()):
        signs.attitude = Attitude.DISLIKE
    elif like is not None:
        signs.attitude = Attitude.LIKE


def _end(text: str, phrase: str, denied: re.Match[str] | None, signs: Signs) -> None:
    """What was so and is no more: 不再, 戒了, 不……了."""
    ending = zh.CEASED.search(phrase)
    if ending is not None:
        signs.ceased = not _UNENDED.search(text[: ending.start()]) and not phrase.startswith("不", ending.end())
    if denied is not None and zh.ENDS_WITH_LE.search(phrase):
        before, after = phrase[: denied.start()], phrase[denied.end() :]
        potential = zh.POTENTIAL_END.search(text)
        cannot = potential is not None and potential.start() == denied.start()
        # 不会来了 tells of what will not be; 不会再来了 of an end.
        will = after.startswith("会") and "再" not in after
        signs.ceased |= not (cannot or will or zh.DURATION.search(before) or _FORBIDDEN.search(phrase))


def _past(phrase: str, tokens: Sequence[Token], start: int, signs: Signs) -> None:
    """以前住在上海 ended; 以前去过上海 stays true."""
    former = zh.FORMERLY.search(phrase)
    if former is not None and not zh.ASPECT.search(phrase, former.end()) and _is_time(former, tokens, start):
        signs.past = True
        signs.ceased |= not signs.negators


def _is_time(former: re.Match[str], tokens: Sequence[Token], start: int) -> bool:
    """过去 is a time here and not the end of 走过去."""
    if former.group() != "过去":
        return True
    return any(token.start == former.start() + start and not token.tag.startswith("v") for token in tokens)


def _plan(phrase: str, tokens: Sequence[Token], signs: Signs) -> None:
    later = zh.LATER.search(phrase)
    signs.planned = bool(zh.PLAN.search(phrase)) or bool(later and zh.WILL.search(phrase))
    for token, following in itertools.pairwise(tokens):
        if token.text in {"想", "要", "想要", "将"} and following.tag in {"v", "p", "vd"} and following.text != "是":
            signs.planned = True
    signs.hypothetical = bool(zh.CONDITION.search(phrase))


def _blank(found: re.Match[str]) -> str:
    return "〇" * len(found.group())
