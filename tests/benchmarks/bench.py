"""Everything `make bench` prints: the store at 100,000 memories, then recall on public sets where they are given."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from rich.console import Console

from tests.benchmarks import recall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of public sets; without it, recall is left out")
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--conversations", type=int, default=10)
    parser.add_argument("--people", type=int, default=100)
    given = parser.parse_args()
    console = Console()
    # A process of its own: its memory is one of the figures.
    subprocess.run(  # our own module
        [sys.executable, "-m", "tests.benchmarks.store", "--memories", str(given.memories)], check=True
    )
    subprocess.run(  # our own module
        [sys.executable, "-m", "tests.benchmarks.answer", "--memories", str(given.memories)], check=True
    )
    if given.data is None:
        console.print("Recall on public sets is left out: name their folder with --data (make bench DATA=folder).")
        return
    cache = Path("~/.cache/graphsvc").expanduser()
    recall.run(given.data, conversations=given.conversations, people=given.people, cache=cache, console=console)


if __name__ == "__main__":
    main()
