"""`likely curve`: accuracy against the number of documents."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.data import reading_data, reading_document
from likely.cli.flags import Command, data_argument, given, training_flags
from likely.cli.output import emit
from likely.options.model import MODEL


@click.command("curve", cls=Command)
@data_argument
@training_flags
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

    options, plain = given(MODEL, values), bool(values["plain"])
    training_options(options, plain=plain)
    with reading_data(values) as corpus:
        curve = curve_of(corpus.training_batches(afresh=True), options, plain=plain)
    emit({"curve": curve.to_dict(), "read": reading_document(corpus)}, lambda: str(curve))
