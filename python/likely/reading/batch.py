"""`ReadingOptions`: the options of reading; `Reader`: what every format offers; `Batch`: some rows of a source."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from likely import _native
from likely.errors import SourceError
from likely.labels import CodedLabels
from likely.terminal import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt
    import pyarrow as pa

    from likely.types import Array, Mask


Table: TypeAlias = "dict[str, pa.Array | _native.Strings | list[object]]"
"""Whole rows, column by column."""


@dataclass(frozen=True)
class Lines:
    """Rows as they are in a file: ``chunk[start:end]``, without line ends.

    ``instead`` has, by the place of the row, what is written instead of a row that is not a row of the format.
    """

    chunk: bytes
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    instead: Mapping[int, bytes] = field(default_factory=dict)

    def __iter__(self) -> Iterator[bytes]:
        chunk, instead = self.chunk, self.instead
        rows = (chunk[start:end] for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True))
        return (instead.get(at, row) for at, row in enumerate(rows)) if instead else rows

    def joined(self, line_end: bytes) -> bytes:
        r"""All rows, each with this line end.

        Examples
        --------
        >>> Lines(b"a\r\nbc", np.array([0, 3]), np.array([1, 5])).joined(b"\n")
        b'a\nbc\n'
        """
        if self.instead:
            return b"".join(piece for row in self for piece in (row, line_end))
        return _native.join_lines(self.chunk, self.starts, self.ends, line_end)

    def chosen(self, wanted: Mask) -> Lines:
        """The rows where ``wanted`` is True, none of which may be one that is written differently."""
        return Lines(self.chunk, self.starts[wanted], self.ends[wanted])


@dataclass(frozen=True)
class Batch:
    """Some rows.

    Attributes
    ----------
    texts : Strings
        The texts. That of a row with a problem is empty.
    labels : CodedLabels or None
        One label per text; None if no labels are read.
    table : callable
        Returns the rows with all their columns.
    lines : Lines or None
        The rows as they are in the file, if the file has one row per line.
    problems : mapping
        Why a row cannot be read, by its place in the batch. If labels are read, such rows are left out.
    weights : array or None
        The weight of each row; None if no column of weights is read.
    groups : list of str or None
        The group of each row; None if no column of groups is read.
    """

    texts: _native.Strings
    labels: CodedLabels | None
    table: Callable[[], Table]
    lines: Lines | None = None
    problems: Mapping[int, str] = field(default_factory=dict)
    weights: Array | None = None
    groups: list[str] | None = None

    def chosen(self, wanted: npt.NDArray[np.bool_]) -> Batch:
        """The batch of the rows where ``wanted`` is True, none of which may have a problem."""
        labels = self.labels and self.labels.chosen(wanted)
        lines = self.lines and self.lines.chosen(wanted)
        keep = wanted.tolist()

        def table() -> Table:
            return {name: chosen_of(column, wanted) for name, column in self.table().items()}

        weights = None if self.weights is None else self.weights[wanted]
        groups = None if self.groups is None else list(compress(self.groups, keep))
        return Batch(self.texts.chosen(wanted), labels, table, lines, weights=weights, groups=groups)

    def labelled(self, label: str) -> Batch:
        """The batch of the rows that could be read, each with this label."""
        good = self.chosen(without_problem(len(self.texts), self.problems)) if self.problems else self
        return replace(good, labels=CodedLabels([label], np.zeros(len(good.texts), np.uint32)))

    def labels_as(self, kind: type | None) -> CodedLabels:
        """The labels, converted to this type unless it is None."""
        labels = self.labels or CodedLabels([], np.zeros(0, np.uint32))
        return labels if kind is None else labels.as_kind(kind)


T = TypeVar("T")


def in_parts(
    items: Iterable[T], size_of: Callable[[T], int], size: int, most: int | None = None
) -> Iterator[list[T]]:
    """The items in lists, each of which ends with the item that makes it this large, or that is the ``most``-th.

    Examples
    --------
    >>> list(in_parts(["so", "good", "a", "film"], len, 5))
    [['so', 'good'], ['a', 'film']]
    """
    part: list[T] = []
    total = 0
    for item in items:
        part.append(item)
        total += size_of(item)
        if total >= size or len(part) == most:
            yield part
            part, total = [], 0
    if part:
        yield part


def without_problem(rows: int, problems: Iterable[int]) -> Mask:
    """True for each row of a batch that is not among those with a problem."""
    good = np.ones(rows, np.bool_)
    good[list(problems)] = False
    return good


def values_of(column: pa.Array | _native.Strings | list[object]) -> Sequence[object]:
    """The values of a column of a `Table`, as Python objects."""
    return column if isinstance(column, list) else column.to_pylist()


def chosen_of(
    column: pa.Array | _native.Strings | list[object], wanted: Mask
) -> pa.Array | _native.Strings | list[object]:
    """The values of a column of a `Table` where ``wanted`` is True, with the type of the column.

    Examples
    --------
    >>> chosen_of(["a", "b", "c"], np.array([True, False, True]))
    ['a', 'c']
    """
    if isinstance(column, list):
        return list(compress(column, wanted.tolist()))
    return column.chosen(wanted) if isinstance(column, _native.Strings) else column.filter(wanted)


@dataclass(frozen=True)
class Chosen:
    """The names of the columns that are read: text, label, weight and group. None for one that is not read.

    Examples
    --------
    >>> print(Chosen("review", "stars"))
    text=review, label=stars
    >>> Chosen("review", "stars", group="author").names
    ['review', 'stars', 'author']
    """

    text: str
    label: str | None
    weight: str | None = None
    group: str | None = None

    def __str__(self) -> str:
        return ", ".join(f"{what}={name}" for what, name in vars(self).items() if name is not None)

    @property
    def names(self) -> list[str]:
        """The names of the columns that are read, the text first."""
        return [name for name in (self.text, self.label, self.weight, self.group) if name is not None]

    def to_dict(self) -> dict[str, str | None]:
        """The columns that a model remembers, as its file has them: the weight only if there is one."""
        weight = {} if self.weight is None else {"weight": self.weight}
        return {"text": self.text, "label": self.label, **weight}

    def remembered(self) -> Chosen:
        """The columns that a model remembers: those of the text, the label and the weight."""
        return replace(self, group=None)


class Reader(ABC):
    """An open file, folder, frame or query."""

    format: str
    where: str
    columns: list[str]
    row_columns: list[str] | None = None
    """The columns of whole rows, if they differ from ``columns``, among which text and label are chosen."""
    has_mail = False
    """Whether some texts, so far, were decoded from messages."""

    @property
    def encoding(self) -> str | None:
        """The encoding of the file, as Python names it; None for UTF-8, and for files that are not text."""
        return None

    @property
    def recognised(self) -> str | None:
        """The encoding in words for people, if it was recognised and is not UTF-8."""
        return None

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text; no values, if the columns are known without them."""
        return {name: [] for name in self.columns}

    @abstractmethod
    def batches(self, chosen: Chosen, *, whole: bool) -> Iterator[Batch]:
        """All rows, in batches. If ``whole`` is False, other columns than those chosen may be missing.

        Rows that cannot be read are left out if labels are read; otherwise they stay in their place, with a problem.
        """

    @abstractmethod
    def position(self) -> int:
        """The number of bytes that have been read."""

    def size(self) -> int:
        """The number of bytes in all, or 0 if it is not known."""
        return 0

    @abstractmethod
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


NAMED = 5
"""At most this many rows are described, the first ones."""


@dataclass
class Skipped:
    """The rows that could not be read: their number, a description of the first ones, and the labels of all.

    ``what`` says what became of them: rows with labels are skipped, rows that wait for an answer stay unanswered.

    Examples
    --------
    >>> skipped = Skipped()
    >>> skipped.add("a.csv", 6, "no label", line=7)
    >>> print(skipped)
    1 row skipped: a.csv row 6 (line 7): no label
    """

    strict: bool = False
    what: str = "skipped"
    count: int = 0
    first: list[str] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)

    def add(
        self, where: str, row: int | None, problem: str, *, line: int | None = None, label: str | None = None
    ) -> None:
        """Record a row, counted from 1, and its line in the file; a file that is one document has neither.

        Raise ``SourceError`` if reading is strict.
        """
        self.count += 1
        if label is not None:
            self.labels[label] += 1
        place = "" if row is None else f" row {row:,}"
        named = f"{where}{place}{'' if line is None else f' (line {line:,})'}: {problem}"
        if self.strict:
            raise SourceError(f"{named}. Correct it, or read without strict to continue after such rows")
        if len(self.first) < NAMED:
            self.first.append(named)

    def __str__(self) -> str:
        more = f"; and {self.count - len(self.first):,} more" if self.count > len(self.first) else ""
        return f"{counted(self.count, 'row')} {self.what}: {'; '.join(self.first)}{more}"
