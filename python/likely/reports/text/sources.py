"""How an evaluation was measured, in sentences: the spread over folds, notes, and near-copies with examples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.terminal import number, printable, wrapped

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation


def source_text(evaluation: Evaluation) -> str:
    """What to know about how an evaluation was measured; an empty text if there is nothing to say.

    Examples
    --------
    >>> from likely import cross_validate
    >>> from likely.sample import load_sample
    >>> print(source_text(cross_validate(*load_sample(), folds=4, plain=True)))
    Accuracy in the 4 folds: 0.8167 to 0.8333, standard deviation 0.006804.
    No judged document is a near-copy of one that was learned.
    """
    lines = [*([_spread(evaluation.folds)] if len(evaluation.folds) > 1 else []), *map(printable, evaluation.notes)]
    if evaluation.copies is not None:
        lines.append(str(evaluation.copies))
    examples = [] if evaluation.copies is None else evaluation.copies.examples
    return "\n".join([*map(wrapped, lines), *map(str, examples)])


def _spread(folds: list[float]) -> str:
    mean = sum(folds) / len(folds)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in folds) / (len(folds) - 1))
    low, high = number(min(folds)), number(max(folds))
    return f"Accuracy in the {len(folds)} folds: {low} to {high}, standard deviation {number(deviation)}."
