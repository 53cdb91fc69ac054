"""How naive the naive assumption is for some texts: which terms go together within a class, and what that costs.

Naive Bayes takes the terms of a document as independent of each other given its class. How far two terms are from
that is G2, the log-likelihood ratio of their co-occurrence (Dunning, *Accurate Methods for the Statistics of Surprise
and Coincidence*, 1993), class by class and summed: 2 N times the conditional mutual information by which Friedman,
Geiger and Goldszmidt (*Bayesian Network Classifiers*, 1997) tell where naive Bayes is wrong.

What it costs is told in log-odds of a class against all others. Of two terms a and b naive Bayes adds L(a) + L(b),
though a document with both says L(a and b). And over all terms compared the sum of the log-odds varies within a class
more than the terms do each for itself ::

    times counted = Var(sum of L) / sum of Var(L)

which is 1 where terms are independent (the design effect of Kish, *Survey Sampling*, 1965). Log-odds that vary by
twice their mean are calibrated, if they are normally distributed; so one over the times counted is the temperature
that calibrates the sum of the terms compared (tau in `likely.scoring.calibration`, where it falls with the length:
the more terms, the more often the same evidence is counted).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import LengthError, OptionError, UnknownClassError
from likely.formulas import log_likelihood_ratio
from likely.options.kinds import is_whole
from likely.terminal import number, printable, table
from likely.vectorize.rows import AT_ONCE, each_rows
from likely.weighing.terms import document_frequencies

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Label
    from likely.vectorize.rows import Rows
    from likely.weighing.terms import Rules
    from likely.weighing.weights import Classes

MOST_TERMS = 300
"""So many terms are compared with each other, at most: those that tell most about the class."""
MOST_CELLS = 1 << 23
"""So many numbers are kept, at most: with many classes fewer terms are compared."""
SMOOTHING = 0.5
"""What is added to numbers of documents before their logarithms are taken (Jeffreys)."""


@dataclass(frozen=True)
class Pair:
    """Two terms that are not independent given the class.

    Attributes
    ----------
    a, b : str
        The terms.
    documents : int
        How many texts have both.
    expected : float
        How many would, if they were independent within each class.
    g2 : float
        How far from independent they are: large is far, 0 is independent.
    double_counted : float
        By how much the sum of both goes further than what a text with both says, in log-odds of its class against the
        others, on average over the texts with both. Negative where both together say more than their sum.
    """

    a: str
    b: str
    documents: int
    expected: float
    g2: float
    double_counted: float


@dataclass(frozen=True)
class Independence:
    """How far the terms of texts are from independent within a class.

    Attributes
    ----------
    pairs : list of Pair
        The pairs that break the assumption most, worst first.
    documents : int
        How many texts there were.
    terms : int
        How many terms were compared, each with each.
    words : float
        How many of these a text has on average.
    times_counted : float
        How often the same evidence is counted on average: 1 where terms are independent, less where they rather
        exclude each other.
    """

    pairs: list[Pair]
    documents: int
    terms: int
    words: float
    times_counted: float

    @property
    def effective_words(self) -> float:
        """As how many independent words those of a text count."""
        return self.words / self.times_counted

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {**asdict(self), "effective_words": self.effective_words}

    def __str__(self) -> str:
        rows = [["pair", "texts", "expected", "G2", "double counted"]]
        for each in self.pairs:
            figures = [number(each.expected), number(each.g2), f"{each.double_counted:+.2f}"]
            rows.append([f"{printable(each.a)}, {printable(each.b)}", f"{each.documents:,}", *figures])
        looked = f"{self.documents:,} texts, the {self.terms:,} most telling terms"
        counted = f"the same evidence is counted {number(self.times_counted)} times"
        worth = (
            f"the {number(self.words)} of them that a text has are worth {number(self.effective_words)} independent"
        )
        return f"{table(rows)}\n\n{looked}: {counted};\n{worth} ones."


def independence(
    counts: Counts, classes: Classes, rules: Rules, texts: Any, labels: list[Label], n: int, threads: int
) -> Independence:
    """The pairs of terms of texts of some classes that are least independent; see `NaiveBayes.independence`."""
    if not is_whole(n) or n < 0:
        raise OptionError(f"n={n!r} is not allowed: n must be a whole number from 0 up")
    if counts.analyzer.hash_bits:
        raise OptionError("independence is not defined with hash_bits: terms have no names")
    ids = telling(counts, classes, rules)
    own = _places(classes, labels)
    both, documents = _co_occurrences(counts, ids, texts, own, len(classes.labels), threads)
    g2, expected = dependence(both, documents)
    evidence = log_odds(both, documents)
    firsts, seconds = np.triu_indices(len(ids), 1)
    # The terms are sorted, so of pairs that are equally far the first in the alphabet.
    order = np.argsort(-g2[firsts, seconds].round(9), kind="stable")[:n]
    order = order[g2[firsts, seconds][order].round(9) > 0]
    names = counts.native.spell(ids)
    together = both.sum(axis=0)
    pairs = [
        Pair(
            a=names[a],
            b=names[b],
            documents=int(together[a, b]),
            expected=float(expected[a, b]),
            g2=float(g2[a, b]),
            double_counted=_double_counted(both[:, a, b], evidence[:, [a, b, a], [a, b, b]]),
        )
        for a, b in zip(firsts[order].tolist(), seconds[order].tolist(), strict=True)
    ]
    words = float(np.trace(together)) / len(own)
    return Independence(pairs, len(own), len(ids), words, times_counted(both, documents, evidence))


def telling(counts: Counts, classes: Classes, rules: Rules) -> Ids:
    """The terms that tell most about the class, sorted by term."""
    ids = counts.native.sorted_ids()
    ids = ids if rules.spelling else ids[classes.terms.are_counted(ids)]
    frequencies, lengths = document_frequencies(counts, ids), counts.native.row_lengths(ids)
    places = np.zeros(len(counts.index.labels), np.intp)
    places[classes.columns] = np.arange(len(classes.columns))
    sizes = classes.totals.documents[places[counts.native.cell_classes(ids)]]
    total = float(classes.totals.documents.sum())
    cells = counts.native.cells(ids, True)
    told = log_likelihood_ratio(cells, np.repeat(frequencies, lengths), sizes, total)
    of_terms = np.bincount(np.repeat(np.arange(len(ids)), lengths), weights=told, minlength=len(ids)).round(9)
    most = min(MOST_TERMS, int((MOST_CELLS / len(classes.labels)) ** 0.5))
    chosen: Ids = ids[np.sort(np.lexsort((-frequencies, -of_terms))[:most])]
    return chosen


def _places(classes: Classes, labels: list[Label]) -> Any:
    places = {label: place for place, label in enumerate(classes.labels)}
    unknown = next((label for label in labels if label not in places), None)
    if unknown is not None:
        raise UnknownClassError(f"the model knows no class {unknown!r}")
    if not labels:
        raise LengthError("there are no texts to look at: give some")
    return np.array([places[label] for label in labels], np.intp)


def _co_occurrences(
    counts: Counts, ids: Ids, texts: Any, own: Any, classes: int, threads: int
) -> tuple[Array, Array]:
    """By class: how many texts have each pair of terms (a term with itself: the term), and how many there are."""
    columns = np.full(counts.native.vocabulary_size, -1, np.intp)
    columns[ids] = np.arange(len(ids))
    both, done = np.zeros((classes, len(ids), len(ids))), 0

    def add(rows: Rows) -> None:
        nonlocal done
        batch = own[done : done + len(rows)]
        if len(batch) < len(rows):
            raise LengthError(f"there are {len(own)} labels, but more texts than that: give one label a text")
        done += len(rows)
        at = columns[rows.ids]
        documents = np.repeat(np.arange(len(rows)), np.diff(rows.starts))[at >= 0]
        present = np.zeros((len(rows), len(ids)))
        present[documents, at[at >= 0]] = 1.0
        for place in np.unique(batch):
            some = present[batch == place]
            both[place] += some.T @ some

    each_rows(counts, texts, threads, AT_ONCE, add)
    if done < len(own):
        raise LengthError(f"there are {len(own)} labels, but only {done} texts: give one label a text")
    return both, np.bincount(own, minlength=classes).astype(np.float64)


def dependence(both: Array, documents: Array) -> tuple[Array, Array]:
    """G2 of each pair, and how many documents would have both if they were independent within each class.

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
    """What it says for each class against all others that a document has both terms of a pair.

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
    """By how much the log-odds of two terms exceed those of both together, a row a class: a, b, a and b."""
    naive = evidence[:, 0] + evidence[:, 1]
    excess = np.sign(naive) * (naive - evidence[:, 2])
    return float((documents * excess).sum() / max(documents.sum(), 1.0))


def times_counted(both: Array, documents: Array, evidence: Array) -> float:
    """The variance of summed log-odds within the classes over the sum of variances; 1 where nothing varies.

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
