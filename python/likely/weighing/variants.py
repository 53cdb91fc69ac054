"""The variants of naive Bayes, each as the weights of one linear form: a short function of counts, with its source.

::

    score_c(d) = bias_c + factor_c * sum over known terms t of v_t * (base_c + delta_tc)

What a term weighs in a class, ``base_c + delta_tc``, is the logarithm of a fraction:

multinomial, binary
    (n_tc + alpha) / (N_c + alpha V): P(t|c), of occurrences or of documents (McCallum and Nigam, *A Comparison of
    Event Models for Naive Bayes Text Classification*, 1998; binary: Jurafsky and Martin, ch. 4).
bernoulli
    p / (1 - p) with p = (d_tc + alpha) / (D_c + 2 alpha), the share of the class's documents that have the term; the
    bias is the sum of log(1 - p) over all terms, so that the terms a document lacks count too (the same).
complement
    (N - N_c + alpha V) / (n_t - n_tc + alpha): one over the probability of the term in all *other* classes (Rennie et
    al., *Tackling the Poor Assumptions of Naive Bayes Text Classifiers*, 2003, section 3.1).
complement_binary
    the same of documents, not of occurrences.
complement_normalized
    as complement, but with the weights, divided in each class by their sum over all terms (section 3.2); no prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.formulas import absent_delta, log_base, log_delta, smoothed_fraction

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array

NOTHING = 1e-9
"""Weights that sum to less say nothing: with a single term each class is sure to have it."""
OF_DOCUMENTS = ("binary", "bernoulli", "complement_binary")
"""Where a term counts once a document."""
LEARNED = "nbsvm"
"""The variant whose weights are learned (`likely.weighing.nbsvm`). What follows from its counts is as for binary."""


@dataclass(frozen=True)
class Totals:
    """What a variant knows of the classes: N_c, D_c, their N in all, and V, the number of terms."""

    tokens: Array
    documents: Array
    all_tokens: float | Array
    size: float | Array

    def of(self, classes: npt.NDArray[Any]) -> Totals:
        """The same of some classes, by place."""
        return Totals(self.tokens[classes], self.documents[classes], self.all_tokens, self.size)


@dataclass(frozen=True)
class Variant:
    """One variant with its smoothing.

    Examples
    --------
    >>> totals = Totals(np.array([14.0, 9.0]), np.array([3.0, 2.0]), 23.0, 20)
    >>> above, below = Variant("multinomial", 1.0).fraction(np.array([[1.0, 0.0]]), np.array([[1.0]]), totals)
    >>> above, below
    (array([[2., 1.]]), array([[34., 29.]]))
    """

    name: str
    alpha: float

    @property
    def is_complement(self) -> bool:
        """Whether a class is known by what the others have."""
        return self.name.startswith("complement")

    @property
    def normalized(self) -> bool:
        """Whether the weights of a class are divided by their sum."""
        return self.name == "complement_normalized"

    @property
    def is_local(self) -> bool:
        """Whether what a term weighs depends on nothing but its own counts and the sums of its class."""
        return self.name in ("multinomial", "binary", LEARNED)

    @property
    def absent(self) -> float:
        """The delta of a term in a class that lacks it, where that is the same for all terms."""
        return absent_delta(self.alpha) if self.is_local else 0.0

    def base(self, totals: Totals) -> Array:
        """Per class: what a term weighs that the class lacks, but for what is the same in all classes."""
        if self.name == "bernoulli":
            absent: Array = np.log(self.alpha) - np.log(totals.documents + self.alpha)
            return absent
        if self.is_complement:
            others = self._others(totals)
            return np.log(others, out=np.zeros_like(others), where=others > 0)  # without terms nothing is weighed
        return log_base(totals.tokens, totals.size, self.alpha)

    def rest(self, of_terms: Array) -> Array | None:
        """Per term, of its count in all classes: what it adds in classes that lack it; None for nothing."""
        return -np.log(of_terms + self.alpha) if self.is_complement else None

    def delta(self, counts: Array, of_terms: Array, of_class: Totals) -> Array:
        """For pairs of a term and a class: what the term weighs beyond the base, from its counts there and in all."""
        if self.is_local:
            return log_delta(counts, self.alpha)
        above, below = self.fraction(counts, of_terms, of_class)
        deltas: Array = np.log(above) - np.log(below) - self.base(of_class)
        return deltas

    def fraction(self, counts: Array, of_terms: Array, of_class: Totals) -> tuple[Array, Array]:
        """The same as the fraction whose logarithm is the weight: numerator and denominator."""
        if self.name == "bernoulli":
            return counts + self.alpha, of_class.documents - counts + self.alpha
        if self.is_complement:
            below = of_terms - counts + self.alpha
            return np.broadcast_to(self._others(of_class), below.shape), below
        above, below = self.probability(counts, of_class)
        return above, np.broadcast_to(below, above.shape)

    def probability(self, counts: Array, of_class: Totals) -> tuple[Array, Array]:
        """P(t|c) as numerators and the denominators of the classes, however that is then weighed."""
        if self.name == "bernoulli":
            return counts + self.alpha, of_class.documents + 2 * self.alpha
        return smoothed_fraction(counts, of_class.tokens, of_class.size, self.alpha)

    def _others(self, totals: Totals) -> Array:
        """N - N_c + alpha V."""
        others: Array = totals.all_tokens - totals.tokens + self.alpha * totals.size
        return others

    def lacking(self, counts: Array, classes: npt.NDArray[np.intp], totals: Totals) -> Array:
        """Per class: the sum of log(1 - p) over all terms, from the counts that are not 0; 0 but for bernoulli."""
        if self.name != "bernoulli":
            return np.zeros(len(totals.documents))
        below = np.log(totals.documents + 2 * self.alpha)
        nowhere = totals.size * (np.log(totals.documents + self.alpha) - below)
        here = self.lack(counts, totals.documents[classes])
        lacking: Array = nowhere + np.bincount(classes, weights=here, minlength=len(nowhere))
        return lacking

    def lack(self, counts: Array, documents: Array) -> Array:
        """For pairs of a term and a class: log(1 - p) beyond that of a term that no document of the class has."""
        documents = np.maximum(documents, 0.0)
        lack: Array = np.log(np.maximum(documents - counts, 0.0) + self.alpha)
        lack -= np.log(documents + self.alpha)
        return lack

    def excess(self, of_terms: Array, of_others: Array) -> Array:
        """For the complement: what a term weighs in a class beyond its `rest`, from its counts in all and others."""
        excess: Array = np.log(of_terms + self.alpha) - np.log(of_others + self.alpha)
        return excess

    def factor(self, deltas: Array, classes: npt.NDArray[np.intp], rests: Array | None, base: Array) -> Array:
        """Per class: what the sum over the terms is multiplied with: 1, or one over the sum of all weights."""
        if not self.normalized or rests is None:
            return np.ones(len(base))
        everywhere = len(rests) * base + rests.sum()
        here = np.bincount(classes, weights=deltas, minlength=len(base))
        return one_over(everywhere + here)


def one_over(totals: Array) -> Array:
    """1 / x, and 0 where that would be a matter of rounding."""
    result: Array = np.divide(1.0, totals, out=np.zeros_like(totals), where=np.abs(totals) > NOTHING)
    return result
