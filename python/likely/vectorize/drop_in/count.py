"""`CountVectorizer`: documents to a sparse matrix of counts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from likely.errors import OptionError
from likely.vectorize.drop_in.engines import engine_for, refuse_single_text
from likely.vectorize.drop_in.parameters import COUNT_DEFAULTS
from likely.vectorize.drop_in.selection import Selection
from likely.vectorize.drop_in.sparse import scipy_matrix
from likely.vectorize.drop_in.vocabulary import VocabularyVectorizer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    import numpy.typing as npt
    from scipy.sparse import csr_matrix

    from likely.types import Documents
    from likely.vectorize.drop_in.engines import Engine
    from likely.vectorize.drop_in.parameters import CountParameters
    from likely.vectorize.drop_in.sparse import Parts


@dataclass(frozen=True, eq=False)
class Learned:
    """What was learned from some documents."""

    parts: Parts | None
    occurrences: npt.NDArray[np.int64] | None
    """The number of documents that the term of each column occurs in, if it is needed."""
    total: int
    """The number of documents."""

    @classmethod
    def of_rows(cls, parts: Parts, columns: int) -> Self:
        """What rows that have been counted say about their documents."""
        return cls(parts, np.bincount(parts[1], minlength=columns), len(parts[2]) - 1)

    @property
    def rows(self) -> Parts:
        """The counts; ``LookupError`` if only the terms were learned."""
        if self.parts is None:
            raise LookupError("no rows were wanted")
        return self.parts


class CountVectorizer(VocabularyVectorizer):
    r"""Documents to a sparse matrix of counts: one row per document, one column per term.

    Parameters, attributes and results are those of ``sklearn.feature_extraction.text.CountVectorizer``; its
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
        tokens, in place of ``token_pattern``. A function is called once per document, so it is as slow as in
        scikit-learn.
    stop_words : 'english', list or None
        Words to leave out. The English list is that of scikit-learn, which must be installed.
    token_pattern : str
        The regular expression that a token matches. The kernel knows runs of word characters (``\b\w+\b``,
        ``\w\w+`` and so on); Python handles other patterns, more slowly.
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

    _defaults: ClassVar[Mapping[str, object]] = COUNT_DEFAULTS
    _weighs: ClassVar[bool] = False
    """Whether the number of documents that a term occurs in is needed."""

    max_df: float
    min_df: float
    max_features: int | None

    def __init__(self, **params: Unpack[CountParameters]) -> None:
        self._take(params)

    def fit(self, raw_documents: Documents, y: object = None) -> Self:
        """Learn the terms of documents.

        Parameters
        ----------
        raw_documents : iterable of str, bytes, files or paths, or Arrow data of strings
            The documents, as ``input`` says.
        y : ignored
            Accepted because scikit-learn passes it.
        """
        del y
        self._fit(raw_documents, wants_rows=False)
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
        del y
        return self._matrix(self._fit(raw_documents).rows)

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
        ready = self._ready
        if ready is not None and ready.single is not None:
            matrix = ready.single.matrix(raw_documents)
            if matrix is not None:
                return matrix
        parts = self._rows(raw_documents)
        if len(parts[2]) == 2 and not self._weighs:
            self._ready = self._now_ready().with_single()
        return self._matrix(parts)

    def partial_fit(self, raw_documents: Documents, y: object = None) -> Self:
        """Learn the terms of more documents. Not in scikit-learn.

        New terms get the columns after the existing ones, sorted among themselves. Rows that were made before stay
        right: they only lack the new columns. No term is left out, because a rare term may become frequent later:
        ``min_df``, ``max_df`` and ``max_features`` must have their default values.

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

    def _matrix(self, parts: Parts) -> csr_matrix:
        ready = self._now_ready()
        return scipy_matrix(parts, ready.columns, ready.dtype)

    def _begin(self, documents: Documents) -> Engine:
        """Check all that can be checked before the documents are read; the result is what will count them."""
        refuse_single_text(documents)
        self._check_params()
        self._check_ngram_range()
        self._warn_of_unused()
        self._take_vocabulary()
        if self.fixed_vocabulary_:
            self._warn_of_capitals()
            return self._prepare().engine
        return engine_for(self, self.threads)

    def _warn_of_capitals(self) -> None:
        if self.lowercase and any(any(map(str.isupper, term)) for term in self.vocabulary_):
            warnings.warn(
                "Upper case characters found in vocabulary while 'lowercase' is True. These entries will not be "
                "matched with any documents",
                stacklevel=4,
            )

    def _fit(self, documents: Documents, wants_rows: bool = True) -> Learned:
        """Learn the terms of documents, and count them if rows are wanted."""
        engine = self._begin(documents)
        if self.fixed_vocabulary_:
            return Learned.of_rows(self._rows(documents), len(self._lexicon))
        counted = engine.count(documents)
        keep = self._selection.keep(counted, self.binary)
        if keep is not None:
            engine.select(counted, keep)
        occurrences, total = counted.documents() if self._weighs else None, len(counted)
        is_float = bool(self._counted_as() == np.float64)
        if not wants_rows:
            self._set_learned(engine, counted.take_lexicon())
            return Learned(None, occurrences, total)
        parts, lexicon = counted.take_rows(self.binary, is_float)
        self._set_learned(engine, lexicon)
        return Learned(parts, occurrences, total)

    def _fit_more(self, documents: Documents) -> Learned:
        """Add the new terms of documents; the result has the document frequencies of all columns."""
        if not self._selection.keeps_all or self.vocabulary is not None:
            raise OptionError(
                "partial_fit keeps every term it meets, so leave min_df, max_df, max_features and vocabulary at "
                "their defaults, or use fit"
            )
        engine = self._begin(documents)
        counted = engine.count(documents)
        occurrences, total = counted.documents(), len(counted)
        if "_lexicon" not in self.__dict__:
            self._set_learned(engine, counted.take_lexicon())
            return Learned(None, occurrences, total)
        lexicon = self._prepare().lexicon
        # The kernel adds to the terms in place if nothing else refers to them; else it has to copy them.
        self._vocabulary, self._ready = None, None
        columns = engine.extend(lexicon, counted)
        spread = np.zeros(len(lexicon), dtype=np.int64)
        spread[columns] = occurrences
        return Learned(None, spread, total)
