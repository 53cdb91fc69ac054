"""Multinomial naive Bayes: the probability that the next token of a class is the term.

::

    P(t|c) = (n_tc + alpha) / (N_c + alpha V)

n_tc is the number of occurrences, or of documents for the variant ``binary`` (McCallum and Nigam, *A Comparison of
Event Models for Naive Bayes Text Classification*, 1998; binary: Jurafsky and Martin, *Speech and Language
Processing*, ch. 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from likely.formulas import absent_delta, log_base, log_delta
from likely.weighing.variants.form import Totals, Variant

if TYPE_CHECKING:
    from likely.types import Array


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

    @property
    def absent(self) -> float:
        """The delta of a term in a class that lacks it: 0, or minus infinity without smoothing."""
        return absent_delta(self.alpha)

    def base(self, totals: Totals) -> Array:
        """Log(alpha / (N_c + alpha V))."""
        return log_base(totals.tokens, totals.size, self.alpha)

    def delta(self, counts: Array, of_others: Array, of_class: Totals) -> Array:
        """Log(1 + n_tc / alpha)."""
        del of_others, of_class
        return log_delta(counts, self.alpha)

    def fraction(self, counts: Array, of_others: Array, of_class: Totals) -> tuple[Array, Array]:
        """n_tc + alpha over N_c + alpha V."""
        del of_others
        above, below = self.probability(counts, of_class)
        return above, np.broadcast_to(below, above.shape)
