"""Record batches of labelled texts, without the rows that cannot be learned from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from likely.core.counts import are_allowed
from likely.distributed.rows import class_type
from likely.distributed.texts import check_column, record_batches
from likely.errors import SourceError, TextError
from likely.extras import extra
from likely.reading.columns import read_weights
from likely.reading.rows import Labelled
from likely.reading.tables import is_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from likely.types import Array, Mask


@dataclass(frozen=True)
class Columns:
    """The names of the columns with the text, the label, and, if there are some, the weight and the group."""

    text: str = "text"
    label: str = "label"
    weight: str | None = None
    group: str | None = None

    def names(self) -> list[str]:
        """All names, without those that are not given."""
        return [name for name in (self.text, self.label, self.weight, self.group) if name is not None]


@dataclass
class Documents:
    """The documents of record batches. A row is bad if its text or label is missing, or is not a text or a label.

    Attributes
    ----------
    columns : Columns
        The names of the columns.
    divided : bool
        Whether the weight of a document is divided between its terms, so that it must not be too small.
    bad, rows : int
        The number of bad rows, and of all rows, so far.

    Examples
    --------
    >>> import pyarrow as pa
    >>> documents = Documents(Columns())
    >>> batch = pa.record_batch({"text": ["good", None, "bad"], "label": [1.0, 0.0, 0.5]})
    >>> [each.texts.to_pylist() for each in documents.of([batch])], documents.bad, documents.rows
    ([['good']], 2, 3)
    """

    columns: Columns
    divided: bool = False
    bad: int = field(default=0, init=False)
    rows: int = field(default=0, init=False)

    def of(self, batches: Iterable[pa.RecordBatch | pa.Table]) -> Iterator[Labelled]:
        """The documents of each batch that has some."""
        for each in batches:
            for batch in record_batches(each):
                found = self._documents(batch)
                if found is not None:
                    yield found

    def _documents(self, batch: pa.RecordBatch) -> Labelled | None:
        """The documents of a batch; None if there are none."""
        pc = extra("pyarrow.compute", "Distributed counting")
        columns = self.columns
        texts, labels = _text_column(batch, columns.text), _label_column(batch, columns.label)
        good = _are_texts(texts) & labels.is_valid().to_numpy(zero_copy_only=False)
        weights = None if columns.weight is None else _numbers(batch, columns.weight)
        if weights is not None:
            good &= are_allowed(weights, divided=self.divided)
        self.rows += len(good)
        self.bad += len(good) - int(good.sum())
        if weights is not None:  # a document without weight is not a bad row, but nothing is learned from it
            good &= weights > 0
        if not good.any():
            return None
        groups = None if columns.group is None else _column(batch, columns.group)
        if good.all():
            return Labelled(texts, labels, weights, groups)
        return Labelled(
            pc.filter(texts, good),
            pc.filter(labels, good),
            None if weights is None else weights[good],
            None if groups is None else pc.filter(groups, good),
        )


def _column(batch: pa.RecordBatch, name: str) -> pa.Array:
    """A column of a batch; ``SourceError`` if there is not exactly one of this name."""
    check_column(batch.schema.names, name)
    return batch.column(name)


def _text_column(batch: pa.RecordBatch, name: str) -> pa.Array:
    pa = extra("pyarrow", "Distributed counting")
    column = _column(batch, name)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        if not (pa.types.is_string_view(column.type) or pa.types.is_null(column.type)):
            raise TextError(f"the column {name!r} is of type {column.type}, not of texts: name the column of texts")
        column = column.cast(pa.large_string())
    return column


def _are_texts(texts: pa.Array) -> Mask:
    """Whether each text is there, and is valid UTF-8: other programs may pass on any bytes."""
    pa = extra("pyarrow", "Distributed counting")
    good: Mask = texts.is_valid().to_numpy(zero_copy_only=False)
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        size = pa.binary() if pa.types.is_string(texts.type) else pa.large_binary()
        good &= [_is_utf8(each) for each in texts.view(size).to_pylist()]
    return good


def _is_utf8(data: bytes | None) -> bool:
    try:
        return data is not None and data.decode("utf-8") is not None
    except UnicodeDecodeError:
        return False


def _label_column(batch: pa.RecordBatch, name: str) -> pa.Array:
    """The labels as text, whole numbers or bool; null where a label is none of these."""
    pa = extra("pyarrow", "Distributed counting")
    pc = extra("pyarrow.compute", "Distributed counting")
    column = _column(batch, name)
    wanted = class_type(column.type)
    if pa.types.is_floating(column.type):
        is_whole = pc.and_(pc.equal(column, pc.floor(column)), pc.less(pc.abs(column), 2.0**63))
        column = pc.if_else(is_whole, column, None)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if column.type == wanted and not pa.types.is_string(wanted):
        return column
    if pa.types.is_uint64(column.type):
        column = pc.if_else(pc.less(column, pa.scalar(2**63, pa.uint64())), column, None)
    found = column.cast(wanted)
    if pa.types.is_string(wanted) and not (good := _are_texts(found)).all():
        return pc.if_else(pa.array(good), found.view(pa.binary()), None).cast(wanted)
    return found


def _numbers(batch: pa.RecordBatch, name: str) -> Array:
    """The weights as doubles; NaN, which is not allowed, where there is none."""
    pa = extra("pyarrow", "Distributed counting")
    column = _column(batch, name)
    if is_text(column):  # CSV has no numbers
        weights, problems = read_weights(column.to_pylist())
        weights[list(problems)] = np.nan
        return weights
    try:
        numbers = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowNotImplementedError:
        raise SourceError(f"the column {name!r} is of type {column.type}: weights are numbers") from None
    return np.ascontiguousarray(numbers)
