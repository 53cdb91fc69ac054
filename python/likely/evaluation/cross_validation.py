"""Evaluations of the model that training makes, on rows that it has not learned: no test set is needed.

How a model is trained is a function that the caller gives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from likely.core.state import count_batches
from likely.evaluation.evaluate import Judge
from likely.labels import ClassPlaces
from likely.terminal import counted, named
from likely.training.sample import Plan, Rounds, fold_rounds, holdout_rounds, plan_holdout

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.evaluation.evaluation import Evaluation, KeptAnswers
    from likely.reading.corpus import Corpus, Split
    from likely.reading.rows import Whole
    from likely.types import Abstain, Array, Label, Model, Places

MOST_NAMED = 10
"""At most this many classes are named."""


@dataclass(frozen=True)
class CrossValidation:
    """How a model that is to be measured is trained, and what its evaluation has.

    Attributes
    ----------
    train : callable
        The model of some rows.
    abstains : bool
        Whether the model abstains as its option says; otherwise it answers everything.
    beta, keep
        As for `NaiveBayes.evaluate`.
    """

    train: Callable[[Whole], Model]
    abstains: bool = False
    beta: float = 1.0
    keep: bool = False

    def cross_validated(self, whole: Whole, folds: int) -> Evaluation:
        """As `likely.cross_validate`, for rows in memory."""
        return self._measured(whole, fold_rounds(whole, folds), f"{folds}-fold cross-validation")

    def held_out(self, whole: Whole, share: float) -> Evaluation:
        """As `likely.hold_out`, for rows in memory."""
        return self._measured(whole, holdout_rounds(whole, share), f"a hold-out of {100 * share:.3g}%")

    def left_out(self, whole: Whole) -> Evaluation:
        """As `likely.leave_one_out`, for rows in memory."""
        model, pool = self.train(whole), PooledAnswers(whole, beta=self.beta, keep=self.keep)
        heavy = np.flatnonzero(whole.counts)
        some = whole.chosen(whole.counts)
        found = model._judge_left_out(
            some.texts, some.labels, some.weights, some.groups, abstain=self._abstain(model)
        )
        pool.add_answers(heavy[found.rows], np.arange(len(pool.labels)), found.log_probabilities, found.best)
        tested = {whole.labels[row] for row in pool.rows.tolist()}
        untested = [label for label in pool.labels if label not in tested]
        notes = [*_untested(untested), *([_CHOSEN] if model.tuning_ is not None else [])]
        source = "leave-one-out" if whole.groups is None else "leave-one-group-out"
        return replace(pool.evaluation(), source=source, notes=notes)

    def _measured(self, whole: Whole, rounds: Rounds, source: str) -> Evaluation:
        pool = PooledAnswers(whole, beta=self.beta, keep=self.keep)
        for learned, judged in rounds:
            some = whole.chosen(judged)
            model = self.train(whole.chosen(learned))
            part = model.evaluate(some.texts, some.labels, beta=self.beta, abstain=self._abstain(model), keep=True)
            pool.add(np.flatnonzero(judged), part)
        return replace(pool.evaluation(), source=source, notes=_untested(rounds.untested))

    def _abstain(self, model: Model) -> Abstain | None:
        return model.abstain if self.abstains else None


_CHOSEN = (
    "The options were chosen by the same scores, so the figures are slightly too good: cross-validation chooses them "
    "again in each fold."
)


def _untested(untested: list[Label]) -> list[str]:
    if not untested:
        return []
    classes = counted(len(untested), "class was", "classes were")
    names = named(untested, MOST_NAMED, repr)
    return [f"{classes} learned, but not tested, because no other row has the class: {names}."]


class PooledAnswers:
    """One evaluation of the answers of several models, each about other rows of the same data.

    With ``keep``, the answers are kept in the order of the rows.
    """

    def __init__(self, whole: Whole, *, beta: float = 1.0, keep: bool = False) -> None:
        self._whole = whole
        self._places = ClassPlaces(sorted(set(whole.labels)))
        self._judge = Judge(self._places.labels, beta=beta, keep=keep)
        self._rows: list[Places] = []
        self._words: dict[int, list[tuple[str, float]]] = {}
        self.folds: list[float] = []
        """The accuracy of each part."""

    def add(self, rows: Places, part: Evaluation) -> None:
        """Add the evaluation of some rows, which has kept its answers."""
        if part.answers is None or part.answers.log_probabilities is None:
            raise ValueError("a part of a pool must keep its answers")
        columns = self._places.of_all(part.labels)
        self.add_answers(rows, columns, part.answers.log_probabilities, part.answers.predicted)
        self._words |= {int(rows[each.row]): each.words for each in part.mistakes}
        self.folds.append(part.accuracy)

    def add_answers(self, rows: Places, columns: Places, log_probabilities: Array, best: Places) -> None:
        """Add answers about some rows; ``columns`` are the places of the model's classes among all labels."""
        texts, labels = ([values[row] for row in rows.tolist()] for values in (self._whole.texts, self._whole.labels))
        logs = np.full((len(rows), len(self.labels)), -np.inf)
        logs[:, columns] = log_probabilities
        places = np.where(best < 0, -1, columns[best])
        self._judge.see(labels, logs, places, texts)
        self._rows.append(rows)

    @property
    def labels(self) -> list[Label]:
        """All labels, sorted."""
        return self._places.labels

    @property
    def rows(self) -> Places:
        """The rows that were judged, in the order in which they came."""
        return np.concatenate(self._rows)

    def evaluation(self) -> Evaluation:
        """The evaluation of all answers."""
        rows, found = self.rows, self._judge.evaluation()
        mistakes = [
            replace(each, row=int(rows[each.row]), words=self._words.get(int(rows[each.row]), []))
            for each in found.mistakes
        ]
        answers = None if found.answers is None else _ordered(found.answers, np.argsort(rows))
        return replace(found, mistakes=mistakes, folds=self.folds, answers=answers)


def _ordered(answers: KeptAnswers, order: Places) -> KeptAnswers:
    logs, texts = answers.log_probabilities, answers.texts
    return replace(
        answers,
        gold=answers.gold[order],
        predicted=answers.predicted[order],
        log_probabilities=None if logs is None else logs[order],
        texts=None if texts is None else [texts[at] for at in order.tolist()],
    )


_ENDS = {
    "learned": "the written model has learned all rows",
    "trained again": "the written model was trained again on all rows, with the same options",
}


@dataclass(frozen=True)
class Measured:
    """A model, and its evaluation on rows that were held out from it.

    Attributes
    ----------
    model : NaiveBayes
        The model to write.
    evaluation : Evaluation
        The evaluation of a model that has not learned the rows that were held out.
    corpus : Corpus
        All rows.
    plan : Plan
        Which rows were held out.
    end : {"learned", "trained again"}
        What became of the rows that were held out.
    """

    model: Model
    evaluation: Evaluation
    corpus: Corpus
    plan: Plan
    end: Literal["learned", "trained again"]

    def lines(self) -> list[str]:
        """What was measured, and what was not, in sentences."""
        plan = self.plan
        lines = [f"Measured on a model of {100 * plan.learned / plan.rows:.0f}% of the rows; {_ENDS[self.end]}."]
        if plan.copies:
            rows = f"{counted(plan.copies, 'held-out row')} {'is' if plan.copies == 1 else 'are'}"
            lines.append(f"{rows} not judged, because the model has learned a copy in another group.")
        if plan.untested:
            names = named(plan.untested, MOST_NAMED, repr)
            classes, they = ("class", "it is") if len(plan.untested) == 1 else ("classes", "they are")
            lines.append(
                f"No row of the {classes} {names} could be held out and judged: {they} learned, but not tested."
            )
        return lines

    def to_dict(self) -> dict[str, object]:
        """The same facts for programs."""
        names = ("rows", "learned", "judged", "copies", "untested")
        return {**{name: getattr(self.plan, name) for name in names}, "end": self.end}


def measured(
    open_corpus: Callable[[Split | None], Corpus],
    share: float,
    train: Callable[[Corpus], Model],
    train_again: Callable[[Model, Corpus], Model],
    prune: Callable[[Model], Model],
) -> Measured:
    """The model of a source that is read several times, measured on held-out rows, and taught these rows too.

    Parameters
    ----------
    open_corpus : callable
        Opens all rows, or those of a split.
    share : float
        The share of the rows that are held out, above 0 and below 1.
    train, train_again : callable
        The model of a corpus, and the same model fitted again, with the options that it has, to another corpus.
    prune : callable
        Makes the model that is judged, and later written, from the one that was trained.
    """
    whole = open_corpus(None)
    plan = plan_holdout(whole.training_batches(afresh=True), share)
    model = train(open_corpus(plan.split("learned")))
    evaluation = prune(model)._evaluate_corpus(open_corpus(plan.split("judged")), abstain=model.abstain)
    if model._settle().reads_twice is not None:
        return Measured(train_again(model, open_corpus(None)), evaluation, whole, plan, "trained again")
    held_out = open_corpus(plan.split("held out"))
    model._learn_counted(count_batches(model._to_learn(), held_out.training_batches))
    return Measured(model, evaluation, whole, plan, "learned")
