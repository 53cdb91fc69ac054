"""`ReportMaterial`: everything that a report shows, gathered from a model and an evaluation of it, and written."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

import likely
from likely.core.tuning_record import not_default, option_text
from likely.core.weights import LENGTH
from likely.errors import ModelFileError, OptionError, OutputError
from likely.explanation.suspects import fit_noise, worst
from likely.explanation.words import marked
from likely.labels import ClassPlaces
from likely.reading.atomic import write_whole
from likely.reading.corpus import are_places
from likely.report.charts import Sweep, mean_curves, sweep
from likely.report.examples import ShownDocument, pieces_of
from likely.report.live.export import MOST_BYTES, live_part
from likely.report.pages import MOST_IN_MATRIX, cell_counts, matrix_places, report_page
from likely.terminal import counted, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.evaluation.evaluation import Evaluation, KeptAnswers
    from likely.types import Array, Label, Model, Path, Places

PROBABLY = 0.5
"""A document is listed as probably mislabelled from this probability on."""
MOST_SUSPECTS = 20
"""At most this many documents are listed as probably mislabelled."""
WORDS = 10
"""The number of typical terms per class."""
MOST_PAGE = 2_000_000
"""A page has at most this many bytes, unless it has several hundred long class names."""
SCRIPTS = 80_000
"""The bytes of the live classifier without its model, rounded up."""
LEAST_MODEL = 200_000
"""The model of the live classifier may always have this many bytes."""
MOST_CURVES = 200
"""At most this many classes have curves of their own: those with the most documents."""
MOST_SCORES = 2_000_000
"""The share of wrong labels is estimated from at most this many scores, evenly spread over the data."""
FEWEST_JUDGED = 200
"""It is estimated from at least this many documents, if there are as many."""
MOST_DOCUMENTS = 400
"""At most this many wrong predictions are shown in all cells together; each takes about a kilobyte of the page."""
MOST_PER_CELL = 25
"""At most this many documents are shown per cell."""
RIGHT_PER_CELL = 3
"""At most this many right predictions are shown per class."""


@dataclass(frozen=True)
class About:
    """What the report is about. Nothing is taken from a clock or from the machine, so that bytes can be repeated.

    Attributes
    ----------
    title : str or None
        The title of the page. Default: the names of the model and of the data.
    model, data : str or None
        The names of the model and of the data.
    reading : list of str
        What was read, and what was left out: one sentence each.
    command : str
        The command that trains the same model.
    options : dict
        All options of the model.
    changed : dict
        Those options that do not have their default values.
    facts : list of (str, str)
        Further lines about the model: name and value.
    """

    title: str | None = None
    model: str | None = None
    data: str | None = None
    reading: list[str] = field(default_factory=list)
    command: str = ""
    options: dict[str, object] = field(default_factory=dict)
    changed: dict[str, object] = field(default_factory=dict)
    facts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def heading(self) -> str:
        """The title, or else one from the names.

        Examples
        --------
        >>> About(model="reviews.likely", data="test.csv").heading, About().heading
        ('reviews.likely on test.csv', 'Evaluation of a model')
        """
        names = " on ".join(each for each in (self.model, self.data) if each)
        return self.title or names or "Evaluation of a model"


@dataclass(frozen=True)
class Contradicted:
    """A document whose label is probably wrong, and the probability that it is."""

    example: ShownDocument
    probability: float


@dataclass(frozen=True)
class ReportMaterial:
    """Everything that a report shows.

    Attributes
    ----------
    about : About
        What the report is about.
    evaluation : Evaluation
        The measures.
    overall : Sweep or None
        What a threshold on the probability of the predicted class does; None without probabilities.
    sweeps : dict
        What a threshold on the probability of a class does, by class.
    cells : dict
        Examples by gold label and predicted class, the worst first.
    mistakes : list of ShownDocument
        The worst errors.
    suspects : list of Contradicted
        Documents that are probably mislabelled, worst first.
    words : dict
        The most typical terms of each class, their stems marked, with their scores; empty if terms have no names.
    live : str
        The live classifier: a section with its style, script and model, as `live_part` makes it; may be empty.
    """

    about: About
    evaluation: Evaluation
    overall: Sweep | None
    sweeps: dict[Label, Sweep]
    cells: dict[tuple[Label, Label | None], list[ShownDocument]]
    mistakes: list[ShownDocument]
    suspects: list[Contradicted] | None
    words: dict[Label, list[tuple[str, float]]]
    live: str = ""


def gathered(model: Model, evaluation: Evaluation, about: About) -> ReportMaterial:
    """The material of a report, from an evaluation whose answers were kept (``keep=True``)."""
    if evaluation.answers is None or evaluation.answers.texts is None:
        raise OptionError("a report needs the answers and the texts of the evaluation: evaluate with keep=True")
    from_answers = _Gathering(model, evaluation, evaluation.answers, evaluation.answers.texts)
    labels = evaluation.labels
    cells = {
        (labels[gold], None if predicted < 0 else labels[predicted]): [from_answers.example(row) for row in rows]
        for (gold, predicted), rows in rows_by_cell(evaluation, evaluation.answers).items()
    }
    overall, sweeps = from_answers.sweeps()
    return ReportMaterial(
        about=_described(model, about),
        evaluation=evaluation,
        overall=overall,
        sweeps=sweeps,
        cells=cells,
        mistakes=[from_answers.example(each.row) for each in evaluation.mistakes],
        suspects=from_answers.suspects(),
        words=_words(model, evaluation),
    )


def with_live(material: ReportMaterial, model: Model) -> ReportMaterial:
    """The material with the live classifier, whose model has as many terms as the page has room for."""
    others = len(report_page(material).encode()) + SCRIPTS
    room = min(MOST_BYTES, max(MOST_PAGE - others, LEAST_MODEL))
    return replace(material, live=live_part(model._snapshot(whole=False).kept(), room))


class _Gathering:
    """Gathers what a report shows of the answers of a model; the example of a row is made once."""

    def __init__(self, model: Model, evaluation: Evaluation, answers: KeptAnswers, texts: list[str]) -> None:
        self._model, self._labels, self._answers, self._texts = model, evaluation.labels, answers, texts
        classes: list[Label] = model.classes_.tolist()
        self._classes = set(classes)
        self._gold: Places = ClassPlaces(classes).found(self._labels)[answers.gold]
        """The place of each gold label among the classes of the model; -1 if it is not one of them."""
        self.example = cache(self._example)
        """The example of a row, from 0."""

    def _example(self, row: int) -> ShownDocument:
        gold, place = int(self._answers.gold[row]), int(self._answers.predicted[row])
        explanation = self._model.explain(self._texts[row])
        logs = self._answers.log_probabilities
        probabilities = np.zeros(len(self._labels)) if logs is None else np.exp(logs[row])
        predicted = self._labels[place] if place >= 0 else explanation.label
        rival = self._rival(row, gold, predicted)
        return ShownDocument(
            row=row,
            gold=self._labels[gold],
            predicted=predicted,
            probability=float(probabilities[self._labels.index(predicted)]),
            of_gold=float(probabilities[gold]),
            rival=rival,
            pieces=pieces_of(explanation, predicted, rival),
        )

    def _rival(self, row: int, gold: int, predicted: Label) -> Label | None:
        """The label, if the prediction is another class; else the next most probable class."""
        label = self._labels[gold]
        if label != predicted and label in self._classes:
            return label
        others = [at for at, each in enumerate(self._labels) if each in self._classes and each != predicted]
        logs = self._answers.log_probabilities
        if not others or logs is None:
            return None
        return self._labels[max(others, key=lambda at: (float(logs[row, at]), -at))]

    def sweeps(self) -> tuple[Sweep | None, dict[Label, Sweep]]:
        """What thresholds do: on the probability of the prediction, and on that of each class that has documents.

        Only the largest classes have curves if there are many.
        """
        answers = self._answers
        if answers.log_probabilities is None:
            return None, {}
        probabilities = np.exp(answers.log_probabilities)
        rows = np.arange(len(answers.gold))
        # The thresholds take the place of the one with which the model abstained.
        best = np.where(answers.predicted < 0, probabilities.argmax(axis=1), answers.predicted)
        overall = sweep(probabilities[rows, best], answers.gold == best, wanted=len(rows))
        sizes = np.bincount(answers.gold, minlength=len(self._labels))
        present = np.flatnonzero(sizes)
        largest = {*present[np.argsort(-sizes[present], kind="stable")[:MOST_CURVES]].tolist()}
        by_class: dict[Label, Sweep] = {}

        def of_each() -> Iterator[Sweep]:
            for at in present.tolist():
                found = sweep(probabilities[:, at], answers.gold == at)
                if at in largest:
                    by_class[self._labels[at]] = found
                yield found

        roc, precision_recall = mean_curves(of_each())
        return replace(overall, roc=roc, precision_recall=precision_recall), by_class

    def suspects(self) -> list[Contradicted] | None:
        """Documents that are probably mislabelled, by the scores of the model, which has not learned them.

        This is `NaiveBayes.suspects` with the scores of the model instead of leave-one-out scores. None if there are
        fewer than two classes, or no document can be judged.
        """
        scorer, gold = self._model._scorer(), self._gold
        scores = np.concatenate(scorer.weights.score(self._texts, scorer.threads, lambda scores: scores, LENGTH))
        joint, length = scores[:, :-1], scores[:, -1]
        judged = np.flatnonzero((gold >= 0) & np.isfinite(joint[np.arange(len(gold)), np.maximum(gold, 0)]))
        if joint.shape[1] < 2 or not len(judged):
            return None
        joint, length = joint[judged], length[judged]
        some = evenly(len(judged), max(MOST_SCORES // joint.shape[1], FEWEST_JUDGED))
        noise = fit_noise(joint[some], length[some], gold[judged[some]])
        suspected, _, probabilities = worst(noise, joint, length, gold[judged])
        rows = judged[suspected]
        wrong = (self._answers.gold[rows] != self._answers.predicted[rows]) & (probabilities >= PROBABLY)
        pairs = zip(rows[wrong].tolist(), probabilities[wrong].tolist(), strict=True)
        return [Contradicted(self.example(row), probability) for row, probability in list(pairs)[:MOST_SUSPECTS]]


def evenly(size: int, most: int) -> Places:
    """At most ``most`` of the places below ``size``, evenly spread.

    Examples
    --------
    >>> evenly(10, 4).tolist(), evenly(3, 4).tolist()
    ([0, 2, 5, 7], [0, 1, 2])
    """
    places: Places = np.arange(min(size, most)) * size // max(min(size, most), 1)
    return places


def _words(model: Model, evaluation: Evaluation) -> dict[Label, list[tuple[str, float]]]:
    """The typical terms of the classes that the page shows; none if terms have no names."""
    if model.analysis_.hash_bits:
        return {}
    classes = set(model.classes_.tolist())
    shown = [evaluation.labels[at] for at in matrix_places(evaluation, MOST_IN_MATRIX)]
    labels = [label for label in shown if label in classes]
    found, analyzer = model._top_words_of(labels, WORDS), model.analysis_
    return {label: [(marked(analyzer, term), score) for term, score in words] for label, words in found.items()}


def rows_by_cell(evaluation: Evaluation, answers: KeptAnswers) -> dict[tuple[int, int], list[int]]:
    """The rows to show per cell, by the places of label and prediction: the worst errors, or the least sure hits."""
    shown = set(matrix_places(evaluation, MOST_IN_MATRIX))
    counts = {(g, p): n for (g, p), n in cell_counts(evaluation).items() if g in shown and (p in shown or p < 0)}
    each = per_cell([n for (g, p), n in counts.items() if g != p])
    order = np.lexsort((-_badness(answers), answers.predicted, answers.gold))  # by cell, the worst of each first
    by_cell = zip(cell_counts(evaluation), np.split(order, np.cumsum(evaluation.counts)[:-1]), strict=True)
    return {
        cell: rows[: RIGHT_PER_CELL if cell[0] == cell[1] else each].tolist()
        for cell, rows in by_cell
        if cell in counts
    }


def per_cell(counts: list[int]) -> int:
    """The largest number of documents per cell with which all cells together stay within the bound.

    Examples
    --------
    >>> per_cell([1000, 900]), per_cell([100] * 20), per_cell([1] * 390 + [100]), per_cell([9] * 800)
    (25, 20, 10, 1)
    """
    fitting = (most for most in range(MOST_PER_CELL, 1, -1) if sum(min(n, most) for n in counts) <= MOST_DOCUMENTS)
    return next(fitting, 1)


def _badness(answers: KeptAnswers) -> Array:
    """How bad each answer is: the log-odds of a wrong prediction against the label; a right one is bad if unsure."""
    wrong = answers.gold != answers.predicted
    if answers.log_probabilities is None:
        return np.where(wrong, 1.0, 0.0)
    rows = np.arange(len(wrong))
    of_best = answers.log_probabilities[rows, np.maximum(answers.predicted, 0)]
    of_gold = answers.log_probabilities[rows, answers.gold]
    return np.where(wrong, of_best - np.maximum(of_gold, -700.0), -of_best)


def _option_value(value: object) -> object:
    """The value of an option; of a function its name, because its address changes from process to process."""
    return getattr(value, "__qualname__", type(value).__name__) if callable(value) else value


def _described(model: Model, about: About) -> About:
    """What is known about the model, added to what is known about the data."""
    # Any number of threads gives the same results, so it does not change the page either.
    options = {name: _option_value(value) for name, value in model._options().items() if name != "threads"}
    documents = counted(float(model.class_documents_.sum()), "document")
    learned = f"{documents} of {counted(len(model.classes_), 'class', 'classes')}"
    facts = [("trained on", learned), ("terms", f"{model.terms_:,}"), ("made with", f"likely {likely.__version__}")]
    return replace(
        about,
        command=model._command,
        options={name: option_text(value) for name, value in options.items()},
        changed={name: option_text(value) for name, value in not_default(options).items()},
        facts=[*about.facts, *facts],
    )


def write_report(model: Model, evaluation: Evaluation, path: Path, about: About) -> int:
    """Write the report of an evaluation whose answers were kept; the number of bytes is returned."""
    data = report_page(with_live(gathered(model, evaluation, about), model)).encode()
    try:
        write_whole(path, data)
    except ModelFileError as error:
        raise unwritable(path, str(error)) from error
    return len(data)


def check_place(path: Path) -> None:
    """Raise ``OutputError`` if a file cannot be written there, before anything is computed."""
    place = os.path.abspath(os.fspath(path))
    folder = os.path.dirname(place)
    if os.path.isdir(place):
        raise unwritable(path, "it is a folder: name a file in it")
    if not os.path.isdir(folder):
        raise unwritable(path, "there is no such folder: create it first")
    if not os.access(place if os.path.exists(place) else folder, os.W_OK):
        raise unwritable(path, "choose a place where you may write, or change its permissions")


def unwritable(path: Path, why: str) -> OutputError:
    """The error for a report that cannot be written."""
    return OutputError(f"cannot write the report to {os.fspath(path)!r}: {why}")


def name_of_source(source: object) -> str | None:
    """The name of a source as people know it: those of its files without their folders; None of a frame.

    Examples
    --------
    >>> name_of_source("data/test.csv"), name_of_source(["a.csv", "b.csv"]), name_of_source({"text": []})
    ('test.csv', 'a.csv, b.csv', None)
    """
    if not are_places(source):
        return None
    places = [source] if isinstance(source, str | os.PathLike) else list(source)
    names = [os.path.basename(os.path.normpath(os.fspath(place))) for place in places]
    return named(names, 3)
