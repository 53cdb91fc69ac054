"""`Drift`: whether texts have moved away from the training data of a model, by checks with stated bounds."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np

from likely.evaluation.intervals import SEED
from likely.evaluation.shift import DEVIATIONS, MORE_UNKNOWN
from likely.formulas import total_variation
from likely.terminal import percent

if TYPE_CHECKING:
    from likely.evaluation.calibration_check import CalibrationCheck
    from likely.evaluation.intervals import Interval
    from likely.evaluation.shift import Shift
    from likely.types import Array

MOVED_TERMS = 0.02
"""Drift if more than this share of the tested terms has moved. In random halves of twelve corpora, it is at most
0.004; in test data of a later time or about other things, 0.03 to 0.39; in other corpora, 0.5 to 0.9."""
FEWEST_MOVED = 5
"""Drift only if at least this many terms have moved: a few may be one phrase."""
OTHER_ESTIMATED_SHARES = 0.2
"""Drift if the estimated shares of the classes are further than this from the training data (total variation)."""
OTHER_GOLD_SHARES = 0.1
"""The same for the shares of the gold labels, which are known and not estimated."""
REPLICATES = 2_000
"""The number of simulated data sets that say what chance gives."""
RARELY = 0.999
"""Chance alone exceeds a bound less often than this leaves: once in a thousand times."""
_FEW = "there are too few texts, so chance alone could explain any value"
MOST_DRAWN, FEWEST_REPLICATES = 1 << 23, 1_000
"""With many classes, fewer data sets are simulated: at most this many numbers, but at least this many data sets."""
LESS_ACCURATE = 0.05
"""Drift if the accuracy is lower than expected by more than this."""


class DriftDict(TypedDict):
    """A `Drift` as plain data: what `Drift.to_dict` returns."""

    documents: int
    is_drifted: bool
    checks: list[dict[str, object]]
    unknown: float | None
    usual: float | None
    classes: list[dict[str, object]]
    terms: dict[str, object] | None
    calibration: dict[str, object] | None


class Check(NamedTuple):
    """One question to the data."""

    name: str
    found: float | None
    """What was found; None if the question cannot be answered."""
    expected: float | None
    """What is expected of texts like the training data; None if it is not known."""
    bound: float | None
    """There is drift if what was found is beyond this."""
    is_drifted: bool
    note: str
    """What the numbers are, or why there are none."""


@dataclass(frozen=True)
class MovedTerm:
    """A term that is more or less frequent than in the training data.

    Attributes
    ----------
    term : str
        The term.
    now, before : float
        The share of the documents that contain it, in the data and in the training data.
    z : float
        The signed root of the log-likelihood ratio G2 (Dunning 1993), which is about normal: above 0 if the term is
        more frequent now.
    """

    term: str
    now: float
    before: float
    z: float


@dataclass(frozen=True)
class MovedTerms:
    """The terms of a sample of the data against those of the training data.

    Attributes
    ----------
    documents : int
        The number of documents of the sample.
    tested, moved : int
        The number of terms that are frequent enough to tell, and of those that have moved.
    top : list of MovedTerm
        The terms that have moved most, by ``z``.
    """

    documents: int
    tested: int
    moved: int
    top: list[MovedTerm]

    @property
    def share(self) -> float | None:
        """The share of the tested terms that have moved."""
        return self.moved / self.tested if self.tested else None


@dataclass(frozen=True, eq=False)
class Drift:
    """Whether texts have moved away from the training data.

    Attributes
    ----------
    shift : Shift
        The share of unknown terms, and the estimated shares of the classes.
    intervals : list of Interval or None
        The 95 % interval of the estimated share of each class.
    terms : MovedTerms or None
        The terms that are more or less frequent than in training; None if the terms of the model have no names.
    gold_shares : array or None
        The share of each class among the gold labels, if there are labels; the rest are labels unknown to the model.
    calibration : CalibrationCheck or None
        Accuracy and calibration, if there are labels.
    """

    shift: Shift
    intervals: list[Interval] | None
    terms: MovedTerms | None
    gold_shares: Array | None = None
    calibration: CalibrationCheck | None = None

    @property
    def is_drifted(self) -> bool:
        """Whether one of the checks found drift."""
        return any(check.is_drifted for check in self.checks)

    @property
    def checks(self) -> list[Check]:
        """The checks, each with what was found and its bound."""
        labelled = [] if self.calibration is None else self.calibration.checks()
        return [self._unknown(), self._classes(), self._moved(), *labelled]

    def _unknown(self) -> Check:
        found, usual = self.shift.unknown, self.shift.usual
        if found is None or usual is None:
            why = "the texts have no terms" if found is None else "terms were dropped from the model"
            return Check("unknown terms", found, usual, None, False, f"not known: {why}")
        chance = DEVIATIONS * math.sqrt(usual * (1 - usual) / max(self.shift.terms, 1))
        bound = usual + max(MORE_UNKNOWN, chance)
        if bound >= 1:
            return Check("unknown terms", found, usual, None, False, f"not judged: {_FEW}")
        return Check("unknown terms", found, usual, bound, found > bound, "share of all terms")

    def _classes(self) -> Check:
        name = "class shares"
        if self.gold_shares is not None:
            distance = total_variation(
                np.append(self.gold_shares, _rest(self.gold_shares)), self._expected_with_rest()
            )
            chance = distance_by_chance(self.shift.expected, self.shift.documents)
            bound, strange = max(OTHER_GOLD_SHARES, chance), _rest(self.gold_shares)
            others = f"; {percent(strange)} of the labels are not classes of the model" if strange > 1e-9 else ""
            note = f"distance of the gold labels' shares{others}"
            return Check(name, distance, 0.0, bound, distance > bound, note)
        found = self.shift.distance
        if found is None or not self.shift.is_calibrated:
            why = "no text has a known term" if found is None else "the model is not calibrated"
            return Check(name, found, 0.0, None, False, f"not judged: {why}")
        drifted = self.shift.significant and found > OTHER_ESTIMATED_SHARES
        note = "distance of the estimated shares" + ("" if self.shift.significant else ", which may be chance")
        return Check(name, found, 0.0, OTHER_ESTIMATED_SHARES, drifted, note)

    def _expected_with_rest(self) -> Array:
        return np.append(self.shift.expected, 0.0)

    def _moved(self) -> Check:
        name, found = "moved terms", self.terms
        if found is None:
            return Check(name, None, None, None, False, "not known: the terms of the model have no names")
        if found.share is None:
            return Check(name, None, None, None, False, "not known: too few documents")
        bound = max(MOVED_TERMS, (FEWEST_MOVED - 1) / found.tested)
        if bound >= 1:
            return Check(name, found.share, 0.0, None, False, f"not judged: only {found.tested:,} frequent terms")
        return Check(name, found.share, 0.0, bound, found.share > bound, f"share of {found.tested:,} frequent terms")

    def to_dict(self) -> DriftDict:
        """All findings as plain data, ready for JSON."""
        shift = self.shift
        return {
            "documents": shift.documents,
            "is_drifted": self.is_drifted,
            "checks": [check._asdict() for check in self.checks],
            "unknown": shift.unknown,
            "usual": shift.usual,
            "classes": [self._class(at) for at in range(len(shift.labels))],
            "terms": None if self.terms is None else {**asdict(self.terms), "share": self.terms.share},
            "calibration": None if self.calibration is None else self.calibration.to_dict(),
        }

    def _class(self, at: int) -> dict[str, object]:
        shift = self.shift
        return {
            "label": shift.labels[at],
            "expected": float(shift.expected[at]),
            "estimated": None if shift.shares is None else float(shift.shares[at]),
            "interval": None if self.intervals is None else self.intervals[at].to_dict(),
            "gold": None if self.gold_shares is None else float(self.gold_shares[at]),
        }

    def __str__(self) -> str:
        from likely.reports import drift_text

        return drift_text(self)


def _rest(shares: Array) -> float:
    return max(0.0, 1 - float(shares.sum()))


def distance_by_chance(expected: Array, documents: int) -> float:
    """The distance that the shares of this many documents exceed once in a thousand times by chance.

    Examples
    --------
    >>> round(distance_by_chance(np.array([0.5, 0.5]), 1000), 2)
    0.05
    """
    replicates = max(MOST_DRAWN // len(expected), FEWEST_REPLICATES)
    drawn = np.random.default_rng(SEED).multinomial(documents, expected, min(REPLICATES, replicates))
    distances = np.abs(drawn / documents - expected).sum(axis=1) / 2
    return float(np.quantile(distances, RARELY))
