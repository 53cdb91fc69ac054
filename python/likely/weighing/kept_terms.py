"""`KeptTerms`: the terms that are neither too rare nor too frequent, with their scales. They follow the counts."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.weighing.scales import scales_of_frequencies, within_bounds

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Mask
    from likely.weighing.rules import Rules


@dataclass(frozen=True, eq=False)
class KeptTerms:
    """Terms that are neither too rare nor too frequent, sorted by term.

    Attributes
    ----------
    ids : array
        The id of each term.
    frequencies : array
        The document frequency of each term.
    scales : array
        The idf of each term, or 1. The plain idf of a term that is in all documents is 0: such a term is not known.
    vocabulary_size : int
        The number of ids.
    """

    ids: Ids
    frequencies: Array
    scales: Array
    vocabulary_size: int

    @cached_property
    def known(self) -> Ids:
        """The ids of the terms whose scale is above 0, sorted by term."""
        return self.ids[self.scales > 0]

    @cached_property
    def by_id(self) -> Array:
        """The scale of each term, by id; 0 for a term that is not kept."""
        scales = np.zeros(self.vocabulary_size)
        scales[self.ids] = self.scales
        return scales

    def followed(self, counts: Counts, rules: Rules, changed: Ids) -> KeptTerms:
        """The kept terms after the counts of the terms with these ids have changed.

        Only these terms are looked at, so each must be kept or not by its own document frequency alone
        (`Rules.keep_by_frequency`).
        """
        total = math.fsum(counts.totals().documents.tolist())
        before = np.isin(self.ids, changed)
        new = np.setdiff1d(changed, self.ids[before])
        frequencies = self.frequencies.copy()
        frequencies[before] = counts.document_frequencies(self.ids[before])
        of_new = counts.document_frequencies(new)
        stay, enter = _kept(rules, frequencies, total), _kept(rules, of_new, total)
        ids, frequencies = self.ids[stay], frequencies[stay]
        entering = _sorted(counts, new[enter])
        places = _places(counts, ids, entering)
        ids = np.insert(ids, places, entering)
        frequencies = np.insert(frequencies, places, counts.document_frequencies(entering))
        scales = scales_of_frequencies(rules, frequencies, total, np.zeros(len(ids), np.bool_))
        return KeptTerms(ids, frequencies, scales, counts.native.vocabulary_size)


def _kept(rules: Rules, frequencies: Array, total: float) -> Mask:
    return within_bounds(rules, frequencies, total, np.zeros(len(frequencies), np.bool_))


def _sorted(counts: Counts, ids: Ids) -> Ids:
    """These ids, sorted by term."""
    terms = counts.native.spell(ids)
    return ids[sorted(range(len(ids)), key=terms.__getitem__)]


def _places(counts: Counts, ids: Ids, entering: Ids) -> list[int]:
    """The place of each entering term among the others, which are sorted by term too."""

    def spelled(number: np.uint32) -> str:
        return counts.native.spell(np.array([number], np.uint32))[0]

    return [bisect_left(ids, term, key=spelled) for term in counts.native.spell(entering)]
