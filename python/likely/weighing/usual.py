"""What share of the terms of a text is usually unknown: a question that the counts answer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from likely.formulas import unseen_share
from likely.weighing.scales import negate, scales_of_frequencies

if TYPE_CHECKING:
    from likely.types import Array, Ids, Mask
    from likely.weighing.terms import Terms


def usual_unknown(terms: Terms) -> float | None:
    """The share of the terms of a text like the learned ones that the model does not know, or None.

    It is the mean over all learned documents, each of which is left out in turn. A model from which terms were
    dropped cannot say it: the terms of one document are the first to be dropped. If documents were learned in several
    copies, the share is too low, because the copies know the terms of each other.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.weighing.terms import choose_terms
    >>> snapshot = NaiveBayes().fit(["good fun", "good good plot"], [1, 0]).snapshot()
    >>> usual_unknown(choose_terms(snapshot.counts, snapshot.rules))  # fun and plot, of five terms
    0.4
    """
    counts = terms.counts
    if counts.dropped:
        return None
    if counts.unread is not None:
        return counts.unread.unknown
    totals = counts.totals()
    if terms.scales is None:  # every term is kept
        return unseen_share(counts.native.count_in_single_documents(), math.fsum(totals.tokens))
    # Sums of sorted terms do not depend on the order of the texts.
    ids = counts.sorted_ids()
    frequencies = counts.document_frequencies(ids)
    lost = _are_lost(terms, ids, frequencies)
    if counts.analyzer.lengths is None:
        return unseen_share(float(counts.native.class_sums(ids[lost], False).sum()), math.fsum(totals.tokens))
    # The counts of documents of unit length are not numbers of occurrences, so documents stand in for them.
    return unseen_share(float(frequencies[lost].sum()), float(frequencies.sum()))


def _are_lost(terms: Terms, ids: Ids, frequencies: Array) -> Mask:
    """Whether each term would be unknown if one document with it were left out."""
    counts, rules = terms.counts, terms.rules
    total = math.fsum(counts.totals().documents)
    negates = negate(counts, ids) if rules.auto_stop_words else np.zeros(len(ids), np.bool_)
    without = scales_of_frequencies(rules, frequencies - 1, total - 1, negates, counts.analyzer.lengths)
    lost: Mask = (without == 0) | ~terms.are_kept(ids)
    return lost
