"""`Answers`: what a model answered about each document, kept for reports and comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from likely.types import Array


@dataclass(frozen=True, eq=False)
class Answers:
    """The gold label and the prediction of each document, in the order of the data.

    Attributes
    ----------
    gold, predicted : array
        Their places in the ``labels`` of the evaluation; a prediction is -1 where the model abstained.
    log_probabilities : array or None
        One row per document, one column per label of the evaluation; minus infinity for a label that the model does
        not know. None without probabilities.
    texts : list of str or None
        The documents, if they are known.
    """

    gold: npt.NDArray[np.int64]
    predicted: npt.NDArray[np.int64]
    log_probabilities: Array | None = None
    texts: list[str] | None = None
