"""`Shift`: how far texts are from the training data, with a warning past stated bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from likely.formulas import total_variation
from likely.terminal import named, printable

if TYPE_CHECKING:
    from likely.types import Array, Label

MORE_UNKNOWN = 0.1
"""Warn if the share of unknown terms is more than this above the usual one.

In the test parts of fifteen corpora that are like their training parts, it is at most 0.031 above (20 Newsgroups with
bigrams); in reviews, for models of questions, of news or of another language, it is 0.11 to 0.98 above.
"""
OTHER_SHARES = 0.3
"""Warn if the estimated shares of the classes are further than this (total variation) from those expected.

A model with two equally frequent classes then expects 50 % where there are less than 20 % or more than 80 %. In the
test parts of the same corpora, they are at most 0.18 away (Reuters, 52 classes).
"""
OVERCONFIDENT = 0.1
"""Warn if the mean confidence is more than this above the accuracy."""
DEVIATIONS = 3.09
"""Warn only if chance alone would give a difference like this once in a thousand times: standard deviations."""
MOST_NAMED = 5
"""The largest number of classes that are named with their shares."""


class ShiftDict(TypedDict):
    """A `Shift` as plain data: what `Shift.to_dict` returns."""

    documents: int
    terms: int
    unknown: float | None
    usual: float | None
    labels: list[Label]
    shares: list[float] | None
    expected: list[float]
    distance: float | None
    warning: str | None


@dataclass(frozen=True, eq=False)
class Shift:
    """How far some texts are from the training data of a model.

    Attributes
    ----------
    documents, terms : int
        The number of texts, and that of their terms, each as often as it occurs.
    unknown : float or None
        The share of these terms that the model does not know; None without terms.
    usual : float or None
        The share that would be unknown in texts like the training data: the mean over the learned documents, each
        left out in turn. None if terms were dropped from the model.
    labels : list
        The classes; ``shares`` and ``expected`` are in this order.
    shares : array or None
        The estimated share of each class in the texts; None if no text has a known term.
    expected : array
        The share of each class in the training data; if a prior was given as a mapping, that prior.
    significant : bool
        Whether it is improbable that the texts have the expected shares.
    is_calibrated : bool
        Whether the probabilities are calibrated; otherwise they are too extreme to tell whether that is so.
    """

    documents: int
    terms: int
    unknown: float | None
    usual: float | None
    labels: list[Label]
    shares: Array | None
    expected: Array
    significant: bool
    is_calibrated: bool = True

    @property
    def distance(self) -> float | None:
        """The total variation distance of the estimated shares from the expected ones, from 0 to 1."""
        return None if self.shares is None else total_variation(self.shares, self.expected)

    @property
    def warning(self) -> str | None:
        """What is wrong and what to do, in one sentence; None if the texts are like the training data."""
        return self._of_terms() or self._of_classes()

    def _of_terms(self) -> str | None:
        if self.unknown is None or self.usual is None:
            return None
        above = self.unknown - self.usual
        # Of few terms, many are unknown by chance.
        chance = DEVIATIONS * math.sqrt(self.usual * (1 - self.usual) / self.terms)
        if above <= max(MORE_UNKNOWN, chance):
            return None
        return (
            f"{self.unknown:.0%} of the terms are unknown ({self.usual:.0%} would be usual): these texts are unlike "
            "the training data, and the probabilities may be far too high. Train on texts of this kind, or measure "
            "the accuracy on some of them (`likely evaluate`)"
        )

    def _of_classes(self) -> str | None:
        if not self.significant or self.distance is None or self.distance <= OTHER_SHARES:
            return None
        return (
            f"the estimated shares of the classes are far from those expected: {self._named_shares()}. Either these "
            "texts have other shares, which can be given as the prior (`--prior`), or they are unlike the training "
            "data: measure the accuracy on some of them (`likely evaluate`)"
        )

    def _named_shares(self) -> str:
        """The classes whose shares differ most, each with both shares."""
        shares = self.expected if self.shares is None else self.shares
        order = np.argsort(-np.abs(shares - self.expected), kind="stable").tolist()
        return named(
            order,
            MOST_NAMED,
            lambda at: f"{printable(self.labels[at])} {shares[at]:.0%} (expected {self.expected[at]:.0%})",
        )

    def to_dict(self) -> ShiftDict:
        """All fields as plain data, ready for JSON."""
        return {
            "documents": self.documents,
            "terms": self.terms,
            "unknown": self.unknown,
            "usual": self.usual,
            "labels": list(self.labels),
            "shares": None if self.shares is None else self.shares.tolist(),
            "expected": self.expected.tolist(),
            "distance": self.distance,
            "warning": self.warning,
        }

    def __str__(self) -> str:
        if self.unknown is None:
            return "the texts have no terms"
        usual = "" if self.usual is None else f" ({self.usual:.1%} would be usual)"
        shares = "" if self.shares is None else f"; estimated shares of the classes: {self._named_shares()}"
        return f"{self.unknown:.1%} of the terms are unknown{usual}{shares}"


def overconfidence(confidence: float, accuracy: float, documents: int) -> str | None:
    """The warning that probabilities are too high for this accuracy, or None.

    Examples
    --------
    >>> overconfidence(0.82, 0.5, 1000)[:39]
    'the mean confidence is 0.82, but the ac'
    >>> overconfidence(0.82, 0.5, 10), overconfidence(0.82, 0.8, 1000)
    (None, None)
    """
    chance = DEVIATIONS * math.sqrt(confidence * (1 - confidence) / documents)
    if confidence - accuracy <= max(OVERCONFIDENT, chance):
        return None
    return (
        f"the mean confidence is {confidence:.2f}, but the accuracy is {accuracy:.2f}: the probabilities of these "
        "texts are too high. Calibrate the model, or train on texts of this kind"
    )
