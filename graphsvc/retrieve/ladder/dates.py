"""Relative dates as texts write them: 昨天 asked on the 6th is 3月5日, 2026-03-05 and 5 March.

Only what points from the moment of asking is replaced: yesterday, 上周, three days ago. Seasons, feasts and
months that are named already stand in texts as they stand in the question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphsvc.models.facts import Anchor, Granularity, TimeExpression

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_QUARTERS = "一二三四"
_POINTING = re.compile(
    r"[今昨明前后上下这本去当]|[周][一二三四五六日天末]|星期|礼拜"
    r"|\b(?:today|tonight|yesterday|tomorrow|last|past|this|next|ago|previous|coming|recent)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)
_SEASON = re.compile(r"[春夏秋冬]|暑|寒假|\b(?:spring|summer|autumn|fall|winter)\b", re.IGNORECASE)
_HOURS = frozenset({Granularity.SECOND, Granularity.MINUTE, Granularity.HOUR, Granularity.HALF_DAY})
_DAY_WORD = re.compile(
    r"大?[今昨明前后]天|[今昨明](?=[早晚晨夜午])"
    r"|\b(?:today|yesterday|tomorrow)\b|\b(?:(?:last|this|next) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dated:
    """`text` stands in the sentence; `words` are other ways to write it, to be searched for beside it."""

    text: str
    words: tuple[str, ...]


def absolute(time: TimeExpression, asked_at: datetime, *, han: bool) -> Dated | None:
    """A relative expression of a question as a date; the year is written where it is not the asking's own."""
    if time.anchor is not Anchor.SPEAKER or time.begin is None or time.until is None:
        return None
    if not _POINTING.search(time.text) or _SEASON.search(time.text):
        return None
    begin, last = time.begin, time.until - timedelta(microseconds=1)
    same_year = begin.year == asked_at.astimezone(begin.tzinfo).year
    if time.granularity is Granularity.DAY:
        return _day(begin, same_year=same_year, han=han)
    if time.granularity in _HOURS:
        # The hour stays as it was written; only the word for the day is exchanged.
        day = _day(begin, same_year=same_year, han=han)
        text = _DAY_WORD.sub(day.text, time.text, count=1)
        return None if text == time.text else Dated(text, day.words)
    if time.granularity is Granularity.MONTH:
        year = "" if same_year else f"{begin.year}年"
        text = f"{year}{begin.month}月" if han else f"{_MONTHS[begin.month - 1]} {begin.year}"
        return Dated(text, (f"{begin:%Y-%m}", f"{begin.month}月", _MONTHS[begin.month - 1]))
    if time.granularity is Granularity.QUARTER:
        number = (begin.month - 1) // 3
        text = f"{begin.year}年第{_QUARTERS[number]}季度" if han else f"Q{number + 1} {begin.year}"
        return Dated(text, (f"第{_QUARTERS[number]}季度", f"Q{number + 1}"))
    if time.granularity is Granularity.YEAR:
        return Dated(f"{begin.year}年" if han else str(begin.year), (str(begin.year),))
    first, end = (_day(one, same_year=same_year, han=han) for one in (begin, last))
    return Dated(f"{first.text}至{end.text}" if han else f"{first.text} to {end.text}", first.words + end.words)


def _day(day: datetime, *, same_year: bool, han: bool) -> Dated:
    zh = f"{'' if same_year else f'{day.year}年'}{day.month}月{day.day}日"
    en = f"{day.day} {_MONTHS[day.month - 1]}{'' if same_year else f' {day.year}'}"
    return Dated(zh if han else en, (day.date().isoformat(), _MONTHS[day.month - 1]))
