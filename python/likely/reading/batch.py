"""What reading gives: batches of texts, and a list of the rows that had to be skipped."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from likely.errors import BadRowsError, SourceError
from likely.labels import CodedLabels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt
    import pyarrow as pa

NAMED = 5
"""How many of the skipped rows are named."""


@dataclass(frozen=True)
class Lines:
    """Rows as they stand in a file: ``chunk[start:end]``, without line ends."""

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
        Strings, none missing.
    labels : CodedLabels or None
        As many strings, whole numbers or truth values; None if labels were not asked for.
    table : callable
        Gives the rows with all their columns as a table.
    lines : Lines or None
        The rows as they stand in the file, where it has a row a line.
    """

    texts: pa.Array
    labels: CodedLabels | None
    table: Callable[[], pa.Table]
    lines: Lines | None = None

    def chosen(self, wanted: npt.NDArray[np.bool_]) -> Batch:
        """Only the rows that are wanted."""
        import pyarrow as pa

        mask = pa.array(wanted)
        labels = self.labels and self.labels.chosen(wanted)
        lines = self.lines and Lines(self.lines.chunk, self.lines.starts[wanted], self.lines.ends[wanted])
        return Batch(self.texts.filter(mask), labels, lambda: self.table().filter(mask), lines)

    def labels_as(self, kind: type | None) -> CodedLabels:
        """The labels as the kind that others are, if there are others."""
        labels = self.labels or CodedLabels([], np.zeros(0, np.uint32))
        return labels if kind is None else labels.as_kind(kind)


@dataclass(frozen=True)
class Chosen:
    """The columns that are the text and the label; no label if none is wanted."""

    text: str
    label: str | None


class Reader(Protocol):
    """One file, folder, frame or query, opened."""

    format: str
    where: str
    columns: list[str]
    row_columns: list[str] | None
    """The columns of whole rows, where these are not the ones to choose from."""

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text."""

    def batches(self, chosen: Chosen, *, whole: bool) -> Iterator[Batch]:
        """All rows; with all their columns only if asked for the ``whole``."""

    def position(self) -> int:
        """How many bytes of it have been read."""

    def size(self) -> int:
        """How many bytes it has, 0 if that is not known."""

    def close(self) -> None:
        """Let go of it."""


def check_names(columns: list[str], where: str) -> None:
    """Raise if two columns have the same name.

    Examples
    --------
    >>> check_names(["text", "text"], "a.csv")
    Traceback (most recent call last):
    likely.errors.SourceError: a.csv: two columns are called 'text': rename one
    """
    for name, times in Counter(columns).items():
        if times > 1:
            raise SourceError(f"{where}: two columns are called {name!r}: rename one")


@dataclass
class Skipped:
    """The rows that could not be read: how many, and the first few by name.

    Examples
    --------
    >>> skipped = Skipped()
    >>> skipped.add("a.csv", 7, "no label")
    >>> print(skipped)
    1 row skipped: a.csv line 7: no label
    """

    strict: bool = False
    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, where: str, line: int, problem: str, unit: str = "line") -> None:
        """Note a row; ``BadRowsError`` if reading is strict."""
        self.count += 1
        named = f"{where} {unit} {line:,}: {problem}"
        if self.strict:
            raise BadRowsError(f"{named}. Mend it, or read without strict to skip such rows")
        if len(self.first) < NAMED:
            self.first.append(named)

    def __str__(self) -> str:
        rows = "row" if self.count == 1 else "rows"
        more = f"; and {self.count - len(self.first):,} more" if self.count > len(self.first) else ""
        return f"{self.count:,} {rows} skipped: {'; '.join(self.first)}{more}"
