"""How well senses are told: few-shot, same sense or not, by the inventory, and without one.

CoarseWSD-20 and MCL-WiC are public sets read from a folder and never learnt from; the inventory is
asked the sentences of `tests/quality/senses.jsonl`. Beside each figure stands what the sentence's
vector alone gives.

    python -m tests.benchmarks.senses [--data FOLDER] [--shots 8] [--seeds 5]
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from graphsvc.encoding.base import FloatArray, Span, encode_words
from graphsvc.encoding.bundled.encoder import BundledEncoder
from graphsvc.language.centroids import ExampleSpace, IntArray, softmax
from graphsvc.language.senses.fit import Rows, fit_words
from graphsvc.language.senses.induce import Occurrence, induce
from graphsvc.language.senses.tagger import SenseTagger
from ontology.loader import load_ontology

SENTENCES = Path(__file__).parents[1] / "quality" / "senses.jsonl"
SEED_WORDS = ("bank", "apple", "python", "crane")
# Half of the words were looked at while weights were chosen; the others were only ever reported.
LOOKED_AT = frozenset({"apple", "bank", "bow", "club", "deck", "hood", "mole", "pound", "spring", "trunk"})
# Nouns of those sentences that mean one thing; each second one was looked at.
ONE_MEANING = (
    "guitar", "river", "album", "school", "government", "software", "mountain", "water", "baseball",
    "ship", "university", "king", "church", "island", "army", "village", "wood", "professor",
)  # fmt: skip
PARTED = 60  # uses of each
POOL, ASKED = 40, 80  # of each sense: from how many the shots are drawn, and how many are asked
CONTEXT = 600  # characters kept either side of the word
BATCH = 64


@dataclass(frozen=True, slots=True)
class Use:
    word: str
    sense: str
    train: bool
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence of the inventory: the sense it has (none if it does not say), ours, and that of vectors alone."""

    text: str
    wanted: str | None
    told: str | None
    dense: str


@dataclass(frozen=True, slots=True)
class Uses:
    """All uses of the public set as the encoder sees them, and which rows belong to each word."""

    uses: Sequence[Use]
    seen: Seen
    rows: Mapping[str, IntArray]


@dataclass(frozen=True, slots=True)
class Seen:
    """Uses as the encoder sees them: centred sentences `(n, d)`, words `(n, w)`."""

    sentences: FloatArray
    words: FloatArray


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with coarsewsd20 and mcl_wic; without it only the inventory")
    parser.add_argument("--shots", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    console = Console(width=110)
    encoder = BundledEncoder()
    space = ExampleSpace(load_ontology(), encoder)
    console.print(inventory(space))
    if options.data is None:
        console.print("CoarseWSD-20 and MCL-WiC need --data FOLDER")
        return
    console.print(few_shot(space, options.data / "coarsewsd20", options.shots, options.seeds))
    console.print(induced(space, options.data / "coarsewsd20"))
    console.print(same_sense(space, options.data / "mcl_wic"))


def inventory(space: ExampleSpace) -> Table:
    """Sentences of the repo: told right, told wrong, left open; and told though the text leaves it open."""
    rows = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    tagger = SenseTagger(space.ontology, space.encoder, space=space)
    passages = space.encoder.encode_passages([row["text"] for row in rows])
    assert passages.states is not None
    table = Table(
        "inventory", "senses", "dense: right/wrong", "ours: right/wrong/open", "open ones", "told all the same"
    )
    answers = []
    for row, vector, states in zip(rows, passages.vectors, passages.states, strict=True):
        told = tagger.tag(row["text"], vector=vector, states=states)[0]
        answers.append(
            Answer(row["text"], row["sense"], told.sense, _nearest(space, told.surface, row["sense"], vector))
        )
    for name in (*SEED_WORDS, ""):
        of = [one for one in answers if one.wanted and one.wanted.startswith(f"{name}." if name else "")]
        names = _surfaces(space, name)
        still = [one for one in answers if one.wanted is None and any(each in one.text.lower() for each in names)]
        right, unsaid = sum(one.told == one.wanted for one in of), sum(one.told is None for one in of)
        dense = sum(one.dense == one.wanted for one in of)
        table.add_row(
            name or "all",
            str(len(of)),
            f"{dense}/{len(of) - dense}",
            f"{right}/{len(of) - right - unsaid}/{unsaid}",
            str(len(still)),
            str(sum(one.told is not None for one in still)),
        )
    return table


def _surfaces(space: ExampleSpace, word: str) -> tuple[str, ...]:
    entry = space.ontology.sense_word(word)
    return entry.surfaces.all if entry is not None else ("",)


def _nearest(space: ExampleSpace, surface: str, wanted: str | None, vector: FloatArray) -> str:
    """The sense whose examples' mean the sentence is most like: what comparing vectors alone would say."""
    words = space.ontology.sense_words
    word = next(
        one for one in words if (wanted or "").partition(".")[0] == one.id or surface.lower() in one.surfaces.all
    )
    means = [space.vectors(sense.examples.all).mean(axis=0) for sense in word.senses]
    return word.senses[int(np.argmax([vector @ mean / np.linalg.norm(mean) for mean in means]))].id


def few_shot(space: ExampleSpace, folder: Path, shots: int, seeds: int) -> Table:
    """Mean over a word's senses of the share told right, with so many examples of each."""
    uses = [use for path in sorted(folder.iterdir()) if path.is_dir() for use in read_word(path)]
    table = Table("CoarseWSD-20", "senses", "dense", "sentence", "sentence and word")
    rows = {
        word: np.flatnonzero([use.word == word for use in uses]) for word in dict.fromkeys(use.word for use in uses)
    }
    every = Uses(uses, look(space, uses), rows)
    means: dict[str, FloatArray] = {word: np.zeros(3, np.float32) for word in rows}
    for seed in range(seeds):
        for word, shares in _one_draw(space, every, shots, seed).items():
            means[word] += np.array(shares, np.float32) / np.float32(seeds)
    for word, mean in means.items():
        count = len({uses[at].sense for at in rows[word]})
        table.add_row(word, str(count), *(f"{share:.3f}" for share in mean))
    for name, some in (
        ("looked at (10)", [mean for word, mean in means.items() if word in LOOKED_AT]),
        ("only reported (10)", [mean for word, mean in means.items() if word not in LOOKED_AT]),
        ("all 20", list(means.values())),
    ):
        table.add_row(name, "", *(f"{share:.3f}" for share in np.mean(some, axis=0)))
    return table


def read_word(folder: Path) -> Iterator[Use]:
    """The first uses of each sense, train and test; the same on every run."""
    for part, most in (("train", POOL), ("test", ASKED)):
        rows = (folder / f"{part}.data.txt").read_text(encoding="utf-8").splitlines()
        senses = (folder / f"{part}.gold.txt").read_text(encoding="utf-8").split()
        kept: dict[str, int] = defaultdict(int)
        for at in np.random.default_rng(0).permutation(len(rows)):
            if kept[senses[at]] < most:
                kept[senses[at]] += 1
                yield use_of(folder.name, senses[at], rows[at], train=part == "train")


def use_of(word: str, sense: str, row: str, *, train: bool = True) -> Use:
    """A row is the index of the word among the sentence's tokens, a tab, the sentence."""
    index, text = row.split("\t")
    tokens = text.split(" ")
    start = sum(len(token) + 1 for token in tokens[: int(index)])
    begin, end = max(0, start - CONTEXT), start + len(tokens[int(index)])
    return Use(word, sense, train, text[begin : end + CONTEXT], (start - begin, end - begin))


def look(space: ExampleSpace, uses: Sequence[Use]) -> Seen:
    sentences, words = [], []
    for at in range(0, len(uses), BATCH):
        part = uses[at : at + BATCH]
        texts = [use.text for use in part]
        passages = space.encoder.encode_passages(texts)
        sentences += [space.space().centre(one, text) for one, text in zip(passages.vectors, texts, strict=True)]
        words += encode_words(space.encoder, texts, [[use.span] for use in part], passages=passages)
    return Seen(np.stack(sentences), np.concatenate(words))


def _one_draw(space: ExampleSpace, every: Uses, shots: int, seed: int) -> dict[str, tuple[float, float, float]]:
    uses, seen, by_word = every.uses, every.seen, every.rows
    draw = np.random.default_rng(seed)
    groups = {}
    for word, rows in by_word.items():
        senses = sorted({uses[at].sense for at in rows})
        chosen = [
            draw.permutation([at for at in rows if uses[at].train and uses[at].sense == sense])[:shots]
            for sense in senses
        ]
        some = np.concatenate(chosen)
        members = np.repeat(np.arange(len(senses)), [len(one) for one in chosen])
        groups[word] = Rows(tuple(senses), seen.sentences[some], seen.words[some], members)
    fitted = fit_words(groups, space.space())
    found = {}
    for word, rows in by_word.items():
        ids, asked = fitted[word].ids, [at for at in rows if not uses[at].train]
        known = groups[word]
        means = np.stack([known.sentences[known.members == at].mean(axis=0) for at in range(len(ids))])
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        scores = (
            [means @ seen.sentences[at] for at in asked],
            [fitted[word].logits(seen.sentences[at], None) for at in asked],
            [fitted[word].logits(seen.sentences[at], seen.words[at]) for at in asked],
        )
        told = [uses[at].sense for at in asked]
        dense, sentence, both = (_recall(ids, told, one) for one in scores)
        found[word] = (dense, sentence, both)
    return found


def _recall(ids: Sequence[str], told: Sequence[str], scores: Sequence[FloatArray]) -> float:
    """Mean over senses of the share of their uses told right."""
    said = [ids[int(row.argmax())] for row in scores]
    right = [(wanted, one == wanted) for one, wanted in zip(said, told, strict=True)]
    return float(np.mean([np.mean([hit for wanted, hit in right if wanted == sense]) for sense in ids]))


def induced(space: ExampleSpace, folder: Path) -> Table:
    """Words treated as unknown: how many are parted, and how well the parts fit the senses (adjusted Rand index).

    Beside the set's words stand ones of the same sentences that mean one thing; half of either was looked at.
    """
    domains = space.fit({domain.id: domain.examples for domain in space.ontology.domains})
    table = Table("induced", "words", "parted", "ARI of the parted", "which")
    parted: dict[tuple[str, bool], list[tuple[str, float | None]]] = defaultdict(list)
    for word, uses in words_to_part(folder).items():
        seen = look(space, uses)
        raw = space.encoder.encode_passages([use.text for use in uses]).vectors
        shares = [softmax(domains.logits(row)).tolist() for row in seen.sentences]
        found = induce(
            word,
            [
                Occurrence(
                    str(at), use.text, use.span, seen.words[at], raw[at], dict(zip(domains.ids, share, strict=True))
                )
                for at, (use, share) in enumerate(zip(uses, shares, strict=True))
            ],
        )
        side = {member: at for at, sense in enumerate(found.senses) for member in sense.members}
        told = [side.get(str(at), 0) for at in range(len(uses))]
        kind = "of several senses" if uses[0].sense else "of one meaning"
        looked_at = word in LOOKED_AT or word in ONE_MEANING[::2]
        score = adjusted_rand([use.sense for use in uses], told) if found.senses else None
        parted[kind, looked_at].append((word, score))
    for (kind, looked_at), words in sorted(parted.items()):
        scores = [score for _, score in words if score is not None]
        table.add_row(
            f"{kind}, {'looked at' if looked_at else 'only reported'}",
            str(len(words)),
            str(len(scores)),
            f"{np.mean(scores):.3f}" if scores else "",
            " ".join(word for word, score in words if score is not None),
        )
    return table


def words_to_part(folder: Path) -> dict[str, list[Use]]:
    """Uses as they come, without regard to sense; the sense is empty for words of one meaning."""
    draw = np.random.default_rng(0)
    every: list[str] = []
    found: dict[str, list[Use]] = {}
    for path in sorted(one for one in folder.iterdir() if one.is_dir()):
        rows = (path / "train.data.txt").read_text(encoding="utf-8").splitlines()
        senses = (path / "train.gold.txt").read_text(encoding="utf-8").split()
        every += [row.split("\t")[1] for row in rows]
        found[path.name] = [use_of(path.name, senses[at], rows[at]) for at in draw.permutation(len(rows))[:PARTED]]
    draw.shuffle(every)
    for word in ONE_MEANING:
        holding = [text.split(" ") for text in every if f" {word} " in text][:PARTED]
        found[word] = [use_of(word, "", f"{tokens.index(word)}\t{' '.join(tokens)}") for tokens in holding]
    return found


def adjusted_rand(first: Sequence[str], second: Sequence[int]) -> float:
    """Agreement of two groupings, 1 for equal, 0 for chance (Hubert and Arabie 1985)."""
    _, a = np.unique(first, return_inverse=True)
    b = np.asarray(second)
    together = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(together, (a, b), 1)
    left, right, every = _pairs(together.sum(axis=1)), _pairs(together.sum(axis=0)), _pairs(np.array([len(a)]))
    chance, most = left * right / every, (left + right) / 2
    return 1.0 if most == chance else (_pairs(together) - chance) / (most - chance)


def _pairs(counts: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    return float((counts * (counts - 1) / 2).sum())


def same_sense(space: ExampleSpace, folder: Path) -> Table:
    """Whether a word means the same twice: the bar from the first half of the pairs, the share right of the second."""
    table = Table("MCL-WiC dev", "pairs reported", "sentence", "word", "sum")
    for pair in ("en-en", "zh-zh"):
        rows = json.loads((folder / f"dev.{pair}.data").read_text(encoding="utf-8"))
        tags = {row["id"]: row["tag"] == "T" for row in json.loads((folder / f"dev.{pair}.gold").read_text("utf-8"))}
        same = np.array([tags[row["id"]] for row in rows])
        sides = [look(space, [_side(row, i) for row in rows]) for i in "12"]
        sentence = _cosines(sides[0].sentences, sides[1].sentences)
        word = _cosines(sides[0].words, sides[1].words)
        half = len(rows) // 2
        shares = [_share_right(one, same, half) for one in (sentence, word, sentence + word)]
        table.add_row(pair, str(len(rows) - half), *(f"{share:.3f}" for share in shares))
    return table


def _side(row: Mapping[str, str], which: str) -> Use:
    return Use("", "", False, row[f"sentence{which}"], (int(row[f"start{which}"]), int(row[f"end{which}"])))


def _cosines(first: FloatArray, second: FloatArray) -> FloatArray:
    middle = np.concatenate([first, second]).mean(axis=0)
    a, b = first - middle, second - middle
    cosines: FloatArray = (a * b).sum(axis=1) / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1))
    return cosines


def _share_right(scores: FloatArray, same: np.ndarray[tuple[int], np.dtype[np.bool_]], half: int) -> float:
    bars = np.unique(scores[:half])
    bar = bars[int(np.argmax([((scores[:half] >= one) == same[:half]).mean() for one in bars]))]
    return float(((scores[half:] >= bar) == same[half:]).mean())


if __name__ == "__main__":
    main()
