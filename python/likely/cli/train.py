"""`likely train`: labelled texts to a model file."""

from __future__ import annotations

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
from likely.cli.outcome import emit
from likely.cli.reading import Progress, open_corpus, reading_document, tell
from likely.cli.saving import save_as_told, save_flags, saved_document, saved_text

if TYPE_CHECKING:
    from likely.corpus import Corpus, Split
    from likely.evaluate import Evaluation
    from likely.model import NaiveBayes


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
@save_flags
@reading_flags()
@model_flags()
@output_flags
def command(**values: Any) -> None:
    """Learn from labelled texts and write a model file.

    DATA is one or more files (CSV, TSV, JSON Lines, Parquet, Arrow, fastText's lines; plain, .gz, .bz2 or .zst), a
    glob, a folder with a sub-folder for each class, mailboxes, or - for standard input.

    \b
    Example:
      likely train reviews.csv -o reviews.likely --holdout 0.2
    """
    if values["test"] and values["holdout"]:
        raise click.UsageError("Give --test or --holdout, not both.")
    source, reading = source_of(values), reading_of_flags(values)
    if values["holdout"] and "-" in (source or []):
        raise click.UsageError(
            "--holdout reads the data twice, which standard input cannot be: use a file, or --test."
        )
    begun = time.perf_counter()
    with Progress() as progress:
        corpus = open_corpus(source, reading, progress, split=_split(values, inside=False))
        model = _train(corpus, given_options(values))
        seconds = time.perf_counter() - begun
    tell(corpus)
    evaluation = _evaluate(model, source, reading, values)
    saved = save_as_told(model, values)
    document = {
        "model": saved_document(saved),
        "read": reading_document(corpus),
        "classes": {str(label): number for label, number in _class_sizes(model)},
        "terms": saved.terms,
        "seconds": seconds,
        "evaluation": evaluation.to_dict() if evaluation else None,
    }
    emit(document, lambda: _text(model, corpus, seconds, saved, evaluation))


def _train(corpus: Corpus, options: dict[str, Any]) -> NaiveBayes:
    from likely.train import train_corpus

    return train_corpus(corpus, options)


def _split(values: dict[str, Any], *, inside: bool) -> Split | None:
    from likely.corpus import Split

    return Split(values["holdout"], inside) if values["holdout"] else None


def _evaluate(model: NaiveBayes, source: Any, reading: Any, values: dict[str, Any]) -> Evaluation | None:
    if not values["test"] and not values["holdout"]:
        return None
    with Progress() as progress:
        test = list(values["test"]) or source
        corpus = open_corpus(test, reading, progress, split=_split(values, inside=True))
        evaluation = model.evaluate_corpus(corpus)
    tell(corpus)
    return evaluation


def _class_sizes(model: NaiveBayes) -> list[tuple[Any, float]]:
    return list(zip(model.classes_.tolist(), model.class_documents_.tolist(), strict=True))


def _text(model: NaiveBayes, corpus: Corpus, seconds: float, saved: Any, evaluation: Evaluation | None) -> str:
    from likely.report import printable

    sizes = sorted(_class_sizes(model), key=lambda pair: -pair[1])
    shown = ", ".join(f"{printable(label)} {number:,.0f}" for label, number in sizes[:10])
    more = f" and {len(sizes) - 10:,} more" if len(sizes) > 10 else ""
    speed = f", {corpus.bytes / seconds / 1e6:,.0f} MB/s" if corpus.bytes else ""
    text = (
        f"Trained on {corpus.rows:,} documents of {len(sizes):,} classes ({shown}{more}); "
        f"{saved.terms + saved.dropped_terms:,} terms; {seconds:.2f} s{speed}. {saved_text(saved)}"
    )
    return text if evaluation is None else f"{text}\n\n{evaluation}"
