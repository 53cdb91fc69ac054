"""`Counts`: terms and labels, counted. They add and subtract exactly; all else follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import ArgumentError, MismatchError, NotAdditiveError, NotLearnedError
from likely.extras import extra
from likely.labels import ClassPlaces, LabelIndex, label_array

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.core.analyzer import Analyzer
    from likely.core.manifest import Parts
    from likely.reading.rows import Batches, Labelled
    from likely.types import Array, Ids, Label, LabelArray, Mask, Places, Starts, Texts


Exact: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]
"""Exact numbers: the whole part of each, and its fraction in units of 2^-64."""


def arrow_labels(labels: Sequence[Label]) -> pa.Array:
    """Labels of one type as an Arrow array.

    Examples
    --------
    >>> str(arrow_labels([True, False]).type), str(arrow_labels([]).type)
    ('bool', 'string')
    """
    pa = extra("pyarrow", "An Arrow array of labels")
    kinds = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    return pa.array(labels, kinds[type(labels[0])] if labels else pa.string())


def whole_if_exact(values: Array) -> Array | npt.NDArray[np.int64]:
    """Counts as integers if all of them are whole numbers, else unchanged."""
    if not (np.abs(values) < 2.0**63).all():
        return values
    whole = values.astype(np.int64)
    return whole if (whole == values).all() else values


T = TypeVar("T", bound=np.generic)
R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class Ragged:
    """Rows of different lengths: the entries of row ``r`` are those from ``starts[r]`` up to ``starts[r + 1]``.

    Tables with columns derive from it: the terms of documents, the counts of terms, learned weights.

    Examples
    --------
    >>> table = Ragged(starts_of(np.array([2, 0, 1])))
    >>> table.starts, table.rows
    (array([0, 2, 2, 3]), array([0, 0, 2]))
    >>> table.sum(np.array([1.0, 2.0, 5.0])), table.repeat(np.array([7, 8, 9]))
    (array([3., 0., 5.]), array([7, 7, 9]))
    """

    starts: Starts

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The number of entries of each row."""
        return np.diff(self.starts)

    @cached_property
    def rows(self) -> Places:
        """The row of each entry."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def repeat(self, of_rows: npt.NDArray[T]) -> npt.NDArray[T]:
        """One value per row, repeated for each entry of the row."""
        return np.repeat(of_rows, self.lengths)

    def sum(self, entries: Array | Mask) -> Array:
        """The sum of the values of each row's entries."""
        return np.bincount(self.rows, weights=entries, minlength=len(self)).astype(np.float64)

    def entries_of(self, rows: npt.NDArray[np.integer]) -> tuple[Starts, Places]:
        """The entries of the given rows, in that order: where each of these rows starts, and the entries' indices.

        Examples
        --------
        >>> Ragged(starts_of(np.array([2, 0, 1]))).entries_of(np.array([2, 0]))
        (array([0, 1, 3]), array([2, 0, 1]))
        """
        lengths = self.lengths[rows]
        starts = starts_of(lengths)
        return starts, np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], lengths)


def starts_of(lengths: npt.NDArray[np.integer]) -> Starts:
    """The start of each row of these lengths, and the end of the last one.

    Examples
    --------
    >>> starts_of(np.array([2, 0, 1]))
    array([0, 2, 2, 3])
    """
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


LEAST_WEIGHT = _native.LEAST_WEIGHT
"""The smallest weight of a document above 0: weights are summed as multiples of it."""
LEAST_DIVIDED = 2.0**-32
"""The smallest weight above 0 if it is divided between the terms of a document: each gets at least `LEAST_WEIGHT`."""


def check_weights(weights: object, documents: int | None = None, *, divided: bool = False) -> Array:
    """The weights of documents as an array; ``ArgumentError`` names the first one that is not allowed.

    ``divided`` says that the weight of a document is divided between its terms (``document_weight='equal'``).
    """
    plain = weights if hasattr(weights, "__array__") else list(weights) if isinstance(weights, Iterable) else weights
    try:
        array = np.asarray(plain)
        numbers = array.astype(np.float64) if array.dtype.kind in "biufO" else None
    except (TypeError, ValueError, OverflowError):
        numbers = None
    if numbers is None or isinstance(weights, Mapping | Set):
        raise ArgumentError(
            f"sample_weight is of type {type(weights).__name__}, not a sequence of numbers: give one per document"
        )
    if documents is not None and numbers.shape != (documents,):
        raise ArgumentError(
            f"sample_weight has the shape {numbers.shape}, but there are {documents} documents: give one per document"
        )
    bad = ~are_allowed(numbers, divided=divided)
    if bad.any():
        shown = "2^-32" if divided else "2^-64"
        row = int(bad.argmax())
        where = " with document_weight='equal'" if divided else ""
        raise ArgumentError(
            f"the weight {numbers[row]} in row {row + 1} is not allowed{where}: a weight must be 0, or from {shown} "
            "to below 2^64"
        )
    return np.ascontiguousarray(numbers)


def are_allowed(numbers: Array, *, divided: bool) -> Mask:
    """Whether each of these weights of documents is allowed.

    Examples
    --------
    >>> are_allowed(np.array([0.0, 2.0, -1.0, np.nan]), divided=False)
    array([ True,  True, False, False])
    """
    least = LEAST_DIVIDED if divided else LEAST_WEIGHT
    allowed: Mask = (numbers == 0) | ((numbers >= least) & (numbers < 2.0**64))
    return allowed


UNKNOWN = _native.UNKNOWN
"""The id of a term that does not occur."""

FEW_CLASSES = 64
"""With at most this many classes, a class keeps its number after all its documents were forgotten."""


@dataclass(frozen=True)
class ClassTotals:
    """The number of documents, tokens and presences of each class; a presence is a distinct term of a document."""

    documents: Array
    tokens: Array
    presences: Array


@dataclass(frozen=True, eq=False)
class LiveClasses:
    """The classes that have documents, sorted by label.

    Examples
    --------
    >>> live = LiveClasses.of(["pos", "gone", "neg"], np.array([True, False, True]))
    >>> live.labels, live.numbers, live.ranks
    (['neg', 'pos'], array([2, 0], dtype=uint32), array([1, 0, 0], dtype=uint32))
    """

    labels: list[Label]
    numbers: Ids
    """The number that each class has in the kernel."""
    alive: Mask
    """Whether the class has documents, by its number."""

    @classmethod
    def of(cls, labels: list[Label], alive: Mask) -> LiveClasses:
        """The classes that are alive; ``labels`` has the labels of all classes, by their numbers."""
        order = sorted(np.flatnonzero(alive).tolist(), key=labels.__getitem__)
        return cls([labels[number] for number in order], np.array(order, np.uint32), alive)

    @cached_property
    def array(self) -> LabelArray:
        """The labels as a numpy array."""
        return label_array(self.labels)

    @cached_property
    def places(self) -> ClassPlaces:
        """The place of each label in this list."""
        return ClassPlaces(self.labels)

    @cached_property
    def ranks(self) -> Ids:
        """The place of each class in this list, by its number; 0 for a class without documents."""
        ranks = np.zeros(len(self.alive), np.uint32)
        ranks[self.numbers] = np.arange(len(self.numbers))
        return ranks


@dataclass(frozen=True, eq=False)
class Cells(Ragged):
    """The classes in which terms occur: one row per term, one entry per class."""

    classes: Ids
    """The number of the class, per entry."""


@dataclass
class Counts:
    """The counts of some documents. The kernel holds them, with a number per class; ``index`` holds the labels."""

    analyzer: Analyzer
    index: LabelIndex = field(default_factory=LabelIndex)
    native: _native.Counts = field(default_factory=_native.Counts)
    dropped: int = 0
    """The number of terms that were dropped, together with their counts."""
    unread: Parts | None = None
    """The terms that were not read from a file. Such counts serve to score texts, and nothing else."""
    _derived: dict[str, Any] = field(default_factory=dict)
    """What follows from the counts, by its name, as long as they do not change; "live_before" has the live classes
    before the last change, which are most often the same."""

    @classmethod
    def count_batches(cls, analyzer: Analyzer, batches: Batches, threads: int) -> Counts:
        """The counts of labelled texts that come in batches."""
        index = LabelIndex()
        coded = (cls._coded(analyzer, index, batch) for batch in batches)
        native = _native.Counts.count(analyzer.native, coded, threads)
        if not native.learned:
            raise ArgumentError("there are no documents to learn: give at least one text and its label")
        return cls(analyzer, index, native)

    @staticmethod
    def _coded(analyzer: Analyzer, index: LabelIndex, batch: Labelled) -> tuple[Texts, Ids, Array | None]:
        """A batch as the kernel counts it: texts, numbers of classes, and weights or None."""
        codes = index.encode(batch.labels)
        divided, weights = analyzer.equal, batch.weights
        checked = None if weights is None else check_weights(weights, len(codes), divided=divided)
        return analyzer.texts(batch.texts), codes, checked

    def at_unit_length(self, batches: Batches, scales: Array, threads: int) -> Counts:
        """The counts of the same texts, which are read again, with every document scaled to unit length.

        ``scales`` has the idf of each term, by id.
        """
        analyzer = self.analyzer
        coded = (self._coded(analyzer, self.index, batch) for batch in batches)
        native = _native.count_lengths(self.native, analyzer.native, coded, analyzer.value, scales, threads)
        return Counts(analyzer, self.index, native, self.dropped)

    def folded(self, folds: list[tuple[int, int]]) -> Counts:
        """The same counts, in which some terms are replaced by others: pairs of ids. No id changes."""
        return Counts(self.analyzer, self.index, self.native.folded(folds), self.dropped) if folds else self

    def add(self, other: Counts) -> Ids:
        """Add other counts; returns the ids of the terms that changed."""
        self._check_alike(other)
        with self._changing():
            # New classes are numbered first: if an error follows, a number without counts does no harm.
            numbers = [self.index.number(label) for label in other.index.labels]
            changed = self.native.merge(other.native, numbers)
            self.dropped += other.dropped
            self.analyzer = other.analyzer if other.analyzer.mail else self.analyzer
            return changed

    def subtract(self, other: Counts) -> Ids:
        """Subtract other counts, all or nothing; returns the ids of the terms that changed."""
        self._check_alike(other)
        other.check_whole("be subtracted from another")
        known = set(self.index.labels)
        for label in other.index.labels:
            if label not in known:
                raise NotLearnedError(f"class {label!r} was never learned, so nothing of it can be forgotten")
        numbers = [self.index.number(label) for label in other.index.labels]
        try:
            with self._changing():
                return self.native.subtract(other.native, numbers)
        except NotLearnedError as error:
            where = "" if error.class_number is None else f" in class {self.index.labels[error.class_number]!r}"
            why = "only what was learned can be forgotten, with the same label and weight"
            raise NotLearnedError(f"{error}{where}: {why}") from None

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """While the counts change, nothing that another thread derives from them is kept."""
        before = self._derived.get("live") or self._derived.get("live_before")
        self._derived = {}
        try:
            yield
        finally:
            self._derived = {"live_before": before}

    def check_whole(self, done: str) -> None:
        """Raise ``NotAdditiveError`` if terms were dropped: what documents counted of them is not known any more."""
        if self.dropped:
            raise NotAdditiveError(
                f"{self.dropped:,} terms were dropped from this model, so it cannot {done}: use the model that was "
                "not pruned"
            )

    def compacted(self) -> Counts:
        """The same counts; if much was forgotten, in new memory without the empty terms and classes."""
        size = len(self.index.labels)
        if not self.native.worn and (size <= FEW_CLASSES or size <= 2 * len(self.live().labels)):
            return self
        live = self.live()
        numbers = np.full(size, UNKNOWN, np.uint32)
        numbers[live.numbers] = np.arange(len(live.numbers))
        return Counts(self.analyzer, LabelIndex(live.labels), self.native.compacted(numbers.tolist()), self.dropped)

    def _check_alike(self, other: Counts) -> None:
        if self.analyzer.lengths is not None:
            raise MismatchError(
                "with norm='l2' the counts of a document depend on all others, so it can be neither added nor "
                "subtracted: call fit with all texts"
            )
        if self.analyzer is not other.analyzer and self.analyzer != other.analyzer:
            raise MismatchError(
                f"these counts were made with {self.analyzer}, the others with {other.analyzer}: "
                "only counts of texts that were split into terms in the same way can be combined"
            )

    def copy(self) -> Counts:
        """Independent counts with the same numbers."""
        return Counts(self.analyzer, LabelIndex(self.index.labels), self.native.copy(), self.dropped)

    def frozen(self) -> Counts:
        """The same counts, which stay as they are, whatever these learn later. Nothing is copied until then."""
        index = LabelIndex(self.index.labels)
        return Counts(self.analyzer, index, self.native.frozen(), self.dropped, self.unread, self._derived)

    @property
    def terms(self) -> int:
        """The number of terms, also of those that were not read."""
        return self.native.terms + (0 if self.unread is None else self.unread.of - self.unread.terms)

    def find(self, terms: list[str]) -> Ids:
        """The id of each term; `UNKNOWN` for a term that does not occur."""
        return self.native.find(self.analyzer.native, terms)

    def sorted_by_term(self, ids: Ids) -> Ids:
        """These ids, sorted by term."""
        terms = self.native.spell(ids)
        return ids[sorted(range(len(ids)), key=terms.__getitem__)]

    def sorted_ids(self) -> Ids:
        """The ids of all terms, sorted by term."""
        return self._once("sorted_ids", self.native.sorted_ids)

    def totals(self) -> ClassTotals:
        """The totals of each class, by its number."""
        return self._once("totals", self._totals)

    def _totals(self) -> ClassTotals:
        size = len(self.index.labels)
        totals = self.native.totals()
        if len(totals[0]) != size:  # a class has a number before it has documents
            totals = [np.append(total[:size], np.zeros(max(0, size - len(total)))) for total in totals]
        return ClassTotals(*totals)

    def live(self) -> LiveClasses:
        """The classes that have documents."""
        return self._once("live", self._live)

    def _live(self) -> LiveClasses:
        alive = self.totals().documents != 0
        before: LiveClasses | None = self._derived.get("live_before")
        if before is not None and before.alive.tobytes() == alive.tobytes():
            return before
        return LiveClasses.of(self.index.labels, alive)

    def _once(self, name: str, make: Callable[[], R]) -> R:
        """What ``make`` derives from the counts; it is kept, under this name, until they change."""
        derived = self._derived
        found: R | None = derived.get(name)
        if found is None:
            found = make()
            if derived is self._derived:  # else the counts have changed meanwhile
                derived[name] = found
        return found

    def cells(self, ids: Ids) -> Cells:
        """The classes in which the terms with these ids occur: one row per term."""
        return Cells(starts_of(self.native.row_lengths(ids)), self.native.cell_classes(ids))

    def rows(self, ids: Ids, classes: Ids, *, documents: bool) -> Array:
        """Counts (or document frequencies) as a matrix: one row per id, one column per class number given."""
        distinct, places = np.unique(classes, return_inverse=True)
        columns = np.full(len(self.index.labels), -1, np.int64)
        columns[distinct] = np.arange(len(distinct))
        cells = self.cells(ids)
        column = columns[cells.classes]
        matrix = np.zeros((len(ids), len(distinct)))
        wanted = column >= 0
        matrix[cells.rows[wanted], column[wanted]] = self.native.cells(ids, documents)[wanted]
        return matrix[:, places]

    def rows_of_others(self, ids: Ids, classes: Ids, *, documents: bool) -> Array:
        """As `rows`, but each number is the sum over all other classes."""
        cells = self.cells(ids)
        matrix = np.repeat(self.native.class_sums(ids, documents)[:, None], len(self.index.labels), axis=1)
        matrix[cells.rows, cells.classes] = self.native.sums_of_others(ids, documents)
        return matrix[:, classes]

    def document_frequencies(self, ids: Ids) -> Array:
        """The document frequency of each term with these ids, summed over all classes."""
        return self.native.class_sums(ids, True)

    def select(self, ids: Ids) -> Counts:
        """Independent counts of the terms with these ids only; the classes keep their numbers of documents."""
        dropped = self.dropped + self.native.terms - len(ids)
        return Counts(self.analyzer, LabelIndex(self.index.labels), self.native.select(ids), dropped)

    def single_words(self) -> Counts:
        """The counts of the single words only, as with ``ngrams=(1, 1)``."""
        ids = self.sorted_ids()
        words = ids[self.native.words_in(ids) == 1]
        analyzer = replace(self.analyzer, ngrams=(1, 1))
        return Counts(analyzer, LabelIndex(self.index.labels), self.native.select(words), self.dropped)

    def table(self) -> pa.Table:
        """All counts as an Arrow table, sorted by term and class, with the columns term, class, count, documents."""
        pa, ids, live = extra("pyarrow", "A table of counts"), self.sorted_ids(), self.live()
        of_row = np.repeat(np.arange(len(ids)), self.native.row_lengths(ids))
        ranks, *exact = self.native.columns(ids, live.ranks)
        count, documents = (pa.array(whole_if_exact(whole + fraction * 2.0**-64)) for whole, fraction in exact)
        terms = pa.array(self.native.spell(ids), pa.string()).take(pa.array(of_row))
        classes = arrow_labels(live.labels).take(pa.array(ranks))
        return pa.table({"term": terms, "class": classes, "count": count, "documents": documents})


# The terms of documents ---------------------------------------------------------------------------------------------


AT_ONCE = 1 << 13
"""The number of documents that are processed at a time."""


@dataclass(frozen=True, eq=False)
class TermRows(Ragged):
    """The terms of documents: one row per document, one entry per distinct term.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> counts = NaiveBayes(ngrams=(1, 2)).fit(["so so good", "bad"], ["+", "-"])._snapshot().counts
    >>> rows = rows_of(counts, ["so so good", "bad"])
    >>> rows.starts, rows.occurrences
    (array([0, 4, 5]), array([2, 1, 1, 1, 1], dtype=uint32))
    >>> single_words(counts)[rows.ids]
    array([ True,  True, False, False,  True])
    >>> rows.only(single_words(counts)).starts
    array([0, 2, 3])
    """

    ids: Ids
    """The id of the term, per entry."""
    occurrences: Ids
    """How often the term occurs in the document, per entry."""

    @classmethod
    def of(cls, table: _native.Ragged) -> TermRows:
        """The rows of a table of the kernel."""
        return cls(table.starts, table.columns, table.values)

    @property
    def table(self) -> _native.Ragged:
        """The rows as a table of the kernel."""
        return _native.Ragged(self.starts, self.ids, self.occurrences)

    def only(self, mask: Mask) -> TermRows:
        """The same documents with fewer terms: those for which ``mask`` is true (one element per id)."""
        kept = mask[self.ids]
        return TermRows(starts_of(kept.astype(np.int64))[self.starts], self.ids[kept], self.occurrences[kept])

    @classmethod
    def joined(cls, parts: list[TermRows]) -> TermRows:
        """The rows of all parts, one after another."""
        if len(parts) == 1:
            return parts[0]
        lengths: list[Starts] = [part.lengths for part in parts]
        return cls(
            starts_of(np.concatenate([*lengths, np.zeros(0, np.int64)])),
            np.concatenate([*(part.ids for part in parts), np.zeros(0, np.uint32)]),
            np.concatenate([*(part.occurrences for part in parts), np.zeros(0, np.uint32)]),
        )

    def of_documents(self, stay: Mask) -> TermRows:
        """The rows of the documents for which ``stay`` is true (one element per document)."""
        kept = self.repeat(stay)
        return TermRows(starts_of(self.lengths[stay]), self.ids[kept], self.occurrences[kept])


def rows_of(counts: Counts, texts: Texts, threads: int = 1) -> TermRows:
    """The terms of texts: one row per text. Terms that do not occur in the counts are left out."""
    return TermRows.joined(each_rows(counts, texts, threads, AT_ONCE, lambda rows: rows))


def each_rows(counts: Counts, texts: Texts, threads: int, at_once: int, reduce: Callable[[TermRows], R]) -> list[R]:
    """The results of ``reduce``, one per batch of at most ``at_once`` texts."""
    analyzer = counts.analyzer
    texts = analyzer.texts(texts)
    return _native.rows_of(
        counts.native, analyzer.native, texts, threads, at_once, lambda table: reduce(TermRows.of(table))
    )


def single_words(counts: Counts) -> Mask:
    """Whether each term is a single word: one element per id."""
    words: Mask = counts.native.words_in(np.arange(counts.native.vocabulary_size, dtype=np.uint32)) == 1
    return words
