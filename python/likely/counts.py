"""Labelled texts to counts: everything a model knows, and the algebra of it."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import LengthError, MismatchError, NotLearnedError, WeightError
from likely.labels import Label, LabelIndex

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.analyze import Analyzer
    from likely.formulas import Array

Ids: TypeAlias = npt.NDArray[np.uint32]

UNKNOWN = 2**32 - 1
"""The id of a term that does not occur."""


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

    @classmethod
    def count(cls, analyzer: Analyzer, texts: Any, labels: Any, sample_weight: Any, threads: int) -> Counts:
        """Count labelled texts."""
        index = LabelIndex()
        codes = index.encode(labels)
        if isinstance(texts, Sized) and not isinstance(texts, str | bytes) and len(texts) != len(codes):
            raise LengthError(f"there are {len(texts)} texts but {len(codes)} labels: give one label a text")
        weights = None if sample_weight is None else check_weights(sample_weight, len(codes))
        native = _native.Counts.count(analyzer.native, texts, codes, weights, threads)
        if not len(codes):
            raise LengthError("there are no documents: give at least one text and its label")
        if weights is not None and not weights.any():
            raise WeightError("every weight is 0, so there is nothing to learn from: give some weight above 0")
        return cls(analyzer, index, native)

    def add(self, other: Counts) -> Ids:
        """Take in other counts; returns the ids of the terms that changed."""
        self._check_alike(other)
        if not self.index.labels:
            self.index, self.native = LabelIndex(other.index.labels), _copy(other.native)
            return self.native.ids()
        numbers = LabelIndex([*self.index.labels, *other.index.labels])
        changed = self.native.merge(other.native, [numbers.number(label) for label in other.index.labels])
        self.index = numbers
        return changed

    def adopt(self, other: Counts) -> Ids:
        """As `add`, for counts that nobody else holds: nothing is copied when there is nothing to add to."""
        if self.index.labels:
            return self.add(other)
        self.index, self.native = other.index, other.native
        return self.native.ids()

    def subtract(self, other: Counts) -> Ids:
        """Take other counts away, all or nothing; returns the ids of the terms that changed."""
        self._check_alike(other)
        known = set(self.index.labels)
        for label in other.index.labels:
            if label not in known:
                raise NotLearnedError(f"class {label!r} was never learned, so nothing of it can be forgotten")
        changed = self.native.subtract(other.native, [self.index.number(label) for label in other.index.labels])
        if self.native.forgotten > self.native.terms + 4096:
            self.native = self.native.compacted()
        return changed

    def _check_alike(self, other: Counts) -> None:
        if self.analyzer != other.analyzer:
            raise MismatchError(
                f"these counts are of {self.analyzer}, the others of {other.analyzer}: "
                "only what was cut into terms in the same way can be combined"
            )

    def copy(self) -> Counts:
        """Counts of their own."""
        return Counts(self.analyzer, LabelIndex(self.index.labels), _copy(self.native))

    def find(self, terms: list[str]) -> Ids:
        """The ids of terms, `UNKNOWN` for those that do not occur."""
        return self.native.find(self.analyzer.native, terms)

    def totals(self) -> ClassTotals:
        """What is known of each class, by number."""
        return ClassTotals(*(_pad(total, len(self.index.labels)) for total in self.native.totals()))

    def live(self) -> list[int]:
        """The numbers of the classes that have documents, sorted by label."""
        documents = self.totals().documents
        numbers = [number for number in range(len(self.index.labels)) if documents[number] > 0]
        return sorted(numbers, key=self.index.labels.__getitem__)

    def rows(self, ids: Ids, *, documents: bool) -> Array:
        """A dense matrix of counts (or documents): one row an id, one column a class number."""
        matrix = np.zeros((len(ids), len(self.index.labels)))
        at = np.repeat(np.arange(len(ids)), self.native.row_lengths(ids))
        matrix[at, self.native.cell_classes(ids)] = self.native.cells(ids, documents)
        return matrix

    def table(self) -> pa.Table:
        """All counts, sorted by term and class: the columns term, class, count, documents."""
        import pyarrow as pa

        ids = self.native.sorted_ids()
        terms = pa.array(self.native.spell(ids), pa.string())
        lengths = self.native.row_lengths(ids)
        ranks = _ranks(self.index.labels)
        classes = self.native.cell_classes(ids)
        at = np.repeat(np.arange(len(ids)), lengths)
        order = np.lexsort((ranks[classes], at)) if len(classes) else np.zeros(0, np.int64)
        labels = pa.array(self.index.labels)
        return pa.table(
            {
                "term": terms.take(pa.array(at[order])),
                "class": labels.take(pa.array(classes[order].astype(np.int64))),
                "count": whole_if_exact(self.native.cells(ids, False)[order]),
                "documents": whole_if_exact(self.native.cells(ids, True)[order]),
            }
        )


def check_weights(weights: Any, documents: int) -> Array:
    """Sample weights as an array, or an error that names the first bad one."""
    array = np.ascontiguousarray(np.asarray(weights, dtype=np.float64))
    if array.ndim != 1 or len(array) != documents:
        raise LengthError(f"sample_weight has the shape {array.shape} for {documents} documents: give one each")
    bad = ~((array >= 0) & (array < 2.0**64))
    if bad.any():
        row = int(bad.argmax())
        raise WeightError(f"the weight {array[row]} in row {row} is not allowed: weights are numbers >= 0")
    return array


def _copy(native: _native.Counts) -> _native.Counts:
    fresh = _native.Counts()
    fresh.merge(native, list(range(len(native.totals()[0]))))
    return fresh


def _pad(totals: Array, size: int) -> Array:
    return np.concatenate([totals[:size], np.zeros(max(0, size - len(totals)))])


def _ranks(labels: list[Label]) -> npt.NDArray[np.int64]:
    ranks = np.empty(len(labels), np.int64)
    ranks[sorted(range(len(labels)), key=labels.__getitem__)] = np.arange(len(labels))
    return ranks


def whole_if_exact(values: Array) -> npt.NDArray[Any]:
    """Counts as whole numbers if they all are."""
    whole = values.astype(np.int64)
    return whole if (whole == values).all() else values
