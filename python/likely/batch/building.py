"""`build`: rows of counts, added or not, become the model that one process would have made of all documents."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from likely import _native
from likely.batch.counting import AMOUNTS, DROPPED, joined, record_batches, settled_once
from likely.core.counts import Counts
from likely.errors import (
    ArgumentError,
    DataWarning,
    MismatchError,
    OptionError,
    SourceError,
    frames_of_ours,
)
from likely.labels import LabelIndex
from likely.model.naive_bayes import NaiveBayes

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from likely.core.analyzer import Analyzer
    from likely.core.counts import Exact


def build(tables: Iterable[pa.RecordBatch | pa.Table], **options: object) -> NaiveBayes:
    """The model of rows of counts that `count` made, with the same bytes as that of one process.

    The rows may come from any number of workers, in any order, and may have been added by term and class or not.

    Parameters
    ----------
    tables : iterable of pyarrow.RecordBatch or pyarrow.Table
        Rows of counts.
    **options
        Options of the model, as for `NaiveBayes`: those of `count`, and others such as ``alpha``. Options are not
        chosen and probabilities are not calibrated, because that needs documents: see `likely.spark.train`, or
        `NaiveBayes.fit_calibration`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely.batch.counting import count
    >>> texts, labels = ["so good", "bad", "good plot", "so bad"], ["+", "-", "+", "-"]
    >>> parts = [pa.record_batch({"text": texts[at::2], "label": labels[at::2]}) for at in range(2)]
    >>> model = build((row for part in parts for row in count([part], ngrams=(1, 2))), ngrams=(1, 2), alpha=0.5)
    >>> model.predict(["a good plot"])
    array(['+'], dtype='<U1')
    """
    settled = settled_once(options)
    if settled.values["tune"] is not None or settled.values["calibrate"]:
        raise OptionError("counts are not enough to choose options or to calibrate: leave out tune and calibrate")
    summing = Summing(settled.analyzer)
    for table in tables:
        summing.add(table)
    tell_bad(summing.bad, summing.rows)
    return NaiveBayes(**cast("dict[str, Any]", options))._fit_counts(summing.counts())


class Summing:
    """Rows of counts that are added up.

    Attributes
    ----------
    bad, rows : int
        The number of bad rows of the data, and of all its rows.
    dropped : int
        The number of terms that were dropped (`likely.batch.counting`).
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer, self.bad, self.rows, self.dropped = analyzer, 0, 0, 0
        rules = _native.RowRules(
            most_words=analyzer.ngrams[1] if analyzer.has_words else 0, shares=analyzer.is_scaled, weighed=False
        )
        self._sums = _native.SummedRows(analyzer.native, rules)
        self._index = LabelIndex()
        self._documents: list[int] = []
        """The documents of each class, in units of 2^-64."""

    def add(self, table: pa.RecordBatch | pa.Table) -> None:
        """Add rows of counts."""
        table = pa.Table.from_batches(record_batches(table))
        if missing := {"term", "class", *AMOUNTS} - set(table.schema.names):
            raise SourceError(f"these are not rows of counts: there is no column {min(missing)!r}")
        is_total = pc.is_null(table["term"])
        if pc.any(is_total).as_py():
            self._add_totals(table.filter(is_total))
            table = table.filter(pc.invert(is_total))
        is_dropped = pc.equal(table["term"], DROPPED)
        if pc.any(is_dropped).as_py():
            self.dropped += pc.sum(table.filter(is_dropped)["count"]).as_py()
            table = table.filter(pc.invert(is_dropped))
        self._add_terms(table)

    def _add_terms(self, table: pa.Table) -> None:
        if table.num_rows:
            codes = self._index.encode(table["class"].combine_chunks())
            count, documents = (_exact(table, name) for name in AMOUNTS)
            self._sums.put(table["term"].combine_chunks(), codes, count, documents)

    def _add_totals(self, table: pa.Table) -> None:
        count, documents = (_exact(table, name) for name in AMOUNTS)
        for at, label in enumerate(table["class"].to_pylist()):
            whole = (int(documents[0][at]) << 64) + int(documents[1][at])
            if label is None:
                self.bad, self.rows = self.bad + int(count[0][at]), self.rows + (whole >> 64)
                continue
            number = self._index.number(label)
            self._documents += [0] * (number + 1 - len(self._documents))
            self._documents[number] += whole

    def counts(self) -> Counts:
        """The counts of all rows."""
        documents = self._documents + [0] * (len(self._index.labels) - len(self._documents))
        if not any(documents):
            raise ArgumentError("there are no documents: give at least one text and its label")
        whole = np.array([each >> 64 for each in documents], np.uint64)
        fraction = np.array([each & (2**64 - 1) for each in documents], np.uint64)
        return Counts(self.analyzer, self._index, self._sums.finish((whole, fraction)))


def tell_bad(bad: int, rows: int) -> None:
    """Warn that rows of the data were left out; ``SourceError`` if none is left."""
    what = "their text, label or weight is missing, or is not a text, a label or a weight"
    if bad and bad == rows:
        raise SourceError(f"no row can be learned from, of {rows:,}: {what}")
    if bad:
        message = f"{bad:,} of {rows:,} rows were left out: {what}"
        warnings.warn(message, DataWarning, stacklevel=frames_of_ours())


def _exact(table: pa.Table, name: str) -> Exact:
    """The exact numbers of a column and, if there are some, its columns of fractions."""
    parts = [_numbers(table, column) for column in (name, f"{name}_high", f"{name}_low")]
    if parts[0] is None or any(part is not None and (part < 0).any() for part in parts):
        raise MismatchError(f"the column {name!r} has negative numbers: these are not rows of counts")
    return joined(parts[0], parts[1], parts[2])


def _numbers(table: pa.Table, name: str) -> npt.NDArray[np.int64] | None:
    if name not in table.schema.names:
        return None
    numbers: npt.NDArray[np.int64] = table[name].to_numpy().astype(np.int64)
    return numbers
