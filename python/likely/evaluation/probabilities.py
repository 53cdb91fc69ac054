"""Probabilities that a user gives: checked, and as logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.errors import LengthError, ProbabilityError

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array

TOLERANCE = 1e-6
"""The sum of the probabilities of a document may differ from 1 by this much: they may be of single precision."""


def log_probabilities(probabilities: npt.ArrayLike, documents: int, classes: int) -> Array:
    """The logarithms of probabilities: one row per document, one column per class.

    Examples
    --------
    >>> log_probabilities([[0.5, 0.5], [0.25, 0.8]], 2, 2)
    Traceback (most recent call last):
    likely.errors.ProbabilityError: the probabilities in row 2 sum to 1.05: they must sum to 1
    """
    given = _numbers(probabilities)
    if given.ndim != 2:
        raise ProbabilityError(
            f"probabilities has {given.ndim} dimensions: give one row per document and one column per class"
        )
    if len(given) != documents:
        raise LengthError(f"there are {len(given)} rows of probabilities for {documents} documents: give one each")
    if given.shape[1] != classes:
        raise ProbabilityError(
            f"probabilities has {given.shape[1]} columns for {classes} classes: give the labels of the columns, in "
            "their order, as classes"
        )
    _check_rows(given)
    with np.errstate(divide="ignore"):
        logs: Array = np.log(given)
    return logs


def _numbers(probabilities: npt.ArrayLike) -> Array:
    try:
        return np.asarray(probabilities, np.float64)
    except (TypeError, ValueError):
        raise ProbabilityError(
            "probabilities are not rows of numbers of equal length: give one row per document, one column per class"
        ) from None


def _check_rows(given: Array) -> None:
    least = given.min()
    if not least >= 0:  # also if it is NaN
        row, column = (int(each[0]) for each in np.nonzero(~(given >= 0)))
        raise ProbabilityError(
            f"the probability {given[row, column]} in row {row + 1} is not allowed: it must be from 0 to 1"
        )
    sums = given.sum(axis=1)
    off = ~(np.abs(sums - 1) <= TOLERANCE)
    if off.any():
        row = int(off.argmax())
        raise ProbabilityError(f"the probabilities in row {row + 1} sum to {sums[row]:.7g}: they must sum to 1")
