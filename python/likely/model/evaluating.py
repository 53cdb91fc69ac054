"""`Evaluating`: the methods that compare predictions with gold labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack, cast

import numpy as np

from likely.arrow_data import listed_texts
from likely.errors import LengthError, UnknownOptionError
from likely.labels import python_labels, unequal
from likely.model.predictions import Predictions
from likely.options.table import OF_LEARNING
from likely.scoring.reliability import SHOWN_THRESHOLDS, coverage_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from likely.evaluation.evaluation import Evaluation, Mistake
    from likely.options.typed import ReadingOptions
    from likely.reading import Corpus
    from likely.scoring.reliability import Coverage
    from likely.types import (
        Abstain,
        Array,
        LabelArray,
        Labels,
        Places,
        Prior,
        Rows,
        SampleWeight,
        Source,
        TextRows,
        Texts,
    )

WORDS = 8
"""At most this many words are named that spoke for a mistake."""


class Evaluating(Predictions):
    """The methods for texts with gold labels. This class has no state of its own."""

    def score(self, texts: Texts | Rows, labels: Labels, sample_weight: SampleWeight | None = None) -> float:
        """The accuracy: the (weighted) share of texts whose predicted class is the gold label."""
        from likely.evaluation.evaluate import accuracy

        return accuracy(labels, self.predict(texts, abstain=0), sample_weight)

    def evaluate(
        self,
        texts: Texts | Source,
        labels: Labels | None = None,
        *,
        beta: float = 1.0,
        prior: Prior | None = None,
        abstain: Abstain | None = None,
        keep: bool = False,
        **reading: Unpack[ReadingOptions],
    ) -> Evaluation:
        """Predict all texts, and compare the predictions with the gold labels.

        Parameters
        ----------
        texts
            Texts as for `fit`; or, without ``labels``, a source of labelled texts as for `likely.train`.
        labels : optional
            The gold labels.
        beta : float
            The weight of recall relative to precision in the F-measure.
        prior : {"fitted", "uniform"} or mapping, optional
            As for `predict`.
        abstain : float or mapping, optional
            As for `predict`, but by default the model does not abstain, even if it has the option ``abstain``.
        keep : bool
            Whether the evaluation keeps texts, probabilities and predictions (`Evaluation.answers`), for reports and
            comparisons. Without it, only the texts of the ten worst mistakes are kept.
        **reading
            How to read a source, as for `learn`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> evaluation = model.evaluate(["good", "dull", "fun"], ["+", "-", "-"])
        >>> evaluation.accuracy, [(mistake.row, mistake.words[0][0]) for mistake in evaluation.mistakes]
        (0.6666666666666666, [(2, 'fun')])
        """
        if labels is not None:
            rows = listed_texts(self._texts(cast("Texts", texts)))
            return self._evaluate([(rows, python_labels(labels))], beta, prior, abstain, keep=keep)
        from likely.reading import corpus_of

        for name in OF_LEARNING:
            if name in reading:
                raise UnknownOptionError(f"{name} has no effect on an evaluation, which learns nothing: leave it out")
        corpus = corpus_of(cast("Source", texts), reading)
        corpus.part = "test"
        with corpus.told():
            return self.evaluate_corpus(corpus, beta=beta, prior=prior, abstain=abstain, keep=keep)

    def evaluate_corpus(
        self,
        corpus: Corpus,
        *,
        beta: float = 1.0,
        prior: Prior | None = None,
        abstain: Abstain | None = None,
        keep: bool = False,
    ) -> Evaluation:
        """As `evaluate`, for a corpus that the caller has opened."""
        classes = self._scorer().classes.labels
        kind = type(classes[0])
        corpus.expect(self._state.columns, classes)
        batches = ((batch.texts, batch.labels_as(kind)) for batch in corpus)
        return self._evaluate(batches, beta, prior, abstain, keep=keep)

    def _evaluate(
        self,
        batches: Iterable[tuple[TextRows, Labels]],
        beta: float,
        prior: Prior | None,
        abstain: Abstain | None = None,
        *,
        keep: bool = False,
    ) -> Evaluation:
        from likely.evaluation.evaluate import Judge, evaluate_batches

        scorer = self._scorer()  # one for all batches: the model may learn meanwhile
        judge, watch = Judge(scorer.classes.array, keep=keep), self.watch(prior=prior)
        threshold = None if abstain is None else self._threshold(abstain)

        def predicted(texts: TextRows, labels: Labels) -> LabelArray:
            logs, best = scorer.watched_answers(texts, prior, threshold, watch)
            return judge.predicted(logs, labels, best, texts)

        answered = ((labels, predicted(texts, labels)) for texts, labels in batches)
        evaluation = evaluate_batches(answered, beta=beta, classes=scorer.classes.labels, keep=keep)
        return judge.completed(evaluation, watch.shift(), self.words_for)

    def answers_of(
        self, texts: TextRows, *, prior: Prior | None = None, abstain: Abstain | None = None
    ) -> tuple[Array, Places]:
        """The log-probabilities of the classes, and the place of the predicted class (-1 if the model abstains).

        There is one row, or one element, per text. As for `evaluate`, the option ``abstain`` is not used.
        """
        threshold = None if abstain is None else self._threshold(abstain)
        return self._scorer().watched_answers(texts, prior, threshold, self.watch(prior=prior))

    def words_for(self, mistake: Mistake) -> list[tuple[str, float]]:
        """The words of a mistake that spoke most for the prediction against the gold label."""
        found = self.explain(mistake.text or "")
        if not {mistake.predicted, mistake.gold} <= set(found.classes):  # the model has forgotten one meanwhile
            return []
        pairs = (
            (each.term, each.contribution[mistake.predicted] - each.contribution[mistake.gold])
            for each in found.terms
        )
        return sorted((pair for pair in pairs if pair[1] > 0), key=lambda pair: -pair[1])[:WORDS]

    def coverage_table(
        self, texts: Texts | Rows, labels: Labels, thresholds: Sequence[float] = SHOWN_THRESHOLDS
    ) -> list[Coverage]:
        """The share of texts that are answered, and of answers that are right, for each threshold of abstaining.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> model.coverage_table(["good", "dull", "dull fun"], ["+", "-", "-"], [0.0, 0.61])[1]
        Coverage(threshold=0.61, coverage=0.6666666666666666, accuracy=1.0)
        """
        answers, probabilities = self.predict_top(texts, 1)
        gold = python_labels(labels)
        if not len(answers):
            raise LengthError("there are no texts: give at least one text")
        if len(gold) != len(answers):
            raise unequal(len(gold), len(answers))
        pairs = zip(answers[:, 0].tolist(), gold, strict=True)
        return coverage_at(probabilities[:, 0], np.array([a == b for a, b in pairs], np.bool_), thresholds)
