"""Counts and options to weights: what the kernel scores with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import MismatchError
from likely.formulas import log_prior
from likely.labels import label_array
from likely.weighing.terms import Terms, choose_terms
from likely.weighing.variants import Totals, Variant

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Label
    from likely.weighing.learned import Linear
    from likely.weighing.terms import Rules


LENGTH = np.uint32(2**32 - 1)
"""The number that stands, in place of a class, for the length of a document."""


@dataclass(frozen=True)
class Classes:
    """The classes of a model as one moment sees them: sorted labels, their numbers, log P(c) and the linear form."""

    labels: list[Label]
    array: npt.NDArray[Any]
    columns: npt.NDArray[np.uint32]
    log_prior: Array
    lacking: Array
    """What the terms count that a document lacks, all of them: 0 but for the variant bernoulli."""
    base: Array
    factor: Array
    totals: Totals
    variant: Variant
    certain: bool
    """Whether every class can have written every text: no prior is 0, and alpha is not."""
    terms: Terms
    """The terms that count."""
    linear: Linear | None = None
    """What they weigh, where that was learned."""

    @property
    def tokens(self) -> Array:
        """N_c: what the counts of each class sum to."""
        return self.totals.tokens

    @cached_property
    def _places(self) -> npt.NDArray[np.intp]:
        """By id: the place of a term among all, sorted."""
        ids = self.terms.counts.sorted_ids()
        places = np.zeros(self.terms.native.vocabulary_size, np.intp)
        places[ids] = np.arange(len(ids))
        return places

    def fractions(self, ids: Ids) -> tuple[Array, Array]:
        """The fractions whose logarithms some terms weigh: a row a term, a column a class."""
        counts = self.terms.rows(ids, self.columns)
        return self.variant.fraction(counts, self.terms.sums(ids)[:, None], self.totals)

    def log_weights(self, ids: Ids) -> Array:
        """What some terms weigh: factor_c (base_c + delta_tc), a row a term, a column a class."""
        if self.linear is not None:
            return self.linear.rows(self._places[ids])
        counts, sums = self.terms.rows(ids, self.columns), self.terms.sums(ids)
        if self.variant.is_local:
            return self.base + self.variant.delta(counts, sums[:, None], self.totals)
        above, below = self.fractions(ids)
        weights: Array = self.factor * (np.log(above) - np.log(below))
        return weights


def weigh_classes(counts: Counts, rules: Rules, terms: Terms | None = None) -> Classes:
    """The part of the weights that belongs to the classes; cheap where terms are weighed each for itself."""
    terms = terms or choose_terms(counts, rules)
    variant = Variant(rules.variant, rules.alpha)
    columns = np.array(counts.live(), dtype=np.uint32)
    labels = [counts.index.labels[number] for number in columns]
    documents, tokens = counts.totals().documents[columns], terms.class_tokens()[columns]
    totals = Totals(tokens, documents, float(tokens.sum()), terms.size)
    # Weights that are shares of their sum are too small to be weighed against a prior.
    prior = log_prior(documents, labels, "uniform" if variant.normalized else rules.prior)
    base = variant.base(totals)
    lacking, factor = np.zeros(len(labels)), np.ones(len(labels))
    if not variant.is_local:
        lacking, factor = _sums_over_terms(counts, terms, variant, totals, columns)
    linear = learned_weights(counts, rules) if rules.learned else None
    if linear is not None:
        lacking = linear.bias - prior
    certain = rules.alpha > 0 and bool(np.isfinite(prior).all())
    return Classes(
        labels, label_array(labels), columns, prior, lacking, base, factor, totals, variant, certain, terms, linear
    )


def learned_weights(counts: Counts, rules: Rules) -> Linear:
    """What was learned beside the counts, if it was by these rules."""
    if counts.linear is None:
        raise MismatchError(f"the model has not learned as variant={rules.variant!r} does: call fit to learn anew")
    if counts.linear.rules != rules:
        raise MismatchError(
            f"with variant={rules.variant!r} what the model has learned holds for its options as they were: "
            "set them back, or call fit to learn anew"
        )
    return counts.linear


def _sums_over_terms(
    counts: Counts, terms: Terms, variant: Variant, totals: Totals, columns: npt.NDArray[np.uint32]
) -> tuple[Array, Array]:
    """What belongs to a class but takes a look at all terms: what they count where lacking, and the factor."""
    ids = terms.sorted_ids()  # sorted, so that the sums do not depend on the order in which terms came
    places = np.zeros(len(counts.index.labels), np.intp)
    places[columns] = np.arange(len(columns))
    classes, cells = places[terms.native.cell_classes(ids)], terms.cells(ids)
    sums = terms.sums(ids)
    of_cells = np.repeat(sums, terms.native.row_lengths(ids))
    deltas = variant.delta(cells, of_cells, totals.of(classes))
    rests = variant.rest(sums)
    if rests is not None:
        deltas = deltas - np.repeat(rests, terms.native.row_lengths(ids))
    return variant.lacking(cells, classes, totals), variant.factor(deltas, classes, rests, variant.base(totals))


class Weights:
    """Weights that follow their counts: a change costs what it changes."""

    def __init__(self, counts: Counts, rules: Rules) -> None:
        self.rules = rules
        self.analyzer = counts.analyzer
        self.counts = counts.native
        terms = choose_terms(counts, rules)
        size = len(counts.index.labels)
        absent = Variant(rules.variant, rules.alpha).absent
        self.native = _native.Weights(terms.native, size, terms.value, terms.normalized, absent)
        self._set(counts, terms, terms.ids())
        if terms.spelling is not None:
            self.native.read_as_known(terms.native, terms.spelling, terms.known_words()[0], terms.folds)

    def update(self, counts: Counts, changed: Ids) -> None:
        """Weigh the changed terms and all classes anew; only where every term counts as it is."""
        self._set(counts, choose_terms(counts, self.rules), changed)

    def _set(self, counts: Counts, terms: Terms, changed: Ids) -> None:
        classes = weigh_classes(counts, self.rules, terms)
        if classes.linear is not None:
            self._set_learned(counts, classes, classes.linear)
            return
        lengths = terms.native.row_lengths(changed)
        numbers = np.zeros(len(counts.index.labels), np.intp)
        numbers[classes.columns] = np.arange(len(classes.columns))
        sums = terms.sums(changed) if classes.variant.is_complement else np.zeros(len(changed))
        of_class = classes.totals.of(numbers[terms.native.cell_classes(changed)])
        deltas = classes.variant.delta(terms.cells(changed), np.repeat(sums, lengths), of_class)
        rests, scales = classes.variant.rest(sums), terms.scales_of(changed)
        if scales is not None:
            deltas = deltas * np.repeat(scales, lengths)
            rests = None if rests is None else rests * scales
        # A class without documents is impossible, also for a reader that still sees it.
        bias, base, factor = (np.full(len(counts.index.labels), value) for value in (-np.inf, 0.0, 1.0))
        bias[classes.columns] = classes.log_prior + classes.lacking
        base[classes.columns], factor[classes.columns] = classes.base, classes.factor
        self.native.set(terms.native, changed, scales, rests, deltas, bias, base, factor)
        # Only now: a reader may see classes that the weights know and it does not, but not the other way round.
        self.classes = classes

    def _set_learned(self, counts: Counts, classes: Classes, linear: Linear) -> None:
        """Take over weights that were learned."""
        ids = linear.ids
        stay = classes.terms.are_counted(ids)
        linear = linear.of_terms(stay)
        scales = classes.terms.scales_of(ids[stay])
        deltas = linear.weights.astype(np.float64)
        if scales is not None:
            deltas *= np.repeat(scales, np.diff(linear.starts))
        bias = np.full(len(counts.index.labels), -np.inf)
        bias[classes.columns] = linear.bias
        of_cells = classes.columns[linear.classes]
        self.native.set_cells(ids[stay], scales, linear.starts, of_cells, deltas, bias)
        self.classes = classes

    def fits(self, counts: Counts) -> bool:
        """Whether an update can follow the counts; else they had better be made anew."""
        # Ids stay as long as the kernel's counts are the same object.
        local = self.rules.count_every_term and Variant(self.rules.variant, self.rules.alpha).is_local
        if counts.native is not self.counts or not local:
            return False
        return self.native.has_room_for(len(counts.index.labels)) and not self.native.worn

    def score(
        self, classes: Classes, texts: Any, threads: int, reduce: Callable[[Array], Any], *, lengths: bool = False
    ) -> list[Any]:
        """Log P(c) + sum of log P(w|c) for some classes: what ``reduce`` made of each batch of texts.

        With ``lengths`` there is a last column: what the known terms of the text count together.
        """
        texts, analyzer = self.analyzer.texts(texts), self.analyzer.native
        columns = np.append(classes.columns, LENGTH) if lengths else classes.columns
        return self.native.score(analyzer, classes.terms.native, texts, columns, threads, reduce)

    def read_words(self, words: list[str]) -> list[str]:
        """Words as they are read: one that is not known as the known one that it misspells."""
        return self.native.read_words(self.classes.terms.native, words) if self.rules.spelling else words
