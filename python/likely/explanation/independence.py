"""`Independence`: which terms occur together more often than the naive assumption allows, and what that costs.

Naive Bayes assumes that the terms of a document are independent of each other within its class. G2 measures how far
two terms are from independence: the log-likelihood ratio of their co-occurrence (Dunning, *Accurate Methods for the
Statistics of Surprise and Coincidence*, 1993), summed over the classes. It is 2 N times the conditional mutual
information, which Friedman, Geiger and Goldszmidt (*Bayesian Network Classifiers*, 1997) use to find dependent terms.

The cost is measured in log-odds L of a class against all others. For two terms a and b, naive Bayes adds L(a) + L(b),
but the evidence of a document with both is L(a and b). Over all terms that are compared, dependence makes the
variance of the sum of the log-odds within a class larger than the sum of the variances ::

    times counted = Var(sum of L) / sum of Var(L)

This ratio is 1 if the terms are independent (the design effect of Kish, *Survey Sampling*, 1965). Normally
distributed log-odds are calibrated if their variance is twice their mean; so one over this ratio is the temperature
that calibrates the sum over these terms. (It corresponds to tau in `likely.core.calibration`, which falls with the
length: the more terms a text has, the more often the same evidence is counted.)
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.core.counts import AT_ONCE, TermRows, each_rows
from likely.errors import ArgumentError, OptionError
from likely.explanation.words import STEM_NOTE, marked
from likely.formulas import log_likelihood_ratio
from likely.labels import unequal
from likely.options.kinds import is_whole
from likely.terminal import number, printable, table

if TYPE_CHECKING:
    from likely.core.weights import ModelView
    from likely.types import Array, Ids, Labels, Places, Texts

MOST_TERMS = 300
"""The largest number of terms that are compared with each other: those that are most informative about the class."""
MOST_CELLS = 1 << 23
"""The largest number of cells (pairs of terms times classes): with many classes, fewer terms are compared."""
SMOOTHING = 0.5
"""The number that is added to numbers of documents before their logarithms are taken (the prior of Jeffreys)."""


@dataclass(frozen=True)
class Pair:
    """Two terms that are not independent given the class.

    Attributes
    ----------
    a, b : str
        The terms.
    words : (str, str)
        The same terms for people: stems are marked.
    documents : int
        The number of texts that have both terms.
    expected : float
        The number of texts that would have both, if the terms were independent within each class.
    g2 : float
        The distance from independence: 0 if the terms are independent.
    double_counted : float
        By how much the sum of the terms' log-odds exceeds the log-odds of both together, for the class of the text
        against all others, on average over the texts that have both. It is negative if both together are stronger
        evidence than their sum.
    """

    a: str
    b: str
    words: tuple[str, str]
    documents: int
    expected: float
    g2: float
    double_counted: float


@dataclass(frozen=True)
class Independence:
    """How far the terms of texts are from independence within a class.

    Attributes
    ----------
    pairs : list of Pair
        The pairs that violate the assumption most, worst first.
    documents : int
        The number of texts.
    terms : int
        The number of terms that were compared with each other.
    words : float
        The average number of these terms in a text.
    times_counted : float
        How often the same evidence is counted, on average: 1 if terms are independent, below 1 if they tend to
        exclude each other.
    """

    pairs: list[Pair]
    documents: int
    terms: int
    words: float
    times_counted: float

    @property
    def effective_words(self) -> float:
        """The number of independent words that would be as much evidence as the words of an average text."""
        return self.words / self.times_counted

    @property
    def meaning(self) -> str:
        """What a number below 1 means, as an insertion."""
        return "" if self.times_counted >= 1 else " (less than once: where one term is, others tend to be missing)"

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return {**asdict(self), "effective_words": self.effective_words}

    def __str__(self) -> str:
        rows = [["pair", "texts", "expected", "G2", "double counted"]]
        for each in self.pairs:
            figures = [number(each.expected), number(each.g2), f"{each.double_counted:+.2f}"]
            rows.append([", ".join(map(printable, each.words)), f"{each.documents:,}", *figures])
        looked = f"{self.documents:,} texts, the {self.terms:,} most informative terms"
        times, words, worth = map(number, (self.times_counted, self.words, self.effective_words))
        counted = (
            f"the same evidence is counted {times} times{self.meaning};\n"
            f"the {words} terms of an average text are worth {worth}"
        )
        note = f"\n{STEM_NOTE}" if any(each.words != (each.a, each.b) for each in self.pairs) else ""
        return f"{table(rows)}\n\n{looked}: {counted} independent ones.{note}"


def independence(moment: ModelView, texts: Texts, labels: Labels, n: int, threads: int) -> Independence:
    """The ``n`` pairs of terms that are least independent in labelled texts; see `NaiveBayes.independence`."""
    if not is_whole(n) or n < 0:
        raise OptionError(f"n={n!r} is not allowed: n must be a whole number >= 0")
    counts = moment.counts
    if counts.analyzer.hash_bits:
        raise OptionError("independence is not defined with hash_bits: terms have no names")
    ids = telling(moment)
    gold = counts.live().places.of_all(labels)
    if not len(gold):
        raise ArgumentError("there are no texts to look at: give at least one text")
    both, documents = _co_occurrences(moment, ids, texts, gold, threads)
    g2, expected = dependence(both, documents)
    evidence = log_odds(both, documents)
    firsts, seconds = np.triu_indices(len(ids), 1)
    # The terms are sorted and the sort is stable: of equal pairs, the alphabetically first ones are listed.
    order = np.argsort(-g2[firsts, seconds].round(9), kind="stable")[:n]
    order = order[g2[firsts, seconds][order].round(9) > 0]
    names = counts.native.spell(ids)
    words = [marked(counts.analyzer, name) for name in names]
    together = both.sum(axis=0)
    pairs = [
        Pair(
            a=names[a],
            b=names[b],
            words=(words[a], words[b]),
            documents=int(together[a, b]),
            expected=float(expected[a, b]),
            g2=float(g2[a, b]),
            double_counted=_double_counted(both[:, a, b], evidence[:, [a, b, a], [a, b, b]]),
        )
        for a, b in zip(firsts[order].tolist(), seconds[order].tolist(), strict=True)
    ]
    present = float(np.trace(together)) / len(gold)
    return Independence(pairs, len(gold), len(ids), present, times_counted(both, documents, evidence))


def telling(moment: ModelView) -> Ids:
    """The ids of the terms that are most informative about the class (highest G2), sorted by term."""
    counts, live = moment.counts, moment.counts.live()
    ids = counts.sorted_ids()
    ids = ids if moment.rules.spelling else ids[moment.terms.are_kept(ids)]
    cells, frequencies = counts.cells(ids), counts.document_frequencies(ids)
    documents = counts.totals().documents[live.numbers]
    sizes = documents[live.ranks[cells.classes]]
    told = log_likelihood_ratio(
        counts.native.cells(ids, True), cells.repeat(frequencies), sizes, float(documents.sum())
    )
    most = min(MOST_TERMS, int((MOST_CELLS / len(live.labels)) ** 0.5))
    chosen: Ids = ids[np.sort(np.lexsort((-frequencies, -cells.sum(told).round(9)))[:most])]
    return chosen


def _co_occurrences(moment: ModelView, ids: Ids, texts: Texts, gold: Places, threads: int) -> tuple[Array, Array]:
    """The number of texts with both terms (class by term by term) and the number of all texts, per class."""
    counts, width = moment.counts, len(moment.counts.live().labels)
    columns = np.full(counts.native.vocabulary_size, -1, np.intp)
    columns[ids] = np.arange(len(ids))
    both, done = np.zeros((width, len(ids), len(ids))), 0

    def add(rows: TermRows) -> None:
        nonlocal done
        batch = gold[done : done + len(rows)]
        if len(batch) < len(rows):
            raise unequal(len(gold), None)
        done += len(rows)
        at = columns[rows.ids]
        present = np.zeros((len(rows), len(ids)))
        present[rows.rows[at >= 0], at[at >= 0]] = 1.0
        for place in np.unique(batch):
            some = present[batch == place]
            both[place] += some.T @ some

    each_rows(counts, texts, threads, AT_ONCE, add)
    if done < len(gold):
        raise unequal(len(gold), done)
    return both, np.bincount(gold, minlength=width).astype(np.float64)


def dependence(both: Array, documents: Array) -> tuple[Array, Array]:
    """G2 of each pair, and its expected number of documents if the terms were independent within each class.

    Examples
    --------
    >>> g2, expected = dependence(np.array([[[4.0, 4.0], [4.0, 4.0]]]), np.array([8.0]))  # always together
    >>> round(float(g2[0, 1]), 4), float(expected[0, 1])  # 2 * 8 * log 2
    (11.0904, 2.0)
    """
    size = both.shape[1]
    g2, expected = np.zeros((size, size)), np.zeros((size, size))
    for together, total in zip(both, documents, strict=True):
        if total == 0:
            continue
        of = np.diag(together)
        a, b = of[:, None], of[None, :]
        expected += a * b / total
        cells = (together, a, b), (a - together, a, total - b), (b - together, total - a, b)
        for found, row, column in (*cells, (total - a - b + together, total - a, total - b)):
            some = found > 0
            ratio = np.divide(found * total, row * column, out=np.ones((size, size)), where=some)
            g2 += 2 * found * np.log(ratio)
    return g2, expected


def log_odds(both: Array, documents: Array) -> Array:
    """The log-odds of each class against all others for a document that has both terms: class by term by term.

    Examples
    --------
    >>> log_odds(np.array([[[4.0]], [[0.0]]]), np.array([8.0, 8.0])).round(3)
    array([[[ 2.197]],
    <BLANKLINE>
           [[-2.197]]])
    """
    inside, outside = documents[:, None, None], documents.sum() - documents[:, None, None]
    here = np.log(both + SMOOTHING) - np.log(inside + 2 * SMOOTHING)
    there = np.log(both.sum(axis=0) - both + SMOOTHING) - np.log(outside + 2 * SMOOTHING)
    odds: Array = np.where(outside > 0, here - there, 0.0)
    return odds


def _double_counted(documents: Array, evidence: Array) -> float:
    """By how much the log-odds of two terms exceed those of both together.

    ``evidence`` has one row per class, with the log-odds of a, of b, and of a and b together.
    """
    naive = evidence[:, 0] + evidence[:, 1]
    excess = np.sign(naive) * (naive - evidence[:, 2])
    return float((documents * excess).sum() / max(documents.sum(), 1.0))


def times_counted(both: Array, documents: Array, evidence: Array) -> float:
    """The variance of the summed log-odds within the classes, divided by the sum of the variances.

    It is 1 if nothing varies.

    Examples
    --------
    >>> both = np.array([[[4.0, 4.0], [4.0, 4.0]], [[1.0, 1.0], [1.0, 1.0]]])  # always together: counted twice
    >>> round(times_counted(both, np.array([8.0, 8.0]), log_odds(both, np.array([8.0, 8.0]))), 6)
    2.0
    """
    summed = alone = 0.0
    for together, total, odds in zip(both, documents, evidence, strict=True):
        if total:
            of, weights = np.diag(together), np.diag(odds)
            covariance = together / total - np.outer(of, of) / total**2
            summed += float(total * (weights @ covariance @ weights))
            alone += float(total * (weights**2 @ np.diag(covariance)))
    return summed / alone if alone > 0 and summed > 0 else 1.0
