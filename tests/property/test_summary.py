"""Laws of the summary: no value is lost, no word is new, the same text gives the same."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from graphsvc.ingest.policy.summary import MOST_SHARE, RuleSummariser
from graphsvc.language.normalise import fold, fold_key
from graphsvc.language.sentences import sentences
from graphsvc.models.facts import Amount, Mention, TimeExpression
from tests.said import said

PIECES = (
    "李娜付了80万元。", "合同HT2023-0876下周三到期！", "他们聊了很久，没有结论。", "谁来负责？", "预算八十万，分三期。",
    "Anna Petrova paid $1,200. ", "It rains on 5 March 2026. ", "Nothing else was said. ", "Call 13800138000! ",
    "Mr. Lee came at 3:30 pm. ", "\n", "“好的。”他说。", "3.5", "a list, ", "- item 12\n", "see bob@x.example ", "①",
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), min_size=4, max_size=30).map("".join)
SUMMARISER = RuleSummariser(least_chars=20)
FIGURES = re.compile(r"\d+")
Reading = Amount | Mention | TimeExpression


@settings(deadline=None, max_examples=60)
@given(TEXTS)
def test_no_value_is_lost_and_no_word_is_new(text: str) -> None:
    facts = said("a", text).facts
    summary = SUMMARISER.summarise(text, facts)
    assert summary == SUMMARISER.summarise(text, facts)
    if summary is None:
        return
    assert len(summary) < MOST_SHARE * len(text)
    for readings in (facts.amounts, facts.times, facts.mentions):
        for value in {_value(found) for found in readings}:
            assert any(found.text in summary for found in readings if _value(found) == value)
    assert set(FIGURES.findall(fold(text).text)) <= set(FIGURES.findall(fold(summary).text))
    pieces = [text[start:end] for start, end in sentences(text)]
    assert sum(piece in summary for piece in pieces) >= 1
    assert _is_made_of(summary, text)


def _value(found: Reading) -> object:
    """What is one value: amounts by number and unit, names by their key, times by their words."""
    if isinstance(found, Amount):
        return found.value, found.high, found.unit
    return found.key if isinstance(found, Mention) else fold_key(found.text)


def _is_made_of(summary: str, text: str) -> bool:
    """Whether it is stretches of the text, in their order, a line break between them."""
    place = 0
    rest = summary
    while rest:
        ends = [m.start() for m in re.finditer("\n", rest)] + [len(rest)]
        whole = next((end for end in reversed(ends) if end and text.find(rest[:end], place) >= 0), None)
        if whole is None:
            return False
        place = text.find(rest[:whole], place) + whole
        rest = rest[whole + 1 :]
    return True
