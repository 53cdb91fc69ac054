"""`LeftOut`: the leave-one-out scores of documents; `check_exact`: whether they are defined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.core.counts import Counts
    from likely.core.rules import Rules
    from likely.types import Array, Mask


def check_exact(counts: Counts, rules: Rules) -> None:
    """Raise ``OptionError`` or ``PrunedError`` if counts without a document cannot be computed by a subtraction."""
    counts.check_whole("leave out documents")
    if rules.class_weight is not None and rules.form.normalized:
        raise OptionError(
            f"leave_one_out is not defined with class_weight and variant={rules.variant!r}: the weights of all terms "
            "would change with every document"
        )
    reasons = {
        "norm='l2'": counts.analyzer.lengths is not None,
        "spelling='on'": rules.spelling,
        f"max_terms={rules.max_terms}": rules.max_terms is not None,
    }
    for reason, there in reasons.items():
        if there:
            raise OptionError(
                f"leave_one_out is not defined with {reason}: which terms are kept depends on all documents"
            )


@dataclass(frozen=True)
class LeftOut:
    """The leave-one-out scores and lengths of documents."""

    joint: Array
    """The scores, log P(c) + the sum over the terms: one row per document, one column per class."""
    length: Array
    """The sum of the values of those terms that are known without the document: one per document."""
    times: Array | None = None
    """The weight of each document; None if each weighs 1."""

    unknown: Array | None = None
    """How many terms of each document are not known without it, as often as they occur; None if not counted."""
    tokens: Array | None = None
    """The number of all its terms, counted likewise."""

    def of(self, some: Mask | slice) -> LeftOut:
        """The scores of some of the documents."""
        more = (None if each is None else each[some] for each in (self.times, self.unknown, self.tokens))
        return LeftOut(self.joint[some], self.length[some], *more)

    @property
    def unknown_share(self) -> float | None:
        """The share of the terms of all documents that is not known without each; None if it was not counted."""
        if self.unknown is None or self.tokens is None or not (self.weights * self.tokens).any():
            return None
        return float((self.weights * self.unknown).sum() / (self.weights * self.tokens).sum())

    @property
    def weights(self) -> Array:
        """The weight of each document."""
        return np.ones(len(self.joint)) if self.times is None else self.times


def weighed_as(left: LeftOut, worth: Sequence[float]) -> LeftOut:
    """The scores with other weights of the documents; those of weight 0 keep it.

    Examples
    --------
    >>> left = LeftOut(np.zeros((2, 2)), np.ones(2), np.array([3.0, 0.0]))
    >>> weighed_as(left, [1.0, 1.0]).weights
    array([1., 0.])
    """
    return replace(left, times=np.where(left.weights > 0, np.asarray(worth, np.float64), 0.0))
