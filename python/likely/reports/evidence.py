"""What all reports of an explanation share: which classes are shown, and how strong the evidence of each word is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.explanation.explanation import Evidence, Explanation
    from likely.types import Label

MOST_CLASSES = 6
"""At most this many classes are shown, the most probable ones."""


def shown_classes(explanation: Explanation) -> list[Label]:
    """The classes that are shown."""
    if len(explanation.classes) <= MOST_CLASSES:
        return explanation.classes
    ranked = sorted(explanation.classes, key=lambda label: -explanation.posterior[label])
    return ranked[:MOST_CLASSES]


def spread(evidence: Evidence, classes: list[Label]) -> float:
    """How far a term separates the classes: its largest contribution minus its smallest one."""
    values = [evidence.contribution[label] for label in classes]
    return 0.0 if all(value == -math.inf for value in values) else max(values) - min(values)


def evidence_by_character(explanation: Explanation) -> list[float]:
    """One number per character: by how much the terms at this place favour the decision over its rival."""
    heights = [0.0] * len(explanation.text)
    other = explanation.rival
    if other is None:
        return heights
    for evidence in explanation.terms:
        mine, theirs = evidence.contribution[explanation.label], evidence.contribution[other]
        height = 0.0 if mine == theirs else (mine - theirs) / len(evidence.spans)
        for start, end in evidence.spans:
            for at in range(start, end):
                heights[at] += height
    return heights
