"""Predictions of two classifiers, batch by batch, to a `Comparison`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.core.spread import Spread
from likely.errors import LabelError, LengthError
from likely.evaluation.comparison import Comparison, Disagreement
from likely.evaluation.paired import Outcomes
from likely.labels import LabelIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt

    from likely.types import Label

MOST_KEPT = 200
"""At most this many documents that only one classifier gets right are kept, for each of the two."""
_MOST_CLASSES = 1 << 20


class Pairing:
    """Adds up two classifiers' predictions for documents that come in batches.

    If no gold label is ``unsure``, a prediction of this name is an abstention.

    Examples
    --------
    >>> pairing = Pairing()
    >>> pairing.add(["+", "-"], ["+", "+"], [None, "-"], ["good", "dull"])
    >>> found = pairing.comparison()
    >>> found.mcnemar.only_first, found.disagreements[1].text
    (1, 'dull')
    """

    def __init__(self, unsure: Label | None = None) -> None:
        self._unsure = unsure
        self._index = LabelIndex()
        self._found: dict[int, int] = {}
        self._rows = 0
        self._sides = _Side(), _Side()

    def add(
        self,
        gold: Sequence[Label],
        a: Sequence[Label | None],
        b: Sequence[Label | None],
        texts: Sequence[str] | None = None,
    ) -> None:
        """Compare some documents: their gold labels, both predictions (None for an abstention), and their texts."""
        for name, labels in (("A", a), ("B", b)):
            if len(labels) != len(gold):
                raise LengthError(
                    f"{name} has {len(labels)} predictions for {len(gold)} gold labels: give one per document"
                )
        codes = [self._codes(labels) for labels in (gold, a, b)]
        keys = (codes[0] * _MOST_CLASSES + codes[1]) * _MOST_CLASSES + codes[2]
        for key, number in zip(*(each.tolist() for each in np.unique(keys, return_counts=True)), strict=True):
            self._found[key] = self._found.get(key, 0) + number
        is_right = [codes[0] == each for each in codes[1:]]
        for side, alone in zip(self._sides, (is_right[0] & ~is_right[1], is_right[1] & ~is_right[0]), strict=True):
            side.draw(
                np.flatnonzero(alone).tolist(),
                lambda at: Disagreement(
                    self._rows + at, None if texts is None else texts[at], gold[at], a[at], b[at]
                ),
            )
        self._rows += len(gold)

    def _codes(self, labels: Iterable[Label | None]) -> npt.NDArray[np.int64]:
        """The number of each label from 1 on; 0 for an abstention."""
        codes = np.array([0 if label is None else self._index.number(label) + 1 for label in labels], np.int64)
        if len(self._index.labels) >= _MOST_CLASSES:
            raise LabelError(f"there are more than {_MOST_CLASSES:,} classes: compare fewer")
        return codes

    def comparison(self, names: tuple[str, str] = ("A", "B")) -> Comparison:
        """The comparison of all documents so far."""
        if not self._rows:
            raise LengthError("there are no documents to compare the predictions on")
        labels = self._index.labels
        classes = [at for at, label in enumerate(labels) if label != self._unsure or self._is_gold(at)]
        order = sorted(classes, key=labels.__getitem__)
        places = np.full(len(labels) + 1, -1, np.int64)
        places[np.array(order, np.int64) + 1] = np.arange(len(order))
        keys = np.array(sorted(self._found), np.int64)
        counts = np.array([self._found[key] for key in keys.tolist()], np.int64)
        rest, second = np.divmod(keys, _MOST_CLASSES)
        gold, first = np.divmod(rest, _MOST_CLASSES)
        outcomes = Outcomes(places[gold], places[first], places[second], counts, len(order))
        kept = sorted((each for side in self._sides for each in side.kept), key=lambda each: each.row)
        return Comparison(names, [labels[at] for at in order], outcomes, kept)

    def _is_gold(self, number: int) -> bool:
        """Whether a document has the label of this number."""
        return any(key // _MOST_CLASSES**2 == number + 1 for key in self._found)


class _Side:
    """The documents that only one classifier gets right: a sample of them."""

    def __init__(self) -> None:
        self._spread = Spread(MOST_KEPT)
        self.kept: list[Disagreement] = []

    def draw(self, places: list[int], made: Callable[[int], Disagreement]) -> None:
        """See the places of more such documents in a batch; ``made`` makes one of a place."""
        drawn = self._spread.draw(len(places))
        self.kept += [made(places[at]) for at in drawn.new.tolist()]
        self.kept = [each for each, stays in zip(self.kept, drawn.stay.tolist(), strict=True) if stays]


def compare_labels(
    gold: Sequence[Label], a: Sequence[Label | None], b: Sequence[Label | None], texts: Sequence[str] | None = None
) -> Comparison:
    """The comparison of two lists of predictions with the gold labels; None is an abstention."""
    pairing = Pairing()
    pairing.add(gold, a, b, texts)
    return pairing.comparison()
