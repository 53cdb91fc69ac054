"""Texts to a sparse matrix of counts: the same terms that a model counts, columns sorted by term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likely import _native
from likely.analysis.analyzer import Analyzer, thread_count
from likely.options.conflicts import check_cut
from likely.options.table import ANALYZE_OPTIONS, with_defaults

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class CountMatrix:
    """Counts in compressed sparse rows, as scipy has them.

    Attributes
    ----------
    indptr, indices, counts : array
        Row ``r`` is ``indptr[r]:indptr[r + 1]`` of ``indices`` (columns, ascending) and ``counts``.
    terms : list of str
        The term of each column, sorted.
    """

    indptr: npt.NDArray[np.signedinteger[Any]]
    indices: npt.NDArray[np.signedinteger[Any]]
    counts: npt.NDArray[np.int64]
    terms: list[str]

    @property
    def shape(self) -> tuple[int, int]:
        """Texts and terms."""
        return len(self.indptr) - 1, len(self.terms)

    def to_scipy(self) -> Any:
        """The matrix as a ``scipy.sparse.csr_matrix`` (scipy must be installed)."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.counts, self.indices, self.indptr), shape=self.shape)


def vectorize(texts: Any, **options: Any) -> CountMatrix:
    """Count the terms of each text.

    Parameters
    ----------
    texts : iterable of str, or Arrow data of strings
        As for `NaiveBayes.fit`.
    **options
        What decides the terms (``analyzer``, ``ngrams``, ``stem`` ...) and ``threads``, as for `NaiveBayes`.

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
    texts, threads = analyzer.texts(texts), thread_count(values["threads"])
    (counts, indices, indptr), terms = _native.vectorize(analyzer.native, texts, threads)
    return CountMatrix(indptr, indices, counts, terms)
