"""The one place where `likely` calls Spark's ``mapInArrow``: record batches of each partition become others."""

from __future__ import annotations

import warnings
from threading import Lock
from typing import TYPE_CHECKING

from likely.extras import extra
from likely.spark.session import session_of
from likely.spark.shipping import from_archive, shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    from likely.spark.shipping import Mapped


_FILTERS = Lock()


def mapped(df: DataFrame, function: Mapped, schema: StructType | str) -> DataFrame:
    """The DataFrame that a function of the record batches of a partition makes; ``schema`` says what it yields."""
    if any(quoted(name) != f"`{name}`" or "." in name for name in df.columns):
        # Spark looks up each column by its name without quoting it, so that such names fail.
        df, function = df.toDF(*(f"column_{at}" for at in range(len(df.columns)))), _named(function, df.columns)
    archive = shipped(session_of(df))
    function = function if archive is None else from_archive(function, archive)
    # The filters of warnings belong to all threads, and a cross-validation of Spark ML fits in several.
    with _FILTERS, warnings.catch_warnings():
        # Spark asks for the version of pandas even if only Arrow is used, and doubts version 3.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        return df.mapInArrow(function, schema)


def quoted(name: str) -> str:
    """The name of a column as Spark wants it, whatever dots, spaces and quotes it has.

    Examples
    --------
    >>> quoted("a.b"), quoted("a`b")
    ('`a.b`', '`a``b`')
    """
    return f"`{name.replace('`', '``')}`"


def _named(function: Mapped, names: list[str]) -> Mapped:
    """The function of record batches whose columns get these names."""

    def named(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return function(batch.rename_columns(names) for batch in batches)

    return named


def table_of(df: DataFrame) -> pa.Table:
    """The rows of a DataFrame on this machine."""
    if hasattr(df, "toArrow"):
        return df.toArrow()
    pa = extra("pyarrow", "Spark")  # Spark 3.5 has no such method
    return pa.Table.from_pylist([row.asDict() for row in df.collect()])
