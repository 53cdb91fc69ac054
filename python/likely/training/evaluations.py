"""Evaluations of the model that training makes, on rows that it has not learned: no test set is needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack, cast

import numpy as np

from likely.evaluation.fingerprints import MOST_FEATURES
from likely.model.train import order_of, train_documents
from likely.reading.corpus import corpus_of
from likely.reading.rows import Whole, in_memory
from likely.terminal import counted, named
from likely.training.fit import Documents
from likely.training.pooled import Pool
from likely.training.sample import group_numbers
from likely.training.split import Rounds, fold_rounds, holdout_rounds
from likely.training.straddling import straddling_folds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.evaluation.evaluation import Evaluation
    from likely.evaluation.mistakes import Mistake
    from likely.model.naive_bayes import NaiveBayes
    from likely.model.train import Wish
    from likely.options.typed import TrainingOptions
    from likely.types import Abstain, Label, Labels, Source, Starts, Texts

FOLDS = 10
"""The number of folds of a cross-validation, if it is not given."""
SHARE = 0.2
"""The share of the rows that are held out, if it is not given."""
MOST_BYTES = 8 * MOST_FEATURES
"""Near-copies are not looked for in larger data."""
_NAMED = 10


def cross_validate(
    source: Source | Texts | None = None,
    labels: Labels | None = None,
    *,
    folds: int = FOLDS,
    beta: float = 1.0,
    keep: bool = False,
    **settings: Unpack[TrainingOptions],
) -> Evaluation:
    """The evaluation of the model that `likely.train` makes, by stratified cross-validation.

    The rows are divided into folds, each with about the same share of every class. Each fold is judged by a model
    that was trained, with all its choices, on the other folds; all predictions together are the evaluation, and
    ``folds`` of the result has the accuracy in each fold. Copies of a text are always in one fold, and, with
    ``group``, all rows of a group; near-copies in different folds are in ``copies``. All rows are held in memory.

    Parameters
    ----------
    source, labels
        As for `likely.train`.
    folds : int
        The number of folds.
    beta, keep
        As for `NaiveBayes.evaluate`.
    **settings
        As for `likely.train`.

    Examples
    --------
    >>> from likely.sample import load_sample
    >>> found = cross_validate(*load_sample(), folds=5, plain=True)
    >>> found.source, found.documents, round(found.accuracy, 2), len(found.folds)
    ('5-fold cross-validation', 480, 0.85, 5)
    """
    return _evaluated(
        source, labels, settings, beta, lambda recipe, whole: recipe.cross_validated(whole, folds), keep
    )


def hold_out(
    source: Source | Texts | None = None,
    labels: Labels | None = None,
    *,
    share: float = SHARE,
    beta: float = 1.0,
    keep: bool = False,
    **settings: Unpack[TrainingOptions],
) -> Evaluation:
    """The evaluation of the model that `likely.train` makes, on a share of the rows of every class that is held out.

    Copies of a text are all held out or all learned, and, with ``group``, all rows of a group.

    Parameters
    ----------
    source, labels
        As for `likely.train`.
    share : float
        The share of the rows to hold out, above 0 and below 1.
    beta, keep
        As for `NaiveBayes.evaluate`.
    **settings
        As for `likely.train`.

    Examples
    --------
    >>> from likely.sample import load_sample
    >>> found = hold_out(*load_sample(), share=0.25, plain=True)
    >>> found.source, found.documents
    ('a hold-out of 25 %', 120)
    """
    return _evaluated(source, labels, settings, beta, lambda recipe, whole: recipe.held_out(whole, share), keep)


def leave_one_out(
    source: Source | Texts | None = None,
    labels: Labels | None = None,
    *,
    beta: float = 1.0,
    keep: bool = False,
    **settings: Unpack[TrainingOptions],
) -> Evaluation:
    """The evaluation of the model that `likely.train` makes, each row judged by the model without it.

    The scores are exact: they are those of a model that was trained on all other rows (`NaiveBayes.leave_one_out`).
    Copies of a text are left out together, and, with ``group``, all rows of a group. Options, calibration and
    thresholds are those of the model of all rows; so, unlike with `cross_validate`, they have been chosen by these
    very scores.

    Parameters
    ----------
    source, labels
        As for `likely.train`.
    beta, keep
        As for `NaiveBayes.evaluate`.
    **settings
        As for `likely.train`.

    Examples
    --------
    >>> from likely.sample import load_sample
    >>> found = leave_one_out(*load_sample(), plain=True)
    >>> found.source, found.documents, round(found.accuracy, 2)
    ('leave-one-out', 480, 0.85)
    """
    return _evaluated(source, labels, settings, beta, lambda recipe, whole: recipe.left_out(whole), keep)


def _evaluated(
    source: Source | Texts | None,
    labels: Labels | None,
    settings: Mapping[str, object],
    beta: float,
    way: Callable[[Recipe, Whole], Evaluation],
    keep: bool,
) -> Evaluation:
    order = order_of(settings, reads=labels is None)
    recipe = Recipe(order.options, order.wish, beta, keep)
    if labels is not None:
        return way(recipe, Whole.of([in_memory(cast("Texts", source), labels)]))
    corpus = corpus_of(cast("Source", source), order.reading)
    with corpus.told():
        return way(recipe, Whole.of(corpus.lessons(afresh=True)))


@dataclass(frozen=True)
class Recipe:
    """How a model is trained that is to be measured: with which options, and how the others are chosen.

    ``beta`` and ``keep`` are those of `NaiveBayes.evaluate`.
    """

    options: Mapping[str, object]
    wish: Wish
    beta: float = 1.0
    keep: bool = False
    observe: Callable[[int, int], None] | None = None
    """Called before each model is trained, with its number, from 1, and the number of all models."""

    def cross_validated(self, whole: Whole, folds: int) -> Evaluation:
        """As `cross_validate`, for rows in memory."""
        return self._measured(whole, fold_rounds(whole, folds), f"{folds}-fold cross-validation")

    def held_out(self, whole: Whole, share: float) -> Evaluation:
        """As `hold_out`, for rows in memory."""
        return self._measured(whole, holdout_rounds(whole, share), f"a hold-out of {100 * share:.3g} %")

    def left_out(self, whole: Whole) -> Evaluation:
        """As `leave_one_out`, for rows in memory."""
        model, pool = self._model(whole), Pool(whole, keep=self.keep)
        heavy = np.flatnonzero(whole.counts)
        some = whole.chosen(whole.counts)
        found = model._judge_left_out(
            some.texts, some.labels, some.weights, some.groups, abstain=self._abstain(model)
        )
        pool.add_answers(heavy[found.rows], np.arange(len(pool.labels)), found.log_probabilities, found.best)
        groups = np.unique(group_numbers(whole.labelled()), return_inverse=True)[1]
        tested = {whole.labels[row] for row in pool.rows.tolist()}
        untested = [label for label in pool.labels if label not in tested]
        notes = [*_notes(untested), *([_CHOSEN] if model.tuning_ is not None else [])]
        source = "leave-one-out" if whole.groups is None else "leave-one-group-out"
        # Copies in other groups are left out too, so they do not count.
        evaluation = self._completed(whole, np.where(whole.counts, groups, -1), pool, source, notes, exact=False)
        return replace(evaluation, mistakes=_with_words(evaluation.mistakes, model, whole, groups))

    def _measured(self, whole: Whole, rounds: Rounds, source: str) -> Evaluation:
        pool = Pool(whole, keep=self.keep)
        for number, (learned, judged) in enumerate(rounds, start=1):
            if self.observe is not None:
                self.observe(number, len(rounds.judged))
            some = whole.chosen(judged)
            model = self._model(whole.chosen(learned))
            part = model.evaluate(some.texts, some.labels, beta=self.beta, abstain=self._abstain(model), keep=True)
            pool.add(np.flatnonzero(judged), part)
        return self._completed(whole, rounds.fold, pool, source, _notes(rounds.untested))

    def _abstain(self, model: NaiveBayes) -> Abstain | None:
        """When the model abstains; None if that was not asked for."""
        return model.abstain if "abstain" in self.options else None

    def _model(self, whole: Whole) -> NaiveBayes:
        documents = Documents.held(whole.texts, whole.labels, whole.weights, whole.groups)
        return train_documents(documents, self.options, self.wish)

    def _completed(
        self, whole: Whole, fold: Starts, pool: Pool, source: str, notes: list[str], *, exact: bool = True
    ) -> Evaluation:
        found = pool.evaluation(beta=self.beta)
        if sum(map(len, whole.texts)) > MOST_BYTES:
            notes = [*notes, "Near-copies were not looked for, because the data is too large."]
            return replace(found, source=source, notes=notes)
        copies = straddling_folds(whole, fold, pool.rows, pool.right, exact=exact)
        return replace(found, source=source, notes=notes, copies=copies)


_CHOSEN = (
    "The options were chosen by the same scores, so the figures are slightly too good: cross-validation chooses them "
    "again in each fold."
)


def _with_words(mistakes: list[Mistake], model: NaiveBayes, whole: Whole, groups: Starts) -> list[Mistake]:
    """The mistakes of a leave-one-out with their words, by the model without the document, its copies and its group.

    ``groups`` are the numbers of the groups of all rows. The model ends as it was.
    """
    texts = np.array(whole.texts, object)
    found = []
    for each in mistakes:
        left = whole.chosen(whole.counts & ((groups == groups[each.row]) | (texts == texts[each.row])))
        model.forget(left.texts, left.labels, left.weights)
        words = model._words_for(replace(each, text=whole.texts[each.row]))
        model.learn(left.texts, left.labels, left.weights)
        found.append(replace(each, words=words))
    return found


def _notes(untested: list[Label]) -> list[str]:
    if not untested:
        return []
    classes = counted(len(untested), "class was", "classes were")
    return [
        f"{classes} learned, but not tested, because no other row has the class: {named(untested, _NAMED, repr)}."
    ]
