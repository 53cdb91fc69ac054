"""The variants of naive Bayes, each written as the weights of one linear form.

::

    score_c(d) = bias_c + factor_c * sum over known terms t of v_t * (base_c + delta_tc)

The weight of a term in a class is the logarithm of P(t|c) (multinomial, binary), of the odds that a document of the
class has the term (bernoulli), or of 1 / P(t|other classes) (complement).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from likely.formulas import log_base, log_delta, smoothed_fraction

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array, Places


NOTHING = 1e-9
"""A sum of weights below this is rounding error: with a single term, every class is certain to have it."""


@dataclass(frozen=True)
class Totals:
    """Sums per class: N_c (tokens), D_c (documents), N - N_c (tokens of all other classes); V (number of terms).

    Only complement variants use N - N_c.
    """

    tokens: Array
    documents: Array
    other_tokens: Array
    size: float | Array

    def of(self, classes: npt.NDArray[np.integer]) -> Totals:
        """The sums of the classes at these places."""
        return Totals(self.tokens[classes], self.documents[classes], self.other_tokens[classes], self.size)


@dataclass(frozen=True)
class Variant:
    """A variant of naive Bayes with additive smoothing ``alpha``; subclasses hold the formulas.

    A weight is ``base_c + delta_tc``, the logarithm of a fraction (`fraction`). If a weight also depends on the
    counts of the term in all classes, `rest` is the part of the delta that is common to all classes.
    """

    alpha: float

    is_local: ClassVar[bool] = False
    """Whether a weight depends only on the count of the term in the class and on the sums of that class."""
    follows_counts: ClassVar[bool] = False
    """Whether the delta of a term depends only on its own counts, so that a new document changes few deltas."""
    is_complement: ClassVar[bool] = False
    """Whether a class is described by the terms of all other classes."""
    normalized: ClassVar[bool] = False
    """Whether the weights of a class are divided by their sum."""
    counts_absence: ClassVar[bool] = False
    """Whether terms that a document lacks contribute to its score."""

    @property
    def absent(self) -> float:
        """The delta of a term in a class that lacks it, if it is the same for all terms."""
        return 0.0 if self.alpha else -np.inf

    def base(self, totals: Totals) -> Array:
        """Per class: the weight of a term that the class lacks, without the part common to all classes."""
        raise NotImplementedError

    def fraction(self, counts: Array, of_others: Array, of_class: Totals) -> tuple[Array, Array]:
        """The fraction whose logarithm is the weight: numerators and denominators.

        ``counts`` are n_tc, ``of_others`` the counts n_t - n_tc of the same terms in all other classes.
        """
        raise NotImplementedError

    def delta(self, counts: Array, of_others: Array, of_class: Totals) -> Array:
        """For pairs of a term and a class: the weight beyond the base."""
        above, below = self.fraction(counts, of_others, of_class)
        return np.log(above) - np.log(below) - self.base(of_class)

    def rest(self, of_terms: Array) -> Array | None:
        """Per term, from its count in all classes: its weight beyond the base in classes that lack it; None if 0."""
        return None

    def probability(self, counts: Array, of_class: Totals) -> tuple[Array, Array]:
        """P(t|c) as numerators and denominators, also if the weight of the variant is not its logarithm."""
        return smoothed_fraction(counts, of_class.tokens, of_class.size, self.alpha)

    def lacking(self, counts: Array, classes: Places, totals: Totals) -> Array:
        """Per class: the score of a document without any term, without the prior. ``counts`` are those above 0."""
        return np.zeros(len(totals.documents))

    def factor(self, deltas: Array, classes: Places, rests: Array | None, base: Array) -> Array:
        """Per class: the factor of the sum over the terms."""
        return np.ones(len(base))


def one_over(totals: Array) -> Array:
    """1 / x for each number, and 0 if the number is only rounding error."""
    return np.divide(1.0, totals, out=np.zeros_like(totals), where=np.abs(totals) > NOTHING)


ROUNDING = 1e-13
"""The share of a number of documents below which a difference is rounding error."""


class Bernoulli(Variant):
    """The weight of a term is log(p / (1 - p)).

    Examples
    --------
    >>> totals = Totals(np.array([5.0]), np.array([3.0]), np.array([0.0]), 4)
    >>> Bernoulli(1.0).probability(np.array([2.0]), totals)
    (array([3.]), array([5.]))
    """

    counts_absence: ClassVar[bool] = True

    def base(self, totals: Totals) -> Array:
        """Log(alpha / (D_c + alpha)): the weight of a term that no document of the class has."""
        absent: Array = np.log(self.alpha) - np.log(totals.documents + self.alpha)
        return absent

    def fraction(self, counts: Array, of_others: Array, of_class: Totals) -> tuple[Array, Array]:
        """d_tc + alpha over D_c - d_tc + alpha."""
        return counts + self.alpha, _lacking(counts, of_class.documents) + self.alpha

    def probability(self, counts: Array, of_class: Totals) -> tuple[Array, Array]:
        """d_tc + alpha over D_c + 2 alpha."""
        return counts + self.alpha, of_class.documents + 2 * self.alpha

    def lacking(self, counts: Array, classes: Places, totals: Totals) -> Array:
        """Per class: the sum of log(1 - p) over all terms. ``counts`` are those above 0, with their classes."""
        below = np.log(totals.documents + 2 * self.alpha)
        nowhere = totals.size * (np.log(totals.documents + self.alpha) - below)
        here = self.lack(counts, totals.documents[classes])
        return nowhere + np.bincount(classes, weights=here, minlength=len(nowhere))

    def lack(self, counts: Array, documents: Array) -> Array:
        """For pairs of a term and a class: log(1 - p) beyond that of a term that no document of the class has."""
        documents = np.maximum(documents, 0.0)
        lack: Array = np.log(_lacking(counts, documents) + self.alpha)
        lack -= np.log(documents + self.alpha)
        return lack


def _lacking(counts: Array, documents: Array) -> Array:
    """The documents of a class that lack a term; 0 if the difference is only rounding error (of weights)."""
    lacking = documents - counts
    return np.where(lacking > ROUNDING * documents, lacking, 0.0)


class Complement(Variant):
    """The weight of a term is minus its log-probability in all other classes.

    Examples
    --------
    >>> totals = Totals(np.array([14.0, 9.0]), np.array([3.0, 2.0]), np.array([9.0, 14.0]), 20)
    >>> Complement(1.0).fraction(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]), totals)
    (array([[29., 34.]]), array([[1., 2.]]))
    """

    is_complement: ClassVar[bool] = True
    follows_counts: ClassVar[bool] = True

    def base(self, totals: Totals) -> Array:
        """Log(N - N_c + alpha V); 0 without any tokens, because then there are no terms to weigh."""
        others = self._others(totals)
        return np.log(others, out=np.zeros_like(others), where=others > 0)

    def delta(self, counts: Array, of_others: Array, of_class: Totals) -> Array:
        """-Log(n_t - n_tc + alpha)."""
        return -np.log(of_others + self.alpha)

    def rest(self, of_terms: Array) -> Array | None:
        """-Log(n_t + alpha): the weight of a term beyond the base, in classes that lack it."""
        return -np.log(of_terms + self.alpha)

    def fraction(self, counts: Array, of_others: Array, of_class: Totals) -> tuple[Array, Array]:
        """N - N_c + alpha V over n_t - n_tc + alpha."""
        below = of_others + self.alpha
        return np.broadcast_to(self._others(of_class), below.shape), below

    def excess(self, of_terms: Array, of_others: Array) -> Array:
        """The weight beyond `rest` from the counts of a term in all classes and in all but one."""
        return np.log(of_terms + self.alpha) - np.log(of_others + self.alpha)

    def _others(self, totals: Totals) -> Array:
        """N - N_c + alpha V."""
        return totals.other_tokens + self.alpha * totals.size


class NormalizedComplement(Complement):
    """As `Complement`, with the weights of each class divided by their sum."""

    normalized: ClassVar[bool] = True
    follows_counts: ClassVar[bool] = False

    def factor(self, deltas: Array, classes: Places, rests: Array | None, base: Array) -> Array:
        """Per class: one over the sum of its weights over all terms."""
        if rests is None:
            return np.ones(len(base))
        everywhere = len(rests) * base + rests.sum()
        here = np.bincount(classes, weights=deltas, minlength=len(base))
        return one_over(everywhere + here)


class Multinomial(Variant):
    """The weight of a term is log P(t|c).

    Examples
    --------
    >>> totals = Totals(np.array([14.0, 9.0]), np.array([3.0, 2.0]), np.array([9.0, 14.0]), 20)
    >>> Multinomial(1.0).fraction(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]), totals)
    (array([[2., 1.]]), array([[34., 29.]]))
    """

    is_local: ClassVar[bool] = True
    follows_counts: ClassVar[bool] = True

    def base(self, totals: Totals) -> Array:
        """Log(alpha / (N_c + alpha V))."""
        return log_base(totals.tokens, totals.size, self.alpha)

    def delta(self, counts: Array, of_others: Array, of_class: Totals) -> Array:
        """Log(1 + n_tc / alpha)."""
        return log_delta(counts, self.alpha)

    def fraction(self, counts: Array, of_others: Array, of_class: Totals) -> tuple[Array, Array]:
        """n_tc + alpha over N_c + alpha V."""
        above, below = self.probability(counts, of_class)
        return above, np.broadcast_to(below, above.shape)


LEARNED = "nbsvm"
"""The variant whose weights are learned (`likely.core.nbsvm`). Its probabilities are those of binary."""

OF_DOCUMENTS = ("binary", "bernoulli", "complement_binary")
"""The variants in which the value of a term in a document is 1, however often it occurs."""

_FORMS: dict[str, type[Variant]] = {
    "multinomial": Multinomial,
    "binary": Multinomial,
    "bernoulli": Bernoulli,
    "complement": Complement,
    "complement_binary": Complement,
    "complement_normalized": NormalizedComplement,
    LEARNED: Multinomial,
}


def variant_of(name: str, alpha: float) -> Variant:
    """The form of a variant with additive smoothing ``alpha``.

    Examples
    --------
    >>> type(variant_of("binary", 0.5)).__name__
    'Multinomial'
    """
    return _FORMS[name](alpha)
