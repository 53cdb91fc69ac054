"""`predict`: a DataFrame gets columns with the predictions of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.distributed.models import loaded
from likely.distributed.scoring import Scoring
from likely.distributed.texts import check_column
from likely.extras import extra
from likely.spark.carrying import carry
from likely.spark.mapping import mapped
from likely.spark.session import session_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

    from likely.naive_bayes import NaiveBayes
    from likely.types import Path, Prior


def predict(
    df: DataFrame,
    model: NaiveBayes | Path,
    text: str = "text",
    *,
    name: str = "prediction",
    top: int = 1,
    prior: Prior | None = None,
    explain: int = 0,
) -> DataFrame:
    """The DataFrame with further columns: predictions, as `likely predict` writes them. All its columns stay.

    The new columns and the arguments are those of `likely.distributed.score`. The DataFrame may be a stream. The
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
    name, top, prior, explain
        As for `likely.distributed.score`.

    Examples
    --------
    >>> from likely.spark import predict
    >>> predict(reviews, "reviews.likely", text="body").groupBy("prediction").count()  # doctest: +SKIP
    """
    spark = session_of(df)
    scoring = Scoring(loaded(model), text, name, top, prior, explain)
    check_column(df.columns, text)
    scoring.check_free(df.columns)
    file = carry(spark, model)

    def scored(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from likely.distributed.scoring import score
        from likely.spark.carrying import carried

        return score(batches, carried(file), text=text, name=name, top=top, prior=prior, explain=explain)

    types = extra("pyspark.sql.types", "Spark")
    new = [types.StructField(field.name, _spark_type(field.type)) for field in scoring.fields()]
    return mapped(df, scored, types.StructType([*df.schema.fields, *new]))


def _spark_type(kind: pa.DataType) -> DataType:
    """The type of Spark for a type of a new column."""
    pa = extra("pyarrow", "Spark")
    types = extra("pyspark.sql.types", "Spark")
    if pa.types.is_list(kind):
        return types.ArrayType(_spark_type(kind.value_type))  # type: ignore[no-any-return]
    if pa.types.is_struct(kind):
        return types.StructType([types.StructField(each.name, _spark_type(each.type)) for each in kind])  # type: ignore[no-any-return]
    plain = {
        pa.string(): types.StringType(),
        pa.int64(): types.LongType(),
        pa.bool_(): types.BooleanType(),
        pa.float64(): types.DoubleType(),
    }
    return plain[kind]  # type: ignore[no-any-return]
