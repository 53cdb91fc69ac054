"""Complement naive Bayes: a class is described by the terms of all other classes.

::

    weight = log((N - N_c + alpha V) / (n_t - n_tc + alpha))

This is minus the log-probability of the term in the other classes (Rennie et al., *Tackling the Poor Assumptions of
Naive Bayes Text Classifiers*, 2003, section 3.1). The variant ``complement_binary`` uses document frequencies instead
of occurrences. ``complement_normalized`` divides the weights of each class by their sum (section 3.2), without a
prior.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from likely.weighing.variants.form import Totals, Variant, one_over

if TYPE_CHECKING:
    from likely.types import Array, Places


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
        del counts, of_class
        return -np.log(of_others + self.alpha)

    def rest(self, of_terms: Array) -> Array | None:
        """-Log(n_t + alpha): the weight of a term beyond the base, in classes that lack it."""
        return -np.log(of_terms + self.alpha)

    def fraction(self, counts: Array, of_others: Array, of_class: Totals) -> tuple[Array, Array]:
        """N - N_c + alpha V over n_t - n_tc + alpha."""
        del counts
        below = of_others + self.alpha
        return np.broadcast_to(self._others(of_class), below.shape), below

    def excess(self, of_terms: Array, of_others: Array) -> Array:
        """The weight beyond `rest` from the counts of a term in all classes and in all but one."""
        excess: Array = np.log(of_terms + self.alpha) - np.log(of_others + self.alpha)
        return excess

    def _others(self, totals: Totals) -> Array:
        """N - N_c + alpha V."""
        others: Array = totals.other_tokens + self.alpha * totals.size
        return others


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
