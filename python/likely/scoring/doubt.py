"""What remains certain if scores are only known roughly.

The kernel can add up scores roughly, with a bound on the error, in a fraction of the time. Let each score be wrong by
at most ``e``. Then a difference of two scores is wrong by at most ``2 e``, and the log-odds of a class,

    log P(c|d) / (1 - P(c|d)) = -log sum over the other classes k of exp(f * (score_k - score_c)),

by at most the largest error of ``f * (score_k - score_c)``, because the logarithm of a sum of exponentials changes by
at most as much as the exponent that changes most. The factor ``f`` of the calibration is wrong, too, because it
depends on the standard deviation of the scores, which changes by at most ``e``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.scoring.calibration import spread_of

if TYPE_CHECKING:
    from likely.scoring.calibration import Calibration
    from likely.types import Array, Mask

SLACK = 1e-6
"""What rounding may add to the error of log-odds: it is less."""
MOST_LOG_ODDS = 16.0
"""Above these log-odds, a probability is so close to 1 that rounding may change them by more than the slack."""


def log_odds_doubt(joint: Array, length: Array, doubt: Array, calibration: Calibration | None) -> Array:
    """By how much the log-odds of any class may be wrong, per text, if each of its scores is wrong by ``doubt``.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.scoring.calibration import Calibration
    >>> joint, length, doubt = np.array([[-8.0, -4.0]]), np.array([4.0]), np.array([0.1])
    >>> log_odds_doubt(joint, length, doubt, None).round(4)
    array([0.2])
    >>> log_odds_doubt(joint, length, doubt, Calibration(1.0, 0.5, 0.0)).round(4)
    array([0.1])
    """
    if calibration is None:
        return 2 * doubt + SLACK
    factors = calibration.factors(joint, length)[:, 0]
    spread = spread_of(joint)
    certain = np.maximum(spread - doubt, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        # A text without known terms has the factor 1, whatever its spread.
        largest = factors * np.where((doubt > 0) & (length > 0), spread / certain, 1.0) ** calibration.delta
        found: Array = 2 * doubt * largest + (largest - factors) * _range(joint) + SLACK
    return np.where(np.isnan(found), np.inf, found)


def _range(joint: Array) -> Array:
    """The largest difference of the scores of each text, over the classes that are possible."""
    is_finite = np.isfinite(joint)
    highest: Array = np.where(is_finite, joint, -np.inf).max(axis=1)
    found: Array = highest - np.where(is_finite, joint, np.inf).min(axis=1)
    return np.where(is_finite.any(axis=1), found, 0.0)


def probability_bounds(log_probabilities: Array, place: int, doubt: Array) -> tuple[Array, Array]:
    """The least and the largest probabilities of the class at ``place``, if the log-odds are wrong by ``doubt``.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = probability_bounds(np.log([[0.5, 0.5], [0.1, 0.9]]), 1, np.array([0.1, 0.1]))
    >>> low.round(3), high.round(3)
    (array([0.475, 0.891]), array([0.525, 0.909]))
    """
    before, after = log_probabilities[:, :place], log_probabilities[:, place + 1 :]
    next_best = np.maximum(before.max(axis=1, initial=-np.inf), after.max(axis=1, initial=-np.inf))
    return _bounds(log_probabilities[:, place], next_best, log_probabilities.shape[1], doubt)


def best_bounds(log_probabilities: Array, doubt: Array) -> tuple[Array, Array]:
    """The least and the largest probabilities of the most probable class, if the log-odds are wrong by ``doubt``.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = best_bounds(np.log([[0.1, 0.9]]), np.array([0.1]))
    >>> low.round(3), high.round(3)
    (array([0.891]), array([0.909]))
    """
    best, next_best = _best_two(log_probabilities)
    return _bounds(best, next_best, log_probabilities.shape[1], doubt)


def _bounds(logs: Array, next_best: Array, classes: int, doubt: Array) -> tuple[Array, Array]:
    """The bounds of probabilities; ``next_best`` are the log-probabilities of the best of the other classes."""
    with np.errstate(divide="ignore"):
        odds = logs - np.log(-np.expm1(logs))
    is_near_one = odds > MOST_LOG_ODDS
    # All other classes together are at most as probable as if each were as probable as the best of them.
    least = np.maximum(logs - next_best - np.log(max(classes - 1, 1)), MOST_LOG_ODDS)
    low, high = np.where(is_near_one, least, odds), np.where(is_near_one, np.inf, odds)
    with np.errstate(invalid="ignore"):  # an impossible class is not certain if the doubt is infinite
        return _probability(low - doubt), _probability(high + doubt)


def _probability(log_odds: Array) -> Array:
    with np.errstate(over="ignore"):
        found: Array = 1 / (1 + np.exp(-log_odds))
    return found


def is_best_certain(log_probabilities: Array, doubt: Array) -> Mask:
    """Whether the most probable class of each text is certain, if the log-odds are wrong by at most ``doubt``.

    Examples
    --------
    >>> import numpy as np
    >>> is_best_certain(np.log([[0.6, 0.4], [0.9, 0.1]]), np.array([1.0, 1.0]))
    array([False,  True])
    """
    best, next_best = _best_two(log_probabilities)
    with np.errstate(invalid="ignore"):
        certain: Mask = best - next_best > doubt
    return certain


def _best_two(log_probabilities: Array) -> tuple[Array, Array]:
    """The log-probabilities of the most probable class and of the next one, which may be missing."""
    if log_probabilities.shape[1] < 2:
        return log_probabilities[:, 0], np.full(len(log_probabilities), -np.inf)
    best_two = np.partition(log_probabilities, -2, axis=1)[:, -2:]
    return best_two[:, 1], best_two[:, 0]
