"""Senses nobody listed are proposed from where a word was used, and only where the subjects differ too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from graphsvc.encoding.base import encode_words
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.senses import Induced, Occurrence, induce

WIDTH = 24
RIVER = [
    "The dredger worked along the {} until the tide turned.",
    "Herons waited on the {} for the water to fall.",
    "Boats cannot cross the {} when the estuary is low.",
    "Seals were sleeping on the {} in the estuary.",
    "The pilot warned us of a {} off the river mouth.",
    "Waders feed on the {} at low water.",
    "The storm moved the {} further into the channel.",
]
DRINKS = [
    "He ordered two beers at the {} and paid in cash.",
    "The {} stays open until midnight and serves cocktails.",
    "She works behind the {} and mixes the drinks.",
    "We met at the {} for a glass of wine after work.",
    "The {} was crowded, so we took our pints outside.",
    "Tips at the {} are shared among the waiters.",
    "There is a new {} with forty kinds of whisky.",
]


def uses(
    middles: Sequence[int], subjects: Sequence[Mapping[str, float]], *, noise: float = 0.35, texts: Sequence[str] = ()
) -> list[Occurrence]:
    """Occurrences around unit directions; `middles` says which each one lies at."""
    draw = np.random.default_rng(4)
    found = []
    for at, (middle, about) in enumerate(zip(middles, subjects, strict=True)):
        row = np.eye(WIDTH, dtype=np.float32)[middle] + noise * draw.normal(size=WIDTH).astype(np.float32)
        row /= np.linalg.norm(row)
        text = texts[at] if texts else f"the bar of number {at}"
        found.append(Occurrence(f"m{at}", text, (4, 7), row, row, about))
    return found


def sides(found: Induced) -> list[set[str]]:
    return [set(sense.members) for sense in found.senses]


def test_two_neighbourhoods_under_two_subjects_are_two_senses() -> None:
    subjects = [{"nature": 0.8, "food": 0.1}] * 9 + [{"food": 0.9}] * 7
    found = induce("bar", uses([0] * 9 + [1] * 7, subjects))
    assert sides(found) == [{f"m{at}" for at in range(9)}, {f"m{at}" for at in range(9, 16)}]
    assert [sense.domain for sense in found.senses] == ["nature", "food"]
    assert all(set(sense.examples) <= set(sense.members) for sense in found.senses)
    assert found.apart > 0
    assert 0.25 <= found.explained <= 1


def test_two_neighbourhoods_under_one_subject_stay_one_sense() -> None:
    found = induce("bar", uses([0] * 9 + [1] * 9, [{"food": 0.9}] * 18))
    assert found.senses == ()
    assert found.explained == 0


def test_two_subjects_in_one_neighbourhood_stay_one_sense() -> None:
    subjects = [{"nature": 0.9} if at % 2 else {"food": 0.9} for at in range(18)]
    assert induce("bar", uses([0] * 18, subjects)).senses == ()


def test_three_neighbourhoods_under_three_subjects_are_three_senses() -> None:
    subjects = [{"a": 0.9}] * 9 + [{"b": 0.9}] * 8 + [{"c": 0.9}] * 7
    found = induce("bar", uses([0] * 9 + [1] * 8 + [2] * 7, subjects, noise=0.15))
    assert sorted(map(len, sides(found))) == [7, 8, 9]


@pytest.mark.parametrize("count", [0, 1, 11])
def test_few_uses_prove_nothing(count: int) -> None:
    subjects = [{"a": 0.9} if at < 6 else {"b": 0.9} for at in range(count)]
    assert induce("bar", uses([at >= 6 for at in range(count)], subjects)) == Induced("bar", ())


def test_a_handful_of_strays_is_no_sense() -> None:
    subjects = [{"a": 0.9}] * 20 + [{"b": 0.9}] * 3
    assert induce("bar", uses([0] * 20 + [1] * 3, subjects)).senses == ()


def test_texts_without_subjects_are_not_parted() -> None:
    assert induce("bar", uses([0] * 9 + [1] * 9, [{}] * 18)).senses == ()


def test_equal_vectors_are_not_parted() -> None:
    one = uses([0], [{"a": 1.0}])[0]
    same = [Occurrence(str(at), one.text, one.span, one.word, one.sentence, {"ab"[at % 2]: 1.0}) for at in range(20)]
    assert induce("bar", same).senses == ()


def test_the_same_uses_give_the_same_senses_in_any_order() -> None:
    subjects = [{"nature": 0.8}] * 9 + [{"food": 0.9}] * 7
    given = uses([0] * 9 + [1] * 7, subjects)
    turned = [given[at] for at in np.random.default_rng(1).permutation(len(given))]
    assert induce("bar", given) == induce("bar", given)
    assert sorted(map(sorted, sides(induce("bar", given)))) == sorted(map(sorted, sides(induce("bar", turned))))


def test_very_many_uses_cost_no_more_than_some() -> None:
    subjects = [{"nature": 0.8}] * 1_500 + [{"food": 0.9}] * 1_500
    found = induce("bar", uses([0] * 1_500 + [1] * 1_500, subjects, texts=["the bar of it"] * 3_000))
    assert len(found.senses) == 2
    assert sum(len(sense.members) for sense in found.senses) <= 400


def test_arguments_are_left_alone() -> None:
    given = uses([0] * 9 + [1] * 7, [{"nature": 0.8}] * 9 + [{"food": 0.9}] * 7)
    kept = [one.word.copy() for one in given]
    induce("bar", given)
    assert all(np.array_equal(one.word, copy) for one, copy in zip(given, kept, strict=True))


def test_a_word_of_no_inventory_shows_its_senses_and_their_words() -> None:
    encoder = BundledEncoder()
    texts = [one.format("bar") for one in (*RIVER, *DRINKS)]
    spans = [(text.index("bar"), text.index("bar") + 3) for text in texts]
    passages = encoder.encode_passages(texts)
    words = encode_words(encoder, texts, [[span] for span in spans], passages=passages)
    subjects = [{"nature_outdoors": 0.7, "food": 0.1}] * len(RIVER) + [{"food": 0.8}] * len(DRINKS)
    found = induce(
        "bar",
        [
            Occurrence(f"m{at}", texts[at], spans[at], words[at][0], passages.vectors[at], subjects[at])
            for at in range(len(texts))
        ],
    )
    river = {f"m{at}" for at in range(len(RIVER))}
    shore, counter = sorted(sides(found), key=lambda side: -len(side & river))
    assert len(shore & river) + len(counter - river) >= len(texts) - 1
    cues = {sense.domain: set(sense.cues) for sense in found.senses}
    assert "water" in cues["nature_outdoors"] or "estuari" in cues["nature_outdoors"]
    assert "bar" not in cues["food"] | cues["nature_outdoors"]


def test_one_word_said_in_two_languages_is_not_two_senses() -> None:
    encoder = BundledEncoder()
    english = [
        f"Peel the apple and eat it with {one}."
        for one in ("honey", "yoghurt", "nuts", "oats", "cheese", "rice", "jam")
    ]
    chinese = [f"把apple削皮，和{one}一起吃。" for one in ("蜂蜜", "酸奶", "坚果", "燕麦", "奶酪", "米饭", "果酱")]
    texts = english + chinese
    spans = [(text.index("apple"), text.index("apple") + 5) for text in texts]
    passages = encoder.encode_passages(texts)
    words = encode_words(encoder, texts, [[span] for span in spans], passages=passages)
    rows = [
        Occurrence(str(at), text, spans[at], words[at][0], passages.vectors[at], {"food": 0.6, "health": 0.2})
        for at, text in enumerate(texts)
    ]
    assert induce("apple", rows).senses == ()
