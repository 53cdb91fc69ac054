"""How much the words of a text favour one class over another, character by character."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from likely.explanation.explanation import Explanation
    from likely.types import Array, Label

INFINITE = 700.0
"""The largest evidence of one term, about the logarithm of the largest finite number."""


def contrast_by_character(explanation: Explanation, a: Label, b: Label) -> Array:
    """One number per character: by how much the terms at this place favour class ``a`` over class ``b``.

    A term that is infinitely stronger in one of the classes counts as `INFINITE`.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good", "dull"], ["+", "-"])
    >>> contrast_by_character(model.explain("so good"), "+", "-").round(2).tolist()
    [0.0, 0.0, 0.0, 0.69, 0.69, 0.69, 0.69]
    """
    steps = np.zeros(len(explanation.text) + 1)
    classes = explanation.classes
    first, second = classes.index(a), classes.index(b)
    for evidence in explanation.terms:
        mine, theirs = (evidence.weight * float(evidence.log_likelihoods[at]) for at in (first, second))
        if math.isnan(mine - theirs):  # the term is impossible in both classes
            continue
        height = min(max(mine - theirs, -INFINITE), INFINITE) / len(evidence.spans)
        for start, end in evidence.spans:
            steps[start] += height
            steps[end] -= height
    heights: Array = np.cumsum(steps)[:-1]
    return np.where(np.abs(heights) < 1e-12 * np.abs(steps).max(initial=0.0), 0.0, heights)
