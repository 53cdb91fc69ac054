"""The variant ``nbsvm``: a linear classifier that learns from naive Bayes's log-count ratios.

Wang and Manning, *Baselines and Bigrams: Simple, Good Sentiment and Topic Classification* (2012), section 2. For a
class and all others the terms of a document are multiplied with

    r = log((p / |p|) / (q / |q|))        p, q: alpha + the documents with the term, in the class and in the others

(there a term counts once a document; here it may also count its tf-idf, and documents may have length 1). A linear
classifier is learned from that, by the squared hinge or the logistic loss. Its weights w are drawn to their mean,

    w' = (1 - beta) * mean(|w|) + beta * w

so that the score of the class is bias + sum of w' r v: naive Bayes where beta is 0, as learned where it is 1. More
than two classes are each learned against all others; two are one problem, whose score is shared out as -s/2, s/2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.counts import check_weights
from likely.errors import NotAdditiveError, OptionError, SourceError
from likely.vectorize.rows import Columns, Documents, Rows, rows_of
from likely.weighing.learned import Linear
from likely.weighing.terms import choose_terms, document_frequencies, negate, scales_of_frequencies
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.counting.counts import Counts
    from likely.types import Array
    from likely.weighing.terms import Rules

TOLERANCE, MOST_ROUNDS = 0.01, 1000
"""A solution is good enough when no document pulls harder than this, or after so many rounds."""
FINENESS = 2.0**-8
"""Weights are rounded to about so much of their mean size (root mean square), which makes models small.

On IMDB, 20 Newsgroups, R52 and SST-2 no decision on a test document changes by it, and no score by more than 0.002.
"""


def log_count_ratio(inside: Array, everywhere: Array, alpha: float) -> Array:
    """r: how much more of a class's terms is each than of the other classes' terms, as a logarithm.

    Examples
    --------
    >>> log_count_ratio(np.array([3.0, 0.0]), np.array([4.0, 2.0]), 1.0).round(4)
    array([ 0.6931, -1.0986])
    """
    p, q = inside + alpha, everywhere - inside + alpha
    ratio: Array = np.log(p / p.sum()) - np.log(q / q.sum())
    return ratio


def interpolated(learned: Array, ratios: Array, beta: float) -> Array:
    """Learned weights w r as w' r: w drawn to the mean of its sizes.

    Examples
    --------
    >>> interpolated(np.array([4.0, 1.0]), np.array([2.0, -1.0]), 0.5)
    array([ 3.5 , -0.25])
    """
    if beta == 1 or not len(learned):
        return learned
    weights = np.divide(learned, ratios, out=np.zeros_like(learned), where=ratios != 0)
    drawn: Array = (1 - beta) * np.abs(weights).mean() * ratios + beta * learned
    return drawn


def learn(
    documents: Documents, values: npt.NDArray[np.float32], classes: int, rules: Rules, threads: int
) -> tuple[npt.NDArray[np.float32], Array]:
    """The weights of the terms, a row a term and a column a class, and the bias of each class."""
    weights = np.zeros((documents.width, classes), np.float32)
    bias = np.zeros(classes)
    everywhere = documents.documents_with()
    sides = [1] if classes == 2 else list(range(classes if classes > 2 else 0))
    for first in range(0, len(sides), threads):
        some = sides[first : first + threads]
        ratios = np.stack([log_count_ratio(documents.documents_with(c), everywhere, rules.alpha) for c in some])
        solved = _native.solve_linear(
            documents.starts,
            documents.columns,
            values,
            documents.own,
            rules.cost * documents.weights,
            np.array(some, np.uint32),
            ratios,
            rules.loss,
            TOLERANCE,
            MOST_ROUNDS,
            threads,
        )
        if not np.isfinite(solved).all():
            raise OptionError(f"cost={rules.cost} is too far off for these documents: try one nearer to 1")
        for label, learned, ratio in zip(some, solved, ratios, strict=True):
            weights[:, label] = interpolated(learned[:-1], ratio, rules.interpolation)
            bias[label] = learned[-1]
    if classes == 2:
        weights[:, 1] /= 2
        weights[:, 0], bias[:] = -weights[:, 1], [-bias[1] / 2, bias[1] / 2]
    return rounded(weights), bias


def rounded(weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Weights as multiples of a power of 2 that is small beside them: most that say nothing are then 0.

    Examples
    --------
    >>> rounded(np.array([[1.0, -0.3, 0.0009]], np.float32)).tolist()
    [[1.0, -0.30078125, 0.0]]
    """
    squares = sum(float(np.square(column, dtype=np.float64).sum()) for column in weights.T)
    if not squares:
        return weights
    step = np.float32(2.0 ** np.floor(np.log2(FINENESS * np.sqrt(squares / weights.size))))
    multiples: npt.NDArray[np.float32] = np.rint(weights / step)
    return np.multiply(multiples, step, out=multiples)


def train(counts: Counts, rules: Rules, again: Iterable[tuple[Any, Any, Any]], threads: int) -> Linear:
    """What is learned from counted documents; ``again`` are their texts, labels, and weights or None."""
    parts, codes, weights = [], [], []
    for texts, labels, weighed in again:
        parts.append(rows_of(counts, texts, threads))
        codes.append(counts.index.encode(labels))
        weights.append(np.ones(len(codes[-1])) if weighed is None else check_weights(weighed, len(codes[-1])))
    if not np.isclose(sum(float(each.sum()) for each in weights), counts.totals().documents.sum()):
        raise SourceError("the second reading gave other documents than the first: learn from what does not change")
    live = counts.live()
    ranks = np.zeros(len(counts.index.labels), np.uint32)
    ranks[live] = np.arange(len(live))
    terms, ids = choose_terms(counts, rules), counts.native.sorted_ids()
    scales = np.ones(len(ids)) if terms.scales is None else terms.scales[ids]
    columns = Columns.of(ids, document_frequencies(counts, ids), scales)
    documents = Documents.of(Rows.joined(parts), columns, ranks[np.concatenate(codes)], np.concatenate(weights))
    values = documents.values(terms.value, columns.scales, normalized=rules.norm == "l2")
    learned, bias = learn(documents, values, len(live), rules, threads)
    dense = np.zeros((len(ids), len(live)), np.float32)
    dense[columns.numbers] = learned
    return Linear.of(ids, dense, bias, rules)


def not_additive(done: str, instead: str) -> NotAdditiveError:
    """The error for what cannot be done with some documents alone, which says what to do."""
    learned = f"with variant={LEARNED!r} weights are learned from all documents at once"
    return NotAdditiveError(f"{learned}, so none can be {done}: {instead}")


def cross_scores(
    counts: Counts,
    rows: Rows,
    own: npt.NDArray[np.uint32],
    folds: npt.NDArray[Any],
    rules: Rules,
    threads: int,
    value: str | None = None,
) -> Array:
    """The scores of documents from models that were learned without their fold: a row a document, a column a class.

    Which terms count and what they weigh follows from the other folds alone; ``max_terms`` is not looked at.

    Parameters
    ----------
    counts
        All documents, counted: how texts are cut into terms, and the ids of these.
    rows
        The terms of the documents, `likely.vectorize.rows.rows_of` them.
    own
        The class of each document, by its place among the sorted classes.
    folds
        The fold of each document, any number.
    rules
        What to try.
    threads
        How many threads work at once.
    value
        What a term counts in a document before it is scaled, if it is not what the counts are of: "presence", "count"
        or "damped".

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> texts, labels = ["good fun", "bad plot", "so good", "so bad"], ["+", "-", "+", "-"]
    >>> model = NaiveBayes(variant="nbsvm").fit(texts, labels)
    >>> rows = rows_of(model._counts, texts, 1)
    >>> own, folds = np.array([0, 1, 0, 1], np.uint32), np.array([0, 0, 1, 1])
    >>> cross_scores(model._counts, rows, own, folds, model._rules(None), 1).argmax(axis=1)
    array([0, 1, 0, 1])
    """
    ids, size = counts.native.sorted_ids(), counts.native.vocabulary_size
    negates = negate(counts, ids) if rules.auto_stop_words else np.zeros(len(ids), np.bool_)
    value = value or ("presence" if rules.presence else counts.analyzer.value)
    classes, normalized = len(counts.live()), rules.norm == "l2"
    scores = np.zeros((len(own), classes))
    for fold in np.unique(folds):
        held = folds == fold
        seen, unseen = rows.of_documents(~held), rows.of_documents(held)
        frequencies = np.bincount(seen.ids, minlength=size)[ids].astype(np.float64)
        scales = scales_of_frequencies(rules, frequencies, float((~held).sum()), negates)
        columns = Columns.of(ids, frequencies, scales)
        documents = Documents.of(seen, columns, own[~held], np.ones(int((~held).sum())))
        values = documents.values(value, columns.scales, normalized=normalized)
        weights, bias = learn(documents, values, classes, rules, threads)
        documents = Documents.of(unseen, columns, own[held], np.ones(int(held.sum())))
        values = documents.values(value, columns.scales, normalized=normalized)
        scores[np.flatnonzero(held)[documents.order]] = bias + sum_rows(documents, values, weights)
    return scores


def sum_rows(documents: Documents, values: npt.NDArray[np.float32], weights: npt.NDArray[np.float32]) -> Array:
    """What the terms of documents weigh in all: a row a document, a column a class."""
    rows, size = documents.rows(), len(documents.own)
    sums = [
        np.bincount(rows, weights=values * of_class[documents.columns], minlength=size)
        for of_class in np.ascontiguousarray(weights.T)
    ]
    return np.stack(sums, axis=1).astype(np.float64) if sums else np.zeros((size, 0))
