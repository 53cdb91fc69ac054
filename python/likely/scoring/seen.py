"""`Seen`: what is kept of texts that were scored, to compare them with the training data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypedDict

import numpy as np

from likely.core.spread import Spread, SpreadDict

if TYPE_CHECKING:
    from likely.types import Array

MOST_TEXTS, MOST_CELLS = 4_096, 1 << 18
"""Shares are estimated from at most this many texts, and from this many probabilities: texts times classes."""


class Sees(Protocol):
    """What sees texts while they are scored."""

    def see(self, logs: Array, known: Array, terms: Array) -> None:
        """See some texts: their log-probabilities, the shares of known terms, and the numbers of terms."""


class SeenDict(TypedDict):
    """A `Seen` as plain data."""

    documents: int
    terms: float
    known: float
    spread: SpreadDict
    classes: int
    logs: bytes


@dataclass(eq=False)
class Seen:
    """The numbers of texts and terms, and a sample of the log-probabilities, spread evenly over the texts.

    Attributes
    ----------
    documents : int
        The number of texts.
    terms, known : float
        The number of their terms, each as often as it occurs, and of those that are known.
    spread : Spread
        Which texts are in the sample.
    logs : array
        The log-probabilities of the sample: one row per text, one column per class.

    Examples
    --------
    >>> one, other = Seen.of_classes(2), Seen.of_classes(2)
    >>> one.see(np.log([[0.9, 0.1]]), np.array([0.5]), np.array([4.0]))
    >>> other.see(np.log([[0.2, 0.8]]), np.array([1.0]), np.array([6.0]))
    >>> both = one.plus(other)
    >>> both.documents, both.terms, both.known, len(both.logs)
    (2, 10.0, 8.0, 2)
    """

    documents: int
    terms: float
    known: float
    spread: Spread
    logs: Array

    @classmethod
    def of_classes(cls, classes: int) -> Seen:
        """Nothing yet, for a model with this many classes."""
        return cls(0, 0.0, 0.0, Spread(max(1, min(MOST_TEXTS, MOST_CELLS // classes))), np.zeros((0, classes)))

    def see(self, logs: Array, known: Array, terms: Array) -> None:
        """See some texts: their log-probabilities, the shares of known terms, and the numbers of terms."""
        self.documents += len(terms)
        self.terms += float(terms.sum())
        self.known += float((known * terms).sum())
        if logs.shape[1] != self.logs.shape[1]:  # the model has learned of another class meanwhile
            return
        informative = np.flatnonzero(known)  # the others have the probabilities of the prior
        drawn = self.spread.draw(len(informative))  # the same texts, whatever the batches
        self.logs = np.concatenate([self.logs, logs[informative[drawn.new]]])[drawn.stay]

    def to_dict(self) -> SeenDict:
        """All of it as plain data."""
        return {
            "documents": self.documents,
            "terms": self.terms,
            "known": self.known,
            "spread": self.spread.to_dict(),
            "classes": self.logs.shape[1],
            "logs": self.logs.astype("<f8").tobytes(),
        }

    @classmethod
    def from_dict(cls, data: SeenDict) -> Seen:
        """What was written by `to_dict`.

        Examples
        --------
        >>> seen = Seen.of_classes(2)
        >>> seen.see(np.log([[0.5, 0.5]]), np.array([0.5]), np.array([4.0]))
        >>> Seen.from_dict(seen.to_dict()).logs.shape
        (1, 2)
        """
        logs = np.frombuffer(data["logs"], "<f8").astype(np.float64).reshape(-1, data["classes"])
        return cls(data["documents"], data["terms"], data["known"], Spread.from_dict(data["spread"]), logs)

    def plus(self, other: Seen) -> Seen:
        """What both have seen together; if they are about different classes, the sample is that of this one."""
        spread, logs = self.spread, self.logs
        if other.logs.shape[1] == logs.shape[1]:
            spread, stay = spread.plus(other.spread)
            logs = np.concatenate([logs, other.logs])[stay]
        numbers = (self.documents + other.documents, self.terms + other.terms, self.known + other.known)
        return Seen(*numbers, spread, logs)
