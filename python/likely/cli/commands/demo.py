"""`likely demo`: train, explain and evaluate on data that ships, with the commands shown."""

from __future__ import annotations

import csv
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likely.cli.flags import Command, switch, value
from likely.cli.output import emit, wants_json

if TYPE_CHECKING:
    from collections.abc import Iterable

_HELD_OUT = 5  # every fifth pair of reviews
_REVIEW = "Not a bad film, but the ending was a boring disappointment."

REVIEWS = (
    (
        "Train a model on 384 short reviews of films, hotels, books and more.",
        ["train", "reviews.csv", "-o", "reviews.likely"],
    ),
    ("Predict a review, and say why.", ["explain", "reviews.likely", _REVIEW, "--top", "2"]),
    ("Evaluate the model on 96 reviews that it has not seen.", ["evaluate", "reviews.likely", "test.csv"]),
)
# Jurafsky and Martin, *Speech and Language Processing*, 3rd edition, section 4.3.
_FIVE_REVIEWS = (
    ("just plain boring", "-"),
    ("entirely predictable and lacks energy", "-"),
    ("no surprises and very few laughs", "-"),
    ("very powerful", "+"),
    ("the most fun film of the summer", "+"),
)
TEXTBOOK = (
    ("Count the words of five reviews.", ["train", "five.csv", "-o", "five.likely", "--plain"]),
    ("See the counts and the probabilities of a word.", ["inspect", "five.likely", "--table"]),
    ("Multiply.", ["explain", "five.likely", "predictable with no fun"]),
)
_NEXT = "Now your own data: likely train yours.csv -o yours.likely --holdout 0.2"


@click.command("demo", cls=Command)
@value("--keep", "DIR", "Work in this folder and keep the files.  [default: a temporary folder]")
@switch("--textbook", "Calculate the textbook's example of five reviews.")
def command(keep: str | None, textbook: bool, **values: Any) -> None:
    """Walk through a small example.

    The command trains, explains and evaluates on a corpus that is part of `likely`, and shows each command.
    """
    steps = TEXTBOOK if textbook else REVIEWS
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as temporary:
        os.makedirs(keep or temporary, exist_ok=True)
        os.chdir(keep or temporary)
        try:
            _write_data(textbook)
            for at, (caption, step) in enumerate(() if wants_json() else steps):
                click.echo("\n" * bool(at), nl=False)
                _show(caption, step)
        finally:
            os.chdir(here)
    emit({"steps": [{"does": caption, "command": ["likely", *step]} for caption, step in steps]}, _NEXT)


def _show(caption: str, step: list[str]) -> None:
    from likely.cli import cli

    quoted = " ".join(f'"{word}"' if " " in word else word for word in step)
    click.echo(f"# {caption}\n$ likely {quoted}")
    cli.main(step, prog_name="likely", standalone_mode=False)


def _write_data(textbook: bool) -> None:
    from likely.sample import load_sample

    if textbook:
        _write("five.csv", _FIVE_REVIEWS)
        return
    pairs = list(zip(*load_sample(), strict=True))
    _write("reviews.csv", (pair for at, pair in enumerate(pairs) if (at // 2) % _HELD_OUT))
    _write("test.csv", (pair for at, pair in enumerate(pairs) if (at // 2) % _HELD_OUT == 0))


def _write(name: str, rows: Iterable[tuple[str, str]]) -> None:
    with open(name, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "label"), *rows])
