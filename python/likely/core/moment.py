"""`Moment`: the counts and the rules of a model at one moment, from which every question about it is answered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from likely.core.terms import choose_terms
from likely.core.weights import Weights, weigh_classes

if TYPE_CHECKING:
    from likely.core.counts import Counts
    from likely.core.nbsvm import Learned
    from likely.core.rules import Rules
    from likely.core.terms import Terms
    from likely.core.weights import Classes


@dataclass(frozen=True, eq=False)
class Moment:
    """Counts, the rules that turn them into weights, and learned weights; all else is computed on first use.

    A moment is valid as long as the counts do not change: a model holds its lock while it uses one.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> snapshot = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot()
    >>> Moment(snapshot.counts, snapshot.rules).classes.labels
    ['+', '-']
    """

    counts: Counts
    rules: Rules
    learned: Learned | None = None

    @cached_property
    def terms(self) -> Terms:
        """The kept terms."""
        return choose_terms(self.counts, self.rules)

    @cached_property
    def classes(self) -> Classes:
        """The classes, with their part of the weights."""
        return weigh_classes(self.counts, self.rules, self.learned, self.terms)

    @cached_property
    def weights(self) -> Weights:
        """The weights."""
        return Weights(self)

    @classmethod
    def of_weights(cls, counts: Counts, weights: Weights, learned: Learned | None) -> Moment:
        """The moment of counts whose weights were computed before."""
        moment = cls(counts, weights.rules, learned)
        vars(moment).update(terms=weights.classes.terms, classes=weights.classes, weights=weights)
        return moment
