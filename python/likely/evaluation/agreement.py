"""How far predictions agree with gold labels beyond chance: Matthews correlation and Cohen's kappa."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.table import ratio

if TYPE_CHECKING:
    from likely.evaluation.table import Tables
    from likely.types import Array


def matthews(tables: Tables) -> Array:
    """The Matthews correlation of gold labels and predictions, from -1 to 1; NaN if either are all the same.

    The form for many classes is that of Gorodkin (*Comparing two K-category assignments by a K-category correlation
    coefficient*, 2004), R_K. Documents without a prediction are one more predicted class.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.table import Tables
    >>> float(matthews(Tables(np.array([2.0, 2.0]), np.array([2.0, 2.0]), np.array([2.0, 2.0]), 4)))
    1.0
    """
    n = float(tables.documents)
    silent = n - tables.predicted.sum(axis=-1)
    covariance = tables.tp.sum(axis=-1) * n - (tables.predicted * tables.support).sum(axis=-1)
    of_predicted = n * n - (tables.predicted**2).sum(axis=-1) - silent**2
    of_gold = n * n - (tables.support**2).sum(axis=-1)
    return ratio(covariance, np.sqrt(of_predicted * of_gold))


def kappa(tables: Tables) -> Array:
    """Cohen's kappa: the share of agreements beyond those by chance; NaN if chance alone would always agree.

    The formula is (p_o - p_e) / (1 - p_e), with p_o the observed share of agreements and p_e the expected one (Cohen,
    *A Coefficient of Agreement for Nominal Scales*, 1960).

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.table import Tables
    >>> float(kappa(Tables(np.array([2.0, 1.0]), np.array([3.0, 1.0]), np.array([2.0, 2.0]), 4)))
    0.5
    """
    n = float(tables.documents)
    chance = (tables.predicted * tables.support).sum(axis=-1)
    return ratio(tables.tp.sum(axis=-1) * n - chance, n * n - chance)
