"""`likely train`: labelled texts to a model file."""

from __future__ import annotations

import glob
import os
import time
from typing import TYPE_CHECKING, Any

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
)
from likely.cli.model_files import check_model_place, save_flags, saved_document, saved_text
from likely.cli.output import emit, figure
from likely.cli.progress import Progress, open_corpus, reading_document, tell

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.model.naive_bayes import NaiveBayes
    from likely.reading import Corpus, Reading, Split
    from likely.training.train import Wish

_MOST_CLASSES = 10


@click.command("train")
@data_argument
@click.option("-o", "--output", type=FILE, required=True, metavar="MODEL", help="Where to write the model.")
@click.option("--test", multiple=True, metavar="DATA", help="Evaluate on these data, read in the same way.")
@click.option(
    "--holdout",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Hold back this share of the rows, and evaluate on it.",
)
@click.option(
    "--plain", is_flag=True, help="The classifier of the lecture notes: multinomial, alpha 1, single words."
)
@click.option("--strongest", is_flag=True, help="Consider nbsvm too, which takes longer and cannot learn on.")
@click.option(
    "--tune-for",
    metavar="auto|log-loss|accuracy|macro-f1|f1:CLASS",
    help="What options are chosen by.  [default: auto: log-loss, of settings about as often right as the best]",
)
@click.option("--budget", metavar="TIME", help="About how long choosing may take, such as 30s.  [default: 10s]")
@save_flags
@reading_flags()
@model_flags()
@output_flags
def command(**values: Any) -> None:
    """Learn from labelled texts and write a model file.

    Without options, those that suit the data are found out: some dozen settings are judged by what they say of
    documents that they have not seen. With any option of the model it is as told, unless --tune-for, --budget or
    --strongest asks for the others to be chosen. Probabilities are calibrated either way.

    DATA is one or more files (CSV, TSV, JSON Lines, Parquet, Arrow, fastText's lines; plain, .gz, .bz2 or .zst), a
    glob, a folder with a sub-folder for each class, mailboxes, or - for standard input.

    \b
    Example:
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
    kept, terms = _kept(model, values)
    evaluation = _evaluate(kept.model, source, reading, values)
    saved = kept.write(values["output"], terms)
    document = {
        "model": saved_document(saved),
        "read": reading_document(corpus),
        "classes": [{"class": label, "documents": figure(number)} for label, number in _class_sizes(model)],
        "terms": saved.terms,
        "seconds": seconds,
        "tuning": model.tuning_ and model.tuning_.to_dict() | {"command": model.tuning_.command},
        "calibration": model.calibration_ and model.calibration_.to_dict(),
        "evaluation": evaluation.to_dict() if evaluation else None,
    }
    emit(document, lambda: _text(model, corpus, seconds, saved_text(saved), evaluation))


def _check(values: dict[str, Any], source: Any) -> None:
    """What can be found wrong before anything is read."""
    if values["test"] and values["holdout"]:
        raise click.UsageError("Give --test or --holdout, not both.")
    if values["test"] and values["sql"] is not None:
        raise click.UsageError("--test cannot be read with the query of --sql: use --holdout, or likely evaluate.")
    files = [] if source is None or isinstance(source, str) else source
    if values["holdout"] and any(each == "-" or _is_pipe(each) for each in files):
        raise click.UsageError("--holdout reads the data twice, which a pipe cannot be: use a file, or --test.")
    _wish(values).check(given_options(values))
    check_model_place(values["output"], [*files, *values["test"]])
    for each in values["test"]:
        if each != "-" and not os.path.exists(each) and not glob.glob(each):
            raise click.UsageError(f"There is no {each} to test on.")
    if values["max_size"] is not None:
        from likely.storage.prune import parse_size

        parse_size(values["max_size"])


def _is_pipe(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _train(corpus: Corpus, options: dict[str, Any], values: dict[str, Any]) -> NaiveBayes:
    from likely.training.train import train_corpus

    return train_corpus(corpus, options, _wish(values))


def _wish(values: dict[str, Any]) -> Wish:
    from likely.training.train import Wish

    return Wish(values["plain"], values["strongest"], values["tune_for"], values["budget"])


def _split(values: dict[str, Any], *, inside: bool) -> Split | None:
    from likely.reading import Split

    return Split(values["holdout"], inside) if values["holdout"] else None


def _kept(model: NaiveBayes, values: dict[str, Any]) -> tuple[Any, int]:
    """What is to be written: it is that which is evaluated."""
    return model.keep(min_documents=values["prune"], max_size=values["max_size"]), model.terms_


def _evaluate(model: NaiveBayes, source: Any, reading: Reading, values: dict[str, Any]) -> Evaluation | None:
    if not values["test"] and not values["holdout"]:
        return None
    with Progress() as progress:
        test = list(values["test"]) or source
        corpus = open_corpus(test, reading, progress, split=_split(values, inside=True))
        evaluation = model.evaluate_corpus(corpus)
    tell(corpus, "held back: " if values["holdout"] else "test data: ")
    return evaluation


def _class_sizes(model: NaiveBayes) -> list[tuple[Any, float]]:
    return list(zip(model.classes_.tolist(), model.class_documents_.tolist(), strict=True))


def _text(model: NaiveBayes, corpus: Corpus, seconds: float, saved: str, evaluation: Evaluation | None) -> str:
    from likely.reports import calibration_text
    from likely.terminal import printable

    sizes = sorted(_class_sizes(model), key=lambda pair: -pair[1])
    shown = ", ".join(f"{printable(label)} {number:,.0f}" for label, number in sizes[:_MOST_CLASSES])
    more = f" and {len(sizes) - _MOST_CLASSES:,} more" if len(sizes) > _MOST_CLASSES else ""
    speed = f"{seconds:.2f} s, {corpus.bytes / seconds / 1e6:,.0f} MB/s"
    classes = f"{len(sizes):,} {'class' if len(sizes) == 1 else 'classes'} ({shown}{more})"
    parts = [f"Trained on {corpus.rows:,} documents of {classes}; {model.terms_:,} terms; {speed}. {saved}"]
    parts += [str(model.tuning_)] if model.tuning_ else []
    parts += [calibration_text(model.calibration_)] if model.calibration_ else []
    parts += [str(evaluation)] if evaluation else []
    return "\n\n".join(parts)
