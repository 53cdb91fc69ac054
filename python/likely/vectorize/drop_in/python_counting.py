"""Counting and hashing in Python, where the kernel cannot: terms that come from functions of the user."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from likely import _native

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from likely.types import Mask
    from likely.vectorize.drop_in.sparse import Parts


class PythonRows:
    """Rows of a matrix, added one by one, with their columns in any order."""

    def __init__(self) -> None:
        self.counts, self.columns, self.starts = array("q"), array("q"), array("q", [0])

    def push(self, row: Mapping[int, int]) -> None:
        """Add a row: the value in each of its columns."""
        self.columns.extend(row)
        self.counts.extend(row.values())
        self.starts.append(len(self.columns))

    def parts(self, binary: bool, floats: bool, new_columns: npt.NDArray[np.int64] | None = None) -> Parts:
        """The matrix with sorted columns, renumbered if new numbers are given; those that become -1 are left out."""
        counts, columns, starts = (np.asarray(part) for part in (self.counts, self.columns, self.starts))
        rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        if new_columns is not None:
            columns = new_columns[columns]
            kept = columns >= 0
            counts, columns, rows = counts[kept], columns[kept], rows[kept]
            starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(starts) - 1))])
        order = np.lexsort((columns, rows))
        values = np.ones_like(counts) if binary else counts[order]
        amounts = values.astype(np.float64) if floats else values
        if len(columns) < 2**31:
            return amounts, columns[order].astype(np.int32), starts.astype(np.int32)
        return amounts, columns[order], starts.astype(np.int64)


class PythonLexicon:
    """Terms and their columns, in a dictionary."""

    def __init__(self, terms: Iterable[str]) -> None:
        self.columns = {term: column for column, term in enumerate(terms)}

    def __len__(self) -> int:
        """The number of terms."""
        return len(self.columns)

    def terms(self) -> list[str]:
        """The terms in the order of their columns."""
        return list(self.columns)

    def rows(self, documents: Iterable[Iterable[str]], binary: bool, floats: bool) -> Parts:
        """One row per document, with the counts of the known terms; a document is given as its terms."""
        rows, find = PythonRows(), self.columns.get
        for terms in documents:
            row: dict[int, int] = {}
            for term in terms:
                column = find(term)
                if column is not None:
                    row[column] = row.get(column, 0) + 1
            rows.push(row)
        return rows.parts(binary, floats)

    def extend(self, counted: PythonCounted) -> npt.NDArray[np.int64]:
        """Add the terms that are new, after the others; returns the column of every term that was counted."""
        columns = [self.columns.setdefault(term, len(self.columns)) for term in counted.terms]
        return np.array(columns, dtype=np.int64)


class PythonCounted:
    """The counts of some documents, before it is decided which columns are kept."""

    def __init__(self, terms: Sequence[str], rows: PythonRows, columns: npt.NDArray[np.int64]) -> None:
        self.terms, self.numbered, self.column_of = terms, rows, columns

    @classmethod
    def of(cls, documents: Iterable[Iterable[str]]) -> Self:
        """Count documents, which are given as their terms; the columns are sorted by term."""
        numbers: dict[str, int] = {}
        rows = PythonRows()
        for terms in documents:
            row: dict[int, int] = {}
            for term in terms:
                number = numbers.setdefault(term, len(numbers))
                row[number] = row.get(number, 0) + 1
            rows.push(row)
        ordered = sorted(numbers)
        columns = np.empty(len(ordered), dtype=np.int64)
        columns[[numbers[term] for term in ordered]] = np.arange(len(ordered))
        return cls(ordered, rows, columns)

    def __len__(self) -> int:
        """The number of documents that were counted."""
        return len(self.numbered.starts) - 1

    def columns(self) -> int:
        """The number of columns."""
        return len(self.terms)

    def documents(self) -> npt.NDArray[np.int64]:
        """The number of documents that the term of each column occurs in."""
        return self._sums(np.ones_like(self.numbered.columns))

    def totals(self) -> npt.NDArray[np.int64]:
        """The number of occurrences of the term of each column."""
        return self._sums(np.asarray(self.numbered.counts))

    def _sums(self, amounts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The sum of the amounts in each column."""
        columns = self.column_of[np.asarray(self.numbered.columns)]
        kept = columns >= 0
        # The sums are made of floats, which hold every such sum exactly.
        return np.bincount(columns[kept], weights=amounts[kept], minlength=len(self.terms)).astype(np.int64)

    def select(self, keep: Mask) -> None:
        """Keep only some columns."""
        new = np.where(keep, np.cumsum(keep) - 1, -1)
        self.column_of = new[self.column_of]
        self.terms = [term for term, kept in zip(self.terms, keep, strict=True) if kept]

    def take_rows(self, binary: bool, floats: bool) -> tuple[Parts, PythonLexicon]:
        """The matrix and its terms."""
        return self.numbered.parts(binary, floats, self.column_of), self.take_lexicon()

    def take_lexicon(self) -> PythonLexicon:
        """The terms without the matrix."""
        return PythonLexicon(self.terms)


def python_hash_rows(documents: Iterable[Iterable[object]], columns: int, signed: bool, binary: bool) -> Parts:
    """One row of hashed terms per document; a document is given as its terms. Values in the same column are added."""
    rows = PythonRows()
    for terms in documents:
        row: dict[int, int] = {}
        for column, sign in _native.Hashing(columns, signed).columns([_encoded(term) for term in terms]):
            row[column] = row.get(column, 0) + sign
        rows.push(row)
    return rows.parts(binary, floats=True)


def _encoded(term: object) -> bytes:
    if isinstance(term, str):
        return term.encode("utf-8")
    if isinstance(term, bytes):
        return term
    raise TypeError(f"feature names must be strings, not {type(term).__name__}")
