"""`Whole`: all rows of a source in memory, for what reads them several times in different parts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.errors import LengthError
from likely.labels import python_labels
from likely.reading.labelled import Labelled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely import _native
    from likely.reading.labelled import Batches
    from likely.types import Array, Label, Mask


@dataclass(frozen=True, eq=False)
class Whole:
    """All rows of a source.

    Attributes
    ----------
    texts, labels : list
        One label per text.
    weights : array or None
        The weight of each row; None if each weighs 1.
    groups : list of str or None
        The group of each row; None if no groups were named.

    Examples
    --------
    >>> whole = Whole.of([Labelled(["good", "bad"], ["+", "-"]), Labelled(["so"], ["+"])])
    >>> whole.chosen(np.array([True, False, True])).texts
    ['good', 'so']
    """

    texts: list[str]
    labels: list[Label]
    weights: Array | None = None
    groups: list[object] | None = None

    @classmethod
    def of(cls, batches: Batches) -> Whole:
        """The rows of all batches. ``LengthError`` if there are none."""
        texts: list[str] = []
        labels: list[Label] = []
        weights: list[float] = []
        groups: list[object] = []
        for batch in batches:
            texts += _listed(batch.texts)
            labels += python_labels(batch.labels)
            weights.extend([] if batch.weights is None else cast("Iterable[float]", batch.weights))
            groups.extend([] if batch.groups is None else cast("Iterable[object]", batch.groups))
        if not texts:
            raise LengthError("there are no documents: give at least one text and its label")
        return cls(texts, labels, np.array(weights, np.float64) if weights else None, groups or None)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.texts)

    @property
    def counts(self) -> Mask:
        """True for each row that is learned: its weight is above 0."""
        return np.ones(len(self), np.bool_) if self.weights is None else self.weights > 0

    def labelled(self) -> Labelled:
        """All rows as one batch."""
        return Labelled(self.texts, self.labels, self.weights, self.groups)

    def chosen(self, wanted: Mask) -> Whole:
        """The rows where ``wanted`` is True."""
        keep = wanted.tolist()
        return Whole(
            list(compress(self.texts, keep)),
            list(compress(self.labels, keep)),
            None if self.weights is None else self.weights[wanted],
            None if self.groups is None else list(compress(self.groups, keep)),
        )


def _listed(texts: object) -> list[str]:
    return texts if isinstance(texts, list) else cast("_native.Strings", texts).to_pylist()
