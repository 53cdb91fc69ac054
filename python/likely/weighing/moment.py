"""`Moment`: counts and rules as they are at one moment. Every question about a model is put to one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from likely.weighing.classes import weigh_classes
from likely.weighing.terms import choose_terms
from likely.weighing.weights import Weights

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.weighing.classes import Classes
    from likely.weighing.learned import Learned
    from likely.weighing.rules import Rules
    from likely.weighing.terms import Terms


@dataclass(frozen=True, eq=False)
class Moment:
    """Counts, the rules to weigh them by, and what was learned beside them; the rest is made on first use.

    It is valid as long as the counts do not change: a model holds its lock while it answers from one.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> snapshot = NaiveBayes().fit(["good fun", "dull"], ["+", "-"]).snapshot()
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
        """The moment of weights that were made already."""
        moment = cls(counts, weights.rules, learned)
        vars(moment).update(terms=weights.classes.terms, classes=weights.classes, weights=weights)
        return moment
