"""`likely curve`: accuracy against the number of documents."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.flags import (
    Command,
    data_argument,
    given_options,
    is_plain,
    model_flags,
    output_flags,
    reading_flags,
    reading_of_flags,
    source_of,
    tuning_flags,
)
from likely.cli.output import emit
from likely.cli.progress import Progress, open_corpus, reading_document, tell


@click.command("curve", cls=Command)
@data_argument
@tuning_flags
@reading_flags()
@model_flags()
@output_flags
def command(**values: Any) -> None:
    """Show accuracy against the number of documents.

    Models of all documents, of half of them, of a quarter and so on are judged on the same documents, which they have
    not learned. DATA and the options are as for train; options that train would choose are chosen once, on all
    documents.

    \b
    Examples:
      likely curve reviews.csv
      likely curve reviews.csv --plain
    """
    from likely.model.measuring import curve_of
    from likely.model.train import training_options

    options, plain = given_options(values), is_plain(values)
    training_options(options, plain=plain)
    with Progress() as progress:
        corpus = open_corpus(source_of(values), reading_of_flags(values), progress)
        curve = curve_of(corpus.training_batches(afresh=True), options, plain=plain)
    tell(corpus)
    emit({"curve": curve.to_dict(), "read": reading_document(corpus)}, lambda: str(curve))
