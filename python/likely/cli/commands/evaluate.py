"""`likely evaluate`: how well a model predicts labelled texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

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
from likely.cli.model_files import load_model
from likely.cli.output import answer_no, emit, note
from likely.cli.progress import Progress, open_corpus, reading_document, tell
from likely.cli.report_files import check_report, report_flags, write_report_file
from likely.options.table import OF_LEARNING

if TYPE_CHECKING:
    from likely.cli.values import EvaluateValues
    from likely.evaluation.evaluation import Evaluation
    from likely.model.naive_bayes import NaiveBayes
    from likely.model.new_classes import NewClasses


@click.command("evaluate")
@click.argument("model", type=FILE)
@data_argument
@click.option(
    "--min-accuracy",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Exit with status 1 if the accuracy is lower.",
)
@click.option(
    "--min-f1",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Exit with status 1 if the macro F1 is lower.",
)
@report_flags
@reading_flags(without=OF_LEARNING)
@model_flags(WEIGH_OPTIONS)
@output_flags
def command(**values: Unpack[EvaluateValues]) -> None:
    """Evaluate a model on labelled texts.

    The command prints accuracy, precision, recall, F1, the confusion matrix, and measures of the probabilities. If
    DATA is a folder that contains train and test, each with one folder per class, only test is read.

    \b
    Examples:
      likely evaluate reviews.likely test.csv --min-accuracy 0.8
      likely evaluate reviews.likely test.csv --html report.html
    """
    from likely.terminal import printable

    options = given_options(values)
    prior = other_prior(options)
    check_report(values)
    model = load_model(values["model"], values["data"]).set_params(**options)
    with Progress() as progress:
        corpus = open_corpus(source_of(values), reading_of_flags(values), progress)
        corpus.part = "test"
        evaluation = model.evaluate_corpus(corpus, prior=prior, keep=values["html_file"] is not None)
    tell(corpus)
    report = write_report_file(values, model, evaluation, corpus)
    strangers = _strangers(evaluation, model)
    if strangers.documents:
        note(printable(f"not among the classes of the model: {strangers.described()}"))
    missed = [
        f"{name} {found if found is not None else 'undefined'} is below {least}"
        for name, found, least in (
            ("accuracy", evaluation.accuracy, values["min_accuracy"]),
            ("macro F1", evaluation.macro.f, values["min_f1"]),
        )
        if least is not None and (found is None or found < least)
    ]
    emit(
        {"evaluation": evaluation.to_dict(), "read": reading_document(corpus), "missed": missed, "report": report},
        lambda: str(evaluation),
    )
    for each in missed:
        note(each)
    if missed:
        answer_no()


def _strangers(evaluation: Evaluation, model: NaiveBayes) -> NewClasses:
    """The labels of the data that are not classes of the model."""
    from likely.model.new_classes import NewClasses

    known = model.classes_.tolist()
    classes = set(known)
    # A label that is never predicted is missed in all its documents.
    missed = {label: table.fn for label, table in evaluation.per_class.items() if label not in classes}
    return NewClasses(dict(missed), known)
