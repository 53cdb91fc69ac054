"""`TfidfVectorizer`: documents to a sparse matrix of tf-idf weights."""

# ruff: noqa: RUF009 - `parameter` makes a field

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
import numpy.typing as npt

from likely.errors import OptionError
from likely.formulas import inverse_document_frequency
from likely.vectorize.count import CountVectorizer, LearnedTerms, not_fitted
from likely.vectorize.matrix import MatrixParts, scipy_matrix, weigh_rows
from likely.vectorize.terms import TRUTH, Norm, one_of, parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scipy.sparse import csr_matrix

    from likely.types import Array, Documents


@dataclass(eq=False)
class Weighting:
    """How counts are weighed: the parameters at the time of learning, and what was learned."""

    norm: Norm
    use_idf: bool
    smooth_idf: bool
    sublinear_tf: bool
    dtype: np.dtype[np.generic]
    occurrences: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    total: int = 0
    given: Array | None = None

    @property
    def idf_(self) -> Array:
        """The factor of each column."""
        if not self.use_idf:
            raise AttributeError("there is no idf_ with use_idf=False")
        if self.given is None:
            occurrences = cast("Array", self.occurrences.astype(self.dtype))
            self.given = inverse_document_frequency(occurrences, self.total, smooth=int(self.smooth_idf), lift=1)
        return self.given

    def weigh(self, parts: MatrixParts, threads: int | None) -> None:
        """Weigh counts in place."""
        factors = np.asarray(self.idf_, dtype=np.float64) if self.use_idf else None
        weigh_rows(parts, factors, self.sublinear_tf, self.norm, threads)


@dataclass(kw_only=True, eq=False, repr=False)
class TfidfVectorizer(CountVectorizer):
    """Documents to a sparse matrix of tf-idf weights: one row per document, one column per term.

    Parameters, attributes and results match ``sklearn.feature_extraction.text.TfidfVectorizer``. It has the
    parameters of `CountVectorizer`, and these.

    Parameters
    ----------
    norm : {'l1', 'l2'} or None
        'l2' scales each row to unit length, 'l1' to absolute values that sum to 1; None does not scale.
    use_idf : bool
        Whether a term weighs more, the fewer documents it occurs in.
    smooth_idf : bool
        Whether the idf is computed as if every term occurred in one further document.
    sublinear_tf : bool
        Whether a count is replaced by 1 + log(count).
    **others
        As for `CountVectorizer`.

    Attributes
    ----------
    idf_ : array
        The factor of each column.

    Examples
    --------
    >>> vectorizer = TfidfVectorizer()
    >>> vectorizer.fit_transform(["so good", "so bad"]).toarray().round(3)
    array([[0.   , 0.815, 0.58 ], [0.815, 0.   , 0.58 ]])
    >>> vectorizer.idf_.round(3)
    array([1.405, 1.405, 1.   ])
    """

    _weighs: ClassVar[bool] = True
    dtype: npt.DTypeLike = parameter(np.float64)
    norm: Norm = parameter("l2", one_of("l1", "l2", None))
    use_idf: bool = parameter(True, TRUTH)
    smooth_idf: bool = parameter(True, TRUTH)
    sublinear_tf: bool = parameter(False, TRUTH)

    @property
    def idf_(self) -> Array:
        """The factor of each column."""
        if "_tfidf" not in self.__dict__:
            raise not_fitted(f"{type(self).__name__} is not fitted yet: call fit before asking for idf_")
        return self._tfidf.idf_

    @idf_.setter
    def idf_(self, value: Array | Sequence[float]) -> None:
        if not self.use_idf:
            raise OptionError("`idf_` cannot be set when `user_idf=False`.")
        if "_lexicon" not in self.__dict__:
            self._take_vocabulary()
        if "_lexicon" in self.__dict__ and len(self._lexicon) != len(value):
            raise OptionError(f"idf length = {len(value)} must be equal to vocabulary size = {len(self._lexicon)}")
        if "_tfidf" not in self.__dict__:
            self._tfidf = self._weighting()
        self._tfidf.given = cast("Array", value)

    def _weighting(self) -> Weighting:
        is_small = np.dtype(self.dtype) == np.float32
        dtype = np.dtype(np.float32 if is_small else np.float64)
        return Weighting(self.norm, bool(self.use_idf), bool(self.smooth_idf), bool(self.sublinear_tf), dtype)

    def _warn_of_dtype(self) -> None:
        if np.dtype(self.dtype) not in (np.float64, np.float32, np.float16):
            warnings.warn(
                "Only (<class 'numpy.float64'>, <class 'numpy.float32'>, <class 'numpy.float16'>) 'dtype' should be "
                f"used. {self.dtype} 'dtype' will be converted to np.float64.",
                stacklevel=3,
            )

    def _counted_as(self) -> np.dtype[np.generic]:
        return np.dtype(np.float64)

    def _matrix(self, parts: MatrixParts) -> csr_matrix:
        columns = self._now_ready().columns
        if self._tfidf.use_idf and len(self._tfidf.idf_) != columns:
            raise OptionError(
                f"idf_ is of {len(self._tfidf.idf_)} terms, but vocabulary_ has {columns}: set both, or fit again"
            )
        self._tfidf.weigh(parts, self.threads)
        return scipy_matrix(parts, columns, self._tfidf.dtype)

    def _learn(self, learned: LearnedTerms) -> None:
        self._warn_of_dtype()
        self._tfidf = self._weighting()
        self._tfidf.occurrences = np.array(learned.occurrences, dtype=np.int64)
        self._tfidf.total = learned.total

    def transform(self, raw_documents: Documents) -> csr_matrix:
        """The tf-idf weights of the known terms: one row per document, one column per term.

        Parameters
        ----------
        raw_documents
            As for `CountVectorizer.fit`.

        Returns
        -------
        scipy.sparse.csr_matrix
            One row per document, one column per term.
        """
        if "_tfidf" not in self.__dict__:
            raise not_fitted("The TF-IDF vectorizer is not fitted: call fit first")
        return super().transform(raw_documents)
