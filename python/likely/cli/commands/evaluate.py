"""`likely evaluate`: how well a model predicts labelled texts, or how well the model of some data would."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from likely.cli.data import reading_data, reading_document
from likely.cli.files import check_report, details_flag, load_with_options, report_flags, write_report_file
from likely.cli.flags import (
    PART,
    SHARE,
    WEIGH_OPTIONS,
    Command,
    Number,
    data_argument,
    given,
    refuse_flags,
    switch,
    training_flags,
    value,
)
from likely.cli.output import answer_no, emit, note
from likely.options.model import MODEL
from likely.options.reading import OF_LEARNING, READING, TUNING, reading_of

if TYPE_CHECKING:
    from likely.cli.flags import Values
    from likely.core.state import NewClasses
    from likely.evaluation.curve import LearningCurve
    from likely.evaluation.evaluation import Evaluation
    from likely.model.naive_bayes import NaiveBayes
    from likely.reading.corpus import Corpus

OF_TRAINING = {*MODEL, *TUNING, *OF_LEARNING}


@click.command("evaluate", cls=Command)
@click.argument("model", type=click.Path(path_type=str, allow_dash=True), required=False)
@data_argument
@value("--cv", "FOLDS", "Cross-validate with this many folds.", click.IntRange(min=2))
@value("--holdout", "SHARE", "Evaluate on this share of each class; train on the rest.", PART)
@switch("--leave-one-out", "Evaluate each row with a model of all others, exactly.")
@switch("--curve", "Show accuracy against the number of documents.")
@value("--prediction-column prediction", "NAME", "Evaluate the predictions in this column.")
@value(
    "--beta",
    "NUMBER",
    "Weight recall this many times as much as precision in F.",
    Number(0, min_open=True),
    default=1.0,
)
@value("--min-accuracy", "SHARE", "Exit 1 if the accuracy is lower.", SHARE)
@value("--min-f1", "SHARE", "Exit 1 if the macro F1 is lower.", SHARE)
@report_flags
@details_flag
@training_flags
def command(**values: Any) -> None:
    """Evaluate a model on labelled texts.

    If DATA is a folder that contains train and test, each with one folder per class, only test is read.

    Without MODEL, --cv, --holdout, --leave-one-out and --curve measure the model that `likely train` makes of DATA
    (held in memory) on rows that it has not learned; all its options can be given.

    With --prediction-column, DATA has predictions of any program beside the gold labels: one row per document, or per
    pair, with its number of documents (--weight).

    \b
    Examples:
      likely evaluate reviews.likely test.csv --min-accuracy 0.8
      likely evaluate reviews.likely test.csv --html report.html
      likely evaluate --cv 10 reviews.csv
      likely evaluate --cv 5 reviews.csv --group author --task sentiment
      likely evaluate --curve reviews.csv
      likely evaluate --prediction-column model --label-column gold answers.csv
    """
    trains = _trains(values)
    check_report(values, trains=trains)
    if trains and values["model"] is not None:  # without a model, the first argument is data too
        values["data"] = (values["model"], *values["data"])
    if values["curve"]:
        curve, corpus = _curve(values)
        emit({"curve": curve.to_dict(), "read": reading_document(corpus)}, lambda: str(curve))
        return
    evaluation, corpus, report = (*_of_data(values), None) if trains else _of_model(values)
    missed = [
        f"{name} {found if found is not None else 'undefined'} is below {least}"
        for name, found, least in (
            ("accuracy", evaluation.accuracy, values["min_accuracy"]),
            (f"macro F{values['beta']:g}", evaluation.macro.f, values["min_f1"]),
        )
        if least is not None and (found is None or found < least)
    ]
    emit(
        {"evaluation": evaluation.to_dict(), "read": reading_document(corpus), "missed": missed, "report": report},
        lambda: _text(evaluation, values),
    )
    for each in missed:
        note(each)
    if missed:
        answer_no()


def _text(evaluation: Evaluation, values: Values) -> str:
    if values["details"]:
        return evaluation.describe(details=True)
    return f"{evaluation}\nMore: --details prints all measures{'' if _trains(values) else ', --html FILE a report'}."


def _trains(values: Values) -> bool:
    """Whether models are trained, and not one evaluated. ``UsageError`` for flags that do not go together."""
    ways = [
        f"--{name.replace('_', '-').replace('prediction', 'prediction-column')}"
        for name in ("cv", "holdout", "leave_one_out", "prediction", "curve")
        if values[name]
    ]
    if len(ways) > 1:
        raise click.UsageError(f"Give {ways[0]} or {ways[1]}, not both.")
    if ways:
        return True
    if values["model"] is None:
        raise click.UsageError(
            "Missing argument 'MODEL'. To evaluate without a model, give --cv, --holdout, --leave-one-out, --curve "
            "or --prediction-column."
        )
    refuse_flags(
        OF_TRAINING - {*WEIGH_OPTIONS},
        "{} has no effect on a trained model: it is for --cv, --holdout, --leave-one-out and --curve.",
    )
    return False


def _of_model(values: Values) -> tuple[Evaluation, Corpus, dict[str, object] | None]:
    """The evaluation of a model file on test data, and what was written as a report, if one was asked for."""
    model, prior = load_with_options(values)
    abstain = None if values["abstain"] is None else model.abstain  # if not asked to, it answers everything
    with reading_data(values) as corpus:
        corpus.part = "test"
        how = {"prior": prior, "abstain": abstain, "beta": values["beta"], "keep": bool(values["html_file"])}
        evaluation = model._evaluate_corpus(corpus, **how)
    strangers = _strangers(evaluation, model)
    if strangers.documents:
        note(f"not among the model's classes: {strangers.described()}")
    return evaluation, corpus, write_report_file(values, model, evaluation, corpus)


def _to_train(values: Values) -> tuple[dict[str, object], bool]:
    """The options of training, and whether it is plain."""
    from likely.model.train import training_options

    options, plain = given(MODEL, values), bool(values["plain"])
    training_options(options, plain=plain)
    return options, plain


def _curve(values: Values) -> tuple[LearningCurve, Corpus]:
    from likely.model.measuring import curve_of

    options, plain = _to_train(values)
    with reading_data(values) as corpus:
        return curve_of(corpus.training_batches(afresh=True), options, plain=plain), corpus


def _of_predictions(values: Values) -> tuple[Evaluation, Corpus]:
    """The evaluation of predictions that are a column of the data."""
    from likely.evaluation.evaluate import evaluate_column

    refuse_flags({*OF_TRAINING, "text"} - {"weight"}, "{} has no effect with --prediction-column.")
    reading = replace(reading_of(given(READING, values)), text=values["prediction"])
    with reading_data(values, reading=reading) as corpus:
        return evaluate_column(corpus, values["beta"]), corpus


def _of_data(values: Values) -> tuple[Evaluation, Corpus]:
    """The evaluation of the model that training would make of some data."""
    from likely.evaluation.cross_validation import CrossValidation
    from likely.model.measuring import trainer
    from likely.reading.rows import Whole

    if values["prediction"]:
        return _of_predictions(values)
    options, plain = _to_train(values)
    with reading_data(values) as corpus:
        whole = Whole.of(corpus.training_batches(afresh=True))
    recipe = CrossValidation(trainer(options, plain=plain), "abstain" in options, values["beta"])
    if values["cv"] is not None:
        return recipe.cross_validated(whole, values["cv"]), corpus
    if values["holdout"] is not None:
        return recipe.held_out(whole, values["holdout"]), corpus
    return recipe.left_out(whole), corpus


def _strangers(evaluation: Evaluation, model: NaiveBayes) -> NewClasses:
    """The labels of the data that are not classes of the model."""
    from likely.core.state import NewClasses

    known = model.classes_.tolist()
    classes = set(known)
    # A label that is never predicted is missed in all its documents.
    missed = {label: table.fn for label, table in evaluation.per_class.items() if label not in classes}
    return NewClasses(dict(missed), known)
