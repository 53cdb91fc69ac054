"""`likely compare`: whether one classifier is better than another, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from likely.cli.data import reading_data, reading_document
from likely.cli.files import load_model
from likely.cli.flags import FILE, Command, Values, data_argument, option_flags, switch, value
from likely.cli.output import answer_no, emit, note
from likely.options.reading import OF_LEARNING, READING

if TYPE_CHECKING:
    from likely.model.naive_bayes import NaiveBayes
    from likely.reading.prediction_file import PredictionFile


@click.command("compare", cls=Command)
@click.argument("a", type=FILE)
@click.argument("b", type=FILE)
@data_argument
@value(
    "--prediction-column prediction",
    "NAME",
    "Read predictions from this column, if A or B is not a model.",
    default="prediction",
)
@switch("--fail-if-worse", "Exit 1 if B is significantly less accurate than A (p < 0.05).")
@option_flags(READING, without=OF_LEARNING)
def command(**values: Any) -> None:
    """Compare two models, or files of predictions, on labelled texts.

    A and B are model files, or files that "likely predict -o" wrote for the rows of DATA, in the same order. DATA has
    the gold labels. The command prints the accuracy and the macro-F1 of both, with 95% intervals of the differences
    (paired bootstrap); the documents that only one gets right, with McNemar's test; and the classes that
    changed most.

    \b
    Examples:
      likely compare old.likely new.likely test.csv --fail-if-worse
      likely compare old-predictions.csv new.likely test.csv
    """
    from likely.evaluation.compare import compare_corpus

    names = values["a"], values["b"]
    first, second = (_classifier(path, values) for path in names)
    with reading_data(values) as corpus:
        corpus.part = "test"
        found = compare_corpus(first, second, corpus, names)
    emit({"comparison": found.to_dict(), "read": reading_document(corpus)}, lambda: str(found))
    if values["fail_if_worse"] and found.is_worse:
        note("B is significantly less accurate than A")
        answer_no()


def _classifier(path: str, values: Values) -> NaiveBayes | PredictionFile:
    """The model in a file, or the file of predictions."""
    from likely.core.file import may_be_model
    from likely.reading.prediction_file import PredictionFile

    return load_model(path) if may_be_model(path) else PredictionFile(path, values["prediction"])
