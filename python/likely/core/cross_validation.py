"""The scores of learned documents from models without them: by leave-one-out, or by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.core.counts import Counts, Ragged, TermRows, check_weights, rows_of
from likely.core.leave_one_out import LearnedDocuments, LeftOut, check_exact, weighed_as
from likely.core.nbsvm import Columns, TrainingRows, TrainingSet, solve
from likely.core.removals import group_names
from likely.core.terms import negate, scales_of_frequencies
from likely.labels import unequal
from likely.reading.rows import Sample, folds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from likely.core.rules import Rules
    from likely.core.weights import ModelView
    from likely.types import Array, Groups, Ids, Labels, Places, SampleWeight, Texts


class Folded:
    """Documents in folds, for the scores of each from a model of the other folds, by any rules.

    Parameters
    ----------
    counts
        The counts of all documents, with the ids of the terms.
    rows
        The terms of the documents (`likely.core.counts.rows_of`).
    gold
        The gold class of each document, by place.
    folds
        The number of the fold of each document.
    times
        The weight of each document; None if each weighs 1.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.core.counts import rows_of
    >>> texts, labels = ["good fun", "bad plot", "so good", "so bad"], ["+", "-", "+", "-"]
    >>> snapshot = NaiveBayes(variant="nbsvm").fit(texts, labels)._snapshot()
    >>> rows = rows_of(snapshot.counts, texts, 1)
    >>> gold, folds = np.array([0, 1, 0, 1], np.uint32), np.array([0, 0, 1, 1])
    >>> folded = Folded(snapshot.counts, rows, gold, folds)
    >>> folded.by(snapshot.rules).scores(range(2), 1).argmax(axis=1)
    array([0, 1, 0, 1])
    """

    def __init__(
        self, counts: Counts, rows: TermRows, gold: Ids, folds: npt.NDArray[np.int64], times: Array | None = None
    ) -> None:
        self.counts, self.rows, self.gold = counts, rows, gold
        names, self.held = np.unique(folds, return_inverse=True)
        self.times = np.ones(len(gold)) if times is None else times
        self.weights = [np.where(self.held == fold, 0.0, self.times) for fold in range(len(names))]
        """For each fold, the weight of each document without the fold."""

    def __len__(self) -> int:
        """The number of folds."""
        return len(self.weights)

    def by(self, rules: Rules, value: str | None = None) -> FoldedScores:
        """The documents with their values by some rules. ``max_terms`` is ignored.

        ``value`` is the kind of value that a term has in a document ("presence", "count" or "damped"), if it is not
        that of the counts.
        """
        value = value or ("presence" if rules.presence else self.counts.analyzer.value)
        negates = negate(self.counts, self.ids) if rules.auto_stop_words else np.zeros(len(self.ids), np.bool_)
        scales = [
            scales_of_frequencies(rules, frequencies, float(weights.sum()), negates)
            for frequencies, weights in zip(self.frequencies, self.weights, strict=True)
        ]
        columns = Columns.of(self.ids, self._frequencies(self.times), np.max(scales, axis=0, initial=0.0))
        # A document of weight 0 is scored too, although nothing is learned from it.
        heavy = np.where(self.times > 0, self.times, np.inf)
        training = TrainingRows.of(self.rows, columns, self.gold, heavy)
        return FoldedScores(self, rules, training, training.values(value), [each[columns.numbers] for each in scales])

    @cached_property
    def ids(self) -> Ids:
        """The ids of the terms, sorted by term."""
        return self.counts.sorted_ids()

    @cached_property
    def frequencies(self) -> list[Array]:
        """For each fold, the document frequency of each term without the fold."""
        return [self._frequencies(weights) for weights in self.weights]

    def _frequencies(self, weights: Array) -> Array:
        size = self.counts.native.vocabulary_size
        found = np.bincount(self.rows.ids, weights=self.rows.repeat(weights), minlength=size)
        return found[self.ids].astype(np.float64)


@dataclass(frozen=True, eq=False)
class FoldedScores:
    """Documents in folds with their values by some rules."""

    folded: Folded
    rules: Rules
    rows: TrainingRows
    values: npt.NDArray[np.float32]
    scales: list[Array]
    """For each fold, the scales of the columns that follow from the other folds."""

    def scores(self, folds: Sequence[int], threads: int, tolerance: float | None = None) -> Array:
        """The scores of the documents of some folds: one row per document, one column per class.

        Each fold is scored by a model of the other folds; the documents of folds that are not asked for have the
        score 0. ``tolerance`` is how exactly weights are learned (`likely.core.nbsvm.TOLERANCE`).
        """
        labels, rows, held = self.folded.counts.live().labels, self.rows, self.folded.held[self.rows.order]
        sets = [
            TrainingSet.of(
                rows, self.values, self.folded.weights[fold][rows.order], self.scales[fold], labels, self.rules
            )
            for fold in folds
        ]
        asked = [np.flatnonzero(held == fold) for fold in folds]
        entries = [(Ragged(starts), some) for starts, some in map(rows.entries_of, asked)]
        parts = [(table, rows.columns[some], self.values[some]) for table, some in entries]
        scores = np.zeros((len(held), len(labels)))
        for fold, label, weights, bias in solve(sets, self.values, len(labels), self.rules, threads, tolerance):
            some, (table, columns, values) = asked[fold], parts[fold]
            sums = table.sum(values * weights[columns])
            scores[rows.order[some], label] = bias + sets[fold].lengths[some] * sums
        return scores[:, 1:] * [-0.5, 0.5] if len(labels) == 2 else scores


MOST_CELLS = 1 << 24
"""The largest number of cells of documents with groups and with copies in others that a model is calibrated on."""


def judged(
    moment: ModelView,
    threads: int,
    texts: Texts,
    labels: Labels,
    sample_weight: SampleWeight | None = None,
    groups: Groups | None = None,
    most_cells: int | None = None,
) -> tuple[LeftOut, Places]:
    """The scores of learned documents from models without them, and the gold class of each, by place.

    ``most_cells`` is that of `LearnedDocuments`.
    """
    gold = moment.counts.live().places.of_all(labels)
    times = None if sample_weight is None else check_weights(sample_weight, len(gold))
    names = group_names(groups, len(gold))
    if not moment.rules.learned:
        check_exact(moment.counts, moment.rules)
    rows = rows_of(moment.counts, texts, threads)
    if len(rows) != len(gold):
        raise unequal(len(gold), len(rows) if len(rows) < len(gold) else None)
    if moment.rules.learned:  # copies of a text are in the same fold
        folds = folds_of(_native.copy_numbers(texts).tolist() if names is None else names)
        folded = Folded(moment.counts, rows, gold.astype(np.uint32), folds, times)
        joint = folded.by(moment.rules).scores(range(len(folded)), threads)
        return LeftOut(joint, np.ones(len(joint)), times), gold
    numbers = None if names is None else np.unique(np.array(names, np.str_), return_inverse=True)[1]
    documents = LearnedDocuments(moment.counts, rows, gold, times, numbers, most_cells=most_cells)
    return documents.left_out(moment.rules, threads, check=True), gold


def judged_sample(moment: ModelView, threads: int, sample: Sample) -> tuple[LeftOut, Places]:
    """As `judged`, for the documents of a sample, of which copies count once."""
    left, gold = judged(moment, threads, *sample.documents, most_cells=MOST_CELLS)
    return weighed_as(left, sample.worth), gold
