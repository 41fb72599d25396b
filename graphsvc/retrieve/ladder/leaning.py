"""The words by which a question leans on an earlier one: pronouns, "what about", 呢.

Closed classes of grammar only; what the earlier question was about is never guessed from a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphsvc.language.hanwords import cut
from graphsvc.language.normalise import HAN
from graphsvc.language.segment import query_tokens
from graphsvc.language.stopwords import STOP_WORDS

_QUESTION_WORD = "when|where|why|who|how|what|which|is|was|are|were|did|does|do|has|had|can|will"
_SWAPS = (
    re.compile(r"^(?:那么?|那么说|所以)?\s*(?P<named>[^，,。？?!！]{1,16}?)呢\s*[?？!！。]*$"),
    re.compile(
        r"^(?:(?:and|so|but|ok|okay|then)[, ]+)?(?:what|how) about (?P<named>.{1,60}?)\s*[?.!]*$", re.IGNORECASE
    ),
    re.compile(rf"^(?:and|but) (?!(?:{_QUESTION_WORD})\b)(?P<named>.{{1,40}}?)\s*[?.!]*$", re.IGNORECASE),
)
_AFTER_OBJECT = "at|in|on|to|by|with|from|for|about|and|or|when|after|before"
# "His" and "hers" own something wherever they stand, "her" before a noun; 其他, 吉他 and 他人 mean nobody.
_ANY_PRONOUN = re.compile(
    rf"(?P<owner>\b(?:his|hers|her(?= (?!(?:{_AFTER_OBJECT})\b)\w))\b)"
    r"|\b(?:he|she|him|her)\b|(?<![其吉维利])[他她](?![们人乡])",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?<![其吉维利])[他她](?![们人乡])")
_POSSESSIVE = re.compile(
    r"\b(?:his|her)(?= (?!at\b|in\b|on\b|to\b|by\b|with\b|from\b|for\b|about\b|and\b|or\b)\w)", re.IGNORECASE
)
_OWN = re.compile(r"\b(?:his|hers)\b", re.IGNORECASE)
_PERSONAL = re.compile(r"\b(?:he|she|him|her)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:the )?(?:his|hers|theirs|him|her|them|he|she|[他她](?:们)?的?|人家的?)", re.IGNORECASE)
# A code with Han characters behind it ends before them: R15是谁报的价.
_WORDS = re.compile(rf"[{HAN}]+|[^\W_{HAN}](?:(?:(?![{HAN}])[\w.@/'-])*(?![{HAN}])\w)?")
# A question that asks of nothing it names: 最后多少钱, 什么时候到的, 谁付的, how much in the end.
_SETTING = (
    r"(?:那么?|所以|然后|最后|最终|最初|最早|最近|一开始|开始|现在|目前|后来|结果|到底|究竟|一共|总共|当时|原来|本来|原定|以前|之前|之后|下次|上次|每次"
    r"|实际|大概|应该|又|还|都|才|就|是|要|会|能)"
)
_ASKED = (
    r"(?:多少(?:钱|块|元|人|次|天)?|几(?:点|号|个|次|天|块|人|折|年|月|岁|斤|份|件|台)|什么时候|啥时候|何时|哪[天年月个家位]|在?哪[里儿]?|谁"
    r"|为什么|为啥|怎么样?|怎样|多久|多[长大高重远])"
)
_ELLIPTIC = re.compile(
    rf"(?:{_SETTING}*(?:[\u4e00-\u9fff][了过])?{_ASKED}(?:[\u4e00-\u9fff]{{0,2}}?[的了过呢啊呀]{{0,2}})"
    r"|(?:and |so |but |then |ok |okay )*(?:how (?:much|many|long|often|far|old|big)|when|where|who|why|what time"
    r"|by whom|for how long|until when|since when)(?: exactly| altogether| in total| in the end| finally| at last| now"
    r"| then| again| precisely)*)\s*[?？!！。.]*",
    re.IGNORECASE,
)


def elliptic(text: str) -> bool:
    """Whether a question names nothing it asks about, so that only what was asked before can tell."""
    return _ELLIPTIC.fullmatch(text.strip()) is not None


def swap_of(text: str) -> str | None:
    """What stands in "what about …", "那…呢": a piece to be put in the place of an earlier one."""
    asked = text.strip()
    found = next((match for pattern in _SWAPS if (match := pattern.search(asked))), None)
    return None if found is None else found["named"].strip()


def is_pronoun(named: str) -> bool:
    return _PRONOUN.fullmatch(named) is not None


def named(text: str, name: str) -> tuple[str, list[tuple[str, str]]]:
    """The text with a name in the place of he, she, his, 他 and 她, and each exchange that was made."""
    found: list[tuple[str, str]] = []

    def exchanged(match: re.Match[str]) -> str:
        found.append((match.group(), f"{name}'s" if match["owner"] else name))
        return found[-1][1]

    return _ANY_PRONOUN.sub(exchanged, text), found


def subject_words(text: str) -> list[str]:
    """The words of a question that say what it is about, as written, in order."""
    wanted = set(query_tokens(text))
    found = []
    for run in _WORDS.finditer(text):
        words: Iterable[str] = cut(run.group()) if re.match(f"[{HAN}]", run.group()) else (run.group(),)
        long = (word for word in words if len(word) > 1 and word.casefold() not in STOP_WORDS)
        found += [word for word in long if wanted & set(query_tokens(word))]
    return found


def beside(text: str, words: Iterable[str], *, han: bool) -> str:
    """A question with the words it leans on in brackets behind it."""
    joined = " ".join(words)
    return f"{text}（{joined}）" if han else f"{text} ({joined})"
