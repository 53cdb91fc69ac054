"""Labelled texts to counts: everything a model knows, and the algebra of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set, Sized
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.arrow import exact_table, plain_table, read_parts
from likely.errors import LengthError, MismatchError, NotLearnedError, WeightError
from likely.labels import LabelIndex

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.analysis.analyzer import Analyzer
    from likely.types import Array, Ids
    from likely.weighing.learned import Linear


UNKNOWN = 2**32 - 1
"""The id of a term that does not occur."""

FEW_CLASSES = 64
"""So many classes may be remembered although they were forgotten."""

LEAST_WEIGHT = 2.0**-64
"""The smallest weight that counts: weights are summed as multiples of it."""


@dataclass(frozen=True)
class ClassTotals:
    """Per class: documents, tokens, and presences (pairs of a document and a distinct term in it)."""

    documents: Array
    tokens: Array
    presences: Array


@dataclass
class Counts:
    """The counts of some documents: those of the kernel, which knows classes by number, and the labels."""

    analyzer: Analyzer
    index: LabelIndex = field(default_factory=LabelIndex)
    native: _native.Counts = field(default_factory=_native.Counts)
    dropped: int = 0
    """How many terms were left out on purpose: what was counted of them is gone."""
    linear: Linear | None = None
    """What was learned from all these documents at once, if something was."""

    @classmethod
    def count(cls, analyzer: Analyzer, texts: Any, labels: Any, sample_weight: Any, threads: int) -> Counts:
        """Count labelled texts."""
        index = LabelIndex()
        codes = index.encode(labels)
        if _size(texts) not in (None, len(codes)):
            raise LengthError(f"there are {_size(texts)} texts but {len(codes)} labels: give one label a text")
        weights = None if sample_weight is None else check_weights(sample_weight, len(codes))
        native = _native.Counts.count(analyzer.native, analyzer.texts(texts), codes, weights, threads)
        if not len(codes):
            raise LengthError("there are no documents: give at least one text and its label")
        if weights is not None and not weights.any():
            raise WeightError("every weight is 0, so there is nothing to learn from: give some weight above 0")
        return cls(analyzer, index, native)

    @classmethod
    def count_batches(cls, analyzer: Analyzer, batches: Iterable[tuple[Any, Any]], threads: int) -> Counts:
        """Count labelled texts as they come: pairs of texts and labels."""
        index = LabelIndex()
        coded = ((analyzer.texts(texts), index.encode(labels), None) for texts, labels in batches)
        native = _native.Counts.count_batches(analyzer.native, coded, threads)
        if not native.learned:
            raise LengthError("there are no documents: give at least one text and its label")
        return cls(analyzer, index, native)

    def at_length_one(self, batches: Iterable[tuple[Any, Any, Any]], scales: Array, threads: int) -> Counts:
        """The counts of the same texts, read again, with every document brought to length 1.

        ``batches`` are texts, labels and weights (or None), ``scales`` what a term weighs in all documents, by id.
        """
        analyzer = self.analyzer
        coded = (
            (analyzer.texts(texts), self.index.encode(labels), None if weights is None else check_weights(weights))
            for texts, labels, weights in batches
        )
        native = _native.count_lengths(self.native, analyzer.native, coded, analyzer.value, scales, threads)
        return Counts(analyzer, self.index, native, self.dropped)

    def folded(self, folds: list[tuple[int, int]]) -> Counts:
        """The same counts with some terms counted as others: pairs of ids. Ids stay."""
        return Counts(self.analyzer, self.index, self.native.folded(folds), self.dropped) if folds else self

    def add(self, other: Counts) -> Ids:
        """Take in other counts; returns the ids of the terms that changed."""
        self._check_alike(other)
        self.linear = None
        # Numbers that nothing is counted under do no harm, so they come first: then nothing can come in between.
        numbers = [self.index.number(label) for label in other.index.labels]
        self.dropped += other.dropped
        return self.native.merge(other.native, numbers)

    def subtract(self, other: Counts) -> Ids:
        """Take other counts away, all or nothing; returns the ids of the terms that changed."""
        self._check_alike(other)
        self.linear = None
        known = set(self.index.labels)
        for label in other.index.labels:
            if label not in known:
                raise NotLearnedError(f"class {label!r} was never learned, so nothing of it can be forgotten")
        try:
            return self.native.subtract(other.native, [self.index.number(label) for label in other.index.labels])
        except NotLearnedError as error:
            where = "" if error.class_number is None else f" in class {self.index.labels[error.class_number]!r}"
            why = "only what was learned can be forgotten, with the same label and weight"
            if self.dropped:
                why = f"{self.dropped:,} terms were dropped from this model, so it cannot forget texts that have them"
            raise NotLearnedError(f"{error}{where}: {why}") from None

    def compacted(self) -> Counts:
        """The same counts; without a trace of what was forgotten if there is much of that."""
        few = len(self.index.labels) <= FEW_CLASSES
        if not self.native.worn and (few or len(self.index.labels) <= 2 * len(self.live())):
            return self
        live = self.live()
        numbers = {number: at for at, number in enumerate(live)}
        native = self.native.compacted([numbers.get(at, UNKNOWN) for at in range(len(self.index.labels))])
        return Counts(self.analyzer, LabelIndex(self.index.labels[number] for number in live), native, self.dropped)

    def _check_alike(self, other: Counts) -> None:
        if self.analyzer.lengths is not None:
            raise MismatchError(
                "with norm='l2' the counts of documents depend on all others, so they cannot be added or taken away: "
                "call fit with all texts"
            )
        if self.analyzer != other.analyzer:
            raise MismatchError(
                f"these counts are of {self.analyzer}, the others of {other.analyzer}: "
                "only what was cut into terms in the same way can be combined"
            )

    def copy(self) -> Counts:
        """Counts of their own."""
        return Counts(self.analyzer, LabelIndex(self.index.labels), self.native.copy(), self.dropped, self.linear)

    def find(self, terms: list[str]) -> Ids:
        """The ids of terms, `UNKNOWN` for those that do not occur."""
        return self.native.find(self.analyzer.native, terms)

    def sorted_ids(self) -> Ids:
        """The ids of all terms, sorted by term."""
        # They stay as long as what was learned with them does.
        return self.native.sorted_ids() if self.linear is None else self.linear.ids

    def totals(self) -> ClassTotals:
        """What is known of each class, by number."""
        return ClassTotals(*(_pad(total, len(self.index.labels)) for total in self.native.totals()))

    def live(self) -> list[int]:
        """The numbers of the classes that have documents, sorted by label."""
        numbers: list[int] = np.flatnonzero(self.native.totals()[0]).tolist()
        return sorted(numbers, key=self.index.labels.__getitem__)

    def rows(self, ids: Ids, classes: npt.NDArray[np.uint32], *, documents: bool) -> Array:
        """A dense matrix of counts (or documents): one row an id, one column each of the class numbers given."""
        distinct, places = np.unique(classes, return_inverse=True)
        columns = np.full(len(self.index.labels), -1, np.int64)
        columns[distinct] = np.arange(len(distinct))
        column = columns[self.native.cell_classes(ids)]
        row = np.repeat(np.arange(len(ids)), self.native.row_lengths(ids))
        matrix = np.zeros((len(ids), len(distinct)))
        wanted = column >= 0
        matrix[row[wanted], column[wanted]] = self.native.cells(ids, documents)[wanted]
        return matrix[:, places]

    def select(self, ids: Ids) -> Counts:
        """Counts of their own, of some terms only; the classes keep their documents."""
        dropped = self.dropped + self.native.terms - len(ids)
        native, linear = self.native.select(ids), self.linear
        if linear is not None:
            linear = replace(linear.of_terms(np.isin(linear.ids, ids)), ids=native.sorted_ids())
        return Counts(self.analyzer, LabelIndex(self.index.labels), native, dropped, linear)

    def single_words(self) -> Counts:
        """The counts as they would be without n-grams: of words alone, where words and longer terms were counted."""
        ids = self.native.sorted_ids()
        words = ids[self.native.words_in(ids) == 1]
        analyzer = replace(self.analyzer, ngrams=(1, 1))
        return Counts(analyzer, LabelIndex(self.index.labels), self.native.select(words), self.dropped)

    def table(self, *, exact: bool = False) -> pa.Table:
        """All counts, sorted by term and class: the columns term, class, count, documents.

        Counts that are not whole numbers are doubles; if ``exact``, two columns each, the second in units of 2^-64.
        """
        live = self.live()
        labels = [self.index.labels[number] for number in live]
        return (exact_table if exact else plain_table)(read_parts(self.native, live), labels)


def check_weights(weights: Any, documents: int | None = None) -> Array:
    """Sample weights as an array, or an error that names the first bad one."""
    plain = weights if hasattr(weights, "__array__") else list(weights) if isinstance(weights, Iterable) else weights
    try:
        array = np.asarray(plain)
        numbers = array.astype(np.float64) if array.dtype.kind in "biufO" else None
    except (TypeError, ValueError, OverflowError):
        numbers = None
    if numbers is None or isinstance(weights, Mapping | Set):
        raise WeightError(
            f"sample_weight is no sequence of numbers but {type(weights).__name__}: give one a document"
        )
    if documents is not None and numbers.shape != (documents,):
        raise LengthError(f"sample_weight has the shape {numbers.shape} for {documents} documents: give one each")
    bad = ~((numbers == 0) | ((numbers >= LEAST_WEIGHT) & (numbers < 2.0**64)))
    if bad.any():
        row = int(bad.argmax())
        raise WeightError(
            f"the weight {numbers[row]} in row {row} is not allowed: a weight is 0, or from 2^-64 to below 2^64"
        )
    return np.ascontiguousarray(numbers)


def _size(texts: Any) -> int | None:
    """How many texts there are, where that can be told without reading them."""
    if isinstance(texts, str | bytes | Mapping | Set) or not isinstance(texts, Sized):
        return None
    try:
        return len(texts)
    except TypeError:  # a numpy array without dimensions, a sparse matrix
        return None


def _pad(totals: Array, size: int) -> Array:
    if len(totals) == size:
        return totals
    return np.concatenate([totals[:size], np.zeros(max(0, size - len(totals)))])
