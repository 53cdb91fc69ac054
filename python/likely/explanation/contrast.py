"""`Contrast`: how strongly a term of a text speaks for one class against another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.explanation.explanation import Evidence, Explanation
    from likely.types import Label

LARGEST = 700.0
"""About the logarithm of the largest float."""


@dataclass(frozen=True)
class Contrast:
    """A term of a text, and how many times more probable it makes one class than another.

    Attributes
    ----------
    term : str
        The term.
    word : str
        The term as the text has it: a stem is the word that it was made of.
    count : int
        How often it occurs in the text; 1 for the variants that use only whether a term occurs.
    log_ratio : float
        Its contribution to the score of the first class minus that to the second; positive if it speaks for the
        first. It is infinite if the term is impossible in one of the classes.
    spans : list of (int, int)
        The start and the end of each occurrence, in characters of the text.
    """

    term: str
    word: str
    count: int
    log_ratio: float
    spans: list[tuple[int, int]]

    @property
    def ratio(self) -> float:
        """How many times more probable the term makes the first class than the second, before calibration."""
        return factor(self.log_ratio)


def factor(log_ratio: float) -> float:
    """The number whose logarithm this is; infinite if a float cannot hold it.

    Examples
    --------
    >>> factor(0.0), factor(1e6), factor(float("-inf"))
    (1.0, inf, 0.0)
    """
    return math.inf if log_ratio > LARGEST else math.exp(log_ratio)


def contrasted(explanation: Explanation, a: Label, b: Label) -> list[Contrast]:
    """The contrast of two classes for each known term, strongest first, and of equally strong ones as in the text."""
    classes = explanation.classes
    first, second = classes.index(a), classes.index(b)
    found = [
        Contrast(each.term, _word(each, explanation.text), each.count, _log_ratio(each, first, second), each.spans)
        for each in explanation.terms
    ]
    return sorted(found, key=lambda each: -abs(each.log_ratio))


def _log_ratio(evidence: Evidence, first: int, second: int) -> float:
    """The difference of the contributions to the classes at two places; 0 if the term is impossible in both."""
    one, other = (evidence.weight * float(evidence.log_likelihoods[at]) for at in (first, second))
    return 0.0 if one == other else one - other


def _word(evidence: Evidence, text: str) -> str:
    """The word of a term as it is first written; the term itself if it is not an ending or the case that differs.

    A term such as NOT_good or <number:9> says more than the word that it stands for.
    """
    start, end = evidence.spans[0]
    written = " ".join(text[start:end].split())
    is_marked = evidence.term.startswith("NOT_") or bool(evidence.written)
    is_alike = evidence.term[:1] in (written[:1], written[:1].lower())
    return written if is_alike and not is_marked else evidence.term
