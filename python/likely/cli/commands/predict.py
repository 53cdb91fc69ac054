"""`likely predict`: a label for each text."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from likely.cli.flags import (
    FILE,
    WEIGH_OPTIONS,
    data_argument,
    given_options,
    model_flags,
    other_prior,
    output_flags,
    reading_flags,
    reading_of_flags,
    source_of,
)
from likely.cli.model_files import check_other_file
from likely.cli.output import emit
from likely.cli.progress import Progress, open_corpus, tell
from likely.cli.start import load_model
from likely.reports.rows import FORMATS, UNSURE, Predictions, format_by_suffix, open_output

if TYPE_CHECKING:
    from likely.model.naive_bayes import NaiveBayes


@click.command("predict")
@click.argument("model", type=FILE)
@data_argument
@click.option("--say", metavar="TEXT", help="Predict this one text.")
@click.option("--proba", is_flag=True, help="Add the probability of the label.")
@click.option("--top", type=click.IntRange(1), metavar="K", help="Add the K most probable labels, with theirs.")
@click.option("--format", "output_format", type=click.Choice(FORMATS), help="What to write.  [default: as the input]")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write to a file, in the format its name tells.")
@click.option("--as", "name", default="prediction", metavar="NAME", help="The new column.  [default: prediction]")
@reading_flags(labelled=False)
@model_flags(WEIGH_OPTIONS)
@output_flags
def command(**values: Any) -> None:
    """Predict a label for each text.

    The other columns and the order are kept. DATA is as for train, without labels; standard input if there is
    none. Rows are written as they come.

    \b
    Examples:
      likely predict reviews.likely new.csv --proba > labelled.csv
      likely predict reviews.likely --say "a film to remember"
    """
    if values["say"] is not None:
        _check_say(values)
        _say(*_model(values), values)
        return
    if not values["data"] and values["sql"] is None and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("Give DATA, or --say with a text, or pipe the data in.")
    if values["output"]:
        check_other_file(values["output"], [values["model"], *(values["data"] or ["-"])])
    _predict(*_model(values), values)


def _model(values: dict[str, Any]) -> tuple[NaiveBayes, Any]:
    """The model with the options that were given, and the prior apart."""
    options = given_options(values)
    prior = other_prior(options)
    return load_model(values["model"]).set_params(**options), prior


def _check_say(values: dict[str, Any]) -> None:
    """Nothing is read or written for one text, so nothing can be said about that."""
    for name in ("data", "sql", "output", "output_format", "text", "read_as", "encoding", "strict"):
        if values[name]:
            raise click.UsageError(f"--say is one text: {name.replace('_', '-')} has no effect with it.")


def _say(model: NaiveBayes, prior: Any, values: dict[str, Any]) -> None:
    from likely.terminal import printable

    answer = model.predict([values["say"]], prior=prior).tolist()[0]
    labels, probabilities = model.predict_top([values["say"]], values["top"] or 1, prior=prior)
    pairs = list(zip(labels[0].tolist(), probabilities[0].tolist(), strict=True))
    document: dict[str, Any] = {values["name"]: answer, "probability": pairs[0][1]}
    shown = UNSURE if answer is None else printable(answer)
    if values["top"]:
        document["top"] = [{"label": label, "probability": share} for label, share in pairs]
    if values["proba"] or values["top"]:
        lines = [f"{printable(label)}\t{share:.6g}" for label, share in pairs]
        lines[0] = f"{shown}\t{pairs[0][1]:.6g}"
    else:
        lines = [shown]
    emit(document, "\n".join(lines))


def _predict(model: NaiveBayes, prior: Any, values: dict[str, Any]) -> None:
    predictions = Predictions(model, values["name"], values["proba"], values["top"], prior)
    asked = "jsonl" if values["json"] else values["output_format"]
    wanted = asked or (format_by_suffix(values["output"]) if values["output"] else None)
    source, reading = source_of(values, default="-"), reading_of_flags(values)
    with Progress() as progress, open_output(values["output"]) as sink:
        progress.is_on = progress.is_on and not sink.isatty()
        corpus = open_corpus(source, reading, progress, labelled=False, whole=True, prompt=_is_pipe(source))
        predictions.write(corpus, sink, wanted)
    tell(corpus)


def _is_pipe(source: Any) -> bool:
    """Whether rows are wanted as soon as they come: from a pipe, not from files."""
    return bool(source) and all(each == "-" or not os.path.isfile(each) for each in source)
