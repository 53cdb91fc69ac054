"""`learner`: a model file learns the batches of a stream, each of them exactly once."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from likely.errors import BadRowsError, LengthError
from likely.naive_bayes import NaiveBayes, load
from likely.spark.journal import Journal
from likely.spark.learning import learn
from likely.storage import model_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame

    from likely.options.typed import ModelOptions
    from likely.types import Path as AnyPath


def learner(
    path: AnyPath,
    text: str = "text",
    label: str = "label",
    weight: str | None = None,
    **options: Unpack[ModelOptions],
) -> Callable[[DataFrame, int], None]:
    """A function for ``foreachBatch``: the model file learns each batch of a stream, exactly once.

    Spark may run a batch again after a failure, with the same number and the same rows. The function then does
    nothing, because a journal beside the model file (``<path>.stream``) says which batch was learned last. Both are
    written so that this holds if the process ends at any moment. Only one query may write a file at a time.

    Parameters
    ----------
    path : str or path-like
        The model file on the machine of the driver. If there is none, the first batch begins one.
    text, label, weight : str
        The columns with the texts, with the labels and, if there is one, with the weights.
    **options
        The options of the model, if there is no file yet.

    Examples
    --------
    >>> from likely.spark import learner
    >>> query = (  # doctest: +SKIP
    ...     stream.writeStream.foreachBatch(learner("reviews.likely", text="body", label="tag"))
    ...     .option("checkpointLocation", "checkpoint")
    ...     .start()
    ... )
    """
    journal = Journal(path)

    def learn_batch(df: DataFrame, batch: int) -> None:
        query = _query_of(df)
        if journal.has_learned(query, batch):
            return
        model = load(path) if Path(path).exists() else NaiveBayes(**options)
        with contextlib.suppress(BadRowsError, LengthError):  # a batch may have no row to learn from
            learn(df, model, text, label, weight)
        if model._is_fitted:
            journal.write(query, batch, model_file.to_bytes(model._snapshot()))

    return learn_batch


def _query_of(df: DataFrame) -> str | None:
    """The id of the streaming query that runs a batch; None if this session does not tell."""
    context = getattr(df.sparkSession, "_sc", None)
    found = None if context is None else context.getLocalProperty("sql.streaming.queryId")
    return None if found is None else str(found)
