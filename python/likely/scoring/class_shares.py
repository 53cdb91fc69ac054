"""The shares of the classes in texts without labels, by expectation maximization."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from likely.core.weights import Classes
    from likely.types import Array, Places

MOST_STEPS = 1_000
CLOSE = 1e-9
"""The iteration stops if no share changes by this much in a step."""
CLOSE_PRIOR = 1e-4
"""The search for an implied prior stops if no number of it changes by this share in a step."""
LEAST_PRIOR, MOST_CHANGE = 1e-9, 1_000.0
"""The least mean probability from which this search starts, and the largest factor by which it moves away from there:
classes that can be told apart without any doubt would allow any prior."""
LEAST = 1e-300
"""The least probability of a text that is divided by: the texts of a class whose prior is nearly 0 have less."""


def estimate_shares(log_probabilities: Array, log_prior: Array, close: float = CLOSE) -> Array:
    """The shares of the classes that make the texts most probable: one per class.

    ``log_probabilities`` (one row per text, one column per class) were computed with ``log_prior``. Each step
    replaces the prior by the mean of the probabilities (Saerens, Latinne and Decaestecker, *Adjusting the Outputs of
    a Classifier to New a Priori Probabilities*, 2002), until no share changes by ``close``. Overconfident
    probabilities give shares that are too extreme, so they should be calibrated. A class with the prior 0 gets the
    share 0.

    Examples
    --------
    >>> import numpy as np
    >>> logs = np.log([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.1, 0.9]])
    >>> estimate_shares(logs, np.log([0.5, 0.5])).round(3)
    array([0.812, 0.188])
    """
    likelihoods = _likelihoods(log_probabilities, log_prior)
    return _maximized(likelihoods, np.exp(log_prior), np.ones(len(likelihoods)), close)


def _maximized(likelihoods: Array, start: Array, times: Array, close: float) -> Array:
    """The shares that make the texts most probable, each as often as ``times`` says; the search begins at a start."""
    shares = start
    for _ in range(MOST_STEPS):
        following = shares * ((times / _of_texts(likelihoods, shares)) @ likelihoods) / times.sum()
        change = np.abs(following - shares).max()
        shares = following
        if change < close:
            break
    total: Array = shares / shares.sum()
    return total


def share_replicates(
    log_probabilities: Array, log_prior: Array, shares: Array, replicates: int, seed: int, close: float
) -> Array:
    """Bootstrap replicates of estimated shares, one row each: texts are drawn with replacement.

    The search starts from ``shares``, the estimate of all texts.
    """
    likelihoods = _likelihoods(log_probabilities, log_prior)
    generator = np.random.default_rng(seed)
    start = np.maximum(shares, LEAST_PRIOR)
    draws = generator.multinomial(len(likelihoods), np.full(len(likelihoods), 1 / len(likelihoods)), replicates)
    return np.array([_maximized(likelihoods, start / start.sum(), times, close) for times in draws])


def log_likelihood_gain(log_probabilities: Array, log_prior: Array, shares: Array, others: Array) -> float:
    """By how much the log-likelihood of the texts is higher with ``shares`` than with ``others``, one per class.

    Examples
    --------
    >>> import numpy as np
    >>> logs = np.log([[0.9, 0.1], [0.9, 0.1]])
    >>> round(log_likelihood_gain(logs, np.log([0.5, 0.5]), np.array([1.0, 0.0]), np.array([0.5, 0.5])), 4)
    1.1756
    """
    likelihoods = _likelihoods(log_probabilities, log_prior)
    more, less = (np.log(_of_texts(likelihoods, each)).sum() for each in (shares, others))
    return float(more - less)


def prior_in(classes: Classes, implied: list[float] | None) -> Array:
    """The logarithm of the prior in the probabilities of a model; ``implied`` is that of its calibration, if any."""
    if implied is None or len(implied) != len(classes.labels):  # classes were learned or forgotten meanwhile
        return classes.log_prior
    return np.where(classes.log_prior > -np.inf, np.log(implied), -np.inf)


def implied_prior(log_probabilities: Array, gold: Places, times: Array | None = None) -> Array:
    """The prior with which `estimate_shares` finds the true shares of documents with gold classes: one per class.

    Calibrated scores are divided by a factor, and so is the prior in them; and the words of one class may count for
    more than those of another. So the prior that probabilities imply is not the one that the model has. It is found
    on documents that the model has not seen, as in *Maximum Likelihood with Bias-Corrected Calibration* (Alexandari,
    Kundaje and Shrikumar, 2020). ``gold`` has the places of the gold classes, ``times`` the weights
    of the documents.

    Examples
    --------
    >>> import numpy as np
    >>> logs = np.log([[0.9, 0.1], [0.7, 0.3], [0.7, 0.3], [0.3, 0.7]])
    >>> prior = implied_prior(logs, np.array([0, 0, 1, 1]))
    >>> estimate_shares(logs, np.log(prior)).round(3)
    array([0.5, 0.5])
    """
    probabilities = np.exp(log_probabilities)
    weights = np.full(len(gold), 1 / len(gold)) if times is None else times / times.sum()
    start = np.maximum(weights @ probabilities, LEAST_PRIOR)
    shares = np.bincount(gold, weights=weights, minlength=len(start))
    found, prior = shares > 0, start
    for _ in range(MOST_STEPS):
        ratios = shares / prior
        means = ratios * ((weights / _of_texts(probabilities, ratios)) @ probabilities)
        wanted = np.where(found, prior * means / np.where(found, shares, 1.0), start)
        following = np.clip(wanted, start / MOST_CHANGE, start * MOST_CHANGE)
        change = np.abs(following / prior - 1).max()
        prior = following
        if change < CLOSE_PRIOR:
            break
    implied: Array = prior / prior.sum()
    return implied


def _likelihoods(log_probabilities: Array, log_prior: Array) -> Array:
    """P(text given class), up to a factor per text: the largest one of each text is 1."""
    possible = log_prior > -np.inf
    logs = np.full_like(log_probabilities, -np.inf)
    logs[:, possible] = log_probabilities[:, possible] - log_prior[possible]
    likelihoods: Array = np.exp(logs - logs.max(axis=1, keepdims=True))
    return likelihoods


def _of_texts(likelihoods: Array, shares: Array) -> Array:
    """P(text), up to a factor per text; above 0, so that it can be divided by."""
    return np.maximum(likelihoods @ shares, LEAST)
