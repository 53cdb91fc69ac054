"""The formulas of naive Bayes, each once, named as the textbook names them.

Every variant is one linear form, so that scoring is one loop::

    score_c(d) = bias_c + sum over known terms t of v_t * (base_c + delta_tc)

For the multinomial model with additive smoothing (Manning, Raghavan and Schuetze, *Introduction to Information
Retrieval*, 2008, section 13.2; Jurafsky and Martin, *Speech and Language Processing*, ch. 4) ::

    P(t|c) = (n_tc + alpha) / (N_c + alpha V)      bias_c = log P(c)
    base_c = log(alpha / (N_c + alpha V))          delta_tc = log(1 + n_tc / alpha)

with n_tc the occurrences of t in class c (the documents with t in c for the binary variant), N_c their sum over the
vocabulary, and V its size. delta is zero where n_tc is. With alpha = 0 the form is ::

    base_c = -log N_c          delta_tc = log n_tc, minus infinity where n_tc is 0
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely.errors import OptionError

if TYPE_CHECKING:
    from likely.types import Array, Label


def log_base(tokens: Array, vocabulary: float | Array, alpha: float) -> Array:
    """Per class: the log-probability of a term it has never seen (alpha > 0), or -log N_c (alpha = 0).

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
        else:  # dividing first keeps the largest alpha finite
            base = -np.log(tokens / alpha + vocabulary)
    # Without tokens to divide by there is no term to weigh either.
    return np.where(np.isfinite(base), base, 0.0)


def term_frequency(counts: Array, *, sublinear: bool) -> Array:
    """Tf: how often a term occurs, or 1 + log of it (for a term that does).

    Examples
    --------
    >>> import numpy as np
    >>> term_frequency(np.array([1.0, 3.0]), sublinear=True)
    array([1.        , 2.09861229])
    """
    return 1.0 + np.log(counts) if sublinear else counts


def expected_collisions(used: int, buckets: int) -> float:
    """How many terms share a bucket with another one, by expectation, if so many of the buckets are in use.

    Of n terms thrown into m buckets at random, m (1 - exp(-n / m)) are in use; so n is about -m log(1 - used / m),
    and those beyond one a bucket collide.

    Examples
    --------
    >>> round(expected_collisions(6321, 10_000))
    3678
    """
    if used >= buckets:
        return math.inf
    return max(-buckets * math.log1p(-used / buckets) - used, 0.0)


def log_delta(counts: Array, alpha: float) -> Array:
    """Per term and class: by how much the log-probability exceeds the base.

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
            return np.log1p(ratio)
        return np.where(counts > 0, np.log(counts) - np.log(alpha), 0.0)


def absent_delta(alpha: float) -> float:
    """The delta of a term in a class that lacks it."""
    return float(log_delta(np.zeros(1), alpha)[0])


def log_prior(documents: Array, labels: Sequence[Label], prior: str | Mapping[Label, float]) -> Array:
    """Log P(c) for each class.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_prior(np.array([3.0, 2.0]), ["-", "+"], "fitted")).round(12)
    array([0.6, 0.4])
    """
    with np.errstate(divide="ignore"):
        if isinstance(prior, Mapping):
            check_prior(labels, prior)
            shares = np.array([prior[label] for label in labels], dtype=np.float64)
            if not shares.any():
                raise OptionError("prior gives every class the share 0: give some class more")
            return np.log(shares)
        if prior == "uniform":
            return np.full(len(labels), -np.log(len(labels)))
        fitted: Array = np.log(documents / documents.sum())
        return fitted


def check_prior(labels: Sequence[Label], prior: str | Mapping[Label, float]) -> None:
    """Raise ``OptionError`` if a prior is given and a class has no share in it."""
    if isinstance(prior, Mapping):
        missing = [label for label in labels if label not in prior]
        if missing:
            raise OptionError(f"prior has no share for class {missing[0]!r}: give one for every class")


def log_posterior(joint: Array, prior: Array) -> Array:
    """Log P(c|d) from log P(c, d), row by row.

    A document that no class can have made (alpha = 0) says nothing, so its posterior is the prior.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_posterior(np.log([[0.1, 0.3]]), np.log([0.5, 0.5])))
    array([[0.25, 0.75]])
    """
    joint = possible(joint, prior)
    top = joint.max(axis=1, keepdims=True)
    total: Array = top + np.log(np.exp(joint - top).sum(axis=1, keepdims=True))
    return joint - total


def possible(joint: Array, prior: Array) -> Array:
    """The joint log-probabilities, with the prior in rows that are impossible for every class."""
    hopeless = np.isneginf(joint).all(axis=1, keepdims=True)
    return np.where(hopeless, prior, joint) if hopeless.any() else joint


def inverse_document_frequency(
    documents: npt.NDArray[Any], total: float, *, smooth: float = 0, lift: float = 0
) -> npt.NDArray[Any]:
    """Per term: how much it says that a document has it, from the number of those that do.

    With nothing more it is the textbook's log(N / df). ``smooth`` is added to both numbers, as if so many more
    documents had every term; ``lift`` is added to the logarithm, so that a term of all documents still counts.
    scikit-learn's are ``smooth=1, lift=1`` and, unsmoothed, ``lift=1``.

    Examples
    --------
    >>> import numpy as np
    >>> inverse_document_frequency(np.array([1.0, 4.0]), 4).round(3)
    array([1.386, 0.   ])
    >>> inverse_document_frequency(np.array([1.0, 4.0]), 4, smooth=1, lift=1).round(3)
    array([1.916, 1.   ])
    """
    frequency: npt.NDArray[Any] = np.log((total + smooth) / (documents + smooth)) + lift
    return frequency


def smoothed_fraction(counts: Array, totals: Array, vocabulary: float | Array, alpha: float) -> tuple[Array, Array]:
    """P(t|c) as a textbook writes it: numerators and denominators.

    Examples
    --------
    >>> import numpy as np
    >>> smoothed_fraction(np.array([1.0, 0.0]), np.array([14.0, 9.0]), 20, 1.0)
    (array([2., 1.]), array([34., 29.]))
    """
    if math.isfinite(alpha * vocabulary):
        return counts + alpha, totals + alpha * vocabulary
    return counts / alpha + 1, totals / alpha + vocabulary


def likelihood_ratio(above: Array, below: Array) -> Array:
    """P(t|a) / P(t|b) from fractions, columns a and b, to the last digit; not a number where both are 0.

    Examples
    --------
    >>> import numpy as np
    >>> likelihood_ratio(np.array([[3.0, 1.0], [1.0, 0.0], [0.0, 0.0]]), np.array([20.0, 20.0]))
    array([ 3., inf, nan])
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # The products are exact for textbook numbers; the quotients are at home where the products overflow.
        upper, lower = above[:, 0] * below[1], above[:, 1] * below[0]
        far = (above[:, 0] / above[:, 1]) * (below[1] / below[0])
        ratio: Array = np.where(np.isfinite(upper) & np.isfinite(lower), upper / lower, far)
    return ratio


def shrunk_log_ratio(counts: Array, rest: Array, total: float, rest_total: float, shrinkage: float) -> Array:
    """How much more often terms occur in a class than in the rest, as a log-ratio shrunk towards 0.

    Each term is given ``shrinkage`` further occurrences, shared between class and rest as all tokens are. What is
    rare then stays near 0 whatever its ratio, and what is frequent everywhere (stop words) is near 0 by its ratio.
    The idea is that of the log-odds with an informative prior of Monroe, Colaresi and Quinn, *Fightin' Words*, 2008,
    here for the ratio of the two frequencies and with a prior of equal strength for every term.

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
    """What a term in a class adds to G2, the log-likelihood ratio: 2 n_tc log(n_tc N / (n_t N_c)).

    Summed over the classes it tells how much a term says about the class; over all terms, how far terms and classes
    are from being independent (Dunning, *Accurate Methods for the Statistics of Surprise and Coincidence*, 1993).

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
    """A part of a whole, or None where there is no whole.

    Examples
    --------
    >>> share(1, 4), share(0, 0)
    (0.25, None)
    """
    return part / whole if whole else None


def bayes_rule(likelihood: float, prior: float, evidence: float) -> float:
    """P(A|B) = P(B|A) P(A) / P(B).

    Examples
    --------
    >>> round(bayes_rule(0.25, 0.4, 0.13), 4)
    0.7692
    """
    return likelihood * prior / evidence


def conditional(both: float, given: float) -> float:
    """P(A|B) = N(A and B) / N(B), from counts.

    Examples
    --------
    >>> conditional(4, 5)
    0.8
    """
    return both / given


def tf_idf(tf: float, df: float, documents: float) -> float:
    """(1 + log tf) * log(N / df): how much a term says of a document it occurs in.

    Examples
    --------
    >>> tf_idf(7, 100, 100)
    0.0
    """
    return (1 + math.log(tf)) * math.log(documents / df)


def finite_or_none(value: Any) -> Any:
    """A value, or None for a number that is infinite or none at all.

    Examples
    --------
    >>> finite_or_none(1.5), finite_or_none(float("-inf")), finite_or_none("x")
    (1.5, None, 'x')
    """
    return None if isinstance(value, float) and not math.isfinite(value) else value
