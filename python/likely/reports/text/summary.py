"""The decision about a text and its strongest reasons, in one line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.terminal import WIDTH, cut, cut_apart, display_width, percent, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.explanation.contrast import Contrast
    from likely.explanation.explanation import Explanation
    from likely.types import Label

LONGEST_WORD = 20
"""Longer words are cut, in columns of a terminal."""
SHOWN = (
    *((24, 3, 2), (24, 3, 1), (16, 3, 1), (24, 2, 1), (16, 2, 1), (12, 2, 1)),
    *((12, 2, 0), (12, 1, 1), (12, 1, 0), (8, 1, 0), (8, 0, 0)),
)
"""The longest label, and the numbers of terms for and against the decision: the first that fit one line."""
NOTICEABLE = math.log(1.05)
"""A term that makes a class less than 1.05 times more probable than another says nothing."""
CLOSE = 0.01
"""Of more than two classes, the next one is named if its probability is at least this."""
MOST = 1e6
"""Larger ratios are not told apart."""


def summary_text(explanation: Explanation) -> str:
    """The decision and its strongest reasons in one line."""
    rival = explanation.rival
    if rival is None:
        return _fitting(lambda longest, *_: f"{_decision(explanation, longest)}: it is the only class")
    if not explanation.terms:
        why = "no word of the text is known, so the prior decides"
        return _fitting(lambda longest, *_: f"{_decision(explanation, longest)}: {why}")
    reasons = Reasons.of(explanation, explanation.label, rival)
    return _fitting(lambda longest, *most: f"{_decision(explanation, longest)}{reasons.text(longest, *most)}")


def contrast_line(explanation: Explanation, a: Label, b: Label) -> str:
    """Two classes and the terms that separate them most, in one line."""
    shares, reasons = explanation.probabilities, Reasons.of(explanation, a, b)

    def line(longest: int, most: int, against: int) -> str:
        one, other = cut_apart([printable(a), printable(b)], longest)
        head = f"{one}, {percent(shares[a])}, against {other}, {percent(shares[b])}"
        return f"{head}{reasons.text(longest, most, against)}"

    return _fitting(line)


def _fitting(line: Callable[[int, int, int], str]) -> str:
    """The first of the lines that fits."""
    lines = (line(*shown) for shown in SHOWN)
    return next((each for each in lines if display_width(each) <= WIDTH), cut(line(*SHOWN[-1]), WIDTH))


@dataclass(frozen=True)
class Reasons:
    """What speaks most for a class, what speaks most against it and for the other class, and what the prior says."""

    speaking: list[Contrast]
    contrary: list[Contrast]
    is_prior: bool
    other: Label

    @classmethod
    def of(cls, explanation: Explanation, a: Label, b: Label) -> Reasons:
        """The reasons for class ``a`` against class ``b``."""
        found = explanation.contrast(a, b)
        speaking = apart([each for each in found if each.log_ratio >= NOTICEABLE], SHOWN[0][1])
        contrary = apart([each for each in found if each.log_ratio <= -NOTICEABLE], SHOWN[0][2])
        return cls(speaking, contrary, explanation.log_prior[a] - NOTICEABLE >= explanation.log_prior[b], b)

    def text(self, longest: int, most: int, against: int) -> str:
        """The reasons as the end of a line: the strongest terms, or the prior if no term speaks for the class."""
        other = cut(printable(self.other), longest)
        speaking = [_reason(each, other) for each in self.speaking[:most]]
        reasons = ", ".join(speaking if self.speaking else ["the prior"] * self.is_prior)
        contrary = ", ".join(_reason(each, "it") for each in self.contrary[:against])
        against_it = f" against {contrary}" if contrary else ""
        return f": {reasons}{against_it}" if reasons else f",{against_it}" if against_it and not self.speaking else ""


def apart(found: list[Contrast], most: int) -> list[Contrast]:
    """The first terms that share no place in the text with one before them: not "hong kong" after "hong"."""
    kept: list[Contrast] = []
    for each in found:
        if len(kept) == most:
            break
        if not any(_overlap(each, other) for other in kept):
            kept.append(each)
    return kept


def _overlap(one: Contrast, other: Contrast) -> bool:
    """Whether an occurrence of one term overlaps with one of the other; spans are in the order of the text."""
    mine, theirs = iter(one.spans), iter(other.spans)
    a, b = next(mine, None), next(theirs, None)
    while a is not None and b is not None:
        if a[0] < b[1] and b[0] < a[1]:
            return True
        if a[1] <= b[1]:
            a = next(mine, None)
        else:
            b = next(theirs, None)
    return False


def _reason(found: Contrast, other: str) -> str:
    """A term in quotes and how many times more probable it makes its class than the other one."""
    word = cut(printable(found.word), LONGEST_WORD)
    times = times_text(found.log_ratio)
    return f'"{word}" {times}' if times else f'"{word}" (impossible in {other})'


def times_text(log_ratio: float) -> str:
    """How many times more probable a term makes the class that it speaks for; '' if another class is impossible.

    Examples
    --------
    >>> times_text(2.485), times_text(-0.75), times_text(50.0), times_text(float("inf"))
    ('x12', 'x2.1', 'x1,000,000 or more', '')
    """
    if math.isinf(log_ratio):
        return ""
    times = math.exp(min(abs(log_ratio), math.log(MOST)))
    if times >= MOST * 0.9995:
        return f"x{MOST:,.0f} or more"
    return f"x{times:,.0f}" if times >= 9.95 else f"x{times:.1f}".removesuffix(".0")


def _decision(explanation: Explanation, longest: int) -> str:
    """The predicted class and its probability, the next one of many, and what decided, if probability did not."""
    shares, best, rival = explanation.probabilities, explanation.most_probable, explanation.rival
    labels = list(dict.fromkeys(each for each in (explanation.label, best, rival) if each is not None))
    names = dict(zip(labels, cut_apart([printable(label) for label in labels], longest), strict=True))
    shown = {label: f"{name}, {percent(shares[label])}" for label, name in names.items()}
    said = shown[explanation.label]
    if explanation.abstains:
        return f"no answer, because the model is too unsure ({said})"
    if explanation.is_by_threshold:
        threshold = explanation.thresholds.get(explanation.label)
        missed = f"{shown[best]}, is below its threshold"
        return f"{said} ({missed if threshold is None else f'predicted from {threshold:.4g} on'})"
    if len(explanation.classes) > 2 and rival is not None and shares[rival] >= CLOSE:
        return f"{said} (then {shown[rival]})"
    return said
