"""`HashingVectorizer`: documents to counts of hashed terms, with nothing to learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from likely.errors import OptionError
from likely.vectorize.drop_in.routes import refuse_single_text, route_of
from likely.vectorize.drop_in.rules import TOKEN_PATTERN, Rules
from likely.vectorize.drop_in.sparse import csr_matrix, weigh_rows

if TYPE_CHECKING:
    from collections.abc import Callable


class HashingVectorizer(Rules):
    """Documents to a sparse matrix of hashed terms, as scikit-learn's class of this name.

    Parameters and results are those of ``sklearn.feature_extraction.text.HashingVectorizer``: those of
    `CountVectorizer` that decide which terms a document has, and these. The hash is MurmurHash3.

    Parameters
    ----------
    n_features : int
        How many columns there are.
    binary : bool
        Whether all entries are 1.
    norm : {'l1', 'l2'} or None
        What is made 1 in each row: the sum of its absolute entries, or of their squares.
    alternate_sign : bool
        Whether half of the terms count negatively, so that those that share a column cancel out on average.
    dtype : type
        Of the matrix.
    **others
        As for `CountVectorizer`.

    Examples
    --------
    >>> vectorizer = HashingVectorizer(n_features=8, norm=None)
    >>> vectorizer.transform(["so so good", "bad"]).toarray()
    array([[0., 3., 0., 0., 0., 0., 0., 0.], [0., 0., 0., 1., 0., 0., 0., 0.]])
    """

    _requires_fit: ClassVar[bool] = False

    def __init__(  # noqa: PLR0913 - scikit-learn's parameters
        self,
        *,
        input: str = "content",  # noqa: A002
        encoding: str = "utf-8",
        decode_error: str = "strict",
        strip_accents: str | Callable[[str], str] | None = None,
        lowercase: bool = True,
        preprocessor: Callable[[Any], Any] | None = None,
        tokenizer: Callable[[Any], Any] | None = None,
        stop_words: Any = None,
        token_pattern: str | None = TOKEN_PATTERN,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: str | Callable[[Any], Any] = "word",
        n_features: int = 2**20,
        binary: bool = False,
        norm: str | None = "l2",
        alternate_sign: bool = True,
        dtype: Any = np.float64,
        threads: int | None = None,
    ) -> None:
        self.input = input
        self.encoding = encoding
        self.decode_error = decode_error
        self.strip_accents = strip_accents
        self.lowercase = lowercase
        self.preprocessor = preprocessor
        self.tokenizer = tokenizer
        self.stop_words = stop_words
        self.token_pattern = token_pattern
        self.ngram_range = ngram_range
        self.analyzer = analyzer
        self.n_features = n_features
        self.binary = binary
        self.norm = norm
        self.alternate_sign = alternate_sign
        self.dtype = dtype
        self.threads = threads

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803
        """Check the parameters: there is nothing to learn.

        Parameters
        ----------
        X, y
            As scikit-learn passes them.
        """
        del y
        refuse_single_text(X)
        self._check_params()
        self._check_ngram_range()
        self._warn_of_unused()
        return self

    def partial_fit(self, X: Any = None, y: Any = None) -> Self:  # noqa: N803
        """Check the parameters: there is nothing to learn.

        Parameters
        ----------
        X, y
            As scikit-learn passes them.
        """
        del X, y
        self._check_params()
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Hash the terms of documents.

        Parameters
        ----------
        X : iterable of str, bytes, files or paths, or Arrow data of strings
            The documents, as ``input`` says.

        Returns
        -------
        scipy.sparse.csr_matrix
            A row a document.
        """
        refuse_single_text(X)
        route = self._ready
        if route is None:
            self._check_params()
            self._check_ngram_range()
            route = self._ready = route_of(self, self.threads)
        parts = route.hash_rows(X, self.n_features, bool(self.alternate_sign), bool(self.binary))
        if len(parts[2]) == 1:
            raise OptionError("Cannot vectorize empty sequence.")
        weigh_rows(parts, None, False, self.norm, self.threads)
        return csr_matrix(parts, int(self.n_features), self._dtype)

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        """Hash the terms of documents.

        Parameters
        ----------
        X, y
            As for `transform` and `fit`.
        """
        return self.fit(X, y).transform(X)

    @property
    def _dtype(self) -> np.dtype[Any]:
        """What is asked for; whole numbers cannot be brought to a length."""
        asked = np.dtype(self.dtype)
        return asked if self.norm is None or asked in (np.float64, np.float32) else np.dtype(np.float64)
