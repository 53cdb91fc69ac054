"""Counts and options to weights: what the kernel scores with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.formulas import absent_delta, log_base, log_delta, log_prior
from likely.labels import Label, label_array
from likely.terms import Terms, choose_terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.counts import Counts, Ids
    from likely.formulas import Array
    from likely.terms import Rules


@dataclass(frozen=True)
class Classes:
    """The classes of a model as one moment sees them: sorted labels, their numbers, log P(c) and base."""

    labels: list[Label]
    array: npt.NDArray[Any]
    columns: npt.NDArray[np.uint32]
    log_prior: Array
    base: Array
    tokens: Array
    certain: bool
    """Whether every class can have written every text: no prior is 0, and alpha is not."""
    terms: Terms
    """The terms that count."""


def weigh_classes(counts: Counts, rules: Rules, terms: Terms | None = None) -> Classes:
    """The part of the weights that belongs to the classes; its cost is their number if the terms are known."""
    terms = terms or choose_terms(counts, rules)
    totals, columns = counts.totals(), np.array(counts.live(), dtype=np.uint32)
    labels = [counts.index.labels[number] for number in columns]
    tokens = terms.class_tokens()[columns]
    prior = log_prior(totals.documents[columns], labels, rules.prior)
    base = log_base(tokens, terms.size, rules.alpha)
    certain = rules.alpha > 0 and bool(np.isfinite(prior).all())
    return Classes(labels, label_array(labels), columns, prior, base, tokens, certain, terms)


class Weights:
    """Weights that follow their counts: a change costs what it changes."""

    def __init__(self, counts: Counts, rules: Rules) -> None:
        self.rules = rules
        self.analyzer = counts.analyzer
        self.counts = counts.native
        terms = choose_terms(counts, rules)
        size = len(counts.index.labels)
        absent = absent_delta(rules.alpha)
        normalized = counts.analyzer.lengths is not None
        self.native = _native.Weights(terms.native, size, terms.value, normalized, absent)
        self._set(counts, terms, terms.ids())
        if terms.spelling is not None:
            self.native.read_as_known(terms.native, terms.spelling, terms.known_words()[0], terms.folds)

    def update(self, counts: Counts, changed: Ids) -> None:
        """Weigh the changed terms and all classes anew; only where every term counts as it is."""
        self._set(counts, choose_terms(counts, self.rules), changed)

    def _set(self, counts: Counts, terms: Terms, changed: Ids) -> None:
        deltas = log_delta(terms.cells(changed), self.rules.alpha)
        scales = terms.scales_of(changed)
        if scales is not None:
            deltas *= np.repeat(scales, terms.native.row_lengths(changed))
        classes = weigh_classes(counts, self.rules, terms)
        # A class without documents is impossible, also for a reader that still sees it.
        bias, base = np.full(len(counts.index.labels), -np.inf), np.zeros(len(counts.index.labels))
        bias[classes.columns] = classes.log_prior
        base[classes.columns] = classes.base
        self.native.set(terms.native, changed, scales, deltas, bias, base)
        # Only now: a reader may see classes that the weights know and it does not, but not the other way round.
        self.classes = classes

    def fits(self, counts: Counts) -> bool:
        """Whether an update can follow the counts; else they had better be made anew."""
        # Ids stay as long as the kernel's counts are the same object.
        if counts.native is not self.counts or not self.rules.count_every_term:
            return False
        return self.native.has_room_for(len(counts.index.labels)) and not self.native.worn

    def score(self, classes: Classes, texts: Any, threads: int, reduce: Callable[[Array], Any]) -> list[Any]:
        """Log P(c) + sum of log P(w|c) for some classes: what ``reduce`` made of each batch of texts."""
        texts, analyzer = self.analyzer.texts(texts), self.analyzer.native
        return self.native.score(analyzer, classes.terms.native, texts, classes.columns, threads, reduce)

    def read_words(self, words: list[str]) -> list[str]:
        """Words as they are read: one that is not known as the known one that it misspells."""
        return self.native.read_words(self.classes.terms.native, words) if self.rules.spelling else words
