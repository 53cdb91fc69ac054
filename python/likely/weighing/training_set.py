"""`TrainingSet`: documents among some rows that the weights of nbsvm are learned from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.weighing.class_weights import class_factors

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array, Label, Mask
    from likely.weighing.rules import Rules
    from likely.weighing.training_rows import TrainingRows


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """Some of the documents of rows, with the weights of their classes, and the scales of their terms."""

    rows: TrainingRows
    weights: Array
    """The weight of each row's document; 0 if it is not in the set."""
    scales: Array
    """The scale of each column's term; 0 if the term is not kept."""
    lengths: Array
    """What the values of each row are multiplied by, also if its document is not in the set."""

    @classmethod
    def of(
        cls,
        rows: TrainingRows,
        values: npt.NDArray[np.float32],
        weights: Array,
        scales: Array,
        labels: list[Label],
        rules: Rules,
    ) -> TrainingSet:
        """The set of the documents whose weight is above 0."""
        if rules.class_weight is not None:
            documents = np.bincount(rows.gold, weights=weights, minlength=len(labels)).astype(np.float64)
            weights = weights * class_factors(documents, labels, rules.class_weight)[rows.gold]
        lengths = rows.unit_length(values, scales) if rules.norm == "l2" else np.ones(len(rows))
        return cls(rows, weights, scales, lengths)

    @cached_property
    def kept(self) -> Mask:
        """Whether each column's term is kept."""
        kept: Mask = self.scales > 0
        return kept

    @cached_property
    def everywhere(self) -> Array:
        """The document frequency of each column's term in all classes."""
        return self.rows.documents_with(self.weights)

    def inside(self, label: int) -> Array:
        """The document frequency of each column's term in one class."""
        return self.rows.documents_with(self.weights, label)

    def costs(self, label: int) -> Array:
        """The weight of each document, below 0 if it is not in the class."""
        return np.where(self.rows.gold == label, self.weights, -self.weights)
