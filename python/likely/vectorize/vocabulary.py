"""A vectorizer with a vocabulary: terms and their columns, which stay in the kernel until somebody asks for them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from likely import _native
from likely.errors import NotFittedError, OptionError
from likely.vectorize.matrix import MatrixParts, parts_of
from likely.vectorize.terms import Kernel, TermVectorizer, for_scikit_learn, refuse_single_text

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer

    from likely.types import Documents
    from likely.vectorize.parameters import Vocabulary


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

    def _counter(self) -> CountVectorizer:
        """scikit-learn's `CountVectorizer` with these parameters."""
        return cast("CountVectorizer", self._scikit_learn().set_params(dtype=self._counted_as()))

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
        del input_features
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
