"""`LearningCurve`: accuracy against the number of documents, and whether more documents would help."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np

from likely.evaluation.intervals import LEVEL, REPLICATES, SEED, Interval
from likely.evaluation.paired import percentiles
from likely.evaluation.power_law import PowerLaw, fit_power_laws

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.types import Array, Mask

FEWEST_POINTS = 4
"""A law with three parameters is fitted to at least this many points."""
FEWEST_MODELS = 4
"""The variance between models of one size is estimated from at least this many."""
FLAT = 0.001
"""The curve is flat if twice as many documents would make the accuracy better by less than this."""
POINT = 0.01
"""One point of accuracy."""


class LearningCurveDict(TypedDict):
    """A `LearningCurve` as plain data: what `LearningCurve.to_dict` returns."""

    documents: int
    of: int
    judged: int
    dispersion: float
    way: str
    options: dict[str, object]
    tuned: bool
    points: list[dict[str, object]]
    law: dict[str, object] | None
    doubled: dict[str, object] | None
    documents_for_one_point: dict[str, object] | None
    is_flat: bool | None
    advice: str


class CurvePoint(NamedTuple):
    """The accuracy of models of some size."""

    documents: int
    accuracy: float
    interval: Interval


class Forecast(NamedTuple):
    """A number that follows from the fitted law, with its 95 % interval; an end may be infinite."""

    value: float
    interval: Interval


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Accuracy against the number of documents.

    Attributes
    ----------
    sizes : array
        The numbers of documents of the models, from few to many.
    right : array
        Whether each judged document (columns) is predicted rightly by the model of each size (rows) that has not
        learned it.
    worth : array
        The weight of each judged document.
    of : int
        The number of all documents of the source; the largest model may have learned a sample of them.
    way : str
        How documents were judged: by leave-one-out, or by cross-validation.
    options : dict
        The options of the models that were given or chosen.
    is_tuned : bool
        Whether options were chosen: once, on all documents, and kept for all sizes.
    dispersion : float
        How many times as large the variance of the accuracy is, between models of different documents, as it would
        be if only different documents were judged. Intervals are wider accordingly.
    """

    sizes: Array
    right: Mask
    worth: Array
    of: int
    way: str
    options: dict[str, object] = field(default_factory=dict)
    is_tuned: bool = False
    dispersion: float = 1.0

    @property
    def documents(self) -> int:
        """The number of documents of the largest model."""
        return round(float(self.sizes[-1]))

    @property
    def judged(self) -> int:
        """The number of documents that models of all sizes were judged on."""
        return int(self.right.shape[1])

    @property
    def errors(self) -> Array:
        """The error for each size: one minus the accuracy."""
        wrong: Array = (~self.right) @ (self.worth / self.worth.sum())
        return wrong

    @cached_property
    def points(self) -> list[CurvePoint]:
        """The measured accuracies, from few to many documents, with 95 % intervals by bootstrap."""
        intervals = [percentiles(1 - column) for column in self._replicates.T]
        accuracies = (1 - self.errors).tolist()
        return [
            CurvePoint(round(size), accuracy, Interval(min(interval.low, accuracy), max(interval.high, accuracy)))
            for size, accuracy, interval in zip(self.sizes.tolist(), accuracies, intervals, strict=True)
        ]

    @cached_property
    def _replicates(self) -> Array:
        """The errors in bootstrap samples of the judged documents: one row per sample, one column per size.

        Documents with the same outcomes for all sizes are exchangeable, so the weight of each outcome is drawn.
        """
        patterns, places = np.unique(self.right, axis=1, return_inverse=True)
        weights = np.bincount(places.reshape(-1), weights=self.worth / self.worth.sum())
        generator = np.random.default_rng(SEED)
        number = max(1, round(self.judged / self.dispersion))
        drawn = generator.multinomial(number, weights / weights.sum(), REPLICATES) / number
        errors: Array = drawn @ (~patterns).T
        return errors

    @cached_property
    def law(self) -> PowerLaw | None:
        """The power law of the error; None if there are too few sizes."""
        if len(self.sizes) < FEWEST_POINTS:
            return None
        return fit_power_laws(self.sizes, self.errors[None, :])[0]

    @cached_property
    def _samples(self) -> list[tuple[PowerLaw, float]]:
        """The law of each bootstrap sample, fitted to as many of the largest sizes as chance decides; its last error.

        So the interval also shows how far the law depends on the small models, which may follow another one.
        """
        windows = len(self.sizes) - FEWEST_POINTS + 1
        starts = np.random.default_rng([SEED, 1]).integers(0, windows, REPLICATES)
        samples: list[tuple[PowerLaw, float]] = []
        for start in range(windows):
            errors = self._replicates[starts == start]
            laws = fit_power_laws(self.sizes[start:], errors[:, start:])
            samples += zip(laws, errors[:, -1].tolist(), strict=True)
        return samples

    def accuracy_at(self, documents: float) -> Forecast | None:
        """The accuracy of a model of this many documents, with its 95 % interval; None without a law.

        It is the measured accuracy of the largest model plus what the law says about the difference.
        """
        if self.law is None:
            return None
        value = 1 - self._shifted(self.law, float(self.errors[-1]), documents)
        drawn = [1 - self._shifted(law, last, documents) for law, last in self._samples]
        found = percentiles(np.array(drawn))
        return Forecast(value, Interval(min(found.low, value), max(found.high, value)))

    def _shifted(self, law: PowerLaw, last: float, documents: float) -> float:
        """The error of a model of this many documents, if that of the largest measured one is ``last``."""
        return min(max(last + law.error(documents) - law.error(float(self.sizes[-1])), 0.0), 1.0)

    @cached_property
    def doubled(self) -> Forecast | None:
        """The accuracy of a model of twice as many documents."""
        return self.accuracy_at(2.0 * self.of)

    @cached_property
    def documents_for_one_point(self) -> Forecast | None:
        """The number of documents for one point of accuracy more; infinite if no number is enough."""
        if self.law is None:
            return None
        value = self.law.documents(self.law.error(self.of) - POINT)
        ordered = sorted(law.documents(law.error(self.of) - POINT) for law, _ in self._samples)
        beyond = round(len(ordered) * (1 - LEVEL) / 2)  # percentiles of infinite numbers are not defined
        return Forecast(value, Interval(min(ordered[beyond], value), max(ordered[-1 - beyond], value)))

    @property
    def now(self) -> Forecast | None:
        """The accuracy of a model of all documents of the source; measured, unless the source is larger than that."""
        last = self.points[-1]
        if self.of <= 1.01 * last.documents:
            return Forecast(last.accuracy, last.interval)
        return self.accuracy_at(float(self.of))

    @property
    def gain(self) -> float | None:
        """By how much twice as many documents would make the accuracy better; None without a law."""
        return None if self.doubled is None or self.now is None else self.doubled.value - self.now.value

    @property
    def is_flat(self) -> bool | None:
        """Whether twice as many documents would hardly help; None without a law."""
        return None if self.gain is None else self.gain < FLAT

    @property
    def advice(self) -> str:
        """Whether more documents would help, in a few sentences."""
        from likely.reports import curve_advice

        return curve_advice(self)

    def to_dict(self) -> LearningCurveDict:
        """All numbers as plain data, ready for JSON. A number of documents that is infinite is None."""
        return {
            "documents": self.documents,
            "of": self.of,
            "judged": self.judged,
            "dispersion": self.dispersion,
            "way": self.way,
            "options": dict(self.options),
            "tuned": self.is_tuned,
            "points": [{**each._asdict(), "interval": each.interval.to_dict()} for each in self.points],
            "law": None if self.law is None else dict(self.law._asdict()),
            "doubled": _plain(self.doubled),
            "documents_for_one_point": _plain(self.documents_for_one_point),
            "is_flat": self.is_flat,
            "advice": self.advice,
        }

    def __str__(self) -> str:
        from likely.reports import learning_curve_text

        return learning_curve_text(self)


def dispersion(parts: Iterable[list[Mask]]) -> float:
    """How much more the accuracy varies between models of different documents than judging these documents makes it.

    ``parts`` are, for each size, the outcomes by each of the models of this size. The ratio of the variances is at
    least 1; sizes with more models count more.

    Examples
    --------
    >>> right, wrong = np.ones(50, bool), np.zeros(50, bool)
    >>> dispersion([[right, wrong, right, wrong]]) > 10, dispersion([[np.append(right, wrong)] * 4])
    (True, 1.0)
    """
    ratios, weights = [1.0], [0.0]
    for models in parts:
        mean = float(np.concatenate(models).mean())
        if len(models) < FEWEST_MODELS or mean in (0.0, 1.0):
            continue
        expected = mean * (1 - mean) * np.mean([1 / len(right) for right in models])
        ratios.append(float(np.var([right.mean() for right in models], ddof=1) / expected))
        weights.append(math.sqrt(len(models) - 1))
    return max(1.0, float(np.average(ratios, weights=weights)) if any(weights) else 1.0)


def _plain(forecast: Forecast | None) -> dict[str, object] | None:
    """A forecast as plain data."""
    if forecast is None:
        return None
    ends = {name: _finite(value) for name, value in forecast.interval.to_dict().items()}
    return {"value": _finite(forecast.value), "interval": ends}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
