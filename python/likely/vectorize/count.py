"""`CountVectorizer`: documents to a sparse matrix of counts, with a column for each term of a vocabulary."""

# ruff: noqa: RUF009 - `parameter` makes a field

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self, cast

import numpy as np

from likely import _native
from likely.errors import NotFittedError, OptionError
from likely.options.kinds import is_whole, whole
from likely.vectorize.matrix import MatrixParts, parts_of, scipy_matrix
from likely.vectorize.terms import (
    FREQUENCY,
    TERMS,
    Kernel,
    TermVectorizer,
    Vocabulary,
    for_scikit_learn,
    parameter,
    refuse_single_text,
)

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer as TheirCountVectorizer

    from likely.types import Documents, Mask


class Ready(NamedTuple):
    """All that is needed to make rows with the parameters as they are now."""

    kernel: Kernel | None
    """None if scikit-learn counts."""
    lexicon: _native.Lexicon | list[str]
    columns: int
    binary: bool
    dtype: np.dtype[np.generic]
    is_float: bool


def not_fitted(message: str) -> NotFittedError:
    """A ``NotFittedError`` that is also one of scikit-learn's, if scikit-learn is in use."""
    theirs = sys.modules.get("sklearn.exceptions")
    if theirs is None:
        return NotFittedError(message)
    both: type[NotFittedError] = type("NotFittedError", (NotFittedError, theirs.NotFittedError), {})
    return both(message)


class VocabularyVectorizer(TermVectorizer):
    """A vectorizer whose columns are terms, which were learned or given."""

    _theirs = "CountVectorizer"
    vocabulary: Vocabulary
    fixed_vocabulary_: bool
    _lexicon: _native.Lexicon | list[str]
    _key: object = None
    """The key of the kernel that the lexicon is for."""
    _vocabulary: dict[str, int] | None = None

    @property
    def vocabulary_(self) -> dict[str, int]:
        """The column of each term."""
        if "_lexicon" not in self.__dict__:
            raise not_fitted("Vocabulary not fitted or provided")
        if self._vocabulary is None:
            self._vocabulary = {term: column for column, term in enumerate(self._terms())}
        return self._vocabulary

    @vocabulary_.setter
    def vocabulary_(self, columns: Mapping[str, int]) -> None:
        self._lexicon = sorted(columns, key=columns.__getitem__)
        self._key, self._ready = None, None
        self._vocabulary = dict(columns)

    def __sklearn_is_fitted__(self) -> bool:
        return "_lexicon" in self.__dict__

    def __getstate__(self) -> dict[str, object]:
        state = super().__getstate__() | {"_vocabulary": None, "_key": None}
        return state | ({"_lexicon": self._terms()} if "_lexicon" in state else {})

    def _terms(self) -> list[str]:
        """The terms in the order of their columns."""
        return self._lexicon if isinstance(self._lexicon, list) else self._lexicon.terms()

    def _take_vocabulary(self) -> None:
        """Use the terms that were given as ``vocabulary``, if any were."""
        self.fixed_vocabulary_ = self.vocabulary is not None
        if self.vocabulary is None:
            return
        columns = _columns_of(self.vocabulary)
        if not columns:
            raise OptionError("empty vocabulary passed to fit")
        self.vocabulary_ = columns

    def _require_terms(self) -> None:
        if "_lexicon" not in self.__dict__:
            self._take_vocabulary()
            if not self.fixed_vocabulary_:
                raise not_fitted("Vocabulary not fitted or provided: call fit first, or give a vocabulary")
        if not len(self._lexicon):
            raise OptionError("Vocabulary is empty")

    def _set_learned(self, kernel: Kernel, lexicon: _native.Lexicon) -> None:
        self._lexicon, self._key, self._vocabulary = lexicon, kernel.key, None
        self._make_ready(kernel)

    def _make_ready(self, kernel: Kernel | None) -> Ready:
        dtype = self._counted_as()
        columns, is_float = len(self._lexicon), bool(dtype == np.float64)
        ready = Ready(kernel, self._lexicon, columns, bool(self.binary), dtype, is_float)
        self._ready = ready
        return ready

    def _counted_as(self) -> np.dtype[np.generic]:
        """The type of the counts."""
        return np.dtype(self.dtype)

    def _prepare(self) -> Ready:
        """All that is needed to make rows, made anew for the parameters as they are now."""
        self._require_terms()
        kernel = self._kernel()
        if kernel is not None and (isinstance(self._lexicon, list) or self._key != kernel.key):
            terms = self._terms()
            if all(isinstance(term, str) for term in terms):
                self._lexicon, self._key = _native.Lexicon(kernel.pattern, terms), kernel.key
            else:
                kernel = None
        return self._make_ready(kernel)

    def _now_ready(self) -> Ready:
        return self._ready or self._prepare()

    def _counter(self) -> TheirCountVectorizer:
        """scikit-learn's `CountVectorizer` with these parameters."""
        return cast("TheirCountVectorizer", self._scikit_learn().set_params(dtype=self._counted_as()))

    def _rows(self, documents: Documents) -> MatrixParts:
        """One row per document, with the counts of the known terms."""
        refuse_single_text(documents)
        ready = self._now_ready()
        kernel = ready.kernel
        if kernel is None:
            theirs = self._counter()
            theirs.vocabulary_ = self.vocabulary_
            return parts_of(theirs.transform(for_scikit_learn(documents)))
        # One text takes microseconds, so the usual case, a list, is decided here and at once.
        texts = documents if type(documents) is list and not kernel.reads_files else kernel.texts(documents)
        native: _native.Lexicon = ready.lexicon  # type: ignore[assignment]
        return native.rows(kernel.pattern, texts, kernel.decode, ready.binary, ready.is_float, kernel.threads)

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """The terms in the order of their columns.

        Parameters
        ----------
        input_features : ignored
            Accepted because scikit-learn passes it.
        """
        self._require_terms()
        return np.array(self._terms(), dtype=object)

    def inverse_transform(self, X: csr_matrix | npt.ArrayLike) -> list[npt.NDArray[np.generic]]:  # noqa: N803
        """The terms of each row of a matrix: one array of terms per row.

        Parameters
        ----------
        X : sparse matrix or array
            As `transform` returns it.
        """
        self._require_terms()
        terms = np.array(self._terms())
        if not hasattr(X, "tocsr"):
            return [terms[np.flatnonzero(row)] for row in np.asarray(X)]
        matrix = X.tocsr()
        bounds = zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
        slices = [slice(start, end) for start, end in bounds]
        return [terms[matrix.indices[row][matrix.data[row] != 0]] for row in slices]


def _columns_of(vocabulary: Mapping[str, int] | Iterable[object]) -> dict[str, int]:
    """The column of each given term; the columns must be 0, 1, 2 and so on."""
    if isinstance(vocabulary, Mapping):
        columns = dict(vocabulary)
        taken = set(columns.values())
        if len(taken) != len(columns):
            raise OptionError("Vocabulary contains repeated indices.")
        missing = next((column for column in range(len(columns)) if column not in taken), None)
        if missing is not None:
            raise OptionError(f"Vocabulary of size {len(columns)} doesn't contain index {missing}.")
        return columns
    columns = {}
    terms = cast("Iterable[str]", vocabulary)
    for column, term in enumerate(sorted(terms) if isinstance(vocabulary, set) else terms):
        if columns.setdefault(term, column) != column:
            raise OptionError(f"Duplicate term in vocabulary: {term!r}")
    return columns


@dataclass(frozen=True, eq=False)
class LearnedTerms:
    """What was learned from some documents."""

    rows: MatrixParts | None
    """The counts; None if only the terms were learned."""
    occurrences: npt.NDArray[np.int64] | None
    """The number of documents that the term of each column occurs in, if it is needed."""
    total: int
    """The number of documents."""

    @classmethod
    def of_rows(cls, parts: MatrixParts, columns: int) -> Self:
        """What rows that have been counted say about their documents."""
        return cls(parts, np.bincount(parts[1], minlength=columns), len(parts[2]) - 1)


@dataclass(kw_only=True, eq=False, repr=False)
class CountVectorizer(VocabularyVectorizer):
    r"""Documents to a sparse matrix of counts: one row per document, one column per term.

    Parameters, attributes and results match ``sklearn.feature_extraction.text.CountVectorizer``; its
    documentation says what is not described here.

    Parameters
    ----------
    input : {'content', 'filename', 'file'}
        What a document is: a text or bytes, the name of a file, or a file.
    encoding, decode_error : str
        How bytes are decoded, and what happens if they cannot be: 'strict', 'ignore' or 'replace'.
    strip_accents : {'ascii', 'unicode'}, function or None
        How accents are removed; None keeps them.
    lowercase : bool
        Whether texts are lower-cased first.
    preprocessor, tokenizer : function or None
        A function that changes a text, in place of the two parameters above; a function that cuts a text into
        tokens, in place of ``token_pattern``. With a function, scikit-learn counts, and must be installed.
    stop_words : 'english', list or None
        Words to leave out. The English list is scikit-learn's, which must be installed.
    token_pattern : str
        The regular expression that a token matches. The kernel knows runs of word characters (``\b\w+\b``,
        ``\w\w+`` and so on); with another pattern, scikit-learn counts.
    ngram_range : tuple
        The lengths of the shortest and the longest n-gram.
    analyzer : {'word', 'char', 'char_wb'} or function
        What n-grams are made of: words, characters, or characters within words. A function returns the terms of
        a document.
    max_df, min_df : float or int
        A term is kept if it occurs in at most, and at least, this many documents: a float is a share of the
        documents, an int a number.
    max_features : int or None
        At most this many terms are kept, the most frequent ones.
    vocabulary : mapping, iterable or None
        The only terms to count; a mapping says the column of each.
    binary : bool
        Whether every entry that is not 0 is 1.
    dtype : type
        The type of the entries.
    threads : int or None
        The number of threads; None for one per processor. Not in scikit-learn.

    Attributes
    ----------
    vocabulary_ : dict
        The column of each term. The dictionary is made when it is first asked for.
    fixed_vocabulary_ : bool
        Whether the terms were given as ``vocabulary``.

    Examples
    --------
    >>> vectorizer = CountVectorizer(ngram_range=(1, 2))
    >>> vectorizer.fit_transform(["So, so good", "good"]).toarray()
    array([[1, 2, 1, 1], [1, 0, 0, 0]])
    >>> vectorizer.get_feature_names_out().tolist()
    ['good', 'so', 'so good', 'so so']
    """

    _weighs: ClassVar[bool] = False
    """Whether the number of documents that a term occurs in is needed."""

    dtype: npt.DTypeLike = parameter(np.int64)
    max_df: float = parameter(1.0, FREQUENCY)
    min_df: float = parameter(1, FREQUENCY)
    max_features: int | None = parameter(None, whole(1, none="all"))
    vocabulary: Vocabulary = parameter(None, TERMS)

    def fit(self, raw_documents: Documents, y: object = None) -> Self:
        """Learn the terms of documents.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, files or paths, or Arrow data of strings
            The documents, as ``input`` says.
        y : ignored
            Accepted because scikit-learn passes it.
        """
        self._learn(self._fit(raw_documents, wants_rows=False))
        return self

    def fit_transform(self, raw_documents: Documents, y: object = None) -> csr_matrix:
        """Learn the terms of documents, and count them: one row per document, one column per term.

        Parameters
        ----------
        raw_documents, y
            As for `fit`.

        Returns
        -------
        scipy.sparse.csr_matrix
            One row per document, one column per term.
        """
        learned = self._fit(raw_documents)
        self._learn(learned)
        return self._matrix(cast("MatrixParts", learned.rows))

    def transform(self, raw_documents: Documents) -> csr_matrix:
        """The counts of the known terms: one row per document, one column per term.

        Parameters
        ----------
        raw_documents
            As for `fit`.

        Returns
        -------
        scipy.sparse.csr_matrix
            One row per document, one column per term.
        """
        return self._matrix(self._rows(raw_documents))

    def _learn(self, learned: LearnedTerms) -> None:
        """Learn the weights of terms, if there are any."""

    def _matrix(self, parts: MatrixParts) -> csr_matrix:
        ready = self._now_ready()
        return scipy_matrix(parts, ready.columns, ready.dtype)

    def _begin(self, documents: Documents) -> Kernel | None:
        """Check all that can be checked before the documents are read; the result is what will count them."""
        refuse_single_text(documents)
        self._check()
        self._take_vocabulary()
        if not self.fixed_vocabulary_:
            return self._kernel()
        kernel = self._prepare().kernel
        # With capitals that can never match, scikit-learn counts, because it warns of them.
        is_odd = kernel is not None and self.lowercase and any(any(map(str.isupper, t)) for t in self.vocabulary_)
        return None if is_odd else kernel

    def _fit(self, documents: Documents, wants_rows: bool = True) -> LearnedTerms:
        """Learn the terms of documents, and count them if rows are wanted."""
        kernel = self._begin(documents)
        if kernel is None:
            theirs = self._counter()
            parts = parts_of(theirs.fit_transform(for_scikit_learn(documents)))
            self.vocabulary_ = theirs.vocabulary_
            self._vocabulary = None  # it is made anew, in the order of the columns
            return LearnedTerms.of_rows(parts, len(self._lexicon))
        if self.fixed_vocabulary_:
            return LearnedTerms.of_rows(self._rows(documents), len(self._lexicon))
        counted = _native.count_terms(kernel.pattern, kernel.texts(documents), kernel.decode, kernel.threads)
        keep = self._kept(counted)
        if keep is not None:
            counted.select(kernel.pattern, keep)
        occurrences, total = counted.documents() if self._weighs else None, len(counted)
        if not wants_rows:
            self._set_learned(kernel, counted.take_lexicon())
            return LearnedTerms(None, occurrences, total)
        found, lexicon = counted.take_rows(self.binary, bool(self._counted_as() == np.float64))
        self._set_learned(kernel, lexicon)
        return LearnedTerms(found, occurrences, total)

    def _kept(self, counted: _native.Counted) -> Mask | None:
        """Which columns to keep, True or False per column; None for all of them."""
        documents = counted.documents()
        if not len(documents):
            raise OptionError("empty vocabulary; perhaps the documents only contain stop words")
        most = self.max_df if is_whole(self.max_df) else self.max_df * len(counted)
        least = self.min_df if is_whole(self.min_df) else self.min_df * len(counted)
        if most < least:
            raise OptionError(
                f"max_df corresponds to < documents than min_df: {self.max_df!r} is at most {most:g} of "
                f"{len(counted)} documents, {self.min_df!r} at least {least:g}"
            )
        keep = (documents <= most) & (documents >= least)
        if self.max_features is not None and keep.sum() > self.max_features:
            columns, totals = np.flatnonzero(keep), documents if self.binary else counted.totals()
            # numpy's default sort decides between equally frequent terms, as it does in scikit-learn.
            best = (-totals[columns]).argsort()[: self.max_features]
            keep = np.zeros(len(keep), dtype=bool)
            keep[columns[best]] = True
        if not keep.any():
            raise OptionError("After pruning, no terms remain. Try a lower min_df or a higher max_df.")
        return None if keep.all() else keep
