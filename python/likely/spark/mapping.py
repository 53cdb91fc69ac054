"""The one place where `likely` calls Spark's ``mapInArrow``: record batches of each partition become others."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from likely.spark.session import session_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    Mapped = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def mapped(df: DataFrame, function: Mapped, schema: StructType | str) -> DataFrame:
    """The DataFrame that a function of the record batches of a partition makes; ``schema`` says what it yields."""
    session_of(df)
    with warnings.catch_warnings():
        # Spark asks for the version of pandas even if only Arrow is used, and doubts version 3.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        return df.mapInArrow(function, schema)
