"""Bernoulli naive Bayes: the probability that a document of a class has the term.

::

    p = (d_tc + alpha) / (D_c + 2 alpha)

A term that the document has adds log p to the score, a term that it lacks adds log(1 - p). So the weight of a term is
log(p / (1 - p)), and the sum of log(1 - p) over all terms is added for each class (McCallum and Nigam, *A Comparison
of Event Models for Naive Bayes Text Classification*, 1998).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from likely.weighing.variants.form import Totals, Variant

if TYPE_CHECKING:
    from likely.types import Array, Places


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
        del of_others
        return counts + self.alpha, _lacking(counts, of_class.documents) + self.alpha

    def probability(self, counts: Array, of_class: Totals) -> tuple[Array, Array]:
        """d_tc + alpha over D_c + 2 alpha."""
        return counts + self.alpha, of_class.documents + 2 * self.alpha

    def lacking(self, counts: Array, classes: Places, totals: Totals) -> Array:
        """Per class: the sum of log(1 - p) over all terms. ``counts`` are those above 0, with their classes."""
        below = np.log(totals.documents + 2 * self.alpha)
        nowhere = totals.size * (np.log(totals.documents + self.alpha) - below)
        here = self.lack(counts, totals.documents[classes])
        lacking: Array = nowhere + np.bincount(classes, weights=here, minlength=len(nowhere))
        return lacking

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
