"""The scores of documents by cross-validation: each fold is scored by a model that was trained on the other folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.reading.sampling import folds_of
from likely.scoring.leave_one_out.left_out import LeftOut
from likely.vectorize.rows import rows_of
from likely.weighing.nbsvm import learn_weights
from likely.weighing.terms import negate, scales_of_frequencies
from likely.weighing.training_rows import Columns, TrainingRows

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Places, Texts
    from likely.vectorize.rows import Rows
    from likely.weighing.moment import Moment
    from likely.weighing.rules import Rules


def cross_scores(
    counts: Counts,
    rows: Rows,
    gold: Ids,
    folds: npt.NDArray[np.int64],
    rules: Rules,
    threads: int,
    value: str | None = None,
    times: Array | None = None,
) -> Array:
    """The scores of documents from models trained without their fold: one row per document, one column per class.

    The kept terms and their weights follow from the other folds only. ``max_terms`` is ignored.

    Parameters
    ----------
    counts
        The counts of all documents, with the ids of the terms.
    rows
        The terms of the documents (`likely.vectorize.rows.rows_of`).
    gold
        The gold class of each document, by place.
    folds
        The number of the fold of each document.
    rules
        The rules to try.
    threads
        The number of threads.
    value
        The kind of value that a term has in a document ("presence", "count" or "damped"), if it is not that of the
        counts.
    times
        The weight of each document; None if each weighs 1.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.vectorize.rows import rows_of
    >>> texts, labels = ["good fun", "bad plot", "so good", "so bad"], ["+", "-", "+", "-"]
    >>> snapshot = NaiveBayes(variant="nbsvm").fit(texts, labels).snapshot()
    >>> rows = rows_of(snapshot.counts, texts, 1)
    >>> gold, folds = np.array([0, 1, 0, 1], np.uint32), np.array([0, 0, 1, 1])
    >>> cross_scores(snapshot.counts, rows, gold, folds, snapshot.rules, 1).argmax(axis=1)
    array([0, 1, 0, 1])
    """
    ids, size = counts.sorted_ids(), counts.native.vocabulary_size
    negates = negate(counts, ids) if rules.auto_stop_words else np.zeros(len(ids), np.bool_)
    value = value or ("presence" if rules.presence else counts.analyzer.value)
    labels, normalized = counts.live().labels, rules.norm == "l2"
    scores, times = np.zeros((len(gold), len(labels))), np.ones(len(gold)) if times is None else times
    for fold in np.unique(folds):
        held = folds == fold
        seen, unseen = rows.of_documents(~held), rows.of_documents(held)
        weights = seen.repeat(times[~held])
        frequencies = np.bincount(seen.ids, weights=weights, minlength=size)[ids].astype(np.float64)
        scales = scales_of_frequencies(rules, frequencies, float(times[~held].sum()), negates)
        columns = Columns.of(ids, frequencies, scales)
        training = TrainingRows.of(seen, columns, gold[~held], times[~held])
        values = training.values(value, columns.scales, normalized=normalized)
        weights, bias = learn_weights(training, values, labels, rules, threads)
        test = TrainingRows.of(unseen, columns, gold[held], np.ones(int(held.sum())))
        values = test.values(value, columns.scales, normalized=normalized)
        scores[np.flatnonzero(held)[test.order]] = bias + test.weigh(values, weights)
    return scores


def cross_validated(
    moment: Moment, texts: Texts, gold: Places, threads: int, times: Array | None, groups: list[str] | None
) -> LeftOut:
    """The scores of learned documents by cross-validation, if single documents cannot be left out.

    The arguments are those of `leave_one_out`: copies, and the documents of a group, are in the same fold.
    """
    rows = rows_of(moment.counts, texts, threads)
    folds = folds_of(_native.copy_numbers(texts).tolist() if groups is None else groups)
    joint = cross_scores(moment.counts, rows, gold.astype(np.uint32), folds, moment.rules, threads, times=times)
    return LeftOut(joint, np.ones(len(joint)), times)
