"""`Writer`: what the writers of all formats have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from likely.errors import SourceError
from likely.terminal import printable

if TYPE_CHECKING:
    from likely.reading.batch import Batch, Reader
    from likely.reports.rows.output import Sink
    from likely.types import Mask

Column: TypeAlias = npt.NDArray[np.generic]
"""The values of one new column: labels or probabilities, one per row."""


class Writer:
    """Writes rows and their predictions in one format.

    Parameters
    ----------
    sink : Sink
        Where the rows are written.
    names : list of str
        The names of the new columns. The last one says why a row has no prediction.
    labels : numpy.dtype
        The type of the labels.
    """

    def __init__(self, sink: Sink, names: list[str], labels: np.dtype[np.generic]) -> None:
        self._sink = sink
        *self._names, self._problem = names
        self._labels = labels
        self._columns: list[str] = []
        self._is_spliced = False

    def has(self, name: str) -> bool:
        """Whether there is a new column of this name."""
        return name in self._names

    def start(self, reader: Reader, *, is_asked_for: bool) -> None:
        """Prepare for the first file; ``is_asked_for`` is False if the format follows from the input."""
        del is_asked_for
        self._columns = columns_of(reader)

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file. Raise ``SourceError`` if its columns do not fit."""
        check_free([*self._names, self._problem], reader)
        if columns_of(reader) != self._columns:
            raise SourceError(f"{reader.where} has other columns than the first file: predict it separately")

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Write some rows with their new columns, which are empty in a row that has a problem."""
        raise NotImplementedError

    def write_chosen(self, batch: Batch, columns: list[Column], wanted: Mask) -> None:
        """Write the rows where ``wanted`` is True, none of which may have a problem."""
        self.write(batch.chosen(wanted), [column[wanted] for column in columns])

    def end(self) -> None:
        """Finish, after all rows have been written."""

    def abandon(self) -> None:
        """Give up after an error."""

    def doubts(self) -> list[str]:
        """What should be known about the output, one line each."""
        return []


def check_free(names: list[str], reader: Reader) -> None:
    """Raise ``SourceError`` if the rows that a reader returns have a column with the name of a new one already."""
    taken = {*columns_of(reader)}
    for name in names:
        if name in taken:
            raise SourceError(
                f"{reader.where} already has a column {printable(name)!r}: name the new one with --prediction-column"
            )


def columns_of(reader: Reader) -> list[str]:
    """The columns of the rows that a reader returns."""
    return list(reader.columns if reader.row_columns is None else reader.row_columns)
