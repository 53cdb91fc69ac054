"""The terms of texts that are more or less frequent than in the training data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.core.counts import UNKNOWN
from likely.evaluation.drift import MovedTerm, MovedTerms
from likely.formulas import log_likelihood_ratio

if TYPE_CHECKING:
    from likely.core.counts import Counts
    from likely.core.moment import Moment
    from likely.types import Array, Ids, Mask

FEWEST = 5
"""A term is tested if this many documents with it would be expected on both sides, if nothing had changed."""
DEVIATIONS = 3.29
"""A term has moved if chance alone would move it as far once in a thousand times: standard deviations."""
NEW_DEVIATIONS = 5.5
"""A term that is too rare to be tested is counted and listed all the same if it is this much more frequent now: among
ten million rare terms, chance alone would make less than one so frequent."""
FACTOR = 1.5
"""A term has moved only if it is at least this many times as frequent, or as rare, as before."""
MOST_LISTED = 20
"""At most this many terms are listed."""
_LEAST = 1e-300


def moved_terms(moment: Moment, texts: list[str], threads: int, n: int = MOST_LISTED) -> MovedTerms | None:
    """The terms of texts whose document frequencies differ most from those of the learned documents.

    Of a model with n-grams, only single words are tested. Documents are counted, not occurrences: a term that occurs
    often in one document says little about the others.
    None if terms have no names (``hash_bits``).
    """
    counts = moment.counts
    if counts.analyzer.hash_bits:
        return None
    if not texts:
        return MovedTerms(0, 0, 0, [])
    learned = math.fsum(counts.totals().documents)
    terms, now, before = _frequencies(counts, texts, learned, threads)
    here, there = float(len(texts)), learned
    z = signed_root(now, before, here, there)
    is_frequent = (now + before) / (here + there) * min(here, there) >= FEWEST
    tested = is_frequent | ((now >= FEWEST) & (z > NEW_DEVIATIONS))
    now, before, z = now[tested], before[tested], z[tested]
    names = [term for term, is_tested in zip(terms, tested.tolist(), strict=True) if is_tested]
    has_moved = (np.abs(z) > DEVIATIONS) & _is_factor(now / here, before / there)
    order = np.argsort(-np.abs(np.where(has_moved, z, 0)), kind="stable")[: min(n, int(has_moved.sum()))]
    top = [
        MovedTerm(names[at], float(now[at] / here), float(before[at] / there), float(z[at])) for at in order.tolist()
    ]
    return MovedTerms(len(texts), len(names), int(has_moved.sum()), top)


def _frequencies(counts: Counts, texts: list[str], learned: float, threads: int) -> tuple[list[str], Array, Array]:
    """The terms that may be tested, sorted, and in how many of the texts and of the learned documents each occurs."""
    analyzer = counts.analyzer
    found = _native.Counts.count(analyzer.native, analyzer.texts(texts), None, None, threads)
    # Of a frequent term, at least half of the least number of documents is on one side.
    half = FEWEST * (len(texts) + learned) / min(len(texts), learned) / 2
    here, there = _single(found, found.sorted_ids()), _single(counts.native, counts.sorted_ids())
    terms = set(found.spell(here[found.class_sums(here, True) >= FEWEST]))
    terms.update(counts.native.spell(there[counts.document_frequencies(there) >= half]))
    names = sorted(terms)
    before = counts.find(names)
    is_known = before != UNKNOWN
    if counts.dropped:  # a term that the model does not know may have been dropped from it
        names, before = (
            [name for name, known in zip(names, is_known.tolist(), strict=True) if known],
            before[is_known],
        )
        is_known = is_known[is_known]
    now = found.find(analyzer.native, names)
    numbers = np.zeros((2, len(names)))
    numbers[0, now != UNKNOWN] = found.class_sums(now[now != UNKNOWN], True)
    numbers[1, is_known] = counts.document_frequencies(before[is_known])
    return names, numbers[0], numbers[1]


def _single(counts: _native.Counts, ids: Ids) -> Ids:
    """The ids of the single words, or all ids if terms are not words.

    With n-grams, a single phrase would be many terms.
    """
    single = ids[counts.words_in(ids) == 1]
    return single if len(single) else ids


def signed_root(now: Array, before: Array, here: float, there: float) -> Array:
    """The signed root of G2 for each term: about a standard normal variable if nothing has changed.

    ``now`` of ``here`` documents contain the term, and ``before`` of ``there``.

    Examples
    --------
    >>> signed_root(np.array([20.0, 10.0]), np.array([10.0, 10.0]), 100.0, 100.0).round(2)
    array([2., 0.])
    """
    totals = np.array([[here], [there]])
    with_term = np.stack([now, before])
    parts = [
        log_likelihood_ratio(np.maximum(cells, _LEAST), np.maximum(cells.sum(axis=0), _LEAST), totals, here + there)
        for cells in (with_term, np.maximum(totals - with_term, 0.0))
    ]
    g2 = np.sum(parts, axis=(0, 1))
    z: Array = np.sign(now / here - before / there) * np.sqrt(np.maximum(g2, 0.0))
    return z


def _is_factor(now: Array, before: Array) -> Mask:
    is_factor: Mask = np.maximum(now, before) >= FACTOR * np.minimum(now, before)
    return is_factor
