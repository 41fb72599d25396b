"""Everything `make bench` prints: the store at 100,000 memories, then recall on public sets where they are given."""

from __future__ import annotations

import argparse
import subprocess
import sys

from rich.console import Console

from tests.benchmarks import recall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    recall.add_arguments(parser)
    given = parser.parse_args()
    for part in ("store", "answer"):  # processes of their own: their memory is one of the figures
        command = [sys.executable, "-m", f"tests.benchmarks.{part}", "--memories", str(given.memories)]
        subprocess.run(command, check=True)
    recall.run_given(given, Console())


if __name__ == "__main__":
    main()
