"""What the kernel does, for terms that only Python functions know: counting, known columns, hashing."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from likely import _native

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from likely.vectorize.drop_in.sparse import Parts


class PlainRows:
    """Rows of a matrix as they come, with columns in any order."""

    def __init__(self) -> None:
        self.counts, self.columns, self.starts = array("q"), array("q"), array("q", [0])

    def push(self, row: Mapping[int, int]) -> None:
        """Add a row: columns and what is in them."""
        self.columns.extend(row)
        self.counts.extend(row.values())
        self.starts.append(len(self.columns))

    def parts(self, binary: bool, floats: bool, new_columns: npt.NDArray[np.int64] | None = None) -> Parts:
        """The matrix with sorted columns, renumbered if so asked; a column of -1 is left out."""
        counts, columns, starts = (np.asarray(part) for part in (self.counts, self.columns, self.starts))
        rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        if new_columns is not None:
            columns = new_columns[columns]
            kept = columns >= 0
            counts, columns, rows = counts[kept], columns[kept], rows[kept]
            starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(starts) - 1))])
        order = np.lexsort((columns, rows))
        values = np.ones_like(counts) if binary else counts[order]
        index = np.int32 if len(columns) < 2**31 else np.int64
        return values.astype(np.float64 if floats else np.int64), columns[order].astype(index), starts.astype(index)


class PlainLexicon:
    """Terms that have columns, in a dictionary."""

    def __init__(self, terms: list[Any]) -> None:
        self.columns = {term: column for column, term in enumerate(terms)}

    def __len__(self) -> int:
        return len(self.columns)

    def terms(self) -> list[Any]:
        """The terms in the order of their columns."""
        return list(self.columns)

    def rows(self, documents: Iterable[Iterable[Any]], binary: bool, floats: bool) -> Parts:
        """Documents, given as their terms, as rows of the known terms."""
        rows, find = PlainRows(), self.columns.get
        for terms in documents:
            row: dict[int, int] = {}
            for term in terms:
                column = find(term)
                if column is not None:
                    row[column] = row.get(column, 0) + 1
            rows.push(row)
        return rows.parts(binary, floats)

    def extend(self, counted: PlainCounted) -> npt.NDArray[np.int64]:
        """Add new terms after those that are there; returns the columns of all that were counted."""
        columns = [self.columns.setdefault(term, len(self.columns)) for term in counted.terms]
        return np.array(columns, dtype=np.int64)


class PlainCounted:
    """The counts of some documents, before it is decided which columns to keep."""

    def __init__(self, terms: list[Any], rows: PlainRows, columns: npt.NDArray[np.int64]) -> None:
        self.terms, self.numbered, self.column_of = terms, rows, columns

    @classmethod
    def of(cls, documents: Iterable[Iterable[Any]]) -> Self:
        """Count documents, given as their terms; columns are sorted by term."""
        numbers: dict[Any, int] = {}
        rows = PlainRows()
        for terms in documents:
            row: dict[int, int] = {}
            for term in terms:
                number = numbers.setdefault(term, len(numbers))
                row[number] = row.get(number, 0) + 1
            rows.push(row)
        terms = sorted(numbers)
        columns = np.empty(len(terms), dtype=np.int64)
        columns[[numbers[term] for term in terms]] = np.arange(len(terms))
        return cls(terms, rows, columns)

    def __len__(self) -> int:
        return len(self.numbered.starts) - 1

    def columns(self) -> int:
        """How many columns there are."""
        return len(self.terms)

    def documents(self) -> npt.NDArray[np.int64]:
        """In how many documents the term of each column occurs."""
        return self._sums(np.ones_like(self.numbered.columns))

    def totals(self) -> npt.NDArray[np.int64]:
        """How often the term of each column occurs."""
        return self._sums(np.asarray(self.numbered.counts))

    def _sums(self, amounts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The amounts of the entries, added up for each column."""
        columns = self.column_of[np.asarray(self.numbered.columns)]
        kept = columns >= 0
        # In floats, which hold any such sum exactly.
        return np.bincount(columns[kept], weights=amounts[kept], minlength=len(self.terms)).astype(np.int64)

    def select(self, keep: npt.NDArray[np.bool_]) -> None:
        """Leave only some columns."""
        new = np.where(keep, np.cumsum(keep) - 1, -1)
        self.column_of = new[self.column_of]
        self.terms = [term for term, kept in zip(self.terms, keep, strict=True) if kept]

    def take_rows(self, binary: bool, floats: bool) -> tuple[Parts, PlainLexicon]:
        """The matrix and its terms."""
        return self.numbered.parts(binary, floats, self.column_of), self.take_lexicon()

    def take_lexicon(self) -> PlainLexicon:
        """The terms."""
        return PlainLexicon(self.terms)


def plain_hash_rows(documents: Iterable[Iterable[Any]], columns: int, signed: bool, binary: bool) -> Parts:
    """Documents, given as their terms, as rows of hashes: what is in one column is added up."""
    rows = PlainRows()
    for terms in documents:
        row: dict[int, int] = {}
        for column, sign in _native.hash_columns([_encoded(term) for term in terms], columns, signed):
            row[column] = row.get(column, 0) + sign
        rows.push(row)
    return rows.parts(binary, floats=True)


def _encoded(term: Any) -> bytes:
    if isinstance(term, str):
        return term.encode("utf-8")
    if isinstance(term, bytes):
        return term
    raise TypeError(f"feature names must be strings, not {type(term).__name__}")
