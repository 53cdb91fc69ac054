"""`likely demo`: train, predict, explain and evaluate on the sample corpus, with the commands shown."""

from __future__ import annotations

import csv
import os
import tempfile
from pathlib import Path
from typing import Any

import click

from likely.cli.flags import Command
from likely.cli.output import emit, note, wants_json

_HELD_OUT = 5  # every fifth pair of reviews
_REVIEW = "Not a bad film, but the ending was a boring disappointment."

STEPS = (
    ("Learn from labelled reviews in a CSV file.", ["train", "reviews.csv", "-o", "reviews.likely"]),
    ("Predict one text.", ["predict", "reviews.likely", "--text", _REVIEW, "--proba"]),
    ("See the reasons, step by step.", ["explain", "reviews.likely", _REVIEW]),
    ("Evaluate the model on reviews that it has not seen.", ["evaluate", "reviews.likely", "test.csv"]),
)


_NEXT = """Now use your own data: CSV, JSON Lines, Parquet, one folder per class or one mailbox per class:

    likely train yours.csv -o yours.likely --holdout 0.2
    likely predict yours.likely new.csv > labelled.csv
    likely evaluate yours.likely test.csv --html report.html
    likely serve yours.likely --store yours.store

In a clone of the repository, `make serve` serves the model of this example, with a page to try and teach it."""


@click.command("demo", cls=Command)
def command(**values: Any) -> None:
    """Walk through a small example.

    The command trains, predicts, explains and evaluates on a corpus that is part of `likely`, and shows each command.
    """
    if wants_json():
        emit({"steps": [{"does": caption, "command": ["likely", *step]} for caption, step in STEPS]}, "")
        return
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            _write_sample()
            for number, (caption, step) in enumerate(STEPS, start=1):
                _show(number, caption, step)
        finally:
            os.chdir(here)
    click.echo(_NEXT)


def _show(number: int, caption: str, step: list[str]) -> None:
    from likely.cli import cli

    quoted = " ".join(f'"{word}"' if " " in word else word for word in step)
    click.echo(f"{number}. {caption}\n\n$ likely {quoted}")
    cli.main(step, prog_name="likely", standalone_mode=False)
    click.echo()


def _write_sample() -> None:
    from likely.sample import load_sample

    pairs = list(zip(*load_sample(), strict=True))
    for name, is_test in (("reviews.csv", False), ("test.csv", True)):
        with open(name, "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["text", "label"])
            rows.writerows(pair for at, pair in enumerate(pairs) if ((at // 2) % _HELD_OUT == 0) == is_test)
    note(f"(in a temporary folder with {len(pairs)} short film reviews)")
    note("")
