"""`likely train`: a model file from labelled texts."""

from __future__ import annotations

import glob
import os
import time
from typing import TYPE_CHECKING, Unpack

import click

from likely.cli.flags import (
    FILE,
    data_argument,
    given_options,
    model_flags,
    output_flags,
    reading_flags,
    reading_of_flags,
    source_of,
    tuning_flags,
    tuning_of_flags,
)
from likely.cli.model_files import check_model_place, save_flags, saved_document, saved_text
from likely.cli.output import emit, figure
from likely.cli.progress import Progress, open_corpus, reading_document, tell

if TYPE_CHECKING:
    from likely.cli.values import TrainValues
    from likely.evaluation.evaluation import Evaluation
    from likely.model.naive_bayes import NaiveBayes
    from likely.options.typed import ModelOptions
    from likely.reading import Corpus, Reading, Split
    from likely.types import Label

_MOST_CLASSES = 10


@click.command("train")
@data_argument
@click.option("-o", "--output", type=FILE, required=True, metavar="MODEL", help="The model file to write.")
@click.option(
    "--test", multiple=True, metavar="DATA", help="Evaluate the model on these data, which are read like DATA."
)
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Do not train on this share of the rows, but evaluate the model on it.",
)
@tuning_flags
@save_flags
@reading_flags()
@model_flags()
@output_flags
def command(**values: Unpack[TrainValues]) -> None:
    """Learn from labelled texts and write a model file.

    Without options of the model, the command tries dozens of settings and chooses the best, judged by predictions for
    documents that the model has not seen. If you give an option of the model, nothing is chosen, unless you also give
    --tune-for, --budget or --strongest: then all other options are chosen. In both cases the probabilities are
    calibrated.

    DATA is one or more files (CSV, TSV, JSON Lines or arrays, Parquet, Arrow, Excel, fastText lines; plain, .gz,
    .bz2, .zst or .zip), a glob, a folder with one sub-folder per class, mailboxes, or - for standard input. If a
    folder contains train and test, each with one folder per class, train is learned, and the model is evaluated on
    test.

    \b
    Examples:
      likely train reviews.csv -o reviews.likely --holdout 0.2
      likely train reviews.csv -o reviews.likely --plain
    """
    source, reading = source_of(values), reading_of_flags(values)
    _check(values, source)
    begun = time.perf_counter()
    with Progress() as progress:
        corpus = open_corpus(source, reading, progress, split=_split(values, inside=False))
        model = _train(corpus, given_options(values), values)
        seconds = time.perf_counter() - begun
    tell(corpus)
    # What is evaluated is what will be written.
    pruned = model.pruned(min_documents=values["prune"], max_size=values["max_size"])
    test = list(values["test"]) or (source if values["holdout"] or corpus.remarks.has_test else None)
    evaluation = _evaluate(pruned, test, reading, values) if test else None
    saved = pruned.save(values["output"])
    document = {
        "model": saved_document(saved),
        "read": reading_document(corpus),
        "classes": [{"class": label, "documents": figure(number)} for label, number in _class_sizes(model)],
        "terms": saved.terms,
        "seconds": seconds,
        "tuning": model.tuning_.to_dict() | {"command": model.tuning_.command} if model.tuning_ else None,
        "calibration": model.calibration_.to_dict() if model.calibration_ else None,
        "thresholds": model.threshold_choice_.to_dict() if model.threshold_choice_ else None,
        "evaluation": evaluation.to_dict() if evaluation else None,
    }
    emit(document, lambda: _text(model, corpus, seconds, saved_text(saved), evaluation))


def _check(values: TrainValues, source: str | list[str] | None) -> None:
    """Refuse arguments that cannot work, before anything is read."""
    if values["test"] and values["holdout"]:
        raise click.UsageError("Give --test or --holdout, not both.")
    if values["test"] and values["sql"] is not None:
        raise click.UsageError("--test cannot be combined with --sql: use --holdout, or `likely evaluate`.")
    if values["test"] and values["labels_file"] is not None:
        raise click.UsageError("--test cannot be combined with --labels: use --holdout, or `likely evaluate`.")
    files = [] if source is None or isinstance(source, str) else source
    if values["holdout"] and any(each == "-" or _is_pipe(each) for each in files):
        raise click.UsageError(
            "--holdout reads the data twice, which is not possible with a pipe: use a file, or --test."
        )
    tuning_of_flags(values).check(given_options(values))
    check_model_place(values["output"], [*files, *values["test"]])
    for each in values["test"]:
        if each != "-" and not os.path.exists(each) and not glob.glob(each):
            raise click.UsageError(f"The test data {each} does not exist.")
    if values["max_size"] is not None:
        from likely.storage.prune import parse_size

        parse_size(values["max_size"])


def _is_pipe(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _train(corpus: Corpus, options: ModelOptions, values: TrainValues) -> NaiveBayes:
    from likely.training.train import train_corpus

    return train_corpus(corpus, options, tuning_of_flags(values))


def _split(values: TrainValues, *, inside: bool) -> Split | None:
    from likely.reading import Split

    return Split(values["holdout"], inside) if values["holdout"] else None


def _evaluate(model: NaiveBayes, test: str | list[str], reading: Reading, values: TrainValues) -> Evaluation:
    """The evaluation on the test data, on the rows that were held out, or on the part of the data to test on."""
    with Progress() as progress:
        corpus = open_corpus(test, reading, progress, split=_split(values, inside=True))
        corpus.part = "train" if values["holdout"] else "test"
        evaluation = model.evaluate_corpus(corpus)
    tell(corpus, "held out: " if values["holdout"] else "test data: ")
    return evaluation


def _class_sizes(model: NaiveBayes) -> list[tuple[Label, float]]:
    return list(zip(model.classes_.tolist(), model.class_documents_.tolist(), strict=True))


def _text(model: NaiveBayes, corpus: Corpus, seconds: float, saved: str, evaluation: Evaluation | None) -> str:
    from likely.reports import calibration_text, thresholds_text
    from likely.terminal import counted, named, printable

    sizes = sorted(_class_sizes(model), key=lambda pair: -pair[1])
    shown = named(sizes, _MOST_CLASSES, lambda pair: f"{printable(pair[0])} {pair[1]:,.0f}")
    speed = f"{seconds:.2f} s, {corpus.bytes / seconds / 1e6:,.0f} MB/s"
    classes = f"{counted(len(sizes), 'class', 'classes')} ({shown})"
    documents, terms = counted(corpus.rows, "document"), counted(model.terms_, "term")
    parts = [f"Trained on {documents} of {classes}; {terms}; {speed}. {saved}"]
    parts += [str(model.tuning_)] if model.tuning_ else []
    parts += [calibration_text(model.calibration_)] if model.calibration_ else []
    parts += [thresholds_text(model.threshold_choice_)] if model.threshold_choice_ else []
    parts += [str(evaluation)] if evaluation else []
    return "\n\n".join(filter(None, parts))
