"""Counts of buckets to log importance weights.

The log importance weight of a document is its log likelihood ratio under two multinomial naive Bayes models, that of
the target and that of the raw documents, over hashed n-grams (Xie et al. 2023, section 3) ::

    log w(d) = sum over the n-grams b of d of  log p(b | target) - log p(b | raw)
    p(b | c) = (n_bc + alpha) / (N_c + alpha B)

with n_bc the number of n-grams of c in bucket b, N_c their sum and B the number of buckets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from likely.formulas import log_base, log_delta

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.types import Array

UNIT = 2.0**32
"""Weights are whole numbers of 2^-32, so that their sums are exact in any order, and the same on every machine."""


def log_probabilities(counts: npt.NDArray[np.uint64], alpha: float) -> Array:
    """Log p(bucket) for each bucket, with additive smoothing.

    Examples
    --------
    >>> np.exp(log_probabilities(np.array([3, 0], np.uint64), 1.0))
    array([0.8, 0.2])
    """
    numbers = counts.astype(np.float64)
    return log_base(numbers.sum(keepdims=True), len(numbers), alpha) + log_delta(numbers, alpha)


def weight_table(
    targets: Sequence[npt.NDArray[np.uint64]], raw: npt.NDArray[np.uint64], alpha: float
) -> npt.NDArray[np.int64]:
    """The log importance weight of each bucket, in units of 2^-32: one row per bucket, one column per target.

    Examples
    --------
    >>> counts = [np.array([3, 0], np.uint64)], np.array([0, 3], np.uint64)
    >>> np.exp(weight_table(*counts, alpha=1.0) / UNIT).round(6)
    array([[4.  ],
           [0.25]])
    """
    base = log_probabilities(raw, alpha)
    ratios = np.stack([log_probabilities(counts, alpha) - base for counts in targets], axis=1)
    return np.rint(ratios * UNIT).astype(np.int64)
