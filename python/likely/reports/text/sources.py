"""How an evaluation was measured, in sentences: its source, the spread over folds, notes and near-copies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.terminal import number, printable

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation


def source_text(evaluation: Evaluation) -> str:
    """What to know about how an evaluation was measured; an empty text for an ordinary test set.

    Examples
    --------
    >>> from likely import cross_validate
    >>> from likely.sample import load_sample
    >>> print(source_text(cross_validate(*load_sample(), folds=4, plain=True)))
    Measured by 4-fold cross-validation; accuracy in the folds: 0.8167 to 0.8917, standard deviation 0.03119.
    No judged document is a near-copy of one that was learned.
    """
    lines = []
    if evaluation.folds:
        lines.append(f"Measured by {evaluation.source}{_spread(evaluation.folds)}.")
    lines += map(printable, evaluation.notes)
    if evaluation.copies is not None:
        lines.append(str(evaluation.copies))
        lines += [f"  {example}" for example in evaluation.copies.examples]
    return "\n".join(lines)


def _spread(folds: list[float]) -> str:
    if len(folds) < 2:
        return ""
    mean = sum(folds) / len(folds)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in folds) / (len(folds) - 1))
    low, high = number(min(folds)), number(max(folds))
    return f"; accuracy in the folds: {low} to {high}, standard deviation {number(deviation)}"
