"""Train and score with DuckDB, in SQL on both sides: `python with_duckdb.py DATABASE MODEL`.

The table `reviews` of the database has the columns text and label. Record batches go from DuckDB to `count` and to
`score` without a copy, and rows of counts and predictions go back in the same way, so that neither the table nor the
predictions need fit into memory. DuckDB adds the counts, and the model file has the same bytes as if one process had
read the whole table.
"""

from __future__ import annotations

import sys

import duckdb
import pyarrow as pa
from likely.batch.counting import build, count
from likely.batch.scoring import score

ROWS = 100_000
"""The number of rows of a record batch."""


def counted(connection: duckdb.DuckDBPyConnection, query: str) -> pa.RecordBatchReader:
    """The rows of counts of a query, added by term and class in DuckDB."""
    batches = connection.cursor().sql(query).to_arrow_reader(ROWS)
    first, *others = count(batches)
    counts = pa.Table.from_batches([first, *others])
    sums = ", ".join(f"sum({name})::BIGINT AS {name}" for name in counts.schema.names[2:])
    return connection.sql(f"SELECT term, class, {sums} FROM counts GROUP BY ALL").to_arrow_reader(ROWS)


def scored(connection: duckdb.DuckDBPyConnection, query: str, model: str) -> pa.RecordBatchReader:
    """The rows of a query with their predictions, as a table that queries of DuckDB can read."""
    found = score(connection.cursor().sql(query).to_arrow_reader(ROWS), model)
    first = next(found)
    return pa.RecordBatchReader.from_batches(
        first.schema, (batch for batches in ([first], found) for batch in batches)
    )


def main(database: str, model: str) -> None:
    """Train a model on the table reviews, save it, and write the table predictions."""
    with duckdb.connect(database) as connection:
        build(counted(connection, "SELECT text, label FROM reviews")).save(model)
        found = scored(connection, "SELECT * FROM reviews", model)
        connection.register("found", found)
        connection.sql("CREATE OR REPLACE TABLE predictions AS SELECT * FROM found")
        print(connection.sql("SELECT prediction, count(*) FROM predictions GROUP BY ALL ORDER BY ALL").fetchall())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
