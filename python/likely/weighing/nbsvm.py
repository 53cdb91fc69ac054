"""The variant ``nbsvm``: a linear classifier on the log-count ratios of naive Bayes.

The method is that of Wang and Manning, *Baselines and Bigrams: Simple, Good Sentiment and Topic Classification*
(2012), section 2. For each class, the value v of every term of a document is multiplied by the log-count ratio

    r = log((p / |p|) / (q / |q|))        p, q: alpha + the document frequency in the class, and in all other classes

(In the paper the value of a term is 1 if the document has it; here it may also be tf-idf, and documents may have unit
length.) A linear classifier with the squared hinge loss or the logistic loss is trained on these products. Its
weights w are interpolated with their mean,

    w' = (1 - beta) * mean(|w|) + beta * w

and the score of the class is bias + sum of w' r v: naive Bayes if beta is 0, the trained classifier if beta is 1.
With more than two classes, one classifier per class separates it from all others. With two classes there is one
classifier, and its score s gives the scores -s/2 and s/2.

The weight of a document multiplies its cost and its part of the document frequencies. If classes have weights, that
of a document is multiplied by that of its class, as liblinear does with the costs of two classes. (With more classes,
liblinear weighs only the documents inside the class; and the ratios r could stay without weights. On R52, SemEval
2017 and Wisesight, macro-F1 is 79.1, 56.9 and 54.9 % as it is done here, 76.9, 56.1 and 55.2 % as liblinear would,
and 76.9, 56.4 and 55.3 % with weights in the cost only.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.rows import Rows, rows_of
from likely.counting.sample_weight import check_weights
from likely.errors import NotAdditiveError, OptionError, SourceError
from likely.weighing.learned import Learned
from likely.weighing.terms import choose_terms
from likely.weighing.training_rows import Columns, TrainingRows
from likely.weighing.training_set import TrainingSet
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from likely.counting.counts import Counts
    from likely.reading.labelled import Batches
    from likely.types import Array, Label, Mask
    from likely.weighing.rules import Rules

TOLERANCE, MOST_ROUNDS = 1e-4, 1000
"""The solver stops if the duality gap is at most this share of what is to be least, or after this many rounds."""
AT_ONCE = 8
"""The number of problems per thread that are solved in one call, which bounds the memory of their weights."""
FINENESS = 2.0**-8
"""Weights are rounded to about this share of their root mean square, which makes model files small.

On IMDB, 20 Newsgroups, R52 and SST-2 the rounding changes no prediction for a test document, and no score by more
than 0.002.
"""


def log_count_ratio(inside: Array, everywhere: Array, alpha: float, kept: Mask | bool = True) -> Array:
    """The log-count ratio r of each term, from its document frequency in the class and in all classes.

    ``kept`` says which terms are kept, if not all are: the others do not count in the sums.

    Examples
    --------
    >>> log_count_ratio(np.array([3.0, 0.0]), np.array([4.0, 2.0]), 1.0).round(4)
    array([ 0.6931, -1.0986])
    """
    p, q = inside + alpha, everywhere - inside + alpha
    if not np.any(kept):
        return np.zeros_like(p)
    ratio: Array = np.log(p * q.sum(where=kept) / (q * p.sum(where=kept)))
    return ratio


def interpolated(learned: Array, ratios: Array, beta: float, kept: Mask | bool = True) -> Array:
    """The weights w' r from the learned weights w r: each w is interpolated with the mean of all |w|.

    ``kept`` says which terms are kept, if not all are: the others do not count in the mean.

    Examples
    --------
    >>> interpolated(np.array([4.0, 1.0]), np.array([2.0, -1.0]), 0.5)
    array([ 3.5 , -0.25])
    """
    if beta == 1 or not len(learned):
        return learned
    weights = np.divide(learned, ratios, out=np.zeros_like(learned), where=ratios != 0)
    mean = np.abs(weights).mean(where=kept) if np.any(kept) else 0.0
    result: Array = (1 - beta) * mean * ratios + beta * learned
    return result


class Solved(NamedTuple):
    """The weights of one class, learned from one set.

    Attributes
    ----------
    number : int
        The number of the set.
    label : int
        The class, by place. If there are two classes, it is the second, and its score is the difference of both.
    weights : numpy.ndarray
        The weight of each column, already multiplied by its scale.
    bias : float
        What is added to the sum of weights times values.
    """

    number: int
    label: int
    weights: Array
    bias: float


def solve(
    sets: Sequence[TrainingSet],
    values: npt.NDArray[np.float32],
    classes: int,
    rules: Rules,
    threads: int,
    tolerance: float | None = None,
) -> Iterator[Solved]:
    """The weights of all classes, learned from each set; all sets have the same rows, whose entries have ``values``.

    ``tolerance`` is that of the solver, if it is not `TOLERANCE`.
    """
    sides = [1] if classes == 2 else list(range(classes if classes > 2 else 0))
    problems = [(number, label) for number in range(len(sets)) for label in sides]
    if not problems:
        return
    rows = sets[0].rows
    table = _native.Ragged(rows.starts, rows.columns, values, rows.width)
    solver = _native.LinearSolver(rules.loss, tolerance or TOLERANCE, MOST_ROUNDS, threads)
    calls = -(-len(problems) // (threads * AT_ONCE))
    for call in range(calls):
        some = problems[call * len(problems) // calls : (call + 1) * len(problems) // calls]
        pairs = [(sets[number], label) for number, label in some]
        factors = np.empty((len(some), rows.width))
        for factor, (each, label) in zip(factors, pairs, strict=True):
            ratios = log_count_ratio(each.inside(label), each.everywhere, rules.alpha, each.kept)
            np.multiply(ratios, each.scales, out=factor)
        costs = [rules.cost * each.costs(label) for each, label in pairs]
        solved = solver.solve(table, np.stack(costs), np.stack([each.lengths for each, _ in pairs]), factors)
        if not np.isfinite(solved).all():
            raise OptionError(f"cost={rules.cost} is too extreme for these documents: try a value nearer to 1")
        for (number, label), factor, found in zip(some, factors, solved, strict=True):
            weights = interpolated(found[:-1], factor, rules.interpolation, sets[number].kept)
            yield Solved(number, label, weights, float(found[-1]))


def learn_weights(
    rows: TrainingRows, columns: Columns, value: str, labels: list[Label], rules: Rules, threads: int
) -> tuple[npt.NDArray[np.float32], Array]:
    """The weights (one row per term, one column per class) and the bias of each class."""
    weights = np.zeros((rows.width, len(labels)), np.float32)
    bias = np.zeros(len(labels))
    values = rows.values(value)
    all_rows = TrainingSet.of(rows, values, rows.weights, columns.scales, labels, rules)
    for found in solve([all_rows], values, len(labels), rules, threads):
        weights[:, found.label], bias[found.label] = found.weights / columns.scales, found.bias
    if len(labels) == 2:
        weights[:, 1] /= 2
        weights[:, 0], bias[:] = -weights[:, 1], [-bias[1] / 2, bias[1] / 2]
    return rounded(weights), bias


def rounded(weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The weights, rounded to multiples of a small power of 2: weights that are nearly 0 become 0.

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


def learn(counts: Counts, rules: Rules, again: Batches, threads: int) -> Learned:
    """The weights learned from documents that were counted before. ``again`` has the same documents in batches."""
    parts, codes, weights = [], [], []
    for texts, labels, weighed, _ in again:
        parts.append(rows_of(counts, texts, threads))
        codes.append(counts.index.encode(labels))
        weights.append(np.ones(len(codes[-1])) if weighed is None else check_weights(weighed, len(codes[-1])))
    if not np.isclose(sum(float(each.sum()) for each in weights), counts.totals().documents.sum()):
        raise SourceError("the documents changed between the first and the second reading: train on data that stay")
    live, terms, ids = counts.live(), choose_terms(counts, rules), counts.sorted_ids()
    scales = np.ones(len(ids)) if terms.scales is None else terms.scales[ids]
    columns = Columns.of(ids, counts.document_frequencies(ids), scales)
    gold = live.ranks[np.concatenate(codes)]
    rows = TrainingRows.of(Rows.joined(parts), columns, gold, np.concatenate(weights))
    learned, bias = learn_weights(rows, columns, terms.value, live.labels, rules, threads)
    dense = np.zeros((len(ids), len(live.labels)), np.float32)
    dense[columns.numbers] = learned
    return Learned.of(ids, dense, bias, rules)


def not_additive(done: str, instead: str) -> NotAdditiveError:
    """The error for an operation on single documents, which nbsvm does not support; it says what to do instead."""
    learned = f"with variant={LEARNED!r} weights are learned from all documents at once"
    return NotAdditiveError(f"{learned}, so single documents cannot be {done}: {instead}")
