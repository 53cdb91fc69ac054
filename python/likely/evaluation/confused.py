"""`Confused`: a class, and another one that its documents are taken for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from likely.evaluation.pairs import Numbers
    from likely.types import Label


@dataclass(frozen=True)
class Confused:
    """A pair of classes that are confused.

    Attributes
    ----------
    gold, predicted : str, int or bool
        The gold label, and the prediction.
    documents : int
        The number of documents of this pair.
    share : float
        Their share of all documents with this gold label.
    """

    gold: Label
    predicted: Label
    documents: int
    share: float

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return asdict(self)


def most_confused(labels: list[Label], gold: Numbers, predicted: Numbers, counts: Numbers) -> list[Confused]:
    """The pairs of different classes, those with most documents first; abstentions are left out.

    Examples
    --------
    >>> import numpy as np
    >>> most_confused(["a", "b"], np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([3, 1, 5]))
    [Confused(gold='a', predicted='b', documents=1, share=0.25)]
    """
    sizes = np.bincount(gold, weights=counts, minlength=len(labels))
    wrong = np.flatnonzero((gold != predicted) & (predicted >= 0))
    order = wrong[np.argsort(-counts[wrong], kind="stable")]
    pairs = zip(gold[order].tolist(), predicted[order].tolist(), counts[order].tolist(), strict=True)
    return [
        Confused(labels[row], labels[column], number, number / float(sizes[row])) for row, column, number in pairs
    ]
