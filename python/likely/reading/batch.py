"""`Batch`: some rows of a source; and `Reader`, what every format offers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from likely.errors import SourceError
from likely.labels import CodedLabels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt
    import pyarrow as pa


@dataclass(frozen=True)
class Lines:
    """Rows as they are in a file: ``chunk[start:end]``, without line ends."""

    chunk: bytes
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]

    def __iter__(self) -> Iterator[bytes]:
        chunk = self.chunk
        return (chunk[start:end] for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True))


@dataclass(frozen=True)
class Batch:
    """Some rows.

    Attributes
    ----------
    texts : pyarrow.Array
        The texts. None is missing.
    labels : CodedLabels or None
        One label per text; None if no labels are read.
    table : callable
        Returns the rows with all their columns.
    lines : Lines or None
        The rows as they are in the file, if the file has one row per line.
    """

    texts: pa.Array
    labels: CodedLabels | None
    table: Callable[[], pa.Table]
    lines: Lines | None = None

    def chosen(self, wanted: npt.NDArray[np.bool_]) -> Batch:
        """The batch of the rows where ``wanted`` is True."""
        import pyarrow as pa

        mask = pa.array(wanted)
        labels = self.labels and self.labels.chosen(wanted)
        lines = self.lines and Lines(self.lines.chunk, self.lines.starts[wanted], self.lines.ends[wanted])
        return Batch(self.texts.filter(mask), labels, lambda: self.table().filter(mask), lines)

    def labels_as(self, kind: type | None) -> CodedLabels:
        """The labels, converted to this type unless it is None."""
        labels = self.labels or CodedLabels([], np.zeros(0, np.uint32))
        return labels if kind is None else labels.as_kind(kind)


@dataclass(frozen=True)
class Chosen:
    """The names of the columns with the text and the label; ``label`` is None if no labels are read.

    Examples
    --------
    >>> print(Chosen("review", "stars"))
    text=review, label=stars
    """

    text: str
    label: str | None

    def __str__(self) -> str:
        return f"text={self.text}" + ("" if self.label is None else f", label={self.label}")


class Reader(Protocol):
    """An open file, folder, frame or query."""

    format: str
    where: str
    columns: list[str]
    row_columns: list[str] | None
    """The columns of whole rows, if they differ from ``columns``, among which text and label are chosen."""

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text."""

    def batches(self, chosen: Chosen, *, whole: bool) -> Iterator[Batch]:
        """All rows, in batches. If ``whole`` is False, other columns than text and label may be missing."""

    def position(self) -> int:
        """The number of bytes that have been read."""

    def size(self) -> int:
        """The number of bytes in all, or 0 if it is not known."""

    def close(self) -> None:
        """Close the file or the connection."""


def check_names(columns: list[str], where: str) -> None:
    """Raise ``SourceError`` if two columns have the same name.

    Examples
    --------
    >>> check_names(["text", "text"], "a.csv")
    Traceback (most recent call last):
    likely.errors.SourceError: a.csv: two columns are called 'text': rename one
    """
    for name, times in Counter(columns).items():
        if times > 1:
            raise SourceError(f"{where}: two columns are called {name!r}: rename one")
