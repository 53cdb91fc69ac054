"""Texts to a `Drift`: whether they have moved away from the training data of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from likely.arrow_data import listed_texts
from likely.class_places import ClassPlaces
from likely.core.spread import SpreadTexts
from likely.errors import LengthError, UnknownOptionError
from likely.evaluation.calibration_check import CalibrationCheck, error_by_chance
from likely.evaluation.drift import Drift
from likely.evaluation.reliability import reliability
from likely.explanation.moved_terms import moved_terms
from likely.options.reading_table import OF_LEARNING
from likely.reading.columns import LABEL_NAMES
from likely.reading.corpus import Corpus
from likely.reading.options import reading_of
from likely.reading.rows import in_memory
from likely.scoring.seen import Seen
from likely.scoring.shift import ShiftWatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from likely.evaluation.reliability import Reliability
    from likely.evaluation.shift import Shift
    from likely.model.naive_bayes import NaiveBayes
    from likely.scoring.calibration_record import CalibrationRecord
    from likely.types import Array, Labels, Places, Prior, Source, Texts

MOST_TEXTS = 20_000
"""Terms are counted in at most this many texts, spread evenly over the data."""


def drift_of_texts(
    model: NaiveBayes,
    texts: Texts | Source,
    labels: Labels | None,
    prior: Prior | None,
    reading: Mapping[str, object],
) -> Drift:
    """The drift of texts, with or without labels, or of a source."""
    if labels is not None:
        batch = in_memory(cast("Texts", texts), labels)
        return drift_of_batches(model, [(listed_texts(batch.texts), batch.labels)], prior)
    if _are_texts(texts):
        return drift_of_batches(model, [(listed_texts(cast("Texts", texts)), None)], prior)
    for name in OF_LEARNING:
        if name in reading:
            raise UnknownOptionError(f"{name} has no effect on texts that are not learned: leave it out")
    corpus = Corpus(cast("Source", texts), reading_of(reading), labelled=False)
    corpus = Corpus(cast("Source", texts), reading_of(reading), labelled=has_labels(model, corpus))
    with corpus.told():
        return drift_of_corpus(model, corpus, prior)


def _are_texts(texts: object) -> bool:
    """Whether texts are given, and not a source of them."""
    is_list = isinstance(texts, list | tuple) and bool(texts) and all(isinstance(text, str) for text in texts)
    return is_list or hasattr(texts, "__next__") or isinstance(texts, np.ndarray)


def has_labels(model: NaiveBayes, corpus: Corpus) -> bool:
    """Whether a source has the labels that the model was trained on; what can be read only once has to be told."""
    reading = corpus.reading
    if reading.label is not None or reading.labels_file is not None:
        return True
    if not corpus.is_rereadable():
        return False
    corpus.part = "test"
    corpus.expect(model.columns_)
    for reader, _ in corpus.files():
        known = model.columns_.label if model.columns_ is not None else None
        names = LABEL_NAMES if known is None else (known,)
        return any(name in names for name in reader.columns) or reader.format in ("documents", "fasttext")
    return False


def drift_of_corpus(model: NaiveBayes, corpus: Corpus, prior: Prior | None) -> Drift:
    """The drift of texts that the caller has opened, labelled or not."""
    classes = model.classes_.tolist()
    corpus.part = "test"
    corpus.expect(model.columns_, classes)
    kind = type(classes[0])
    return drift_of_batches(
        model,
        (
            (cast("Sequence[str]", batch.texts), batch.labels_as(kind) if corpus.labelled else None)
            for batch in corpus
        ),
        prior,
    )


def drift_of_batches(
    model: NaiveBayes, batches: Iterable[tuple[Sequence[str], Labels | None]], prior: Prior | None
) -> Drift:
    """The drift of texts in batches. A sample of them, and of their probabilities, is kept."""
    scorer, watch = model._scorer(), model._watch(prior=prior)
    sample, gold = SpreadTexts(MOST_TEXTS), _Gold(scorer.classes.labels)
    for texts, labels in batches:
        sample.see(texts)
        logs = scorer.watched_log_probabilities(cast("Texts", texts), prior, watch)
        if labels is not None:
            gold.see(labels, logs, scorer.decided(logs))
    shift = watch.shift()
    if not shift.documents:
        raise LengthError("there are no texts to compare with the training data: give at least one")
    moved = model._ask(moved_terms, sample.texts, model._settle().threads)
    return Drift(shift, watch.share_intervals(), moved, gold.shares, gold.check(model.calibration_))


def shift_of_seen(model: NaiveBayes, seen: Seen, usual: float | None) -> Shift:
    """How far texts that were seen are from the training data; ``usual`` is a result of `usual_unknown_of`.

    A sample of the probabilities of other classes than those of the model says nothing about the shares.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "good plot", "dull plot"], ["+", "+", "-"])
    >>> seen = Seen.of_classes(2)
    >>> _ = model._predict_all(["good so good", "unheard of"], watch=seen)
    >>> found = shift_of_seen(model, seen, usual_unknown_of(model))
    >>> found.documents, found.terms, found.unknown, round(found.usual, 3)
    (2, 5, 0.6, 0.333)
    """
    with model._state.lock:
        classes, implied = model._scorer().classes, model._implied_prior()
    return ShiftWatch(classes, usual, implied, None, Seen.of_classes(len(classes.labels)).plus(seen)).shift()


def usual_unknown_of(model: NaiveBayes) -> float | None:
    """The share of the terms of new texts that is usually unknown; None if it is not known, or nothing is learned."""
    if not model._is_fitted:
        return None
    with model._state.lock:
        return model._usual(model._scorer().classes)


class _Gold:
    """Adds up how far predictions and probabilities are from the gold labels."""

    def __init__(self, classes: Sequence[object]) -> None:
        self._places = ClassPlaces(cast("list[str]", classes))
        self._measured: Reliability | None = None
        self._numbers = np.zeros(len(classes) + 1)
        self._right = 0

    def see(self, labels: Labels, logs: Array, predicted: Places) -> None:
        """See the gold labels of some texts, their log-probabilities, and the predicted classes."""
        gold = self._places.found(labels)
        if len(gold) != len(predicted):
            raise LengthError(f"there are {len(gold)} labels for {len(predicted)} texts: give one label per text")
        if not len(gold):
            return
        more = reliability(logs, gold)
        self._measured = more if self._measured is None else self._measured + more
        self._numbers += np.bincount(gold + 1, minlength=len(self._numbers))
        self._right += int((predicted == gold).sum())

    @property
    def shares(self) -> Array | None:
        """The share of each class among the gold labels; None without labels."""
        return None if self._measured is None else self._numbers[1:] / self._numbers.sum()

    def check(self, record: CalibrationRecord | None) -> CalibrationCheck | None:
        """What was measured, beside what the calibration of the model expects; None without labels."""
        measured = self._measured
        if measured is None:
            return None
        expected = record.curve[-1] if record is not None and record.curve else None
        return CalibrationCheck(
            measured.documents,
            self._right / measured.documents,
            expected.accuracy if expected is not None and expected.coverage == 1 else None,
            0 if record is None else record.documents,
            measured.expected_calibration_error,
            error_by_chance(measured),
            None if record is None else record.after["expected_calibration_error"],
        )
