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

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.sample_weight import check_weights
from likely.errors import NotAdditiveError, OptionError, SourceError
from likely.vectorize.rows import Rows, rows_of
from likely.weighing.learned import Learned
from likely.weighing.terms import choose_terms
from likely.weighing.training_rows import Columns, TrainingRows
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.counting.counts import Counts
    from likely.types import Array, Labels, SampleWeight, Texts
    from likely.weighing.rules import Rules

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


def learn_weights(
    rows: TrainingRows, values: npt.NDArray[np.float32], classes: int, rules: Rules, threads: int
) -> tuple[npt.NDArray[np.float32], Array]:
    """The weights of the terms, one row per term and one column per class, and the bias of each class."""
    weights = np.zeros((rows.width, classes), np.float32)
    bias = np.zeros(classes)
    everywhere = rows.documents_with()
    table = _native.Ragged(rows.starts, rows.columns, values, rows.width)
    solver = _native.LinearSolver(rules.loss, TOLERANCE, MOST_ROUNDS, threads)
    sides = [1] if classes == 2 else list(range(classes if classes > 2 else 0))
    for first in range(0, len(sides), threads):
        some = sides[first : first + threads]
        ratios = np.stack([log_count_ratio(rows.documents_with(c), everywhere, rules.alpha) for c in some])
        solved = solver.solve(table, rows.gold, rules.cost * rows.weights, np.array(some, np.uint32), ratios)
        if not np.isfinite(solved).all():
            raise OptionError(f"cost={rules.cost} is too extreme for these documents: try a value nearer to 1")
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


def learn(
    counts: Counts, rules: Rules, again: Iterable[tuple[Texts, Labels, SampleWeight | None]], threads: int
) -> Learned:
    """The weights learned from counted documents; ``again`` are their texts, labels, and weights or None."""
    parts, codes, weights = [], [], []
    for texts, labels, weighed in again:
        parts.append(rows_of(counts, texts, threads))
        codes.append(counts.index.encode(labels))
        weights.append(np.ones(len(codes[-1])) if weighed is None else check_weights(weighed, len(codes[-1])))
    if not np.isclose(sum(float(each.sum()) for each in weights), counts.totals().documents.sum()):
        raise SourceError("the second reading gave other documents than the first: train on data that do not change")
    live, terms, ids = counts.live(), choose_terms(counts, rules), counts.sorted_ids()
    scales = np.ones(len(ids)) if terms.scales is None else terms.scales[ids]
    columns = Columns.of(ids, counts.document_frequencies(ids), scales)
    gold = live.ranks[np.concatenate(codes)]
    rows = TrainingRows.of(Rows.joined(parts), columns, gold, np.concatenate(weights))
    values = rows.values(terms.value, columns.scales, normalized=rules.norm == "l2")
    learned, bias = learn_weights(rows, values, len(live.labels), rules, threads)
    dense = np.zeros((len(ids), len(live.labels)), np.float32)
    dense[columns.numbers] = learned
    return Learned.of(ids, dense, bias, rules)


def not_additive(done: str, instead: str) -> NotAdditiveError:
    """The error for something that needs single documents, which says what to do instead."""
    learned = f"with variant={LEARNED!r} weights are learned from all documents at once"
    return NotAdditiveError(f"{learned}, so single documents cannot be {done}: {instead}")
