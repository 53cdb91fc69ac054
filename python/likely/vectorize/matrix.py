"""Sparse matrices: `vectorize` counts the same terms as a model; and the matrices of the drop-in vectorizers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.core.analyzer import Analyzer, thread_count
from likely.options.model import ANALYZE_OPTIONS, check_cut, with_defaults

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from likely.types import Array, Indices, Texts
    from likely.vectorize.terms import Norm

Values: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]
MatrixParts: TypeAlias = "tuple[Values, Indices, Indices]"
"""The values, the column of each value, and where each row starts, in scipy's order."""


@dataclass(frozen=True)
class CountMatrix:
    """Counts in compressed sparse rows (CSR): one row per text, one column per term.

    Attributes
    ----------
    indptr : array
        Where each row begins.
    indices : array
        The columns of row ``r`` are ``indices[indptr[r]:indptr[r + 1]]``, ascending.
    counts : array
        Its counts are the same slice of this array.
    terms : list of str
        The term of each column, sorted.
    """

    indptr: Indices
    indices: Indices
    counts: npt.NDArray[np.int64]
    terms: list[str]

    @property
    def shape(self) -> tuple[int, int]:
        """The number of texts and the number of terms."""
        return len(self.indptr) - 1, len(self.terms)

    def to_scipy(self) -> csr_matrix:
        """The matrix as a ``scipy.sparse.csr_matrix`` (scipy must be installed)."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.counts, self.indices, self.indptr), shape=self.shape)


def vectorize(texts: Texts, **options: object) -> CountMatrix:
    """Count the terms of each text: one row per text, one column per term, sorted.

    Parameters
    ----------
    texts : iterable of str, or Arrow data of strings
        As for `NaiveBayes.fit`.
    **options
        The options that decide the terms (``analyzer``, ``ngrams``, ``stem`` ...) and ``threads``, as for
        `NaiveBayes`.

    Examples
    --------
    >>> matrix = vectorize(["so so good", "good"])
    >>> matrix.terms, matrix.shape
    (['good', 'so'], (2, 2))
    >>> matrix.counts
    array([1, 2, 1])
    """
    values = with_defaults(options, (*ANALYZE_OPTIONS, "threads"))
    check_cut(values)
    analyzer = Analyzer.of(values)
    threads = thread_count(values["threads"])
    (counts, indices, indptr), terms = _native.vectorize(analyzer.native, analyzer.texts(texts), threads)
    return CountMatrix(indptr, indices, counts, terms)


def scipy_matrix(parts: MatrixParts, columns: int, dtype: np.dtype[np.generic]) -> csr_matrix:
    """A ``scipy.sparse.csr_matrix`` of these parts; the columns of each row must be sorted."""
    found, indices, starts = parts
    values = found if found.dtype == dtype else found.astype(dtype)
    if len(starts) == 2:
        return _one_row(values, indices, starts, columns)
    from scipy import sparse

    made = sparse.csr_matrix((values, indices, starts), shape=(len(starts) - 1, columns))
    made.has_canonical_format = True
    return made


def _one_row(values: npt.NDArray[np.generic], indices: Indices, starts: Indices, columns: int) -> csr_matrix:
    """A matrix of one row, made without scipy's checks: these take longer than the counting of one text."""
    empty = _empty_row(columns)
    made = object.__new__(type(empty))
    vars(made).update(vars(empty), data=values, indices=indices, indptr=starts)
    return made


@lru_cache(maxsize=16)
def _empty_row(columns: int) -> csr_matrix:
    from scipy import sparse

    made = sparse.csr_matrix((1, columns))
    made.has_canonical_format = True
    return made


def weigh_rows(parts: MatrixParts, factors: Array | None, sublinear: bool, norm: Norm, threads: int | None) -> None:
    """Weigh counts of float64 in place: take logarithms, multiply columns by factors, scale rows to length 1."""
    if factors is not None or sublinear or norm is not None:
        _native.weigh_rows(parts, factors, sublinear, norm, thread_count(threads))


def parts_of(matrix: csr_matrix) -> MatrixParts:
    """The parts of a matrix of scikit-learn, whose rows need not be sorted although it says so."""
    matrix.has_sorted_indices = False
    matrix.sort_indices()
    return matrix.data, matrix.indices, matrix.indptr
