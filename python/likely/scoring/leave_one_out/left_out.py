"""`LeftOut`: the leave-one-out scores of documents; `check_exact`: whether they are defined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import OptionError

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Mask
    from likely.weighing.rules import Rules


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

    def of(self, some: Mask | slice) -> LeftOut:
        """The scores of some of the documents."""
        return LeftOut(self.joint[some], self.length[some], None if self.times is None else self.times[some])

    @property
    def weights(self) -> Array:
        """The weight of each document."""
        return np.ones(len(self.joint)) if self.times is None else self.times
