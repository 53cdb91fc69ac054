"""How many terms more documents would have, from the terms of some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.core.counts import Counts


def terms_of(counts: Counts, times: float) -> float:
    """About the number of terms of ``times`` as many documents.

    The number grows as a power of the number of documents (Heaps, *Information Retrieval*, 1978). The exponent is the
    share of terms that are in one document only: it is how fast the number grows where the counts end (Good, *The
    Population Frequencies of Species*, 1953).

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> counts = NaiveBayes().fit(["a b", "a c", "a b d", "a e"], [0, 0, 1, 1])._snapshot().counts
    >>> counts.native.terms, round(terms_of(counts, 10), 1)  # c, d and e are in one document only
    (5, 19.9)
    """
    terms = counts.native.terms
    rare = float((counts.document_frequencies(counts.native.ids()) <= 1).sum())
    return float(terms * times ** (rare / max(terms, 1)))
