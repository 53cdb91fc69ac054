"""How the classes are shared out in texts without labels: by expectation and maximization."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.formulas import log_posterior

if TYPE_CHECKING:
    from likely.types import Array

MOST_STEPS = 1_000
CLOSE = 1e-9
"""Shares that change by less in a step are found."""


def estimate_shares(log_probabilities: Array, log_prior: Array) -> Array:
    """The shares of the classes that make texts most probable, from what they get with another prior.

    Each step takes the mean of the probabilities for the prior (Saerens, Latinne and Decaestecker, *Adjusting the
    Outputs of a Classifier to New a Priori Probabilities*, 2002). What is overconfident finds shares that are too
    extreme, so the probabilities had better be calibrated. A class with the prior 0 stays without texts.

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
