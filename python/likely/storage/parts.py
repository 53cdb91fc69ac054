"""The two parts of a model file: first the rows of the terms that its options keep, then those of all others."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.errors import ModelFileError

if TYPE_CHECKING:
    from likely.storage.snapshot import Snapshot
    from likely.types import Places

MOST_TERMS = 2**32
"""The number of terms that no model reaches."""


@dataclass(frozen=True)
class Parts:
    """How the terms of a file are divided.

    Examples
    --------
    >>> Parts(20, 100, 0.25).to_dict()
    {'terms': 20, 'of': 100, 'usual_unknown': 0.25}
    >>> parts_from({"terms": 20, "of": 100, "usual_unknown": 0.25})
    Parts(kept=20, of=100, unknown=0.25)
    """

    kept: int
    """The number of terms in the first part."""
    of: int
    """The number of terms in both parts."""
    unknown: float | None
    """The share of the terms of a text that is usually unknown. It follows from the terms of both parts."""

    def to_dict(self) -> dict[str, float | None]:
        """The parts as JSON values."""
        return {"terms": self.kept, "of": self.of, "usual_unknown": self.unknown}


class Division(NamedTuple):
    """The order in which terms are written."""

    order: Places
    """The place of each term among all terms, sorted."""
    parts: Parts | None
    """The parts; None if there is only one."""


def divide(snapshot: Snapshot) -> Division:
    """The terms of a model in the order of its file. If all terms are needed to score, there is one part.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes(min_documents=2).fit(["good fun", "a good plot", "a bad plot"], ["+", "+", "-"])
    >>> found = divide(model._snapshot())
    >>> found.order, found.parts.kept, found.parts.of
    (array([0, 3, 4, 1, 2]), 3, 5)
    """
    from likely.core.terms import choose_terms
    from likely.core.weights import usual_unknown

    counts, rules = snapshot.counts, snapshot.rules
    every = Division(np.arange(counts.native.terms), None)
    # The words that others misspell are found among all words.
    if rules.count_every_term or rules.spelling:
        return every
    # Weights of classes do not change which terms are kept, and may name classes that are still to come.
    terms = choose_terms(counts, replace(rules, class_weight=None))
    stay = terms.are_kept(counts.sorted_ids())
    if stay.all():
        return every
    order = np.concatenate([np.flatnonzero(stay), np.flatnonzero(~stay)])
    return Division(order, Parts(int(stay.sum()), len(stay), usual_unknown(terms)))


def parts_from(stored: object) -> Parts | None:
    """The parts that `Parts.to_dict` wrote."""
    match stored:
        case None:
            return None
        case {"terms": int(kept), "of": int(of), "usual_unknown": float() | None as unknown, **more} if not more:
            is_sound = unknown is None or 0 <= unknown < math.inf
            if is_sound and type(kept) is type(of) is int and 0 <= kept < of < MOST_TERMS:
                return Parts(kept, of, unknown)
    raise ModelFileError("the number of its kept terms is not as `likely` writes it")
