"""The scale of each term, which is its idf or 1, from its document frequency; and which terms are kept at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.counting.counts import UNKNOWN
from likely.formulas import inverse_document_frequency
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Mask
    from likely.weighing.rules import Rules

AUTO_SHARE = 0.5
"""With ``stop_words='auto'``, terms that occur in more than this share of the documents are stop words."""
_ROUNDING = 1e-9
"""The tolerance for a share of documents: in floating point, 0.07 of 100 is a little more than 7."""
_RELATIVE = 1e-13
"""The tolerance for the number of all documents."""


def within_bounds(rules: Rules, frequencies: Array, total: float | Array, negates: Mask) -> Mask:
    """Whether each term is neither too rare nor too frequent; the arguments are those of `scales_of_frequencies`."""
    # The weight of a document may be less than 1, so "in one document" means any frequency above 0.
    any_will_do = is_whole(rules.min_documents) and rules.min_documents == 1
    stay: Mask = (frequencies > 0) if any_will_do else (frequencies >= _bound(rules.min_documents, total) - _ROUNDING)
    stay &= frequencies <= _bound(rules.max_documents, total) + _ROUNDING
    if rules.auto_stop_words:
        stay &= (frequencies <= AUTO_SHARE * total + _ROUNDING) | negates
    return stay


def scales_of_frequencies(
    rules: Rules, frequencies: Array, total: float | Array, negates: Mask, idf: str | None = None
) -> Array:
    """The scale of each term, from its document frequency; 0 for a term that is too rare or too frequent.

    Parameters
    ----------
    rules
        The rules.
    frequencies
        The document frequency of each term.
    total
        The number of all documents, which may differ from term to term.
    negates
        Whether each term is a negator, which is never an automatic stop word.
    idf
        The kind of idf ("plain" or "smooth"), if terms are scaled by it although the rules do not say so.
    """
    stay = within_bounds(rules, frequencies, total, negates)
    scales = np.zeros(len(frequencies))
    smooth = int((idf or rules.idf) == "smooth")
    if not (rules.tfidf or idf):
        scales[stay] = 1.0
    elif stay.any():
        # A document with both a word and its misspelling is in both frequencies: their sum may exceed the total.
        of_all = np.broadcast_to(total, frequencies.shape)[stay]
        some = np.minimum(frequencies[stay], of_all)
        # Sums of weights have rounding errors; the plain idf of a term that is in all documents must be 0.
        some = np.where(of_all - some <= _RELATIVE * of_all, of_all, some)
        scales[stay] = inverse_document_frequency(some, of_all, smooth=smooth, lift=smooth)
    return scales


def _bound(bound: float, total: float | Array) -> float | Array:
    """A number of documents, from a whole number or a share of the total."""
    return float(bound) if is_whole(bound) else bound * total


def negate(counts: Counts, ids: Ids) -> Mask:
    """Whether each term is a negator: negators are never automatic stop words."""
    return np.isin(ids, negators(counts))


def negators(counts: Counts) -> Ids:
    """The ids of the negators among the terms."""
    found = counts.find(counts.analyzer.kept_negators)
    known: Ids = found[found != UNKNOWN]
    return known
