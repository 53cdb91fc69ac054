"""What a vectorizer has learned: terms and their columns, in the kernel until somebody wants to see them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from likely import _native
from likely.errors import NotFittedError, OptionError
from likely.vectorize.drop_in.plain import PlainLexicon
from likely.vectorize.drop_in.routes import NativeRoute, PlainRoute, Spelled, refuse_single_text, route_of
from likely.vectorize.drop_in.rules import Rules
from likely.vectorize.drop_in.sparse import empty_row

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.vectorize.drop_in.routes import Lexicon, Route
    from likely.vectorize.drop_in.sparse import Parts


class Ready(NamedTuple):
    """What rows are made with, as the parameters are now."""

    route: Route
    lexicon: Lexicon
    columns: int
    binary: bool
    dtype: np.dtype[Any]
    is_float: bool
    single: _native.Single | None = None
    """What counts one text at a time, once there was one."""

    def with_single(self) -> Ready:
        """The same with what counts one text at a time, if the kernel can make the whole matrix."""
        is_whole = self.is_float or self.dtype == np.int64
        if not isinstance(self.route, NativeRoute) or self.route.reads_files or not is_whole:
            return self
        pattern, lexicon = self.route.pattern, self.lexicon
        made = _native.Single(lexicon, pattern, self.binary, self.is_float, *empty_row(self.columns))  # type: ignore[arg-type]
        return self._replace(single=made)


def not_fitted(message: str) -> NotFittedError:
    """An error that scikit-learn's callers catch too, if scikit-learn is in use."""
    theirs = sys.modules.get("sklearn.exceptions")
    if theirs is None:
        return NotFittedError(message)
    both: type[NotFittedError] = type("NotFittedError", (NotFittedError, theirs.NotFittedError), {})
    return both(message)


class Fitted(Rules):
    """Rules, and the terms that were learned or given."""

    vocabulary: Any
    binary: bool
    dtype: Any
    threads: int | None
    fixed_vocabulary_: bool
    _lexicon: Lexicon
    _key: object = None
    """The key of the route that the lexicon is for, None if it is for none."""
    _vocabulary: dict[Any, int] | None = None

    @property
    def vocabulary_(self) -> dict[Any, int]:
        """The column of each term."""
        if "_lexicon" not in self.__dict__:
            raise not_fitted("Vocabulary not fitted or provided")
        if self._vocabulary is None:
            self._vocabulary = {term: column for column, term in enumerate(self._lexicon.terms())}
        return self._vocabulary

    @vocabulary_.setter
    def vocabulary_(self, columns: Mapping[Any, int]) -> None:
        self._lexicon = PlainLexicon(sorted(columns, key=columns.__getitem__))
        self._key, self._ready = None, None
        self._vocabulary = dict(columns)

    def __sklearn_is_fitted__(self) -> bool:
        return "_lexicon" in self.__dict__

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__() | {"_vocabulary": None, "_key": None}
        if isinstance(state.get("_lexicon"), _native.Lexicon):
            state["_lexicon"] = Spelled(*state["_lexicon"].spelled())
        return state

    def _take_vocabulary(self) -> None:
        """Take the terms that were given, if any were."""
        self.fixed_vocabulary_ = self.vocabulary is not None
        if not self.fixed_vocabulary_:
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

    def _learned(self, route: Route, lexicon: Lexicon) -> None:
        self._lexicon, self._key, self._vocabulary = lexicon, route.key, None
        self._make_ready(route)

    def _make_ready(self, route: Route) -> Ready:
        dtype = self._counted_as()
        columns, is_float = len(self._lexicon), bool(dtype == np.float64)
        ready = Ready(route, self._lexicon, columns, bool(self.binary), dtype, is_float)
        self._ready = ready
        return ready

    def _counted_as(self) -> np.dtype[Any]:
        """The type of the counts."""
        dtype: np.dtype[Any] = np.dtype(self.dtype)
        return dtype

    def _prepare(self) -> Ready:
        """The route for the parameters as they are now, and the terms for it."""
        self._require_terms()
        route = route_of(self, self.threads)
        if self._key != route.key:
            if not isinstance(self._lexicon, Spelled | _native.Lexicon) and not _are_texts(self._lexicon):
                route = PlainRoute(self.build_analyzer())
            self._lexicon, self._key = route.adopt(self._lexicon), route.key
        return self._make_ready(route)

    def _rows(self, documents: Any) -> Parts:
        """Documents as rows of the known terms."""
        refuse_single_text(documents)
        ready: Ready = self._ready or self._prepare()
        return ready.route.rows(ready.lexicon, documents, ready.binary, ready.is_float)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """The terms in the order of their columns.

        Parameters
        ----------
        input_features : ignored
            As scikit-learn passes it.
        """
        del input_features
        self._require_terms()
        return np.array(self._lexicon.terms(), dtype=object)

    def inverse_transform(self, X: Any) -> list[npt.NDArray[Any]]:  # noqa: N803
        """For each row of a matrix, the terms that are in it.

        Parameters
        ----------
        X : sparse matrix or array
            As `transform` gives it.
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
    return all(isinstance(term, str) for term in lexicon.terms())


def _columns_of(vocabulary: Any) -> dict[Any, int]:
    """The terms that were given and their columns, which must be 0, 1, and so on."""
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
    for column, term in enumerate(sorted(vocabulary) if isinstance(vocabulary, set) else vocabulary):
        if columns.setdefault(term, column) != column:
            raise OptionError(f"Duplicate term in vocabulary: {term!r}")
    return columns
