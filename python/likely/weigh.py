"""Counts and options to weights: what the kernel scores with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.formulas import absent_delta, log_base, log_delta, log_prior
from likely.labels import Label, label_array

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.counts import ClassTotals, Counts, Ids
    from likely.formulas import Array


@dataclass(frozen=True)
class Rules:
    """What turns counts into weights: the options that can change without counting anew."""

    variant: str
    alpha: float
    prior: str | Mapping[Label, float]

    @property
    def presence(self) -> bool:
        """Whether a term counts once a document."""
        return self.variant == "binary"

    def class_tokens(self, totals: ClassTotals) -> Array:
        """N_c: what the counts of a class sum to."""
        return totals.presences if self.presence else totals.tokens


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


def weigh_classes(counts: Counts, rules: Rules) -> Classes:
    """The part of the weights that belongs to the classes; its cost is their number."""
    totals, columns = counts.totals(), np.array(counts.live(), dtype=np.uint32)
    labels = [counts.index.labels[number] for number in columns]
    tokens = rules.class_tokens(totals)[columns]
    prior = log_prior(totals.documents[columns], labels, rules.prior)
    base = log_base(tokens, counts.native.terms, rules.alpha)
    certain = rules.alpha > 0 and bool(np.isfinite(prior).all())
    return Classes(labels, label_array(labels), columns, prior, base, tokens, certain)


class Weights:
    """Weights that follow their counts: a change costs what it changes."""

    def __init__(self, counts: Counts, rules: Rules) -> None:
        self.rules = rules
        self.analyzer = counts.analyzer.native
        self.counts = counts.native
        size = len(counts.index.labels)
        value = "presence" if rules.presence else "count"
        self.native = _native.Weights(counts.native, size, value, absent_delta(rules.alpha))
        self.update(counts, counts.native.ids())

    def update(self, counts: Counts, changed: Ids) -> None:
        """Weigh the changed terms and all classes anew."""
        deltas = log_delta(counts.native.cells(changed, self.rules.presence), self.rules.alpha)
        classes = weigh_classes(counts, self.rules)
        # A class without documents is impossible, also for a reader that still sees it.
        bias, base = np.full(len(counts.index.labels), -np.inf), np.zeros(len(counts.index.labels))
        bias[classes.columns] = classes.log_prior
        base[classes.columns] = classes.base
        self.native.set(counts.native, changed, deltas, bias, base)
        # Only now: a reader may see classes that the weights know and it does not, but not the other way round.
        self.classes = classes

    def fits(self, counts: Counts) -> bool:
        """Whether an update can follow the counts; else they had better be made anew."""
        # Ids stay as long as the kernel's counts are the same object.
        if counts.native is not self.counts:
            return False
        return self.native.has_room_for(len(counts.index.labels)) and not self.native.worn

    def score(self, classes: Classes, texts: Any, threads: int, reduce: Callable[[Array], Any]) -> list[Any]:
        """Log P(c) + sum of log P(w|c) for some classes: what ``reduce`` made of each batch of texts."""
        return self.native.score(self.analyzer, self.counts, texts, classes.columns, threads, reduce)
