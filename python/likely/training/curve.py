"""`learning_curve`: accuracy against the number of documents, from one pass over labelled texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar, Unpack, cast

import numpy as np

from likely.errors import LengthError, NotAdditiveError, OptionError
from likely.evaluation.learning_curve import LearningCurve, dispersion
from likely.model.naive_bayes import NaiveBayes
from likely.model.train import order_of
from likely.options.conflicts import OF_TUNING
from likely.options.table import OPTIONS
from likely.reading.corpus import corpus_of
from likely.reading.rows import FOLDS
from likely.training.fit import Documents
from likely.training.sample import Sampler

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from likely.model.train import Wish
    from likely.options.typed import ModelOptions, TrainingOptions
    from likely.reading.rows import Labelled, Sample
    from likely.types import Array, Label, Labels, Mask, Places, Source, Texts
T = TypeVar("T")

MOST_DOCUMENTS = 100_000
"""The largest model of a curve learns at most this many documents: a sample, if there are more."""
MOST_JUDGED = 10_000
"""At most this many documents are judged, the same ones by models of all sizes."""
FEWEST = 60
"""The smallest model of a curve learns at least this many documents."""
PER_CLASS = 4
"""The smallest model of a curve learns at least this many documents per class, on average."""
_ASIDE = ("tune", *OF_TUNING, "calibrate", "thresholds", "abstain", "reject_label")
"""Options that do not change which class is the most probable one."""


def learning_curve(
    source: Source | Texts | None = None, labels: Labels | None = None, **settings: Unpack[TrainingOptions]
) -> LearningCurve:
    """Accuracy against the number of documents, and whether more documents would help.

    The documents are put into a random order that depends on their texts alone, and models learn all of them, the
    first half, the first quarter and so on. Since counts add up, each document is counted once for all of these. The
    same documents are judged by models of all sizes, each by leave-one-out: by a model without the document, its
    copies and its group. Small models are made of several parts of the judged documents. To the errors, the law
    a + b n^-c is fitted.

    If options are to be chosen, they are chosen once, on all documents, and kept for all sizes.

    Parameters
    ----------
    source, labels, **settings
        As for `likely.train`.

    Examples
    --------
    >>> from likely.sample import load_sample
    >>> curve = learning_curve(*load_sample(), plain=True)
    >>> [point.documents for point in curve.points]
    [60, 120, 240, 480]
    >>> curve.points[0].accuracy < curve.points[-1].accuracy
    True
    >>> curve.doubled.value > curve.points[-1].accuracy
    True
    """
    order = order_of(settings, reads=labels is None)
    if labels is not None:
        documents = Documents.held(cast("Texts", source), labels)
        return curve_of_batches(documents.batches, order.options, order.wish)
    corpus = corpus_of(cast("Source", source), order.reading)
    with corpus.told():
        return curve_of_batches(corpus.lessons(afresh=True), order.options, order.wish)


def curve_of_batches(
    batches: Iterable[Labelled], options: Mapping[str, object], wish: Wish, most_judged: int = MOST_JUDGED
) -> LearningCurve:
    """The learning curve of documents in batches, of which a sample is kept; at most ``most_judged`` are judged."""
    sampler = Sampler(MOST_DOCUMENTS)
    for batch in batches:
        sampler.add(batch)
    if not sampler.of:
        raise LengthError("there are no documents: give at least one text and its label")
    sample = sampler.sample()
    rows, model = _Rows.of(sample), NaiveBayes(**cast("ModelOptions", wish.completed(options)))
    if model.tune is not None:
        every = np.repeat(np.arange(len(sample.texts)), sample.copies)
        texts, labels, weights = _at(sample.texts, every), _at(sample.labels, every), _at(sample.worth, every)
        model.fit(texts, labels, weights, list(map(str, _at(sample.groups, every))) if sample.is_grouped else None)
    tuned = model.tuning_
    values = {name: OPTIONS[name].default if name in _ASIDE else value for name, value in model._options().items()}
    growing = _Growing(rows, cast("ModelOptions", values), most_judged)
    sizes, right = growing.measured()
    shown = dict(options) if tuned is None else tuned.options
    worth = rows.worth[: right.shape[1]]
    spread = dispersion(growing.parts)
    return LearningCurve(sizes, right, worth, sampler.of, growing.way, shown, tuned is not None, spread)


@dataclass(frozen=True, eq=False)
class _Rows:
    """Documents in random order; the copies of a text, and the documents of a group, are one after another."""

    texts: list[str]
    labels: list[Label]
    times: list[float]
    groups: list[int]
    worth: Array
    before: Array
    """The number of documents before each row, and of all: copies are one row."""

    @classmethod
    def of(cls, sample: Sample) -> _Rows:
        order = np.argsort(np.array(sample.groups, np.uint64), kind="stable")
        return cls(
            _at(sample.texts, order),
            _at(sample.labels, order),
            _at(sample.times, order),
            _at(sample.groups, order),
            np.array(sample.worth)[order],
            np.concatenate([[0.0], np.cumsum(np.array(sample.copies, np.float64)[order])]),
        )

    def part(self, start: int, end: int) -> _Rows:
        """The rows from ``start`` to before ``end``."""
        some = slice(start, end)
        before = self.before[start : end + 1] - self.before[start]
        return _Rows(
            self.texts[some], self.labels[some], self.times[some], self.groups[some], self.worth[some], before
        )

    def only(self, wanted: Mask) -> tuple[list[str], list[Label], list[float]]:
        """The texts, labels and weights of some rows."""
        places = np.flatnonzero(wanted)
        return _at(self.texts, places), _at(self.labels, places), _at(self.times, places)

    def __len__(self) -> int:
        return len(self.texts)


def _at(values: list[T], places: Places) -> list[T]:
    return [values[at] for at in places.tolist()]


class _Growing:
    """Models of growing numbers of documents, each judged on the same documents."""

    def __init__(self, rows: _Rows, options: ModelOptions, most_judged: int) -> None:
        self._rows, self._options = rows, options
        least = max(FEWEST, PER_CLASS * len(set(rows.labels)))
        halvings = 0
        while len(rows) >> (halvings + 1) >= least:
            halvings += 1
        self._ends = [len(rows) >> halving for halving in range(halvings, -1, -1)]
        self._judged = max([end for end in self._ends if end <= most_judged], default=self._ends[0])
        self._is_exact = True
        self.parts: list[list[Mask]] = []
        """For each size of which there are several models, what each of them got right."""

    @property
    def way(self) -> str:
        """How documents were judged."""
        return "leave-one-out" if self._is_exact else f"{FOLDS}-fold cross-validation"

    def measured(self) -> tuple[Array, Mask]:
        """The sizes of the models, and whether each is right about each judged document."""
        judged, found = self._rows.part(0, self._judged), []
        for end in [end for end in self._ends if end <= self._judged]:
            edges = np.linspace(0, self._judged, self._judged // end + 1).astype(np.int64).tolist()
            parts = [judged.part(*pair) for pair in pairwise(edges)]
            right = [self._right(self._model(part), part, part) for part in parts]
            self.parts.append(right)
            found.append((float(np.mean([self._size(part, part) for part in parts])), np.concatenate(right)))
        model, learned = self._model(judged), self._judged
        for end in [end for end in self._ends if end > self._judged]:
            more, prefix = self._rows.part(learned, end), self._rows.part(0, end)
            if self._is_exact:
                model.learn(more.texts, more.labels, sample_weight=more.times)
            learned = end
            found.append((self._size(prefix, judged), self._right(model, prefix, judged)))
        return np.array([size for size, _ in found]), np.array([right for _, right in found])

    def _model(self, rows: _Rows) -> NaiveBayes:
        """A model of some rows; it has learned nothing if documents cannot be left out of it."""
        model = NaiveBayes(**self._options)
        return model.fit(rows.texts, rows.labels, sample_weight=rows.times) if self._is_exact else model

    def _size(self, learned: _Rows, judged: _Rows) -> float:
        """The number of documents of the models that judge: all that are learned, but those of the own fold."""
        share = 0.0 if self._is_exact else 1 / FOLDS
        return float(learned.before[-1] - share * judged.before[-1])

    def _right(self, model: NaiveBayes, learned: _Rows, judged: _Rows) -> Mask:
        """Whether the model of the learned rows, without the judged one, is right about each judged row."""
        if self._is_exact:
            try:
                return self._left_out(model, judged)
            except (NotAdditiveError, OptionError):
                self._is_exact = False
        return self._cross_validated(learned, judged)

    def _left_out(self, model: NaiveBayes, judged: _Rows) -> Mask:
        groups = judged.groups if len(set(judged.groups)) < len(judged) else None
        scores = model.leave_one_out(judged.texts, judged.labels, judged.times, groups)
        places = {label: place for place, label in enumerate(model.classes_.tolist())}
        right: Mask = scores.argmax(axis=1) == np.array([places[label] for label in judged.labels])
        return right

    def _cross_validated(self, learned: _Rows, judged: _Rows) -> Mask:
        """Each fold of the judged rows, which are the first ones, is predicted by a model of all other rows."""
        folds = np.array(learned.groups, np.uint64) % np.uint64(FOLDS)
        is_judged = np.arange(len(learned)) < len(judged)
        right = np.zeros(len(learned), np.bool_)
        for fold in range(FOLDS):
            held = is_judged & (folds == fold)
            texts, labels, times = learned.only(~held)
            if held.any() and labels:
                model = NaiveBayes(**self._options).fit(texts, labels, sample_weight=times)
                asked, gold, _ = learned.only(held)
                right[held] = [a == b for a, b in zip(model.predict(asked).tolist(), gold, strict=True)]
        return right[: len(judged)]
