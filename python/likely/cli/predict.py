"""`likely predict`: a label for each text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from likely.cli.flags import FILE, data_argument, output_flags, reading_flags, reading_of_flags, source_of
from likely.cli.outcome import emit, note
from likely.cli.reading import Progress, open_corpus
from likely.cli.start import load_model
from likely.cli.writers import FORMATS, Predictions, open_output

if TYPE_CHECKING:
    from likely.model import NaiveBayes


@click.command("predict")
@click.argument("model", type=FILE)
@data_argument
@click.option("--say", metavar="TEXT", help="Predict this one text.")
@click.option("--proba", is_flag=True, help="Add the probability of the label.")
@click.option("--top", type=click.IntRange(1), metavar="K", help="Add the K most probable labels, with theirs.")
@click.option("--format", "output_format", type=click.Choice(FORMATS), help="What to write.  [default: as the input]")
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    help="Write to a file.",
)
@click.option("--as", "name", default="prediction", metavar="NAME", help="The new column.  [default: prediction]")
@reading_flags(labelled=False)
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
        if values["data"] or values["sql"]:
            raise click.UsageError("Give --say or DATA, not both.")
        _say(load_model(values["model"]), values)
        return
    if not values["data"] and values["sql"] is None and sys.stdin.isatty():
        raise click.UsageError("Give DATA, or --say with a text, or pipe the data in.")
    _predict(load_model(values["model"]), values)


def _say(model: NaiveBayes, values: dict[str, Any]) -> None:
    from likely.report import printable

    labels, probabilities = model.predict_top([values["say"]], values["top"] or 1)
    pairs = list(zip(labels[0].tolist(), probabilities[0].tolist(), strict=True))
    document: dict[str, Any] = {values["name"]: pairs[0][0], "probability": pairs[0][1]}
    if values["top"]:
        document["top"] = [{"label": label, "probability": share} for label, share in pairs]
    if values["proba"] or values["top"]:
        lines = [f"{printable(label)}\t{share:.6g}" for label, share in pairs]
    else:
        lines = [printable(pairs[0][0])]
    emit(document, "\n".join(lines))


def _predict(model: NaiveBayes, values: dict[str, Any]) -> None:
    wanted = Predictions(values["name"], values["proba"], values["top"])
    output_format = "jsonl" if values["json"] else values["output_format"]
    source, reading = source_of(values, default="-"), reading_of_flags(values)
    with Progress() as progress, open_output(values["output"]) as sink:
        if sink.isatty():
            progress.is_on = False
        corpus = open_corpus(source, reading, progress, labelled=False, whole=True, prompt=_is_prompt(source))
        wanted.write(model, corpus, sink, output_format)
    if corpus.skipped.count or values["output"]:
        from likely.report import printable

        note(printable(corpus.summary()))
    if corpus.skipped.count:
        note(printable(str(corpus.skipped)))


def _is_prompt(source: Any) -> bool:
    """Whether rows are wanted as soon as they come: from standard input, not from files."""
    return bool(source == ["-"])
