"""`LearningCurve`: accuracy against the number of documents, from one pass over labelled texts."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import ArgumentError
from likely.evaluation.intervals import REPLICATES, SEED, Interval, percentiles
from likely.labels import ClassPlaces
from likely.options.model import MODEL, OF_TUNING
from likely.terminal import counted, percent, printable, table, wrapped
from likely.training.sample import Sampler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from likely.reading.rows import Labelled, Sample
    from likely.types import Array, Label, Mask, Model, Places

MOST_DOCUMENTS = 100_000
"""The largest model of a curve learns at most this many documents: a sample, if there are more."""
MOST_JUDGED = 10_000
"""At most this many documents are judged, the same ones by models of all sizes."""
FEWEST = 60
"""The smallest model of a curve learns at least this many documents."""
PER_CLASS = 4
"""The smallest model of a curve learns at least this many documents per class, on average."""
FEWEST_MODELS = 4
"""The variance between models of one size is estimated from at least this many."""
ASIDE = ("tune", *OF_TUNING, "calibrate", "thresholds", "abstain")
"""Options that do not change which class is the most probable one."""
NOTICED = 0.01
"""A gain from twice as many documents that people would notice."""


@dataclass(frozen=True)
class CurvePoint:
    """The accuracy of models of some size."""

    documents: int
    accuracy: float
    interval: Interval


@dataclass(frozen=True)
class Gain:
    """By how much the last step, to twice as many documents, made the accuracy better, with its 95% interval."""

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
    options : dict
        The options of the models that were given or chosen.
    is_tuned : bool
        Whether options were chosen: once, on all documents, and kept for all sizes.
    dispersion : float
        How many times as large the variance of the accuracy is, between models of different documents, as it would
        be if only different documents were judged. Intervals are wider accordingly.

    Examples
    --------
    >>> from likely import learning_curve
    >>> from likely.sample import load_sample
    >>> curve = learning_curve(*load_sample(), plain=True)
    >>> [point.documents for point in curve.points], curve.gain.value > 0
    ([60, 120, 240, 480], True)
    """

    sizes: Array
    right: Mask
    worth: Array
    of: int
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
        """The measured accuracies, from few to many documents, with 95% intervals by bootstrap."""
        each = zip(self.sizes.tolist(), (1 - self.errors).tolist(), self._replicates.T, strict=True)
        return [
            CurvePoint(round(size), accuracy, percentiles(1 - drawn).around(accuracy))
            for size, accuracy, drawn in each
        ]

    @cached_property
    def gain(self) -> Gain | None:
        """By how much the largest model is better than that of half the documents; None if there is one size."""
        if len(self.sizes) < 2:
            return None
        value, drawn = self.errors[-2] - self.errors[-1], self._replicates[:, -2] - self._replicates[:, -1]
        return Gain(float(value), percentiles(drawn))

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

    @property
    def advice(self) -> str:
        """Whether more documents would help, in one or two sentences."""
        if self.gain is None:
            return "There are too few documents to say whether more would help. Label more documents."
        before, after = self.points[-2].documents, self.points[-1].documents
        low, high = (f"{100 * end:+.1f}" for end in (self.gain.interval.low, self.gain.interval.high))
        step = (
            f"From {before:,} to {after:,} documents, the accuracy changed by {100 * self.gain.value:+.1f} points "
            f"({low} to {high})"
        )
        if self.gain.interval.low > 0:
            return f"{step}. More documents of this kind would probably help."
        if self.gain.interval.high > NOTICED:
            return f"{step}, which may be chance: these documents are too few to say whether more would help."
        return f"{step}. More documents of this kind would hardly help."

    def to_dict(self) -> dict[str, object]:
        """All numbers as plain data, ready for JSON."""
        return {
            **{name: getattr(self, name) for name in ("documents", "of", "judged", "dispersion", "options")},
            "way": "leave-one-out",
            "tuned": self.is_tuned,
            "points": [asdict(each) for each in self.points],
            "gain": None if self.gain is None else asdict(self.gain),
            "advice": self.advice,
        }

    def __str__(self) -> str:
        documents = counted(self.of, "document")
        sample = "" if self.of <= self.documents * 1.01 else f"; a sample of {self.documents:,} was learned"
        judged = f"{counted(self.judged, 'text')} judged by leave-one-out, the same ones by models of all sizes"
        options = ", ".join(f"{name}={value}" for name, value in self.options.items()) or "the defaults"
        chosen = f" The options were chosen once, on all documents: {printable(options)}." if self.is_tuned else ""
        rows = [["documents", "accuracy", "95% interval"]]
        for each in self.points:
            low, high = 100 * each.interval.low, 100 * each.interval.high
            rows.append([f"{each.documents:,}", percent(each.accuracy, 2), f"{low:.2f} to {high:.2f}%"])
        width = max(len(row[0]) for row in rows)
        points = table([[row[0].rjust(width), *row[1:]] for row in rows])
        return "\n\n".join([wrapped(f"{documents}{sample}; {judged}.{chosen}"), points, wrapped(self.advice)])


def curve_of_batches(
    batches: Iterable[Labelled], model: Model, options: Mapping[str, object], most_judged: int = MOST_JUDGED
) -> LearningCurve:
    """The learning curve of documents in batches, of which a sample is kept; at most ``most_judged`` are judged.

    ``model`` is an unfitted `NaiveBayes`, and ``options`` are those that the caller has given it.
    """
    sampler = Sampler(MOST_DOCUMENTS)
    for batch in batches:
        sampler.add(batch)
    if not sampler.of:
        raise ArgumentError("there are no documents: give at least one text and its label")
    sample = sampler.sample()
    if model.tune is not None:
        every = np.repeat(np.arange(len(sample.texts)), sample.copies)
        columns = sample.texts, sample.labels, sample.worth, sample.groups
        texts, labels, weights, groups = (np.array(column, object)[every].tolist() for column in columns)
        model.fit(texts, labels, weights, list(map(str, groups)) if sample.is_grouped else None)
    tuned = model.tuning_
    values = {name: MODEL[name].default if name in ASIDE else value for name, value in model._options().items()}
    growing = _Growing(sample, lambda: type(model)(**values), most_judged)
    sizes, right = growing.measured()
    shown = dict(options) if tuned is None else tuned.options
    spread = dispersion(growing.parts)
    return LearningCurve(sizes, right, growing.worth, sampler.of, shown, tuned is not None, spread)


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


class _Growing:
    """Models of growing numbers of documents, each judged on the same documents, which are the first ones."""

    def __init__(self, sample: Sample, make: Callable[[], Model], most_judged: int) -> None:
        # Copies of a text, and documents of a group, follow one another.
        order = np.argsort(np.array(sample.groups, np.uint64), kind="stable")
        self._columns = [np.array(each, object)[order] for each in (sample.texts, sample.labels, sample.times)]
        self._groups, self._copies = np.array(sample.groups, np.uint64)[order], np.array(sample.copies)[order]
        self._make = make
        least = max(FEWEST, PER_CLASS * len(set(sample.labels)))
        self._ends = [len(order)]
        while self._ends[0] >> 1 >= least:
            self._ends.insert(0, self._ends[0] >> 1)
        self._judged = max([end for end in self._ends if end <= most_judged], default=self._ends[0])
        self.worth = np.array(sample.worth)[order[: self._judged]]
        """The weight of each judged document."""
        self.parts: list[list[Mask]] = []
        """For each size of which there are several models, what each of them got right."""

    def measured(self) -> tuple[Array, Mask]:
        """The sizes of the models, and whether each is right about each judged document."""
        judged, found = np.arange(self._judged), []
        for end in [end for end in self._ends if end <= self._judged]:
            edges = np.linspace(0, self._judged, self._judged // end + 1).astype(np.int64)
            parts = np.split(judged, edges[1:-1])
            right = [self._right(self._model(part), part) for part in parts]
            self.parts.append(right)
            found.append((float(np.mean([self._size(part) for part in parts])), np.concatenate(right)))
        model, learned = self._model(judged), self._judged
        for end in [end for end in self._ends if end > self._judged]:
            model.learn(*self._documents(np.arange(learned, end)))
            learned = end
            found.append((self._size(np.arange(end)), self._right(model, judged)))
        return np.array([size for size, _ in found]), np.array([right for _, right in found])

    def _documents(self, rows: Places) -> tuple[list[str], list[Label], list[float]]:
        """The texts, labels and weights."""
        texts, labels, weights = (column[rows].tolist() for column in self._columns)
        return texts, labels, weights

    def _model(self, rows: Places) -> Model:
        """A model of some rows."""
        return self._make().fit(*self._documents(rows))

    def _size(self, learned: Places) -> float:
        """The number of documents of a model of these rows."""
        return float(self._copies[learned].sum())

    def _right(self, model: Model, judged: Places) -> Mask:
        """Whether the model, without the judged row, is right about each judged row."""
        documents, groups = self._documents(judged), self._groups[judged].tolist()
        scores = model.leave_one_out(*documents, groups if len(set(groups)) < len(judged) else None)
        right: Mask = scores.argmax(axis=1) == ClassPlaces(model.classes_.tolist()).of_all(documents[1])
        return right
