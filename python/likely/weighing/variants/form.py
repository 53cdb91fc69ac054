"""`Variant`: the parts of the linear form that every variant of naive Bayes defines; `Totals`: the sums per class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from likely.formulas import smoothed_fraction

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
        return 0.0

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
        deltas: Array = np.log(above) - np.log(below) - self.base(of_class)
        return deltas

    def rest(self, of_terms: Array) -> Array | None:
        """Per term, from its count in all classes: its weight beyond the base in classes that lack it; None if 0."""
        del of_terms
        return None

    def probability(self, counts: Array, of_class: Totals) -> tuple[Array, Array]:
        """P(t|c) as numerators and denominators, also if the weight of the variant is not its logarithm."""
        return smoothed_fraction(counts, of_class.tokens, of_class.size, self.alpha)

    def lacking(self, counts: Array, classes: Places, totals: Totals) -> Array:
        """Per class: the score of a document without any term, without the prior. ``counts`` are those above 0."""
        del counts, classes
        return np.zeros(len(totals.documents))

    def factor(self, deltas: Array, classes: Places, rests: Array | None, base: Array) -> Array:
        """Per class: the factor of the sum over the terms."""
        del deltas, classes, rests
        return np.ones(len(base))


def one_over(totals: Array) -> Array:
    """1 / x for each number, and 0 if the number is only rounding error."""
    result: Array = np.divide(1.0, totals, out=np.zeros_like(totals), where=np.abs(totals) > NOTHING)
    return result
