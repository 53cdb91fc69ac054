"""Labelled texts to measurements of the models that training makes of them: checks, evaluations, learning curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from likely.evaluation.check import EXAMPLES, DataCheck, check_corpus, check_rows
from likely.evaluation.cross_validation import CrossValidation
from likely.evaluation.curve import LearningCurve, curve_of_batches
from likely.model.naive_bayes import NaiveBayes
from likely.model.train import divided, documents_of, train_documents, training_options
from likely.reading.corpus import Corpus, corpus_of
from likely.reading.rows import Labelled, Whole, in_memory
from likely.training.fit import Documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from likely.evaluation.evaluation import Evaluation
    from likely.types import Label, Labels, Source, Texts


FOLDS = 10
"""The number of folds of a cross-validation, if it is not given."""
SHARE = 0.2
"""The share of the rows that are held out, if it is not given."""


def check(
    source: Source | Texts | None = None,
    labels: Labels | None = None,
    *,
    top: int = EXAMPLES,
    **reading: object,
) -> DataCheck:
    """Look for problems in labelled texts, before you train a model on them.

    Check the class sizes, copies, equal texts with different labels, documents
    without words, labels that look like mistakes, words that leak the label, traces of a wrong encoding, and
    documents that are probably mislabelled. All rows are held in memory, with about 500 bytes more per short text.

    Parameters
    ----------
    source, labels
        As for `likely.train`.
    top : int
        At most this many examples per finding.
    **reading
        How to read a source, as for `likely.train`.

    Examples
    --------
    >>> found = check(["good fun", "Good fun!", "so dull", "dull plot"], ["pos", "neg", "neg", "neg"])
    >>> [(each.kind, each.rows) for each in found.serious]
    [('contradictions', 2)]
    """
    if labels is not None:
        return check_rows(Whole.of([in_memory(cast("Texts", source), labels)]), [], fit_plain, top)
    return check_corpus(corpus_of(cast("Source", source), reading), fit_plain, top)


def fit_plain(texts: list[str], labels: list[Label]) -> NaiveBayes:
    """The textbook model of some texts."""
    return NaiveBayes().fit(texts, labels)


def cross_validate(
    source: Source | Texts | None = None,
    labels: Labels | None = None,
    *,
    folds: int = FOLDS,
    beta: float = 1.0,
    keep: bool = False,
    **settings: object,
) -> Evaluation:
    """Evaluate the model that `likely.train` makes, by stratified cross-validation.

    The rows are divided into folds, each with about the same share of every class. Each fold is judged by a model
    that was trained, with all its choices, on the other folds; all predictions together are the evaluation, and
    ``folds`` of the result has the accuracy in each fold. Copies of a text are always in one fold, and, with
    ``group``, all rows of a group. All rows are held in memory.

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
    **settings: object,
) -> Evaluation:
    """Evaluate the model that `likely.train` makes, on a held-out share of the rows of every class.

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
    ('a hold-out of 25%', 120)
    """
    return _evaluated(source, labels, settings, beta, lambda recipe, whole: recipe.held_out(whole, share), keep)


def leave_one_out(
    source: Source | Texts | None = None,
    labels: Labels | None = None,
    *,
    beta: float = 1.0,
    keep: bool = False,
    **settings: object,
) -> Evaluation:
    """Evaluate the model that `likely.train` makes, each row by the model without it.

    The scores are exact, as if a model had been trained on all other rows (`NaiveBayes.leave_one_out`).
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
    way: Callable[[CrossValidation, Whole], Evaluation],
    keep: bool,
) -> Evaluation:
    reading, options, plain = divided(settings, reads=labels is None)
    recipe = CrossValidation(trainer(options, plain=plain), "abstain" in options, beta, keep)
    if labels is not None:
        return way(recipe, Whole.of([in_memory(cast("Texts", source), labels)]))
    corpus = corpus_of(cast("Source", source), reading)
    with corpus.reporting():
        return way(recipe, Whole.of(corpus.training_batches(afresh=True)))


def learning_curve(
    source: Source | Texts | None = None, labels: Labels | None = None, **settings: object
) -> LearningCurve:
    """Measure accuracy against the number of documents.

    The documents are put into a random order that depends on their texts alone, and models learn all of them, the
    first half, the first quarter and so on. Since counts add up, each document is counted once for all of these. The
    same documents are judged by models of all sizes, each by leave-one-out: by a model without the document, its
    copies and its group. Small models are made of several parts of the judged documents.

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
    """
    reading, options, plain = divided(settings, reads=labels is None)
    if labels is not None:
        return curve_of(Documents.held(cast("Texts", source), labels).batches, options, plain=plain)
    corpus = corpus_of(cast("Source", source), reading)
    with corpus.reporting():
        return curve_of(corpus.training_batches(afresh=True), options, plain=plain)


def curve_of(batches: Iterable[Labelled], options: Mapping[str, object], *, plain: bool = False) -> LearningCurve:
    """The learning curve of documents in batches."""
    return curve_of_batches(batches, NaiveBayes(**training_options(options, plain=plain)), options)


def trainer(options: Mapping[str, object], *, plain: bool = False) -> Callable[[Whole], NaiveBayes]:
    """A function that trains the model of some rows."""
    return lambda whole: train_documents(Documents.held(*whole.labelled()), options, plain=plain)


def train_again(model: NaiveBayes, corpus: Corpus) -> NaiveBayes:
    """The model, fitted again to a corpus with the options that it has."""
    return model._fit_again(documents_of(corpus))._remember(corpus)
