"""Some rows of a Parquet file, written as another one with the same schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.extras import extra
from likely.reading.stream import name_of
from likely.reports.rows.parquet import ROWS_OF_GROUP

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from likely.reports.rows.output import Sink


def write_parquet_rows(path: Path, rows: npt.NDArray[np.int64], sink: Sink) -> None:
    """Write the rows with these numbers, which ascend."""
    pa = extra("pyarrow", "Writing Parquet")
    pq = extra("pyarrow.parquet", "Writing Parquet")
    try:
        with pq.ParquetFile(path) as file:
            kind = file.metadata.row_group(0).column(0).compression if file.metadata.num_row_groups else "ZSTD"
            place = pa.PythonFile(sink, mode="w")
            with pq.ParquetWriter(place, file.schema_arrow, compression=kind.lower()) as writer:
                first = 0
                for batch in file.iter_batches(ROWS_OF_GROUP):
                    wanted = rows[(rows >= first) & (rows < first + batch.num_rows)] - first
                    if len(wanted):
                        writer.write_batch(batch.take(pa.array(wanted)))
                    first += batch.num_rows
    except pa.ArrowException as error:
        raise SourceError(f"{name_of(path)}: its rows cannot be written: {error}") from error
