"""The formulas of naive Bayes, each defined once and named as in the textbooks.

Every variant is one linear form, so that scoring is one loop::

    score_c(d) = bias_c + sum over known terms t of v_t * (base_c + delta_tc)

For the multinomial model with additive smoothing (Manning, Raghavan and Schuetze, *Introduction to Information
Retrieval*, 2008, section 13.2; Jurafsky and Martin, *Speech and Language Processing*, ch. 4) ::

    P(t|c) = (n_tc + alpha) / (N_c + alpha V)      bias_c = log P(c)
    base_c = log(alpha / (N_c + alpha V))          delta_tc = log(1 + n_tc / alpha)

with n_tc the occurrences of t in class c (the documents with t in c for the binary variant), N_c their sum over the
vocabulary, and V its size. delta_tc is 0 if n_tc is 0. With alpha = 0 the form is ::

    base_c = -log N_c          delta_tc = log n_tc, minus infinity if n_tc is 0
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
import numpy.typing as npt

from likely.errors import OptionError

if TYPE_CHECKING:
    from likely.types import Array, Label, Prior

Float = TypeVar("Float", np.float32, np.float64)
Value = TypeVar("Value")


def log_base(tokens: Array, vocabulary: float | Array, alpha: float) -> Array:
    """Base_c per class: the log probability of a term that is new to the class; -log N_c if alpha is 0.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_base(np.array([14.0, 9.0]), 20, 1.0)) * [34, 29]
    array([1., 1.])
    """
    tokens = np.asarray(tokens, dtype=np.float64)
    with np.errstate(divide="ignore", over="ignore"):
        if alpha == 0:
            base = -np.log(tokens)
        elif alpha < 1:
            base = np.log(alpha) - np.log(tokens + alpha * vocabulary)
        else:  # the division comes first, so that the result is finite even for the largest alpha
            base = -np.log(tokens / alpha + vocabulary)
    # If a class has no tokens to divide by, it has no terms to weigh.
    return np.where(np.isfinite(base), base, 0.0)


def term_frequency(counts: Array, *, sublinear: bool) -> Array:
    """The term frequency tf of each count: the count itself, or 1 + log(count) (for counts above 0).

    Examples
    --------
    >>> import numpy as np
    >>> term_frequency(np.array([1.0, 3.0]), sublinear=True)
    array([1.        , 2.09861229])
    """
    return 1.0 + np.log(counts) if sublinear else counts


def expected_collisions(used: int, buckets: int) -> float:
    """The expected number of terms that share a bucket with another term, from the number of buckets in use.

    If n terms fall into m buckets at random, m (1 - exp(-n / m)) buckets are in use. So n is about
    -m log(1 - used / m), and n - used terms collide.

    Examples
    --------
    >>> round(expected_collisions(6321, 10_000))
    3678
    """
    if used >= buckets:
        return math.inf
    return max(-buckets * math.log1p(-used / buckets) - used, 0.0)


def log_delta(counts: Array, alpha: float) -> Array:
    """Delta_tc per count n_tc: by how much the log probability of the term exceeds base_c.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_delta(np.array([0.0, 1.0, 2.0]), 1.0))
    array([1., 2., 3.])
    """
    with np.errstate(divide="ignore", over="ignore"):
        if alpha == 0:
            return np.log(counts)
        ratio = counts / alpha
        if np.isfinite(ratio).all():
            return np.log1p(ratio, out=ratio)
        return np.where(counts > 0, np.log(counts) - np.log(alpha), 0.0)


def log_prior(documents: Array, labels: Sequence[Label], prior: Prior) -> Array:
    """Log P(c), one number per class.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_prior(np.array([3.0, 2.0]), ["-", "+"], "fitted")).round(12)
    array([0.6, 0.4])
    """
    with np.errstate(divide="ignore"):
        if isinstance(prior, Mapping):
            check_prior(labels, prior)
            given = cast("Mapping[Label, float]", prior)
            shares = np.array([given[label] for label in labels], dtype=np.float64)
            if not shares.any():
                raise OptionError("prior gives every class the share 0: at least one class needs a share above 0")
            return np.log(shares)
        if prior == "uniform":
            return np.full(len(labels), -np.log(len(labels)))
        fitted: Array = np.log(documents / documents.sum())
        return fitted


def check_prior(labels: Sequence[Label], prior: Prior) -> None:
    """Raise ``OptionError`` if the prior is a mapping that lacks one of the classes."""
    if isinstance(prior, Mapping):
        missing = [label for label in labels if label not in prior]
        if missing:
            raise OptionError(f"prior has no share for class {missing[0]!r}: give one for every class")


def log_posterior(joint: Array, prior: Array) -> Array:
    """Log P(c|d) from log P(c, d): one row per document, one column per class.

    If a document is impossible in every class (alpha = 0), its posterior is the prior.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_posterior(np.log([[0.1, 0.3]]), np.log([0.5, 0.5])))
    array([[0.25, 0.75]])
    """
    joint = possible(joint, prior)
    # The scores of a long text are so large that only their differences are exact enough to add up to 1.
    beyond = joint - joint.max(axis=1, keepdims=True)
    posterior: Array = beyond - np.log(np.exp(beyond).sum(axis=1, keepdims=True))
    return posterior


def possible(joint: Array, prior: Array) -> Array:
    """The joint log probabilities; a row that is impossible in every class becomes the prior."""
    hopeless = np.isneginf(joint).all(axis=1, keepdims=True)
    return np.where(hopeless, prior, joint) if hopeless.any() else joint


def inverse_document_frequency(
    documents: npt.NDArray[Float], total: float | npt.NDArray[Float], *, smooth: float = 0, lift: float = 0
) -> npt.NDArray[Float]:
    """The idf of each term, from the number of documents that it occurs in and the number of all documents.

    By default it is the textbook's log(N / df). ``smooth`` is added to both numbers, as if this many further
    documents had every term. ``lift`` is added to the logarithm, so that a term that is in all documents still has
    a weight. scikit-learn uses ``smooth=1, lift=1`` or, without smoothing, ``lift=1``.

    Examples
    --------
    >>> import numpy as np
    >>> inverse_document_frequency(np.array([1.0, 4.0]), 4).round(3)
    array([1.386, 0.   ])
    >>> inverse_document_frequency(np.array([1.0, 4.0]), 4, smooth=1, lift=1).round(3)
    array([1.916, 1.   ])
    """
    frequency: npt.NDArray[Float] = np.log((total + smooth) / (documents + smooth)) + lift  # type: ignore[assignment]
    return frequency


def smoothed_fraction(counts: Array, totals: Array, vocabulary: float | Array, alpha: float) -> tuple[Array, Array]:
    """P(t|c) as a fraction: the numerator per term and the denominator per class, as a textbook writes them.

    Examples
    --------
    >>> import numpy as np
    >>> smoothed_fraction(np.array([1.0, 0.0]), np.array([14.0, 9.0]), 20, 1.0)
    (array([2., 1.]), array([34., 29.]))
    """
    if math.isfinite(alpha * vocabulary):
        return counts + alpha, totals + alpha * vocabulary
    return counts / alpha + 1, totals / alpha + vocabulary


def sums_of_others(numbers: Array) -> Array:
    """For each number, the sum of all others in the last axis; no difference of large numbers is taken.

    Examples
    --------
    >>> import numpy as np
    >>> sums_of_others(np.array([1e20, 1.0, 2.0]))
    array([3.e+00, 1.e+20, 1.e+20])
    """
    before, after = (np.zeros_like(numbers) for _ in range(2))
    np.cumsum(numbers[..., :-1], axis=-1, out=before[..., 1:])
    np.cumsum(numbers[..., :0:-1], axis=-1, out=after[..., -2::-1])
    return before + after


def likelihood_ratio(above: Array, below: Array) -> Array:
    """P(t|a) / P(t|b) per term, from numerators (columns a and b) and denominators; NaN if both are 0.

    Examples
    --------
    >>> import numpy as np
    >>> likelihood_ratio(np.array([[3.0, 1.0], [1.0, 0.0], [0.0, 0.0]]), np.array([20.0, 20.0]))
    array([ 3., inf, nan])
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # The products are exact for numbers such as those of textbooks; the quotients are for numbers whose products
        # overflow.
        upper, lower = above[:, 0] * below[1], above[:, 1] * below[0]
        far = (above[:, 0] / above[:, 1]) * (below[1] / below[0])
        ratio: Array = np.where(np.isfinite(upper) & np.isfinite(lower), upper / lower, far)
    return ratio


def shrunk_log_ratio(counts: Array, rest: Array, total: float, rest_total: float, shrinkage: float) -> Array:
    """Per term, the log ratio of its frequencies in a class and in the other classes, shrunk towards 0.

    Each term gets ``shrinkage`` further occurrences, divided between the class and the rest in proportion to their
    tokens. A rare term then stays near 0 whatever its ratio is; a term that is frequent everywhere (a stop word) is
    near 0 because of its ratio. The idea is the log odds ratio with an informative prior of Monroe, Colaresi and
    Quinn, *Fightin' Words*, 2008; here it is applied to the ratio of two frequencies, with the same prior strength
    for all terms.

    Examples
    --------
    >>> import numpy as np
    >>> shrunk_log_ratio(np.array([1.0, 100.0]), np.array([0.0, 0.0]), 1000, 1000, 10).round(2)
    array([0.18, 3.04])
    """
    share = total / (total + rest_total)
    inside = counts + shrinkage * share
    outside = rest + shrinkage * (1 - share)
    ratio: Array = np.log(inside / outside) - np.log(share / (1 - share))
    return ratio


def log_likelihood_ratio(counts: Array, terms: Array, classes: Array, total: float) -> Array:
    """The part of each term and class in G2, the log-likelihood ratio: 2 n_tc log(n_tc N / (n_t N_c)).

    The sum over the classes is how much a term says about the class; the sum over all terms is how far terms and
    classes are from being independent (Dunning, *Accurate Methods for the Statistics of Surprise and Coincidence*,
    1993).

    Examples
    --------
    >>> import numpy as np
    >>> log_likelihood_ratio(np.array([2.0, 1.0]), np.array([2.0, 2.0]), np.array([4.0, 4.0]), 8.0).round(4)
    array([2.7726, 0.    ])
    """
    terms_of_g2: Array = 2 * counts * np.log((counts / terms) * (total / classes))
    return terms_of_g2


def perplexity(log_likelihood: float, tokens: float) -> float:
    """The inverse probability of a text per token: exp(-log P / N).

    Examples
    --------
    >>> round(perplexity(-6.907755278982137, 3), 6)
    10.0
    """
    return float(np.exp(-log_likelihood / tokens))


def share(part: float, whole: float) -> float | None:
    """Part divided by whole, or None if the whole is 0.

    Examples
    --------
    >>> share(1, 4), share(0, 0)
    (0.25, None)
    """
    return part / whole if whole else None


def unseen_share(alone: float, occurrences: float) -> float | None:
    """The expected share of the terms of a new document that are unknown; None if nothing occurs.

    It is the share of all ``occurrences`` that belongs to terms which are ``alone``: in one document only. Each of
    these would be unknown if its document were left out, so this is the exact mean over all left-out documents. It is
    the estimate of Good and Turing (Good, *The Population Frequencies of Species and the Estimation of Population
    Parameters*, 1953).

    Examples
    --------
    >>> unseen_share(1, 8)
    0.125
    """
    return share(alone, occurrences)


def total_variation(one: Array, other: Array) -> float:
    """The total variation distance of two distributions, from 0 to 1: half the sum of all absolute differences.

    Examples
    --------
    >>> import numpy as np
    >>> round(total_variation(np.array([0.5, 0.5]), np.array([0.2, 0.8])), 12)
    0.3
    """
    return float(np.abs(one - other).sum() / 2)


def chi_squared_bound(freedom: int, deviations: float) -> float:
    """The number that a chi-squared variable exceeds as rarely as a normal variable exceeds ``deviations``.

    The approximation is that of Wilson and Hilferty (*The Distribution of Chi-Square*, 1931).

    Examples
    --------
    >>> round(chi_squared_bound(1, 3.09), 1), round(chi_squared_bound(100, 3.09), 1)  # exactly: 10.8, 149.4
    (11.2, 149.5)
    """
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + deviations * math.sqrt(part)) ** 3)


def finite_or_none(value: Value) -> Value | None:
    """The value, or None if it is an infinite float or NaN, which JSON does not have.

    Examples
    --------
    >>> finite_or_none(1.5), finite_or_none(float("-inf")), finite_or_none("x")
    (1.5, None, 'x')
    """
    return None if isinstance(value, float) and not math.isfinite(value) else value
