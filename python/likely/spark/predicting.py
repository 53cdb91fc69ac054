"""`predict`: a DataFrame gets columns with the predictions of a model, which reaches every executor once."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from likely.batch.counting import check_column
from likely.batch.scoring import Scoring, loaded
from likely.core import file as model_file
from likely.errors import OptionError
from likely.spark.frame import mapped, session_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Path as AnyPath
    from likely.types import Prior


def predict(
    df: DataFrame,
    model: NaiveBayes | AnyPath,
    text: str = "text",
    *,
    name: str = "prediction",
    top: int = 1,
    prior: Prior | None = None,
) -> DataFrame:
    """Predict each row of a DataFrame: new columns as `likely predict` writes them. All its columns stay.

    The new columns and the arguments are as in `likely.batch.scoring.score`. The DataFrame may be a stream. The
    model reaches the executors once, as a file, which each worker process loads once. A row without a text has no
    prediction, and the column ``problem`` says why; it never ends the job.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The rows. All columns travel to Python and back: select those that you need before.
    model : NaiveBayes or path
        The model, or the path of its file on this machine.
    text : str
        The column with the texts.
    name, top, prior
        As for `likely.batch.scoring.score`.

    Examples
    --------
    >>> from likely.spark import predict
    >>> predict(reviews, "reviews.likely", text="body").groupBy("prediction").count()  # doctest: +SKIP
    """
    spark = session_of(df)
    scoring = Scoring(loaded(model), text, name, top, prior)
    check_column(df.columns, text)
    scoring.check_free(df.columns)
    file = carry(spark, model)

    def scored(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from likely.batch.scoring import score

        return score(batches, carried(file), text=text, name=name, top=top, prior=prior)

    new = from_arrow_schema(pa.schema(scoring.fields()))
    return mapped(df, scored, StructType([*df.schema.fields, *new.fields]))


def carry(spark: SparkSession, model: NaiveBayes | AnyPath) -> str:
    """Give the file of a model to all executors, and return its name there. A model of the same bytes travels once.

    The file is fetched by an executor before its first task that needs it. It never travels with the tasks.
    """
    if loaded(model).tokenizer is not None:
        raise OptionError(
            "the model has a tokenizer of its own, which is a function of this process and not part of its file: on "
            "Spark, split the texts first, and train on them without the option tokenizer"
        )
    is_file = isinstance(model, str | os.PathLike)
    data = Path(cast("AnyPath", model)).read_bytes() if is_file else model_file.to_bytes(loaded(model)._snapshot())
    name = f"likely-{hashlib.sha256(data).hexdigest()[:32]}.likely"
    path = _folder() / name
    if not path.exists():
        path.write_bytes(data)
    context = getattr(spark, "_sc", None)
    if context is None:  # a Spark Connect session
        spark.addArtifacts(str(path), file=True)
    elif (context.applicationId, name) not in _GIVEN:
        context.addFile(str(path))
        _GIVEN.add((context.applicationId, name))
    return name


_GIVEN: set[tuple[str, str]] = set()
"""The application and the name of each file that executors have: Spark warns if a file is given twice."""


def carried(name: str) -> NaiveBayes:
    """On a worker: the model of a file that `carry` gave to the executors."""
    from pyspark import SparkFiles, TaskContext

    model = loaded(SparkFiles.get(name))
    task = TaskContext.get()
    if model.threads is None and task is not None:
        # By default a model uses every processor. An executor runs as many tasks as it has processors.
        model.set_params(threads=task.cpus())
    return model


@cache
def _folder() -> Path:
    """A folder that exists until this process ends, because executors may fetch from it until then."""
    folder = tempfile.mkdtemp(prefix="likely-spark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
