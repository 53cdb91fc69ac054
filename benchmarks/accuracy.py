"""The accuracy of `likely` and the calibration of its probabilities on the corpora of LIKELY_DATA.

`LIKELY_DATA=... python -m benchmarks.accuracy [--only NAME ...] [--quick] [--write]`, or `make accuracy`, prints
one table: each figure with its bar and with what scikit-learn reaches on the same documents in the same run. Nothing
is chosen on a test split or a test fold, but for the column of scikit-learn that says so.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import accuracy_presets, accuracy_splits
from benchmarks.accuracy_row import BEST, PLAIN, SVM, Row, peers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAGE = Path(__file__).with_suffix(".md")
NAMES = (*accuracy_splits.BARS, *accuracy_presets.WORKS)
HEAD = ("corpus", "measure", PLAIN, BEST, SVM, "likely", "bar", "", "detail")
COMMAND = "LIKELY_DATA=... .venv/bin/python -m benchmarks.accuracy"


@dataclass
class Page:
    """The table: printed line by line, and written as a whole."""

    rows: list[Row] = field(default_factory=list)
    begun: float = field(default_factory=time.perf_counter)

    def add(self, rows: Iterable[Row]) -> None:
        """Print each row as soon as it is known."""
        for row in rows:
            print(line(row.cells()), flush=True)
            self.rows.append(row)

    @property
    def verdict(self) -> str:
        """The number of bars that were passed."""
        barred = [row for row in self.rows if row.bar is not None]
        return f"{sum(row.passed for row in barred)} of {len(barred)} bars passed"

    def text(self, arguments: Sequence[str]) -> str:
        """The whole page, with the versions and the machine that it was made with."""
        minutes = (time.perf_counter() - self.begun) / 60
        command = " ".join([COMMAND, *arguments])
        made = f"Made by `{command}` on {dt.date.today()} in {minutes:.0f} minutes; {versions()}. {self.verdict}."
        table = [*head(), *(line(row.cells()) for row in self.rows)]
        return "\n\n".join(["# How often likely is right", made, EXPLAINED, "\n".join(table)]) + "\n"


EXPLAINED = (
    f"Accuracy and F1 are per cent. `{PLAIN}` is CountVectorizer and MultinomialNB as they come, or with the options "
    f"under detail; `{BEST}` the best of thirty settings of scikit-learn's naive Bayes (CountVectorizer or "
    "TfidfVectorizer, words or also pairs, MultinomialNB, ComplementNB or BernoulliNB, alpha 1, 0.1 or 0.01), chosen "
    f"on the test split; `{SVM}` LinearSVC on tf-idf of words and pairs. Nothing of `likely` is chosen on what it is "
    "measured on. Folds are stratified, by a hash of the row's number. Calibration error: expected, 15 bins."
)


def line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def head() -> list[str]:
    return [line(HEAD), "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |"]


def versions() -> str:
    import likely
    from likely import _native

    return (
        f"likely {likely.__version__}, kernel {_native.kernels()[-1]}, scikit-learn {peers('version', {})['version']}"
    )


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.accuracy", description="Accuracy and calibration in one table.")
    parser.add_argument(
        "--only", nargs="+", choices=NAMES, default=list(NAMES), metavar="NAME", help=", ".join(NAMES)
    )
    parser.add_argument("--quick", action="store_true", help="without the thirty settings of scikit-learn")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name} too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    wish = parsed(arguments)
    if not os.environ.get("LIKELY_DATA"):
        print("skipped: LIKELY_DATA is not set to the folder of corpora", file=sys.stderr)
        return 0
    page = Page()
    print("\n".join(head()), flush=True)
    page.add(accuracy_splits.rows([name for name in accuracy_splits.BARS if name in wish.only], grid=not wish.quick))
    page.add(accuracy_presets.rows([name for name in accuracy_presets.WORKS if name in wish.only]))
    print(page.verdict)
    if wish.write:
        PAGE.write_text(page.text(arguments), encoding="utf-8")
    return 0 if all(row.passed for row in page.rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
