"""Not answering: by how sure a model must be, and what is gained and lost by that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from likely.types import Array

SHOWN = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""The thresholds of a table that is looked at."""
STEPS = 100
"""How many thresholds a model remembers, so that a precision can be asked of it."""


@dataclass(frozen=True)
class Coverage:
    """What answering only from a probability on means: the share of texts answered, and of answers that are right."""

    threshold: float
    coverage: float
    accuracy: float | None


@dataclass(frozen=True)
class Threshold:
    """How sure a model must be to answer; a text without known words is never answered.

    Attributes
    ----------
    probability : float
        The least probability of the best class.
    margin : float
        By how much it must exceed that of the next one.
    """

    probability: float = 0.0
    margin: float = 0.0

    def unsure(self, log_probabilities: Array, length: Array) -> npt.NDArray[np.bool_]:
        """Which texts are not answered.

        Examples
        --------
        >>> import numpy as np
        >>> probabilities = np.log([[0.7, 0.3], [0.9, 0.1], [0.9, 0.1]])
        >>> Threshold(probability=0.8).unsure(probabilities, np.array([5.0, 5.0, 0.0]))
        array([ True, False,  True])
        """
        best = np.exp(np.partition(log_probabilities, -2, axis=1)[:, -2:] if log_probabilities.shape[1] > 1 else 0)
        top = np.exp(log_probabilities.max(axis=1))
        next_best = best[:, 0] if np.ndim(best) else np.zeros(len(top))
        unsure: npt.NDArray[np.bool_] = (length == 0) | (top < self.probability) | (top - next_best < self.margin)
        return unsure


def threshold_of(abstain: Any, learned: Sequence[Coverage] | None) -> Threshold | None:
    """The threshold that a value of ``abstain`` stands for; None for answering always.

    ``learned`` is what answering cost on the training data, if the model knows.

    Examples
    --------
    >>> threshold_of(0.9, None)
    Threshold(probability=0.9, margin=0.0)
    >>> threshold_of({"margin": 0.2}, None)
    Threshold(probability=0.0, margin=0.2)
    >>> threshold_of({"precision": 0.95}, [Coverage(0.7, 0.8, 0.96), Coverage(0.5, 1.0, 0.9)])
    Threshold(probability=0.7, margin=0.0)
    """
    if abstain is None:
        return None
    if not isinstance(abstain, Mapping):
        return Threshold(probability=float(abstain)) if abstain else None
    (way, value), *_ = abstain.items()
    if way != "precision":
        return Threshold(**{way: float(value)})
    return Threshold(probability=_precise(float(value), learned))


def _precise(target: float, learned: Sequence[Coverage] | None) -> float:
    if not learned:
        raise OptionError(
            "abstain by precision needs a calibrated model, which knows how often it is right: train with "
            "calibrate=True, or give abstain a probability"
        )
    enough = [row for row in learned if row.accuracy is not None and row.accuracy >= target]
    if not enough:
        best = max(row.accuracy or 0.0 for row in learned)
        raise OptionError(f"a precision of {target:g} is out of reach: on the training data {best:.4g} was the best")
    return max(enough, key=lambda row: row.coverage).threshold


def coverage_at(confidence: Array, right: npt.NDArray[np.bool_], thresholds: Sequence[float]) -> list[Coverage]:
    """Share answered and share right from each threshold on.

    Examples
    --------
    >>> import numpy as np
    >>> coverage_at(np.array([0.9, 0.6]), np.array([True, False]), [0.0, 0.8])
    [Coverage(threshold=0.0, coverage=1.0, accuracy=0.5), Coverage(threshold=0.8, coverage=0.5, accuracy=1.0)]
    """
    rows = []
    for threshold in thresholds:
        answered = confidence >= threshold
        number = int(answered.sum())
        accuracy = float(right[answered].mean()) if number else None
        rows.append(Coverage(float(threshold), number / len(confidence), accuracy))
    return rows


def coverage_curve(confidence: Array, right: npt.NDArray[np.bool_]) -> list[Coverage]:
    """What a model remembers: coverage and accuracy at so many thresholds, equally many documents apart."""
    shares = np.arange(1, STEPS + 1) / STEPS
    thresholds = np.quantile(confidence, 1 - shares, method="lower")
    return coverage_at(confidence, right, np.unique(thresholds)[::-1].tolist())


def curve_from(rows: Any) -> list[Coverage]:
    """A curve of plain data, as `plain_curve` made it."""
    return [Coverage(*row) for row in rows]


def plain_curve(curve: Sequence[Coverage]) -> list[list[float | None]]:
    """A curve as plain data."""
    return [list(astuple(row)) for row in curve]
