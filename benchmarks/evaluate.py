"""A million predictions evaluated, intervals included: labels of twenty classes, and two classes with probabilities.

Beside it, in the same run, scikit-learn's `classification_report`, which has no intervals and no areas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import likely
import numpy as np
from sklearn.metrics import classification_report

from benchmarks.measure import Claim, best, show

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENTS = 1_000_000
BAR = 2.0


def claims() -> Iterator[Claim]:
    gold, predicted = labels(20)
    yield claim("20 classes, labels", gold, predicted, None)
    gold, predicted = labels(2)
    yield claim("2 classes, probabilities", gold, predicted, probabilities(predicted))


def claim(name: str, gold: list[str], predicted: list[str], given: np.ndarray | None) -> Claim:
    seconds, _ = best(lambda: whole(gold, predicted, given), 3)
    theirs, _ = best(lambda: classification_report(gold, predicted), 1)
    detail = f"scikit-learn's classification_report {theirs:.2f} s"
    return Claim(f"evaluate {DOCUMENTS:,}, {name}, with intervals, s", seconds, BAR, detail, at_most=True)


def whole(gold: list[str], predicted: list[str], given: np.ndarray | None) -> dict[str, object]:
    """Everything that an evaluation says, as plain data."""
    return dict(likely.evaluate(gold, predicted, probabilities=given).to_dict())


def labels(classes: int) -> tuple[list[str], list[str]]:
    """Gold labels and predictions, of which about nine in ten are right."""
    draw = np.random.default_rng(1)
    names = np.array([f"class {at:02}" for at in range(classes)])
    gold = draw.integers(0, classes, DOCUMENTS)
    predicted = np.where(draw.random(DOCUMENTS) < 0.9, gold, draw.integers(0, classes, DOCUMENTS))
    return names[gold].tolist(), names[predicted].tolist()


def probabilities(predicted: list[str]) -> np.ndarray:
    """The probabilities of two classes, of which the predicted one is the more probable."""
    sure = np.random.default_rng(2).uniform(0.5, 1.0, len(predicted))
    second = np.where(np.array(predicted) == "class 01", sure, 1 - sure)
    return np.stack([1 - second, second], axis=1)


if __name__ == "__main__":
    show(claims())
