"""`PowerLaw`: how the error falls with the number of documents, fitted to measured errors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from likely.types import Array

EXPONENTS = np.linspace(0.02, 1.5, 75)
"""The exponents that are tried."""


class PowerLaw(NamedTuple):
    """The error of a model of n documents: floor + factor * n ** -exponent.

    Learning curves of many learners on many data sets have this form (Cortes, Jackel, Solla, Vapnik and Denker,
    *Learning Curves: Asymptotic Values and Rate of Convergence*, 1993). Neither floor nor factor is negative.

    Examples
    --------
    >>> PowerLaw(0.05, 1.0, 0.5).error(100)
    0.15000000000000002
    >>> round(PowerLaw(0.05, 1.0, 0.5).documents(0.06))
    10000
    >>> PowerLaw(0.05, 1.0, 0.5).documents(0.04)
    inf
    """

    floor: float
    factor: float
    exponent: float

    def error(self, documents: float) -> float:
        """The error of a model of this many documents."""
        return float(self.floor + self.factor * documents**-self.exponent)

    def documents(self, error: float) -> float:
        """The number of documents for this error; infinite if it is not above the floor."""
        if error <= self.floor or not self.factor:
            return math.inf
        try:
            return float((self.factor / (error - self.floor)) ** (1 / self.exponent))
        except OverflowError:
            return math.inf


def fit_power_laws(documents: Array, errors: Array) -> list[PowerLaw]:
    """The power laws that fit measured errors best: one per row of ``errors``.

    ``documents`` are the sizes of the models, one per column. Squares of relative differences are weighed by the
    number of documents, because what follows from the law is beyond the largest model. For each of the exponents, the
    floor and the factor are those of a weighted linear regression, with the constraint that neither is negative.

    Examples
    --------
    >>> sizes = np.array([100.0, 200.0, 400.0, 800.0])
    >>> law = fit_power_laws(sizes, np.array([PowerLaw(0.1, 2.0, 0.6).error(size) for size in sizes])[None, :])[0]
    >>> round(law.floor, 6), round(law.factor, 6), round(law.exponent, 6)
    (0.1, 2.0, 0.6)
    """
    weights = documents / np.maximum(errors.mean(axis=0), 1 / documents) ** 2
    weights = weights / weights.sum()
    best, found = np.full(len(errors), np.inf), np.zeros((len(errors), 3))
    for exponent in EXPONENTS.tolist():
        powers = documents**-exponent
        floors, factors = _regression(powers, errors, weights)
        losses = (errors - floors[:, None] - factors[:, None] * powers) ** 2 @ weights
        better = losses < best
        best = np.where(better, losses, best)
        found[better] = np.stack([floors, factors, np.full(len(errors), exponent)], axis=1)[better]
    return [PowerLaw(*row) for row in found.tolist()]


def _regression(powers: Array, errors: Array, weights: Array) -> tuple[Array, Array]:
    """The floor and the factor of each row that fit best, neither negative."""
    middle, means = float(weights @ powers), errors @ weights
    around = weights * (powers - middle)
    slopes = errors @ around / float(around @ powers)
    floors = means - slopes * middle
    through_zero = errors @ (weights * powers) / float(weights @ powers**2)
    slopes, floors = np.where(floors < 0, through_zero, slopes), np.maximum(floors, 0.0)
    return np.where(slopes < 0, means, floors), np.maximum(slopes, 0.0)
