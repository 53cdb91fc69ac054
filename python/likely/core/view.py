"""`ModelView`: the counts and the rules of a model at one moment, from which every question about it is answered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from likely.core.analyzer import Analyzer, thread_count
from likely.core.rules import Rules
from likely.core.terms import choose_terms
from likely.core.variants import LEARNED
from likely.core.weights import Weights, weigh_classes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.core.counts import Counts
    from likely.core.nbsvm import Learned
    from likely.core.terms import Terms
    from likely.core.weights import WeighedClasses


@dataclass(frozen=True, eq=False)
class ModelView:
    """Counts, the rules that turn them into weights, and learned weights; all else is computed on first use.

    A moment is valid as long as the counts do not change: a model holds its lock while it uses one.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> snapshot = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot()
    >>> ModelView(snapshot.counts, snapshot.rules).classes.labels
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
    def classes(self) -> WeighedClasses:
        """The classes, with their part of the weights."""
        return weigh_classes(self.counts, self.rules, self.learned, self.terms)

    @cached_property
    def weights(self) -> Weights:
        """The weights."""
        return Weights(self)

    @classmethod
    def of_weights(cls, counts: Counts, weights: Weights, learned: Learned | None) -> ModelView:
        """The moment of counts whose weights were computed before."""
        moment = cls(counts, weights.rules, learned)
        vars(moment).update(terms=weights.classes.terms, classes=weights.classes, weights=weights)
        return moment


@dataclass(frozen=True)
class ModelSettings:
    """The values of all options, with the analyzer, rules and threads that follow from them.

    Attributes
    ----------
    values : dict
        All options by name.
    analyzer : Analyzer
        How texts become terms.
    rules : Rules
        How counts become weights.
    threads : int
        The number of threads.
    """

    values: Mapping[str, Any]
    analyzer: Analyzer
    rules: Rules
    threads: int

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> ModelSettings:
        """The object for the values of all options, which have been checked."""
        threads = (values)["threads"]
        return cls(values, Analyzer.of(values), Rules.of(values), thread_count(threads))

    @property
    def reads_twice(self) -> str | None:
        """The option because of which texts are read twice, or None."""
        if self.rules.variant == LEARNED:
            return f"variant={LEARNED!r}"
        return None if self.analyzer.lengths is None else "norm='l2'"
