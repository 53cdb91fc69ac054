"""The shares of the classes in texts without labels, by expectation maximization."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.formulas import log_posterior

if TYPE_CHECKING:
    from likely.types import Array

MOST_STEPS = 1_000
CLOSE = 1e-9
"""The iteration stops if no share changes by this much in a step."""


def estimate_shares(log_probabilities: Array, log_prior: Array) -> Array:
    """The shares of the classes that make the texts most probable: one per class.

    ``log_probabilities`` (one row per text, one column per class) were computed with ``log_prior``. Each step
    replaces the prior by the mean of the probabilities (Saerens, Latinne and Decaestecker, *Adjusting the Outputs of
    a Classifier to New a Priori Probabilities*, 2002). Overconfident probabilities give shares that are too extreme,
    so they should be calibrated. A class with the prior 0 gets the share 0.

    Examples
    --------
    >>> import numpy as np
    >>> logs = np.log([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.1, 0.9]])
    >>> estimate_shares(logs, np.log([0.5, 0.5])).round(3)
    array([0.812, 0.188])
    """
    shares = np.exp(log_prior)
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(MOST_STEPS):
            shift = np.where(shares > 0, np.log(shares) - log_prior, -np.inf)
            following = np.exp(log_posterior(log_probabilities + shift, np.log(shares))).mean(axis=0)
            change = np.abs(following - shares).max()
            shares = following
            if change < CLOSE:
                break
    total: Array = shares / shares.sum()
    return total
