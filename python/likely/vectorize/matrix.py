"""Texts to a sparse matrix of counts of the same terms that a model counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely import _native
from likely.core.analyzer import Analyzer, thread_count
from likely.options.conflicts import check_cut
from likely.options.table import ANALYZE_OPTIONS, with_defaults

if TYPE_CHECKING:
    from typing import Unpack

    import numpy as np
    import numpy.typing as npt
    from scipy.sparse import csr_matrix

    from likely.options.typed import VectorizeOptions
    from likely.types import Indices, Texts


@dataclass(frozen=True)
class CountMatrix:
    """Counts in compressed sparse rows (CSR): one row per text, one column per term.

    Attributes
    ----------
    indptr, indices, counts : array
        The columns of row ``r`` are ``indices[indptr[r]:indptr[r + 1]]``, ascending; its counts are the same slice
        of ``counts``.
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


def vectorize(texts: Texts, **options: Unpack[VectorizeOptions]) -> CountMatrix:
    """The counts of the terms of each text: one row per text, one column per term, sorted.

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
