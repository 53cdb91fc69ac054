"""`TfidfVectorizer`: documents to weights of terms, those in few documents weighing more."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from likely.errors import OptionError
from likely.formulas import inverse_document_frequency
from likely.vectorize.drop_in.count import CountVectorizer
from likely.vectorize.drop_in.fitted import not_fitted
from likely.vectorize.drop_in.rules import TOKEN_PATTERN
from likely.vectorize.drop_in.sparse import csr_matrix, weigh_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.vectorize.drop_in.count import Learned
    from likely.vectorize.drop_in.sparse import Parts


@dataclass(eq=False)
class Weighting:
    """How counts are weighed: the parameters as they were when it was learned, and what was learned."""

    norm: str | None
    use_idf: bool
    smooth_idf: bool
    sublinear_tf: bool
    dtype: np.dtype[Any]
    occurrences: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    total: int = 0
    given: Any = None

    def learn(self, learned: Learned) -> None:
        """Add documents to those that were learned; there may be more terms than before."""
        occurrences = np.array(learned.occurrences, dtype=np.int64)
        occurrences[: len(self.occurrences)] += self.occurrences
        self.occurrences, self.total, self.given = occurrences, self.total + learned.total, None

    @property
    def idf_(self) -> Any:
        """What each column is multiplied by."""
        if not self.use_idf:
            raise AttributeError("there is no idf_ with use_idf=False")
        if self.given is None:
            occurrences = self.occurrences.astype(self.dtype)
            self.given = inverse_document_frequency(occurrences, self.total, smooth=int(self.smooth_idf), lift=1)
        return self.given

    def weigh(self, parts: Parts, threads: int | None) -> None:
        """Weigh counts in place."""
        factors = np.asarray(self.idf_, dtype=np.float64) if self.use_idf else None
        weigh_rows(parts, factors, self.sublinear_tf, self.norm, threads)


class TfidfVectorizer(CountVectorizer):
    """Documents to a sparse matrix of tf-idf weights, as scikit-learn's class of this name.

    Parameters, attributes and results are those of ``sklearn.feature_extraction.text.TfidfVectorizer``: those of
    `CountVectorizer`, and these.

    Parameters
    ----------
    norm : {'l1', 'l2'} or None
        What is made 1 in each row: the sum of its absolute entries, or of their squares.
    use_idf : bool
        Whether terms in few documents weigh more.
    smooth_idf : bool
        Whether one more document is imagined that has every term.
    sublinear_tf : bool
        Whether a count becomes 1 plus its logarithm.
    **others
        As for `CountVectorizer`.

    Attributes
    ----------
    idf_ : array
        What each column is multiplied by.

    Examples
    --------
    >>> vectorizer = TfidfVectorizer()
    >>> vectorizer.fit_transform(["so good", "so bad"]).toarray().round(3)
    array([[0.   , 0.815, 0.58 ], [0.815, 0.   , 0.58 ]])
    >>> vectorizer.idf_.round(3)
    array([1.405, 1.405, 1.   ])
    """

    _weighs: ClassVar[bool] = True
    _tfidf: Weighting

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
        analyzer: str | Callable[[Any], Any] = "word",
        stop_words: Any = None,
        token_pattern: str | None = TOKEN_PATTERN,
        ngram_range: tuple[int, int] = (1, 1),
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.float64,
        norm: str | None = "l2",
        use_idf: bool = True,
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        threads: int | None = None,
    ) -> None:
        super().__init__(
            input=input,
            encoding=encoding,
            decode_error=decode_error,
            strip_accents=strip_accents,
            lowercase=lowercase,
            preprocessor=preprocessor,
            tokenizer=tokenizer,
            stop_words=stop_words,
            token_pattern=token_pattern,
            ngram_range=ngram_range,
            analyzer=analyzer,
            max_df=max_df,
            min_df=min_df,
            max_features=max_features,
            vocabulary=vocabulary,
            binary=binary,
            dtype=dtype,
            threads=threads,
        )
        self.norm = norm
        self.use_idf = use_idf
        self.smooth_idf = smooth_idf
        self.sublinear_tf = sublinear_tf

    @property
    def idf_(self) -> Any:
        """What each column is multiplied by."""
        if "_tfidf" not in self.__dict__:
            raise not_fitted(f"{type(self).__name__} is not fitted yet: call fit before asking for idf_")
        return self._tfidf.idf_

    @idf_.setter
    def idf_(self, value: Any) -> None:
        if not self.use_idf:
            raise OptionError("`idf_` cannot be set when `user_idf=False`.")
        if "_lexicon" not in self.__dict__:
            self._take_vocabulary()
        if "_lexicon" in self.__dict__ and len(self._lexicon) != len(value):
            raise OptionError(f"idf length = {len(value)} must be equal to vocabulary size = {len(self._lexicon)}")
        if "_tfidf" not in self.__dict__:
            self._tfidf = self._weighting()
        self._tfidf.given = value

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

    def _counted_as(self) -> np.dtype[Any]:
        return np.dtype(np.float64)

    def _matrix(self, parts: Parts) -> Any:
        columns = self._ready.columns
        if self._tfidf.use_idf and len(self._tfidf.idf_) != columns:
            raise OptionError(
                f"idf_ is of {len(self._tfidf.idf_)} terms, but vocabulary_ has {columns}: set both, or fit again"
            )
        self._tfidf.weigh(parts, self.threads)
        return csr_matrix(parts, columns, self._tfidf.dtype)

    def _learn(self, learned: Learned) -> None:
        self._tfidf = self._weighting()
        self._tfidf.learn(learned)

    def fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Learn the terms of documents and how much they weigh.

        Parameters
        ----------
        raw_documents, y
            As for `CountVectorizer.fit`.
        """
        del y
        self._warn_of_dtype()
        self._learn(self._fit(raw_documents, wants_rows=False))
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn the terms of documents, and weigh them.

        Parameters
        ----------
        raw_documents, y
            As for `CountVectorizer.fit`.

        Returns
        -------
        scipy.sparse.csr_matrix
            A row a document, a column a term.
        """
        del y
        self._warn_of_dtype()
        learned = self._fit(raw_documents)
        self._learn(learned)
        return self._matrix(learned.rows)

    def transform(self, raw_documents: Any) -> Any:
        """Weigh the known terms of documents.

        Parameters
        ----------
        raw_documents
            As for `CountVectorizer.fit`.

        Returns
        -------
        scipy.sparse.csr_matrix
            A row a document, a column a term.
        """
        if "_tfidf" not in self.__dict__:
            raise not_fitted("The TF-IDF vectorizer is not fitted: call fit first")
        return super().transform(raw_documents)

    def partial_fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Learn from more documents: new terms, and how rare all are by now. Not in scikit-learn.

        Parameters
        ----------
        raw_documents, y
            As for `CountVectorizer.partial_fit`.

        Examples
        --------
        >>> vectorizer = TfidfVectorizer().partial_fit(["to be"]).partial_fit(["not to be", "so"])
        >>> vectorizer.idf_.round(3).tolist()
        [1.288, 1.288, 1.693, 1.693]
        """
        del y
        learned = self._fit_more(raw_documents)
        if "_tfidf" not in self.__dict__:
            self._tfidf = self._weighting()
        self._tfidf.learn(learned)
        return self
