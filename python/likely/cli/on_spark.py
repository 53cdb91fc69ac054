"""`likely train` and `likely predict` on Spark: files become DataFrames, and DataFrames files."""

from __future__ import annotations

import contextlib
import os
import warnings
from typing import TYPE_CHECKING

import click

from likely.cli.flags import given_options, source_of, tuning_of_flags
from likely.cli.output import note
from likely.extras import extra
from likely.spark.files import chosen_columns, format_of, read_files, write_files
from likely.spark.mapping import quoted
from likely.spark.predicting import predict as predict_frame
from likely.spark.session import start_session
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

    from likely.cli.values import DataValues, PredictValues, TrainValues
    from likely.naive_bayes import NaiveBayes
    from likely.types import Prior

SETTINGS = {"spark.ui.showConsoleProgress": "true", "spark.log.level": "ERROR"}
"""Spark says on standard error how far it is, and nothing else unless it fails."""


def train(values: TrainValues) -> tuple[NaiveBayes, dict[str, object]]:
    """The model of the rows of files, and what was read, for programs."""
    from likely.spark.training import train as train_frame

    paths = _paths(values)
    name = format_of(paths, values["format"])
    plain = tuning_of_flags(values).plain
    with _session(values["master"]) as spark, _told():
        df = read_files(spark, paths, name)
        chosen = chosen_columns(df, values["text"], values["label"], values["weight"], labelled=True)
        model = train_frame(
            df, chosen.text, chosen.label or "", values["weight"], plain=plain, **given_options(values)
        )
    model._remember_columns(chosen)
    note(f"read as {name} by Spark, text={printable(chosen.text)}, label={printable(chosen.label)}")
    return model, {"engine": "spark", "format": name, "text": chosen.text, "label": chosen.label}


def predict(model: NaiveBayes, prior: Prior | None, values: PredictValues) -> None:
    """Write the rows of files with their predictions, as a folder of files of the same format."""
    from likely.reports.rows.predictions import Predictions

    output = _output(values)
    name = format_of(paths := _paths(values), values["format"])
    wanted = values["output_format"] or ("jsonl" if values["json"] else name)
    with _session(values["master"]) as spark:
        df = read_files(spark, paths, name)
        known = model.columns_.text if model.columns_ else None
        text = values["text"] or (known if known in df.columns else None)
        chosen = chosen_columns(df, text, None, labelled=False)
        found = predict_frame(df, model, chosen.text, name=values["name"], top=values["top"] or 1, prior=prior)
        predictions = Predictions(model, values["name"], values["proba"], values["top"], prior)
        new = predictions.names(has_known=wanted in ("json", "jsonl"))
        write_files(found.select(*(quoted(each) for each in (*df.columns, *new))), output, wanted)
    note(f"wrote {printable(output)}, a folder of {wanted}")


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Tell warnings as other commands tell what they skip."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", UserWarning)
        yield
    for each in found:
        if issubclass(each.category, UserWarning):
            note(str(each.message))


@contextlib.contextmanager
def _session(master: str | None) -> Iterator[SparkSession]:
    """A session of Spark, which ends with the command, unless it was there before."""
    before = extra("pyspark.sql", "--engine spark").SparkSession.getActiveSession()
    spark = start_session(master or "local[*]", SETTINGS)
    try:
        yield spark
    finally:
        if before is None:
            spark.stop()


def _paths(values: DataValues) -> list[str]:
    """The places of the data. Spark cannot read standard input."""
    source = source_of(values)
    paths = [source] if isinstance(source, str) else list(source or [])
    if "-" in paths:
        raise click.UsageError("Spark cannot read standard input: give files or folders as DATA.")
    return paths


def _output(values: PredictValues) -> str:
    output = values["output"]
    if output is None:
        raise click.UsageError("With --engine spark, give the folder to write as -o FOLDER.")
    if os.path.exists(output):
        raise click.UsageError(f"{printable(output)} exists already: give another folder, or delete it.")
    return output
