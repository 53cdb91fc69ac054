"""Training and scoring on Spark against MLlib, in one warm session, and the cost model of `docs/production/scale.md`.

`python -m benchmarks.spark` takes IMDB x 60 (2 GB as Parquet); a number of copies as an argument takes another size.
`python -m benchmarks.spark driver` makes 50 million distinct terms and measures the memory of the driver; a number
after it makes another number of terms.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from likely.spark import train
from likely.spark.frame import mapped
from pyspark.sql import SparkSession

from benchmarks import corpus
from benchmarks.measure import THREADS, Claim, show
from benchmarks.scale import varied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame

COPIES = 60
BAR = 5
WARM = 2
"""The number of copies on which everything is run first, which warms the session up."""
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.memory": "8g",
    "spark.driver.maxResultSize": "4g",
    "spark.sql.shuffle.partitions": "16",
    "spark.log.level": "ERROR",
}
DISTINCT, PER_TEXT, OFTEN = 50_000_000, 500, 100_000
"""The number of distinct terms, of terms per text, and of distinct terms that occur in many texts."""


def claims(copies: int = COPIES) -> list[Claim]:
    spark = SparkSession.builder.master(f"local[{THREADS}]").config(map=SETTINGS).getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        size, name = write_copies(Path(folder), copies)
        df = spark.read.parquet(folder)
        few = spark.read.parquet(*sorted(str(path) for path in Path(folder).glob("*.parquet"))[:WARM])
        ours, model = timed(few, df, lambda df: train(df, "text", "label", alpha=1.0, calibrate=False, thresholds={}))
        theirs, pipeline = timed(few, df, mllib)
        detail = (
            f"{size / ours / 1e6:.0f} MB/s, MLlib {size / theirs / 1e6:.1f} ({name} x{copies}, {size / 1e9:.2f} GB)"
        )
        found = [Claim("train on Spark, against MLlib", theirs / ours, BAR, detail)]
        found.append(scoring(few, df, model, pipeline, size))
        spark.stop()
    return found


def scoring(few: DataFrame, df: DataFrame, model: Any, pipeline: Any, size: int) -> Claim:
    """The time to score all texts; what is asked for is the number of texts of each predicted class."""
    from likely.spark import predict

    ours, _ = timed(few, df, lambda df: predict(df, model, text="text").groupBy("prediction").count().collect())
    theirs, _ = timed(few, df, lambda df: pipeline.transform(df).groupBy("prediction").count().collect())
    detail = f"{size / ours / 1e6:.0f} MB/s, MLlib {size / theirs / 1e6:.1f}"
    return Claim("score on Spark, against MLlib", theirs / ours, BAR, detail)


def timed(few: DataFrame, df: DataFrame, work: Callable[[DataFrame], Any]) -> tuple[float, Any]:
    """The seconds of a run after a first one on a few rows, and its result."""
    work(few)
    begun = time.perf_counter()
    result = work(df)
    return time.perf_counter() - begun, result


def mllib(df: DataFrame) -> Any:
    """The pipeline of MLlib, whose labels are numbers already."""
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import NaiveBayes
    from pyspark.ml.feature import CountVectorizer, RegexTokenizer

    stages = [
        RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\W+"),
        CountVectorizer(inputCol="words", outputCol="features"),
        NaiveBayes(labelCol="number", featuresCol="features"),
    ]
    return Pipeline(stages=stages).fit(df)


def write_copies(folder: Path, copies: int) -> tuple[int, str]:
    """Copies of the corpus as Parquet files; each begins at another word and has a word of its own."""
    _, labels, name = corpus.load()
    numbers, size = [float(label == labels[0]) for label in labels], 0
    for at in range(copies):
        texts, _ = varied(at)
        size += corpus.size(texts)
        table = pa.table({"text": texts, "label": labels, "number": numbers})
        pq.write_table(table, folder / f"part-{at:03d}.parquet", row_group_size=5000)
    return size, name


def driver(distinct: int = DISTINCT) -> None:
    """Print the memory that the driver has before and after it receives the model of this many distinct terms."""
    spark = SparkSession.builder.master(f"local[{THREADS}]").config(map=SETTINGS).getOrCreate()
    texts = distinct // PER_TEXT
    df = mapped(spark.range(texts, numPartitions=20), synthetic, "text string, label string")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    begun = time.perf_counter()
    model = train(df, alpha=1.0, min_documents=5, calibrate=False, thresholds={})
    seconds, peak = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    kept = len(model.vocabulary_)
    print(f"{kept:,} terms kept, {model.dropped_terms_:,} dropped, {seconds:.0f} s")
    per_term = (peak - before) * 1e6 / kept
    print(f"driver (Python): {before:.0f} MB before, {peak:.0f} MB at most: {per_term:.0f} bytes per kept term")
    spark.stop()


def synthetic(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Texts of terms that occur in one text only, with a few that occur in many."""
    for batch in batches:
        texts = []
        for row in batch["id"].to_pylist():
            rare = [f"r{number:x}" for number in range(row * PER_TEXT, (row + 1) * PER_TEXT)]
            often = [f"o{(row * 7919 + k * 104729) % OFTEN:x}" for k in range(100)]
            texts.append(" ".join([*rare, *often]))
        labels = [("even", "odd")[row % 2] for row in batch["id"].to_pylist()]
        yield pa.record_batch({"text": texts, "label": labels})


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["driver"]:
        driver(*map(int, arguments[1:]))
    else:
        show(claims(*map(int, arguments)))
