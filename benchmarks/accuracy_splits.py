"""Accuracy and calibration on test splits without any options, and how long the choice of options takes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import likely
import numpy as np
from likely.core.calibration import Reliability, reliability
from likely.formulas import log_posterior

from benchmarks.accuracy_row import BEST, PLAIN, SVM, Row, peers
from benchmarks.measure import best
from benchmarks.tasks import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from likely import NaiveBayes

TIMED = "imdb"
TIMES = 2
"""The number of timed runs, for `likely` and for the peer; the best one is used."""
AVERAGE_ERROR = 0.04


@dataclass(frozen=True)
class Bars:
    """The bars of a corpus."""

    train: float
    strongest: float
    error: float = 0.05


BARS = {
    "imdb": Bars(87.1, 91.2),
    "20newsgroups": Bars(85.0, 87.0),
    "reuters_r8": Bars(96.2, 97.5),
    "reuters_r52": Bars(91.5, 95.0),
    "sst2": Bars(82.5, 82.8),
    "trec_questions": Bars(85.5, 89.0, error=0.10),
}


def rows(names: Sequence[str], *, grid: bool) -> Iterator[Row]:
    """The rows of the given corpora; the rows about all corpora only if all are given."""
    errors = []
    for name in names:
        for row in of_corpus(name, grid):
            if row.measure == ERROR:
                errors.append(row)
            yield row
    if list(names) == list(BARS):
        theirs = {PLAIN: float(np.mean([row.theirs[PLAIN] for row in errors]))}
        mean = float(np.mean([row.value for row in errors]))
        yield Row("all six", f"{ERROR}, mean", mean, AVERAGE_ERROR, theirs, at_most=True, places=4)
    if TIMED in names:
        yield timed()


ERROR = "calibration error"


def of_corpus(name: str, grid: bool) -> Iterator[Row]:
    """The accuracy without options and with ``prefer="strongest"``, then the calibration of the first."""
    texts, labels = read(name, "train")
    asked, truth = read(name, "test")
    task = {"texts": texts, "labels": labels, "test_texts": asked, "test_labels": truth, "grid": grid}
    answer = peers("split", task)
    plain = reliability(np.array(answer["log_probabilities"]), places(answer["classes"], truth))
    accuracies = {PLAIN: 100 * plain.accuracy, SVM: 100 * answer["LinearSVC"]}
    if grid:
        accuracies[BEST] = 100 * answer["best"]
    begun = time.perf_counter()
    model = likely.train(texts, labels)
    detail = f"{time.perf_counter() - begun:.1f} s: {chosen(model)}"
    if grid:
        detail += f"; best of {answer['settings']}: {answer['setting']}"
    bars = BARS[name]
    yield Row(name, "accuracy, likely train", accuracy(model, asked, truth), bars.train, accuracies, detail)
    begun = time.perf_counter()
    strongest = likely.train(texts, labels, prefer="strongest")
    detail = f"{time.perf_counter() - begun:.1f} s: {chosen(strongest)}"
    value = accuracy(strongest, asked, truth)
    yield Row(name, "accuracy, likely train --prefer strongest", value, bars.strongest, accuracies, detail)
    yield from probabilities(name, model, plain)


def probabilities(name: str, model: NaiveBayes, plain: Reliability) -> Iterator[Row]:
    """The measures of the probabilities, before and after calibration."""
    asked, truth = read(name, "test")
    own = places(model.classes_.tolist(), truth)
    joint = model.predict_joint_log_proba(asked)
    raw = reliability(log_posterior(joint, np.zeros(joint.shape[1])), own)
    found = reliability(model.predict_log_proba(asked), own)
    before = f"before calibration {raw.expected_calibration_error:.4f}"
    theirs = {PLAIN: plain.expected_calibration_error}
    error = found.expected_calibration_error
    yield Row(name, ERROR, error, BARS[name].error, theirs, before, at_most=True, places=4)
    before = f"before calibration {raw.brier:.4f}"
    yield Row(name, "Brier score", found.brier, None, {PLAIN: plain.brier}, before, places=4)
    before = f"before calibration {raw.log_loss:.4f}"
    yield Row(name, "log-loss", found.log_loss, None, {PLAIN: plain.log_loss}, before, places=4)


def timed() -> Row:
    """The time to choose options and to learn, against one fit of scikit-learn with pairs of words."""
    texts, labels = read(TIMED, "train")
    theirs = peers("seconds", {"texts": texts, "labels": labels, "times": TIMES})["seconds"]
    ours, _ = best(lambda: likely.train(texts, labels), TIMES)
    detail = "likely.train against CountVectorizer(ngram_range=(1, 2)) and MultinomialNB: no longer"
    return Row(TIMED, "seconds to choose and learn", ours, round(theirs, 2), {PLAIN: theirs}, detail, at_most=True)


def accuracy(model: NaiveBayes, texts: list[str], labels: list[str]) -> float:
    return float(100 * np.mean(model.predict(texts) == np.array(labels)))


def places(classes: list[Any], labels: list[str]) -> np.ndarray[Any, np.dtype[np.intp]]:
    """The column of each document's gold class; -1 for a class that was never learned."""
    at = {label: place for place, label in enumerate(classes)}
    return np.array([at.get(label, -1) for label in labels], dtype=np.intp)


def chosen(model: NaiveBayes) -> str:
    """The options that do not have their default values, as flags of the command line."""
    tuning = model.tuning_
    return "no options chosen" if tuning is None else f"`{tuning.command}`"
