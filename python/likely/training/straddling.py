"""Near-copies across what was learned and what was judged: `NearCopies` of an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.fingerprints import FingerprintMaker
from likely.evaluation.near_copies import NearCopies, Told, near_copies
from likely.evaluation.near_pairs import closest_copies

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.reading.rows import Whole
    from likely.types import Label, Mask, Places, Starts


def straddling_folds(whole: Whole, fold: Starts, rows: Places, right: Mask, *, exact: bool = True) -> NearCopies:
    """The near-copies of judged rows in other folds.

    ``fold`` has the fold of each row, or -1 if it is neither learned nor judged; ``rows`` are the judged rows, and
    ``right`` says whether each of them got its gold label. If not ``exact``, copies do not count.

    Examples
    --------
    >>> from likely.reading.rows import Whole
    >>> whole = Whole(["so good", "bad", "So good!", "fine"], ["+", "-", "+", "+"])
    >>> found = straddling_folds(whole, np.array([0, 0, 1, 1]), np.arange(4), np.array([True, False, True, True]))
    >>> found.near, found.exact, found.accuracy_without
    (2, 2, 0.5)
    """
    taken = np.flatnonzero(fold >= 0)
    some = whole.chosen(fold >= 0)
    prints = FingerprintMaker().add(some.texts).made()
    closest = closest_copies(prints, fold[taken][: len(prints)], exact=exact)
    places = np.searchsorted(taken, rows)
    seen = places < len(prints)
    told = Told(some.texts, some.labels, taken.tolist())
    return near_copies(closest, right[seen], places[seen], told, prints)


def straddling_sets(test: Evaluation, train: Whole) -> NearCopies:
    """The near-copies of the documents of an evaluation, which has kept its answers, in the data of its model.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.reading.rows import Whole
    >>> train = Whole(["so good", "bad plot"], ["+", "-"])
    >>> model = NaiveBayes().fit(train.texts, train.labels)
    >>> found = straddling_sets(model.evaluate(["So good!", "bad"], ["+", "-"], keep=True), train)
    >>> found.near, found.examples[0].other_row
    (1, 0)
    """
    if test.answers is None or test.answers.texts is None:
        raise ValueError("the evaluation must keep its answers")
    texts, gold = test.answers.texts, test.answers.gold
    prints = FingerprintMaker().add(texts).add(train.texts).made()
    sides = (np.arange(len(prints)) >= len(texts)).astype(np.int64)
    labels: list[Label] = [test.labels[at] for at in gold.tolist()]
    told = Told([*texts, *train.texts], [*labels, *train.labels], [*range(len(texts)), *range(len(train))])
    places = np.arange(min(len(texts), len(prints)))
    right = (test.answers.predicted == gold)[places]
    return near_copies(closest_copies(prints, sides), right, places, told, prints)
