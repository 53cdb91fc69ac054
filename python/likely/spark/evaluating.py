"""`evaluate`: predictions for a DataFrame are compared with its gold labels on the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.distributed.evaluating import evaluation
from likely.distributed.models import loaded
from likely.distributed.texts import check_column
from likely.evaluation.evaluate import check_beta
from likely.extras import extra
from likely.spark.carrying import carry
from likely.spark.mapping import mapped, quoted, table_of
from likely.spark.session import session_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame

    from likely.evaluation.evaluation import Evaluation
    from likely.naive_bayes import NaiveBayes
    from likely.types import Abstain, Path, Prior

ROWS = "measure string, gold string, predicted string, place bigint, number double"
"""The columns of the rows of `likely.distributed.judge`."""


def evaluate(
    df: DataFrame,
    model: NaiveBayes | Path,
    text: str = "text",
    label: str = "label",
    *,
    beta: float = 1.0,
    prior: Prior | None = None,
    abstain: Abstain | None = None,
) -> Evaluation:
    """The evaluation of a model on a DataFrame with gold labels. Only sums reach this machine.

    Confusion counts, and all measures that follow from them, are those of `NaiveBayes.evaluate`. Measures of
    probabilities are sums of the same bins. Ranking, the worst mistakes and the shift are missing, because they need
    every row; the last of ``notes`` says so. Rows without a text or label are left out, and counted in ``notes``.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The rows.
    model : NaiveBayes or path
        The model, or the path of its file on this machine.
    text, label : str
        The columns with the texts and with the gold labels.
    beta, prior, abstain
        As for `NaiveBayes.evaluate`.

    Examples
    --------
    >>> from likely.spark import evaluate
    >>> print(evaluate(reviews, "reviews.likely", text="body", label="tag"))  # doctest: +SKIP
    """
    spark = session_of(df)
    check_beta(beta)
    for name in (text, label):
        check_column(df.columns, name)
    model = loaded(model)
    model._answers_of([], prior=prior, abstain=abstain)  # without texts, this is only a check of the arguments
    file = carry(spark, model)

    def judged(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from likely.distributed.judging import judge
        from likely.spark.carrying import carried

        return judge(batches, carried(file), text=text, label=label, prior=prior, abstain=abstain)

    functions = extra("pyspark.sql.functions", "Spark")
    rows = mapped(df.select(quoted(text), quoted(label)), judged, ROWS)
    keys = ("measure", "gold", "predicted", "place")
    sums = rows.groupBy(*keys).agg(functions.sum("number").alias("number"))
    return evaluation([table_of(sums)], model, beta=beta)
