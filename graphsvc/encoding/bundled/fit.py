"""Refit what ships with the encoder: projections of token states, activation ranges, self-check vector.

    python -m graphsvc.encoding.bundled.fit --data FOLDER [--out FOLDER]

FOLDER holds the EverMemOS chats (`*_chat_*.json`, Apache-2.0). The same folder gives the same
files. Principal axes are those of passage token states, each scaled to the same length.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphsvc.encoding.base import READ_TOKENS, FloatArray
from graphsvc.encoding.bundled.engine import DEPTHS, Engine, Role
from graphsvc.encoding.bundled.network import Variant
from graphsvc.encoding.bundled.projection import (
    CARD,
    CHECK_FILE,
    DEPTHS_FILE,
    PROJECTION_FILE,
    RANGES_FILE,
    Card,
)
from graphsvc.encoding.bundled.tokenizer import Tokenizer
from graphsvc.encoding.bundled.weights import SHA256, WeightFile

DIMENSION = 192
CHECK_TEXT = "王芳周二下午3点把第二版合同发给了采购部。She asked for a signed copy by Friday, 1,250.00 in total."


def read_texts(folder: Path) -> list[str]:
    """Every message of every chat in the folder, in file order. Raises `FileNotFoundError` without one."""
    files = sorted(folder.glob("*_chat_*.json"))
    if not files:
        raise FileNotFoundError(f"no *_chat_*.json in {folder}")
    texts: list[str] = []
    for file in files:
        chat = json.loads(file.read_text(encoding="utf-8"))
        texts.extend(message["content"] for message in chat["conversation_list"] if message["content"].strip())
    return texts


def principal_axes(hidden: FloatArray, dimension: int) -> tuple[FloatArray, FloatArray, float]:
    """Mean `(hidden,)`, the first axes `(hidden, dimension)` and the share of variance they keep."""
    mean = hidden.mean(axis=0, dtype=np.float64)
    centred = hidden - mean
    values, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
    order = np.argsort(values)[::-1]
    axes: NDArray[np.float64] = vectors[:, order[:dimension]]
    # An axis may point either way; its largest entry is made positive so that a refit repeats.
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(dimension)])
    kept = float(values[order[:dimension]].sum() / values.sum())
    return mean.astype(np.float32), axes.astype(np.float32), kept


def _at_depths(engine: Engine, texts: list[str]) -> list[FloatArray]:
    """The states at each of `DEPTHS` of all the texts, `(tokens, hidden)`."""
    read = engine.depths(texts, Role.PASSAGE, READ_TOKENS)
    return [np.concatenate([one[place] for one in read]) for place in range(len(DEPTHS))]


def _as_bytes(mean: FloatArray, axes: FloatArray) -> bytes:
    return np.concatenate((mean, axes.reshape(-1))).astype("<f2").tobytes()


def main(arguments: list[str] | None = None) -> None:
    """Write card, projection and self-check into the output folder."""
    parser = argparse.ArgumentParser(prog="python -m graphsvc.encoding.bundled.fit", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with *_chat_*.json")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "data")
    options = parser.parse_args(arguments)
    file = WeightFile()
    engine = Engine(file, Tokenizer(file.vocabulary()), variant=Variant.EXACT, workers=2)
    texts = read_texts(options.data)
    hidden = np.concatenate([reading.hidden for reading in engine.read(texts, Role.PASSAGE)])
    mean, axes, kept = principal_axes(hidden, DIMENSION)
    ranges = engine.measure_ranges(texts)
    spread = np.concatenate(list(ranges.values())).astype("<f2").tobytes()
    (reading,) = engine.read([CHECK_TEXT], Role.PASSAGE)
    check = (reading.pooled / np.linalg.norm(reading.pooled)).astype("<f4").tobytes()
    projection = _as_bytes(mean, axes)
    depths = b"".join(_as_bytes(*principal_axes(one, DIMENSION)[:2]) for one in _at_depths(engine, texts))
    card = Card(
        what=(
            "Principal axes of the token states of multilingual-e5-small and of those its middle layers read, "
            "its activation ranges, a self-check vector"
        ),
        layout=(
            f"{PROJECTION_FILE}: float16 mean (384), then axes (384, {DIMENSION}); {DEPTHS_FILE}: the same by depth; "
            f"{RANGES_FILE}: float16 ({len(ranges)}, 384), in the order of `ranges`; {CHECK_FILE}: float32 (384)"
        ),
        source="Team and solo chats of EverMemOS (github.com/EverMind-AI/EverMemOS, e37205f5), Chinese and English",
        licence="Apache-2.0",
        command="python -m graphsvc.encoding.bundled.fit --data FOLDER",
        tokens=len(hidden),
        variance_kept=round(kept, 4),
        hidden=file.shape.hidden,
        dimension=DIMENSION,
        weights_sha256=SHA256,
        projection_sha256=hashlib.sha256(projection).hexdigest(),
        depths=DEPTHS,
        depths_sha256=hashlib.sha256(depths).hexdigest(),
        ranges=tuple(ranges),
        ranges_sha256=hashlib.sha256(spread).hexdigest(),
        self_check_text=CHECK_TEXT,
        self_check_sha256=hashlib.sha256(check).hexdigest(),
    )
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / PROJECTION_FILE).write_bytes(projection)
    (options.out / DEPTHS_FILE).write_bytes(depths)
    (options.out / RANGES_FILE).write_bytes(spread)
    (options.out / CHECK_FILE).write_bytes(check)
    (options.out / CARD).write_text(card.model_dump_json(indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(texts)} texts, {len(hidden)} tokens, {kept:.4f} of the variance kept in {options.out}\n")


if __name__ == "__main__":
    main()
