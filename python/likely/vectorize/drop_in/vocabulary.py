"""A vectorizer with a vocabulary: terms and their columns, which stay in the kernel until somebody asks for them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from likely import _native
from likely.errors import NotFittedError, OptionError
from likely.vectorize.drop_in.engines import (
    NativeEngine,
    PickledLexicon,
    PythonEngine,
    engine_for,
    refuse_single_text,
)
from likely.vectorize.drop_in.python_counting import PythonLexicon
from likely.vectorize.drop_in.sparse import empty_row
from likely.vectorize.drop_in.term_rules import TermRules

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt
    from scipy.sparse import csr_matrix

    from likely.types import Documents
    from likely.vectorize.drop_in.engines import Engine, Lexicon
    from likely.vectorize.drop_in.parameters import Vocabulary
    from likely.vectorize.drop_in.sparse import Parts


class Ready(NamedTuple):
    """All that is needed to make rows with the parameters as they are now."""

    engine: Engine
    lexicon: Lexicon
    columns: int
    binary: bool
    dtype: np.dtype[np.generic]
    is_float: bool
    single: _native.Single | None = None
    """Makes the matrix of a single text; it exists once there was such a text."""

    def with_single(self) -> Ready:
        """The same, ready for single texts, if the kernel can make their matrices as a whole."""
        is_whole = self.is_float or self.dtype == np.int64
        if not isinstance(self.engine, NativeEngine) or self.engine.reads_files or not is_whole:
            return self
        pattern, lexicon = self.engine.pattern, cast("_native.Lexicon", self.lexicon)
        made = _native.Single(lexicon, pattern, self.binary, self.is_float, *empty_row(self.columns))
        return self._replace(single=made)


def not_fitted(message: str) -> NotFittedError:
    """A ``NotFittedError`` that is also one of scikit-learn's, if scikit-learn is in use."""
    theirs = sys.modules.get("sklearn.exceptions")
    if theirs is None:
        return NotFittedError(message)
    both: type[NotFittedError] = type("NotFittedError", (NotFittedError, theirs.NotFittedError), {})
    return both(message)


class VocabularyVectorizer(TermRules):
    """A vectorizer whose columns are terms, which were learned or given."""

    vocabulary: Vocabulary
    binary: bool
    dtype: npt.DTypeLike
    threads: int | None
    fixed_vocabulary_: bool
    _ready: Ready | None
    _lexicon: Lexicon
    _key: object = None
    """The key of the engine that the lexicon is for; None if it is for no engine yet."""
    _vocabulary: dict[str, int] | None = None

    @property
    def vocabulary_(self) -> dict[str, int]:
        """The column of each term."""
        if "_lexicon" not in self.__dict__:
            raise not_fitted("Vocabulary not fitted or provided")
        if self._vocabulary is None:
            self._vocabulary = {term: column for column, term in enumerate(self._lexicon.terms())}
        return self._vocabulary

    @vocabulary_.setter
    def vocabulary_(self, columns: Mapping[str, int]) -> None:
        self._lexicon = PythonLexicon(sorted(columns, key=columns.__getitem__))
        self._key, self._ready = None, None
        self._vocabulary = dict(columns)

    def __sklearn_is_fitted__(self) -> bool:
        return "_lexicon" in self.__dict__

    def __getstate__(self) -> dict[str, object]:
        state = super().__getstate__() | {"_vocabulary": None, "_key": None}
        if isinstance(lexicon := state.get("_lexicon"), _native.Lexicon):
            state["_lexicon"] = PickledLexicon(*lexicon.spelled())
        return state

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

    def _set_learned(self, engine: Engine, lexicon: Lexicon) -> None:
        self._lexicon, self._key, self._vocabulary = lexicon, engine.key, None
        self._make_ready(engine)

    def _make_ready(self, engine: Engine) -> Ready:
        dtype = self._counted_as()
        columns, is_float = len(self._lexicon), bool(dtype == np.float64)
        ready = Ready(engine, self._lexicon, columns, bool(self.binary), dtype, is_float)
        self._ready = ready
        return ready

    def _counted_as(self) -> np.dtype[np.generic]:
        """The type of the counts."""
        return np.dtype(self.dtype)

    def _prepare(self) -> Ready:
        """All that is needed to make rows, made anew for the parameters as they are now."""
        self._require_terms()
        engine = engine_for(self, self.threads)
        if self._key != engine.key:
            if not isinstance(self._lexicon, PickledLexicon | _native.Lexicon) and not _are_texts(self._lexicon):
                engine = PythonEngine(self.build_analyzer())
            self._lexicon, self._key = engine.adopt(self._lexicon), engine.key
        return self._make_ready(engine)

    def _now_ready(self) -> Ready:
        return self._ready or self._prepare()

    def _rows(self, documents: Documents) -> Parts:
        """One row per document, with the counts of the known terms."""
        refuse_single_text(documents)
        ready = self._now_ready()
        return ready.engine.rows(ready.lexicon, documents, ready.binary, ready.is_float)

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """The terms in the order of their columns.

        Parameters
        ----------
        input_features : ignored
            Accepted because scikit-learn passes it.
        """
        del input_features
        self._require_terms()
        return np.array(self._lexicon.terms(), dtype=object)

    def inverse_transform(self, X: csr_matrix | npt.ArrayLike) -> list[npt.NDArray[np.generic]]:  # noqa: N803
        """The terms of each row of a matrix: one array of terms per row.

        Parameters
        ----------
        X : sparse matrix or array
            As `transform` returns it.
        """
        self._require_terms()
        terms = np.array(self._lexicon.terms())
        if not hasattr(X, "tocsr"):
            return [terms[np.flatnonzero(row)] for row in np.asarray(X)]
        matrix = X.tocsr()
        bounds = zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
        slices = [slice(start, end) for start, end in bounds]
        return [terms[matrix.indices[row][matrix.data[row] != 0]] for row in slices]


def _are_texts(lexicon: Lexicon) -> bool:
    """Whether all terms are strings, which those of a function of the user need not be."""
    terms: list[str] | list[object] = lexicon.terms()
    return all(isinstance(term, str) for term in terms)


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
