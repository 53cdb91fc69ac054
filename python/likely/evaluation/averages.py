"""Averages of the measures of all classes: the mean over those classes where a measure is defined."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypedDict, cast

import numpy as np

from likely.evaluation.table import ratio
from likely.formulas import finite_or_none

if TYPE_CHECKING:
    from likely.evaluation.table import Tables
    from likely.types import Array


class AveragesDict(TypedDict):
    """`Averages` as plain data."""

    precision: float | None
    recall: float | None
    f: float | None
    defined_precision: int
    defined_recall: int
    defined_f: int
    classes: int


@dataclass(frozen=True)
class Averages:
    """Precision, recall and F-beta over all classes, each over those classes for which it is defined.

    Attributes
    ----------
    precision, recall, f : float or None
        The averages; None if the measure is not defined for any class.
    defined_precision, defined_recall, defined_f : int
        The number of classes for which the measure is defined.
    classes : int
        The number of all classes.
    """

    precision: float | None
    recall: float | None
    f: float | None
    defined_precision: int
    defined_recall: int
    defined_f: int
    classes: int

    def to_dict(self) -> AveragesDict:
        """All fields as plain data."""
        return cast("AveragesDict", asdict(self))


def averages(tables: Tables, beta: float, *, weighted: bool = False) -> Averages:
    """The macro averages, or, with ``weighted``, those in which each class has its number of documents as weight.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.table import Tables
    >>> tables = Tables(np.array([2.0, 0.0]), np.array([3.0, 0.0]), np.array([2.0, 1.0]), 3)
    >>> found = averages(tables, 1.0)
    >>> found.recall, found.defined_recall, found.precision, found.defined_precision
    (0.5, 2, 0.6666666666666666, 1)
    """
    measures = tables.precision, tables.recall, tables.f(beta)
    weights = tables.support if weighted else None
    precision, recall, f = (finite_or_none(float(mean_of_defined(measure, weights))) for measure in measures)
    defined = [int(np.isfinite(measure).sum()) for measure in measures]
    return Averages(precision, recall, f, defined[0], defined[1], defined[2], tables.tp.shape[-1])


def mean_of_defined(values: Array, weights: Array | None = None) -> Array:
    """The (weighted) mean over the last axis of those values that are not NaN; NaN if all are.

    If all weights of the defined values are 0, their plain mean is returned, as in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> float(mean_of_defined(np.array([0.25, np.nan, 0.75])))
    0.5
    """
    defined = np.isfinite(values)
    known = np.where(defined, values, 0.0)
    plain = ratio(known.sum(axis=-1), defined.sum(axis=-1).astype(np.float64))
    if weights is None:
        return plain
    heavy = np.where(defined, weights, 0.0)
    mean = ratio((known * heavy).sum(axis=-1), heavy.sum(axis=-1))
    return np.where(np.isfinite(mean), mean, plain)
