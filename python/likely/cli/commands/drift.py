"""`likely drift`: new texts against the training data of a model."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.data import reading_data, reading_document
from likely.cli.files import load_model
from likely.cli.flags import FILE, Command, data_argument, option_flags
from likely.cli.output import answer_no, emit
from likely.options.reading import OF_LEARNING, READING


@click.command("drift", cls=Command)
@click.argument("model", type=FILE)
@data_argument
@option_flags(READING, without=OF_LEARNING)
def command(**values: Any) -> None:
    """Detect drift: compare new texts with the training data.

    The checks are the share of unknown terms, the shares of the classes (estimated, if there are no labels), and the
    terms that are more or less frequent than in training; with labels, also accuracy. Labels are read if DATA
    has the column that the model was trained on, or --label-column names one. The exit status is 0 without
    drift, and 1 with drift; the bounds are printed.

    \b
    Example:
      likely drift reviews.likely this-week.csv || echo "look at the new reviews"
    """
    from likely.evaluation.drift import drift_of_corpus

    model = load_model(values["model"], values["data"])
    with reading_data(values, labelled=False) as corpus:
        found = drift_of_corpus(model, corpus, None)
    emit({"drift": found.to_dict(), "read": reading_document(corpus)}, lambda: str(found))
    if found.is_drifted:
        answer_no()
