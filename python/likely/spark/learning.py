"""`learn` and `forget`: a model changes by the rows of a DataFrame, which are counted on the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions

from likely.batch.building import tell_bad
from likely.batch.counting import ColumnNames, check_column
from likely.core.state import CountedTexts
from likely.errors import NotAdditiveError, OptionError
from likely.model.naive_bayes import NaiveBayes
from likely.spark.frame import Frame
from likely.spark.session import check_frame, quoted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

TYPES = {str: "string", int: "bigint", bool: "boolean"}
"""Spark's types for the types of labels."""


def learn(
    df: DataFrame,
    model: NaiveBayes,
    text: str = "text",
    label: str = "label",
    weight: str | None = None,
    *,
    new_classes: bool = True,
) -> NaiveBayes:
    """The model, after it has learned the rows of a DataFrame, as its method `learn` would in one process.

    The rows are counted on the cluster, where the counts are added up. Rows without a text or label are left out; a
    ``DataWarning`` says how many. If there is an error, nothing is learned.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The rows.
    model : NaiveBayes
        The model, which changes.
    text, label, weight : str
        The columns with the texts, with the labels and, if there is one, with the weights.
    new_classes : bool
        Whether texts of classes that the model does not have are learned, or raise ``LabelError``.

    Examples
    --------
    >>> from likely.spark import learn
    >>> learn(more_reviews, model, text="body", label="tag").save("reviews.likely")  # doctest: +SKIP
    """
    _check_model(model)
    model._learn_counted(_lesson(df, model, ColumnNames(text, label, weight)), new_classes=new_classes)
    return model


def forget(
    df: DataFrame, model: NaiveBayes, text: str = "text", label: str = "label", weight: str | None = None
) -> NaiveBayes:
    """The model, after it has forgotten the rows of a DataFrame. The arguments are those of `learn`.

    If the counts show that a text was never learned, that is an error, and nothing is forgotten.

    Examples
    --------
    >>> from likely.spark import forget
    >>> forget(withdrawn, model, text="body", label="tag").save("reviews.likely")  # doctest: +SKIP
    """
    _check_model(model)
    model._check_can_forget()
    model._forget_counted(_lesson(df, model, ColumnNames(text, label, weight)))
    return model


def _check_model(model: object) -> None:
    """Raise ``OptionError`` if this is not a model: the file of one would not change."""
    if not isinstance(model, NaiveBayes):
        raise OptionError(f"the model is of type {type(model).__name__}: give a NaiveBayes; `likely.load` reads one")


def _lesson(df: DataFrame, model: NaiveBayes, columns: ColumnNames) -> CountedTexts:
    """What the rows of a DataFrame teach a model."""
    check_frame(df)
    check_column(df.columns, columns.label)
    settled = model._to_learn()
    if settled.reads_twice is not None:
        raise NotAdditiveError(
            f"with {settled.reads_twice} a model is trained on all documents at once: call `likely.spark.train` "
            "with all of them"
        )
    frame = Frame.of(_with_labels(df, columns.label, model._kind), columns)
    found = frame.count(settled)
    tell_bad(found.bad, found.rows)
    return CountedTexts(found.counts())


def _with_labels(df: DataFrame, label: str, kind: type | None) -> DataFrame:
    """The DataFrame with the labels as the type of the labels of a model; null where that is not possible."""
    if kind is None or label not in df.columns or dict(df.dtypes)[label] == TYPES[kind]:
        return df
    return df.withColumn(label, _cast(df, label, kind))


def _cast(df: DataFrame, label: str, kind: type) -> Column:
    column = functions.col(quoted(label))
    if dict(df.dtypes)[label] in ("float", "double"):
        column = functions.when(column == functions.floor(column), column.cast("bigint"))
    found: Column = column.try_cast(TYPES[kind]) if hasattr(column, "try_cast") else column.cast(TYPES[kind])
    return found
