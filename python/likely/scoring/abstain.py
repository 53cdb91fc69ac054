"""Abstaining: the probability that the best class must reach, else a model returns None."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import LabelError, OptionError
from likely.labels import coded, python_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.scoring.reliability import Coverage
    from likely.types import Abstain, Array, Label, Mask, Places


@dataclass(frozen=True)
class Threshold:
    """The least probability and the least margin of a class that is returned.

    If the classes have thresholds of their own, these decide first: what is asked here is the probability of the
    predicted class, which need not be the most probable one.

    A text without known words never gets a class.

    Attributes
    ----------
    probability : float
        The least probability of the predicted class.
    margin : float
        The least difference between the probabilities of the predicted class and the best other class.
    """

    probability: float = 0.0
    margin: float = 0.0

    def unsure(self, log_probabilities: Array, length: Array, best: Places) -> Mask:
        """Whether the model abstains, for each text; ``best`` are the places of the predicted classes.

        Examples
        --------
        >>> import numpy as np
        >>> probabilities = np.log([[0.7, 0.3], [0.9, 0.1], [0.9, 0.1]])
        >>> Threshold(probability=0.8).unsure(probabilities, np.array([5.0, 5.0, 0.0]), np.zeros(3, np.intp))
        array([ True, False,  True])
        """
        rows = np.arange(len(best))
        top = np.exp(log_probabilities[rows, best])
        others = log_probabilities.copy()
        others[rows, best] = -np.inf
        next_best = np.exp(others.max(axis=1))
        unsure: Mask = (length == 0) | (top < self.probability)
        # A class that is predicted because of its threshold may have a negative margin.
        return unsure | (top - next_best < self.margin) if self.margin > 0 else unsure


def fitting_reject_label(labels: Sequence[Label], reject_label: Label) -> Label:
    """``reject_label`` as one of the labels. The command line has only text, which may stand for a number.

    Raise ``OptionError`` if it is one of the classes, or of another type than they are.

    Examples
    --------
    >>> fitting_reject_label(["good", "bad"], "unsure"), fitting_reject_label([1, 2], "-1")
    ('unsure', -1)
    >>> fitting_reject_label(["good", "unsure"], "unsure")
    Traceback (most recent call last):
    likely.errors.OptionError: reject_label='unsure' is one of the classes: give a label that no class has
    """
    label = python_label(reject_label)  # it may be a number or a text of numpy
    if isinstance(label, str) and type(labels[0]) is int:
        with suppress(LabelError):
            label = coded([label]).as_kind(int).values[0]
    if label in labels:
        raise OptionError(f"reject_label={reject_label!r} is one of the classes: give a label that no class has")
    kind, wanted = type(label).__name__, type(labels[0]).__name__
    if kind != wanted:
        raise OptionError(
            f"reject_label={reject_label!r} is of type {kind}, but the labels are of type {wanted}: "
            + (
                "bool has no third value, so train on text or numbers"
                if wanted == "bool"
                else "give one of their type"
            )
        )
    return label


def threshold_of(abstain: Abstain | None, learned: Sequence[Coverage] | None) -> Threshold | None:
    """The threshold for a value of the option ``abstain``; None if the model never abstains.

    ``learned`` is the coverage curve of the training data, which a calibrated model has.

    Examples
    --------
    >>> from likely.scoring.reliability import Coverage
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
            "to abstain by precision, a model must be calibrated, so that it knows how often it is right: train with "
            "calibrate=True, or give abstain a probability"
        )
    enough = [row for row in learned if row.accuracy is not None and row.accuracy >= target]
    if not enough:
        best = max(row.accuracy or 0.0 for row in learned)
        raise OptionError(f"a precision of {target:g} is out of reach: the best on the training data is {best:.4g}")
    return max(enough, key=lambda row: row.coverage).threshold
