"""What a report shows about a model: examples with their words, doubtful labels, typical words, dependent pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import likely
from likely.class_places import ClassPlaces
from likely.core.tuning_record import not_default, option_text, train_command
from likely.errors import OptionError
from likely.evaluation.ranking import sweep
from likely.explanation import words
from likely.explanation.suspects import fit_noise, worst
from likely.reports.live import live_part
from likely.reports.live.part import MOST_BYTES
from likely.reports.page import About, Contradicted, Material, report_page
from likely.reports.page.choice import rows_by_cell
from likely.reports.page.confusion import shown_classes
from likely.reports.page.example import Example, pieces_of
from likely.terminal import counted

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation, KeptAnswers
    from likely.evaluation.ranking import Sweep
    from likely.explanation.independence import Independence
    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Label, Places

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
MOST_TEXTS = 5_000
"""At most this many texts are examined for dependent terms, evenly spread over the data."""
PAIRS = 200
"""The number of dependent pairs that are asked for; n-grams that contain each other are not shown."""


def gathered(model: NaiveBayes, evaluation: Evaluation, about: About) -> Material:
    """The material of a report, from an evaluation whose answers were kept (``keep=True``)."""
    answers = evaluation.answers
    if answers is None or answers.texts is None:
        raise OptionError("a report needs the answers and the texts of the evaluation: evaluate with keep=True")
    examples = _Examples(model, evaluation, answers, answers.texts)
    labels = evaluation.labels
    cells = {
        (labels[gold], None if predicted < 0 else labels[predicted]): [examples.of(row) for row in rows]
        for (gold, predicted), rows in rows_by_cell(evaluation).items()
    }
    overall, sweeps = _sweeps(evaluation, answers)
    return Material(
        about=_described(model, about),
        evaluation=evaluation,
        overall=overall,
        sweeps=sweeps,
        cells=cells,
        mistakes=[examples.of(each.row) for each in evaluation.mistakes],
        suspects=_suspects(model, evaluation, answers, answers.texts, examples),
        words=_words(model, evaluation),
        independence=_independence(model, evaluation, answers, answers.texts),
    )


def with_live(material: Material, model: NaiveBayes) -> Material:
    """The material with the live classifier, whose model has as many terms as the page has room for."""
    others = len(report_page(material).encode()) + SCRIPTS
    room = min(MOST_BYTES, max(MOST_PAGE - others, LEAST_MODEL))
    return replace(material, live=live_part(model._snapshot(whole=False).kept(), room))


class _Examples:
    """Makes an example of a row, once per row."""

    def __init__(self, model: NaiveBayes, evaluation: Evaluation, answers: KeptAnswers, texts: list[str]) -> None:
        self._model, self._answers, self._texts = model, answers, texts
        self._labels = evaluation.labels
        self._classes = set(model.classes_.tolist())
        self._made: dict[int, Example] = {}

    def of(self, row: int) -> Example:
        """The example of a row, from 0."""
        if row not in self._made:
            self._made[row] = self._example(row)
        return self._made[row]

    def _example(self, row: int) -> Example:
        gold, place = int(self._answers.gold[row]), int(self._answers.predicted[row])
        explanation = self._model.explain(self._texts[row])
        logs = self._answers.log_probabilities
        probabilities = np.zeros(len(self._labels)) if logs is None else np.exp(logs[row])
        predicted = self._labels[place] if place >= 0 else explanation.label
        rival = self._rival(row, gold, predicted)
        return Example(
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


def _sweeps(evaluation: Evaluation, answers: KeptAnswers) -> tuple[Sweep | None, dict[Label, Sweep]]:
    """What thresholds do: on the probability of the prediction, and on that of each class that has documents.

    Only the largest classes have curves if there are many.
    """
    if answers.log_probabilities is None:
        return None, {}
    probabilities = np.exp(answers.log_probabilities)
    rows = np.arange(len(answers.gold))
    # The thresholds take the place of the one with which the model abstained.
    best = np.where(answers.predicted < 0, probabilities.argmax(axis=1), answers.predicted)
    overall = sweep(probabilities[rows, best], answers.gold == best, wanted=len(rows))
    sizes = np.bincount(answers.gold, minlength=len(evaluation.labels))
    largest = np.argsort(-sizes, kind="stable")[:MOST_CURVES]
    present = np.sort(largest[sizes[largest] > 0]).tolist()
    return overall, {evaluation.labels[at]: sweep(probabilities[:, at], answers.gold == at) for at in present}


def _suspects(
    model: NaiveBayes, evaluation: Evaluation, answers: KeptAnswers, texts: list[str], examples: _Examples
) -> list[Contradicted] | None:
    """Documents that are probably mislabelled, by the scores of the model, which has not learned them.

    This is `NaiveBayes.suspects` with the scores of the model instead of leave-one-out scores. None if there are
    fewer than two classes, or no document can be judged.
    """
    scorer = model._scorer()
    found = scorer.weights.score(texts, scorer.threads, lambda scores: scores, lengths=True)
    scores = np.concatenate(found)
    joint, length = scores[:, :-1], scores[:, -1]
    gold = _class_of_gold(model, evaluation, answers)
    judged = np.flatnonzero((gold >= 0) & np.isfinite(joint[np.arange(len(gold)), np.maximum(gold, 0)]))
    if joint.shape[1] < 2 or not len(judged):
        return None
    joint, length = joint[judged], length[judged]
    some = evenly(len(judged), max(MOST_SCORES // joint.shape[1], FEWEST_JUDGED))
    noise = fit_noise(joint[some], length[some], gold[judged[some]])
    suspected = worst(noise, joint, length, gold[judged])
    rows = judged[suspected.rows]
    wrong = answers.gold[rows] != answers.predicted[rows]
    pairs = zip(rows[wrong].tolist(), suspected.probabilities[wrong].tolist(), strict=True)
    return [Contradicted(examples.of(row), probability) for row, probability in list(pairs)[:MOST_SUSPECTS]]


def evenly(size: int, most: int) -> Places:
    """At most ``most`` of the places below ``size``, evenly spread.

    Examples
    --------
    >>> evenly(10, 4).tolist(), evenly(3, 4).tolist()
    ([0, 2, 5, 7], [0, 1, 2])
    """
    places: Places = np.arange(min(size, most)) * size // max(min(size, most), 1)
    return places


def _class_of_gold(model: NaiveBayes, evaluation: Evaluation, answers: KeptAnswers) -> Places:
    """The place of the gold label of each document among the classes of the model; -1 if it is not one of them."""
    places: Places = ClassPlaces(model.classes_.tolist()).found(evaluation.labels)[answers.gold]
    return places


def _words(model: NaiveBayes, evaluation: Evaluation) -> dict[Label, list[tuple[str, float]]]:
    """The typical terms of the classes that the page shows; none if terms have no names."""
    if model.analysis_.hash_bits:
        return {}
    classes = set(model.classes_.tolist())
    labels = [evaluation.labels[at] for at in shown_classes(evaluation) if evaluation.labels[at] in classes]
    return model._ask_kept(words.top_words_of, labels, WORDS)


def _independence(
    model: NaiveBayes, evaluation: Evaluation, answers: KeptAnswers, all_texts: list[str]
) -> Independence | None:
    """The dependent pairs of terms in texts whose labels are classes of the model; None if that is not defined."""
    known = np.flatnonzero(_class_of_gold(model, evaluation, answers) >= 0)
    if model.analysis_.hash_bits or not len(known):
        return None
    rows = known[evenly(len(known), MOST_TEXTS)].tolist()
    texts, labels = [all_texts[row] for row in rows], [evaluation.labels[answers.gold[row]] for row in rows]
    return model.independence(texts, labels, PAIRS)


def _named(value: object) -> object:
    """The value of an option; of a function its name, because its address changes from process to process."""
    return getattr(value, "__qualname__", type(value).__name__) if callable(value) else value


def _described(model: NaiveBayes, about: About) -> About:
    """What is known about the model, added to what is known about the data."""
    # Any number of threads gives the same results, so it does not change the page either.
    options = {name: _named(value) for name, value in model._options().items() if name != "threads"}
    documents = counted(float(model.class_documents_.sum()), "document")
    learned = f"{documents} of {counted(len(model.classes_), 'class', 'classes')}"
    facts = [("trained on", learned), ("terms", f"{model.terms_:,}"), ("made with", f"likely {likely.__version__}")]
    return replace(
        about,
        command=model.tuning_.command if model.tuning_ else train_command(not_default(options)),
        options={name: option_text(value) for name, value in options.items()},
        changed={name: option_text(value) for name, value in not_default(options).items()},
        facts=[*about.facts, *facts],
    )
