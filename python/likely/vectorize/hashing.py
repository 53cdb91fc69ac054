"""`HashingVectorizer`: documents to a sparse matrix of hashed terms; it has nothing to learn."""

# ruff: noqa: RUF009 - `parameter` makes a field

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from likely import _native
from likely.errors import OptionError
from likely.options.kinds import whole
from likely.vectorize.matrix import scipy_matrix, weigh_rows
from likely.vectorize.terms import (
    TRUTH,
    Norm,
    TermVectorizer,
    for_scikit_learn,
    one_of,
    parameter,
    refuse_single_text,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from likely.types import Documents


@dataclass(kw_only=True, eq=False, repr=False)
class HashingVectorizer(TermVectorizer):
    """Documents to a sparse matrix of hashed terms: one row per document, ``n_features`` columns.

    Parameters and results match ``sklearn.feature_extraction.text.HashingVectorizer``. It has the parameters
    of `CountVectorizer` that decide which terms a document has, and these. The hash is MurmurHash3.

    Parameters
    ----------
    n_features : int
        The number of columns.
    binary : bool
        Whether every entry of the matrix is 1.
    norm : {'l1', 'l2'} or None
        'l2' scales each row to unit length, 'l1' to absolute values that sum to 1; None does not scale.
    alternate_sign : bool
        Whether half of the terms have negative counts: terms in the same column then cancel out on average.
    dtype : type
        The type of the entries.
    **others
        As for `CountVectorizer`.

    Examples
    --------
    >>> vectorizer = HashingVectorizer(n_features=8, norm=None)
    >>> vectorizer.transform(["so so good", "bad"]).toarray()
    array([[0., 3., 0., 0., 0., 0., 0., 0.], [0., 0., 0., 1., 0., 0., 0., 0.]])
    """

    _requires_fit: ClassVar[bool] = False
    _theirs = "HashingVectorizer"
    n_features: int = parameter(2**20, whole(1, 2**31 - 2))
    norm: Norm = parameter("l2", one_of("l1", "l2", None))
    alternate_sign: bool = parameter(True, TRUTH)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Documents, y: object = None) -> Self:  # noqa: N803
        """Check the parameters: there is nothing to learn.

        Parameters
        ----------
        X, y
            Accepted because scikit-learn passes them.
        """
        refuse_single_text(X)
        self._check()
        if self._kernel() is None:
            self._scikit_learn().fit(X)
        return self

    def partial_fit(self, X: Documents | None = None, y: object = None) -> Self:  # noqa: N803
        """Check the parameters: there is nothing to learn.

        Parameters
        ----------
        X, y
            Accepted because scikit-learn passes them.
        """
        self._check_params()
        return self

    def transform(self, X: Documents) -> csr_matrix:  # noqa: N803
        """The hashed terms: one row per document, ``n_features`` columns.

        Parameters
        ----------
        X : iterable of str, bytes, files or paths, or Arrow data of strings
            The documents, as ``input`` says.

        Returns
        -------
        scipy.sparse.csr_matrix
            One row per document.
        """
        refuse_single_text(X)
        kernel = self._ready
        if kernel is None:
            self._check()
            kernel = self._ready = self._kernel()
        if kernel is None:
            return self._scikit_learn().transform(for_scikit_learn(X))
        hashing = _native.Hashing(self.n_features, bool(self.alternate_sign))
        parts = hashing.rows(kernel.pattern, kernel.texts(X), kernel.decode, bool(self.binary), kernel.threads)
        if len(parts[2]) == 1:
            raise OptionError("Cannot vectorize empty sequence.")
        weigh_rows(parts, None, False, self.norm, self.threads)
        return scipy_matrix(parts, int(self.n_features), self._dtype)

    def fit_transform(self, X: Documents, y: object = None) -> csr_matrix:  # noqa: N803
        """The hashed terms: one row per document, ``n_features`` columns.

        Parameters
        ----------
        X, y
            As for `transform` and `fit`.
        """
        return self.fit(X, y).transform(X)

    @property
    def _dtype(self) -> np.dtype[np.generic]:
        """The type of the entries; rows of whole numbers cannot be scaled, so those become float64."""
        asked: np.dtype[np.generic] = np.dtype(self.dtype)
        return asked if self.norm is None or asked in (np.float64, np.float32) else np.dtype(np.float64)
