"""The part of the weights that belongs to the classes: log P(c), base, factor, and the sums over all terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.errors import MismatchError
from likely.formulas import log_prior, sums_of_others
from likely.weighing.terms import choose_terms
from likely.weighing.variants.form import Totals

if TYPE_CHECKING:
    from likely.counting.counts import Counts, LiveClasses
    from likely.types import Array, Ids, Label, LabelArray, Places
    from likely.weighing.learned import Learned
    from likely.weighing.rules import Rules
    from likely.weighing.terms import Terms
    from likely.weighing.variants.form import Variant


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of a model at one moment, sorted by label, with their part of the linear form."""

    live: LiveClasses
    log_prior: Array
    lacking: Array
    """Per class: the sum of log(1 - p) over all terms for bernoulli, the bias beyond the prior for nbsvm, else 0."""
    base: Array
    factor: Array
    totals: Totals
    variant: Variant
    certain: bool
    """Whether no text is impossible in any class: alpha is above 0, and so is every prior."""
    terms: Terms
    """The kept terms."""
    learned: Learned | None = None
    """The weights of the terms, if they were learned."""

    @property
    def labels(self) -> list[Label]:
        """The labels."""
        return self.live.labels

    @property
    def array(self) -> LabelArray:
        """The labels as a numpy array."""
        return self.live.array

    @property
    def numbers(self) -> Ids:
        """The numbers of the classes in the kernel."""
        return self.live.numbers

    @property
    def tokens(self) -> Array:
        """N_c: the sum of the counts of each class."""
        return self.totals.tokens

    @property
    def factors(self) -> Array | None:
        """The weight of each class, which multiplies its counts and its number of documents; None if all are 1."""
        return None if self.terms.factors is None else self.terms.factors[self.numbers]

    @cached_property
    def excluded(self) -> Array | None:
        """Minus infinity for each class whose prior is 0, and 0 for all others; None if every prior is above 0."""
        excluded = self.log_prior == -np.inf
        return np.where(excluded, -np.inf, 0.0) if excluded.any() else None

    @cached_property
    def finite_log_prior(self) -> Array:
        """Log P(c), and 0 for a class whose prior is 0: another prior can still be given when texts are scored."""
        return self.log_prior if self.excluded is None else np.where(self.excluded < 0, 0.0, self.log_prior)

    @cached_property
    def _places(self) -> Places:
        """The place of each term among all terms, sorted: one element per id."""
        ids = self.terms.counts.sorted_ids()
        places = np.zeros(self.terms.native.vocabulary_size, np.intp)
        places[ids] = np.arange(len(ids))
        return places

    def weigh_terms(self, ids: Ids) -> TermWeights:
        """The weights factor_c (base_c + delta_tc) of the terms with these ids, and the fractions behind them."""
        variant, counts = self.variant, self.terms.rows(ids, self.numbers)
        of_others = self.terms.rows_of_others(ids, self.numbers) if variant.is_complement else counts
        above, below = variant.fraction(counts, of_others, self.totals)
        if self.learned is not None:
            logs = self.learned.dense(self._places[ids])
        elif variant.is_local:
            logs = self.base + variant.delta(counts, of_others, self.totals)
        else:
            logs = self.factor * (np.log(above) - np.log(below))
        return TermWeights(logs, above, below)


class TermWeights(NamedTuple):
    """Weights of terms, and the fractions whose logarithms they are: one row per term, one column per class."""

    logs: Array
    numerators: Array
    denominators: Array


def weigh_classes(counts: Counts, rules: Rules, learned: Learned | None, terms: Terms | None = None) -> Classes:
    """The classes of these counts. This is fast if the weight of a term does not depend on other terms."""
    terms = terms or choose_terms(counts, rules)
    variant, live = rules.form, counts.live()
    documents, tokens = counts.totals().documents[live.numbers], terms.class_tokens()[live.numbers]
    documents = documents if terms.factors is None else documents * terms.factors[live.numbers]
    # Only complement variants use the sums of others, and learning one document must be fast.
    totals = Totals(tokens, documents, sums_of_others(tokens) if variant.is_complement else tokens, terms.size)
    # Weights that are divided by their sum are so small that a prior would outweigh all terms.
    prior = log_prior(documents, live.labels, "uniform" if variant.normalized else rules.prior)
    lacking, factor = np.zeros(len(documents)), np.ones(len(documents))
    if not variant.follows_counts:
        lacking, factor = _sums_over_terms(terms, variant, totals, live.ranks)
    if rules.learned:
        learned = check_learned(learned, rules)
        lacking = learned.bias - prior
    certain = rules.alpha > 0 and bool(np.isfinite(prior).all())
    return Classes(
        live,
        prior,
        lacking,
        variant.base(totals),
        factor,
        totals,
        variant,
        certain,
        terms,
        learned if rules.learned else None,
    )


def check_learned(learned: Learned | None, rules: Rules) -> Learned:
    """The learned weights, if they were learned by these rules; else ``MismatchError``."""
    if learned is None:
        raise MismatchError(
            f"the weights of variant={rules.variant!r} have not been learned: call fit to learn from all documents"
        )
    if learned.rules != rules:
        raise MismatchError(
            f"the weights of variant={rules.variant!r} were learned with other options: set the options back, or "
            "call fit to learn again"
        )
    return learned


def _sums_over_terms(terms: Terms, variant: Variant, totals: Totals, ranks: Ids) -> tuple[Array, Array]:
    """The two numbers of each class that need a sum over all terms: ``lacking`` and ``factor``."""
    cells = terms.cells(terms.sorted_ids())  # sorted, so that the sums do not depend on the order of the texts
    classes = ranks[cells.classes].astype(np.intp)
    deltas = variant.delta(cells.values, cells.of_others, totals.of(classes))
    rests = variant.rest(cells.sums)
    if rests is not None:
        deltas = deltas - cells.repeat(rests)
    return variant.lacking(cells.values, classes, totals), variant.factor(
        deltas, classes, rests, variant.base(totals)
    )
