"""`CountVectorizer`: documents to counts of terms."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from likely.errors import OptionError
from likely.vectorize.drop_in.fitted import Fitted
from likely.vectorize.drop_in.routes import Route, refuse_single_text, route_of
from likely.vectorize.drop_in.rules import TOKEN_PATTERN
from likely.vectorize.drop_in.selection import Selection
from likely.vectorize.drop_in.sparse import csr_matrix

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from likely.vectorize.drop_in.fitted import Ready
    from likely.vectorize.drop_in.sparse import Parts


@dataclass(frozen=True, eq=False)
class Learned:
    """What came of learning from some documents."""

    parts: Parts | None
    occurrences: npt.NDArray[np.int64] | None
    """In how many documents the term of each column occurs, if that matters."""
    total: int
    """How many documents there were."""

    @classmethod
    def of_rows(cls, parts: Parts, columns: int) -> Self:
        """What rows say themselves."""
        return cls(parts, np.bincount(parts[1], minlength=columns), len(parts[2]) - 1)

    @property
    def rows(self) -> Parts:
        """The counts, if they were wanted."""
        if self.parts is None:
            raise LookupError("no rows were wanted")
        return self.parts


class CountVectorizer(Fitted):
    r"""Documents to a sparse matrix of counts, as scikit-learn's class of this name.

    Parameters, attributes and results are those of ``sklearn.feature_extraction.text.CountVectorizer``; what is not
    described here is as there.

    Parameters
    ----------
    input : {'content', 'filename', 'file'}
        What a document is: text or bytes, the name of a file, or a file.
    encoding, decode_error : str
        How bytes are decoded, and what is done where they cannot be: 'strict', 'ignore' or 'replace'.
    strip_accents : {'ascii', 'unicode'}, function or None
        Whether accents are taken off.
    lowercase : bool
        Whether a text is put in lower case first.
    preprocessor, tokenizer : function or None
        Instead of changing the text as above, and of ``token_pattern``. Functions are called one document at a time,
        so they cost what they cost in scikit-learn.
    stop_words : 'english', list or None
        Words to leave out. The English list is scikit-learn's own, which must be installed for it.
    token_pattern : str
        What a token is. The kernel knows runs of word characters (``\b\w+\b``, ``\w\w+`` and so on); other
        patterns are left to Python.
    ngram_range : tuple
        The shortest and the longest n-gram.
    analyzer : {'word', 'char', 'char_wb'} or function
        What n-grams are made of: words, characters, or characters within words.
    max_df, min_df : float or int
        In how many documents a term may and must occur: a share if a float, a number if an int.
    max_features : int or None
        At most so many terms are kept, the most frequent.
    vocabulary : mapping, iterable or None
        Terms and their columns, to count only those.
    binary : bool
        Whether each term counts once a document.
    dtype : type
        Of the matrix.
    threads : int or None
        How many threads work at once, None for one a processor. Not in scikit-learn.

    Attributes
    ----------
    vocabulary_ : dict
        The column of each term; made when first asked for.
    fixed_vocabulary_ : bool
        Whether the terms were given.

    Examples
    --------
    >>> vectorizer = CountVectorizer(ngram_range=(1, 2))
    >>> vectorizer.fit_transform(["So, so good", "good"]).toarray()
    array([[1, 2, 1, 1], [1, 0, 0, 0]])
    >>> vectorizer.get_feature_names_out().tolist()
    ['good', 'so', 'so good', 'so so']
    """

    _weighs: ClassVar[bool] = False
    """Whether it matters in how many documents a term occurs."""

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
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.int64,
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
        self.max_df = max_df
        self.min_df = min_df
        self.max_features = max_features
        self.vocabulary = vocabulary
        self.binary = binary
        self.dtype = dtype
        self.threads = threads

    def fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Learn the terms of documents.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, files or paths, or Arrow data of strings
            The documents, as ``input`` says.
        y : ignored
            As scikit-learn passes it.
        """
        del y
        self._fit(raw_documents, wants_rows=False)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learn the terms of documents, and count them.

        Parameters
        ----------
        raw_documents, y
            As for `fit`.

        Returns
        -------
        scipy.sparse.csr_matrix
            A row a document, a column a term.
        """
        del y
        return self._matrix(self._fit(raw_documents).rows)

    def transform(self, raw_documents: Any) -> Any:
        """Count the known terms of documents.

        Parameters
        ----------
        raw_documents
            As for `fit`.

        Returns
        -------
        scipy.sparse.csr_matrix
            A row a document, a column a term.
        """
        ready: Ready | None = self._ready
        if ready is not None and ready.single is not None:
            matrix = ready.single.matrix(raw_documents)
            if matrix is not None:
                return matrix
        parts = self._rows(raw_documents)
        if len(parts[2]) == 2 and not self._weighs:
            self._ready = self._ready.with_single()
        return self._matrix(parts)

    def partial_fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Learn the terms of more documents. Not in scikit-learn.

        Terms that are new get columns after those that are there, sorted among themselves, so that rows that were
        made before stay right: they only lack the new columns. Nothing is pruned, because what is rare may still
        become frequent: ``min_df``, ``max_df`` and ``max_features`` must be at their defaults.

        Parameters
        ----------
        raw_documents, y
            As for `fit`.

        Examples
        --------
        >>> vectorizer = CountVectorizer().partial_fit(["to be"]).partial_fit(["or not to be", "all"])
        >>> vectorizer.vocabulary_
        {'be': 0, 'to': 1, 'all': 2, 'not': 3, 'or': 4}
        """
        del y
        self._fit_more(raw_documents)
        return self

    @property
    def _selection(self) -> Selection:
        return Selection(self.max_df, self.min_df, self.max_features)

    def _matrix(self, parts: Parts) -> Any:
        ready = self._ready
        return csr_matrix(parts, ready.columns, ready.dtype)

    def _begin(self, documents: Any) -> Route:
        """Check everything that can be checked before the documents are read."""
        refuse_single_text(documents)
        self._check_params()
        self._check_ngram_range()
        self._warn_of_unused()
        self._take_vocabulary()
        if self.fixed_vocabulary_:
            self._warn_of_capitals()
            return self._prepare().route
        return route_of(self, self.threads)

    def _warn_of_capitals(self) -> None:
        if self.lowercase and any(any(map(str.isupper, term)) for term in self.vocabulary_):
            warnings.warn(
                "Upper case characters found in vocabulary while 'lowercase' is True. These entries will not be "
                "matched with any documents",
                stacklevel=4,
            )

    def _fit(self, documents: Any, wants_rows: bool = True) -> Learned:
        """Learn the terms, and count them if rows are wanted."""
        route = self._begin(documents)
        if self.fixed_vocabulary_:
            return Learned.of_rows(self._rows(documents), len(self._lexicon))
        counted = route.count(documents)
        keep = self._selection.keep(counted, self.binary)
        if keep is not None:
            route.select(counted, keep)
        occurrences, total = counted.documents() if self._weighs else None, len(counted)
        is_float = bool(self._counted_as() == np.float64)
        if wants_rows:
            parts, lexicon = counted.take_rows(self.binary, is_float)
        else:
            parts, lexicon = None, counted.take_lexicon()
        self._learned(route, lexicon)
        return Learned(parts, occurrences, total)

    def _fit_more(self, documents: Any) -> Learned:
        """Add terms that are new; in how many of these documents each term occurs is of all columns."""
        if not self._selection.keeps_all or self.vocabulary is not None:
            raise OptionError(
                "partial_fit keeps every term it meets, so leave min_df, max_df, max_features and vocabulary at "
                "their defaults, or use fit"
            )
        route = self._begin(documents)
        counted = route.count(documents)
        occurrences, total = counted.documents(), len(counted)
        if "_lexicon" not in self.__dict__:
            self._learned(route, counted.take_lexicon())
            return Learned(None, occurrences, total)
        lexicon: Any = self._prepare().lexicon
        # Nobody may hold on to the terms while there come more, or they would have to be copied.
        self._vocabulary, self._ready = None, None
        columns = lexicon.extend(counted)
        spread = np.zeros(len(lexicon), dtype=np.int64)
        spread[columns] = occurrences
        return Learned(None, spread, total)
