"""Train and predict with Spark: `spark-submit with_spark.py DATA MODEL OUT`.

DATA is a folder of Parquet files with the columns text and label, on any file system that Spark knows. The model
file has the same bytes as if one process had read all rows. OUT gets Parquet files with the columns of
`likely predict`. To run it on one machine: `spark-submit --master 'local[*]' with_spark.py DATA MODEL OUT`.
"""

from __future__ import annotations

import sys

from likely.spark import predict, train
from pyspark.sql import SparkSession


def main(data: str, model: str, out: str) -> None:
    """Train a model on a folder, save it, and predict the folder."""
    spark = SparkSession.builder.getOrCreate()
    rows = spark.read.parquet(data)
    train(rows, text="text", label="label").save(model)
    predict(rows, model, text="text").write.parquet(out)
    spark.stop()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
