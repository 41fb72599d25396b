"""How well claims are read: each field on its own, over the sentences of `tests/quality/claims.jsonl`.

    python -m tests.benchmarks.claims [--data FILE] [--wrong]

A line is {"text", "speaker", "claims": [{"clause", "polarity", "certainty", "quoted", "holder", "holder_text",
"attitude"}]}. A claim answers the labelled clause it shares most characters with; one that has no claim is
wrong in every field. `named` is scored where the holder is labelled as a third party. `--wrong` prints the
lines that are not right; the cost is printed at the end.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from graphsvc.language.claims import find_claims
from graphsvc.language.claims.parse import parse
from graphsvc.language.entities import find_mentions
from graphsvc.language.normalise import Language, fold, fold_key, language_of
from graphsvc.language.recognisers import chinese_tokens
from graphsvc.models.facts import Claim

OWN = Path(__file__).parents[1] / "quality" / "claims.jsonl"
FIELDS = ("found", "polarity", "certainty", "attitude", "quoted", "holder", "all")
ENGLISH = (
    "My brother hates coriander and he asked me to order for him, but I no longer drink coffee because the doctor "
    "said that I should stop, maybe next year we will see."
)
CHINESE = "我弟弟不吃香菜，他让我帮他点菜。我不再喝美式了，医生说我应该少喝咖啡，可能明年再看看吧。"


def read(path: Path) -> list[dict[str, Any]]:
    """The labelled lines of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def judged(line: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Claim | None, dict[str, bool]]]:
    """Each labelled clause with the claim that answers it and what of it is right."""
    text = line["text"]
    claims = find_claims(text, find_mentions(text), line.get("speaker"))
    at = 0
    for wanted in line["claims"]:
        start = max(text.find(wanted["clause"], at), 0)
        end = start + len(wanted["clause"])
        at = start + 1
        best = max(claims, key=lambda one: _shared(one, start, end), default=None)
        if best is not None and not _shared(best, start, end):
            best = None
        yield wanted, best, _right(wanted, best)


def _shared(claim: Claim, start: int, end: int) -> float:
    """Characters in both spans, over those in either."""
    both = min(claim.end, end) - max(claim.start, start)
    return max(both, 0) / (max(claim.end, end) - min(claim.start, start) or 1)


def _right(wanted: dict[str, Any], claim: Claim | None) -> dict[str, bool]:
    if claim is None:
        return dict.fromkeys(FIELDS, False)
    right = {
        "found": True,
        "polarity": claim.polarity == wanted["polarity"],
        "certainty": claim.certainty == wanted["certainty"],
        "attitude": claim.attitude == wanted["attitude"],
        "quoted": claim.quoted == wanted["quoted"],
        "holder": claim.holder.kind == wanted["holder"],
    }
    return {**right, "all": all(right.values())}


def _same_name(wanted: dict[str, Any], claim: Claim | None) -> bool:
    return claim is not None and fold_key(claim.holder.text or "") == fold_key(wanted.get("holder_text") or "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=OWN)
    parser.add_argument("--wrong", action="store_true")
    given = parser.parse_args()
    console = Console()
    rows: dict[str, list[dict[str, bool]]] = {"zh": [], "en": []}
    named: dict[str, list[bool]] = {"zh": [], "en": []}
    for line in read(given.data):
        language = "zh" if language_of(line["text"]) in {Language.ZH, Language.MIXED} else "en"
        for wanted, claim, right in judged(line):
            rows[language].append(right)
            if wanted["holder"] == "other":
                named[language].append(_same_name(wanted, claim))
            if given.wrong and not all(right.values()):
                missed = [name for name, good in right.items() if not good]
                console.print(line["text"], wanted, claim, missed, markup=False)
    table = Table("", *FIELDS, "named", "clauses", title="share right")
    for name in ("zh", "en"):
        shares = [np.mean([right[field] for right in rows[name]]) for field in FIELDS]
        table.add_row(name, *(f"{share:.3f}" for share in (*shares, np.mean(named[name]))), str(len(rows[name])))
    console.print(table)
    both = [right["all"] for found in rows.values() for right in found]
    console.print(f"every field right in {np.mean(both):.3f} of {len(both)} clauses")
    print_cost(console)


def print_cost(console: Console) -> None:
    """Milliseconds a text takes, and how many of them the taggers do."""
    for text in (ENGLISH, CHINESE):
        mentions = find_mentions(text)
        whole = [_ms(lambda t=text, m=mentions: find_claims(t, m)) for _ in range(60)]
        shared = [
            _ms(lambda t=text: parse(t, [(0, len(t))]) if t is ENGLISH else list(chinese_tokens(fold(t).text)))
            for _ in range(60)
        ]
        console.print(f"{language_of(text)}: {np.median(whole):.2f} ms, of which parsing {np.median(shared):.2f} ms")


def _ms(call: Any) -> float:
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1000


if __name__ == "__main__":
    main()
