"""What a model says of itself: honest scores of what it learned, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from likely.analysis.analyzer import thread_count
from likely.errors import LengthError, NotLearnedError, OptionError
from likely.explanation.independence import Independence, independence
from likely.explanation.mislabelled import Suspect, suspects
from likely.labels import python_labels
from likely.model.predictor import Predictor
from likely.reading.sampling import Sampler, folds_of, in_memory
from likely.scoring.abstain import SHOWN, Coverage, coverage_at
from likely.scoring.calibration_record import calibrated
from likely.scoring.class_shares import estimate_shares
from likely.scoring.leave_one_out import LeftOut, leave_one_out
from likely.vectorize.rows import rows_of
from likely.weighing.nbsvm import cross_scores
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from likely.types import Array, Label


CALIBRATED_ON = 5_000
"""Two numbers are fitted: more documents would only take longer."""
CROSS_VALIDATED_ON = 20_000
"""Where a model has to be learned from the others for that, few documents would make it look worse than it is."""


def calibrated_on(variant: str) -> int:
    """On how many documents a model is calibrated, at the most."""
    return CROSS_VALIDATED_ON if variant == LEARNED else CALIBRATED_ON


class Examiner(Predictor):
    """What a model finds out about itself and the data. `NaiveBayes` adds evaluation, explanation and files."""

    def leave_one_out(self, texts: Any, labels: Any) -> Array:
        """The scores that learned documents would get from a model that never saw them, each left out in turn.

        As `predict_joint_log_proba` of a model of all other documents, but without training it: the document's own
        counts are taken from its class, the vocabulary and the prior, and words that only it had are gone. So it is
        an honest test on the training data. A class whose only document is left out is impossible.

        Parameters
        ----------
        texts, labels
            Documents that were learned, with the weight 1, and their labels.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> texts, labels = ["good fun", "good end", "bad plot", "bad joke"], ["+", "+", "-", "-"]
        >>> model = NaiveBayes().fit(texts, labels)
        >>> model.classes_[model.leave_one_out(texts, labels).argmax(axis=1)]
        array(['+', '+', '-', '-'], dtype='<U1')
        """
        return self._left_out(texts, labels).joint

    def _check_can_leave_out(self) -> None:
        self._check_additive(
            "left out", "try it by cross-validation: fit it to some documents, evaluate it on others"
        )

    def _left_out(self, texts: Any, labels: Any) -> LeftOut:
        self._check_can_leave_out()
        with self._lock:
            self._check_fitted()
            return leave_one_out(self._counts, self._rules(None), texts, labels, thread_count(self.threads))

    def fit(self, texts: Any, labels: Any, sample_weight: Any = None) -> Self:
        """Learn from labelled texts, and from nothing else: what was learned before is dropped.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            A list, tuple or generator; a numpy array; a pandas or polars Series; anything with
            ``__arrow_c_stream__`` or ``__arrow_c_array__``.
        labels : iterable of str, int or bool
            As many, all of one kind.
        sample_weight : iterable of numbers >= 0, optional
            How often each document counts. A document of weight 0 is as if it were not there.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(ngrams=(1, 2)).fit(["so so", "so good"], [0, 1]).vocabulary_
        ['good', 'so', 'so good', 'so so']
        """
        if not self.calibrate:
            return super().fit(texts, labels, sample_weight)
        if sample_weight is not None:
            raise OptionError("calibrate=True needs documents of weight 1: leave sample_weight out, or calibrate")
        texts, labels = in_memory(texts, labels)
        sampler = Sampler(calibrated_on(self.variant))
        sampler.add(texts, labels)
        sample = sampler.sample()
        return super().fit(texts, labels).fit_calibration(sample.texts, sample.labels)

    def fit_calibration(self, texts: Any, labels: Any) -> Self:
        """Fit probabilities that mean something, from learned documents.

        From then on `predict_proba` gives P(c given text) ~ exp(tau * score / (length ** gamma * spread ** delta)),
        the numbers fitted by log-loss to the scores of `leave_one_out` (where documents cannot be left out singly,
        of cross-validation); the raw scores stay those of `predict_joint_log_proba`. It holds as long as the options
        stay as they are. What is learned later changes it little: fit it anew now and then.

        Parameters
        ----------
        texts, labels
            Documents that were learned, with the weight 1, and their labels: all, or some thousand of them.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> model = NaiveBayes().fit(texts, labels).fit_calibration(texts, labels)
        >>> model.calibration_.after["log_loss"] < model.calibration_.before["log_loss"]
        True
        """
        labels = python_labels(labels)
        own = self._places(labels)
        left = self._cross_validated(texts, own) if self._rules(None).learned else self._left_out(texts, labels)
        self._set_calibrated(calibrated(left.joint, left.length, own))
        return self

    def _places(self, labels: list[Label]) -> npt.NDArray[np.intp]:
        labels_here = [self._counts.index.labels[number] for number in self._counts.live()]
        places = {label: place for place, label in enumerate(labels_here)}
        strange = [label for label in labels if label not in places]
        if strange:
            raise NotLearnedError(f"the label {strange[0]!r} was never learned: give documents that were")
        return np.array([places[label] for label in labels], np.intp)

    def _cross_validated(self, texts: Any, own: npt.NDArray[np.intp]) -> LeftOut:
        """As `_left_out` where documents cannot be taken out one by one: a fold of them at a time."""
        counts, threads = self._counts, thread_count(self.threads)
        rows, folds = rows_of(counts, texts, threads), folds_of(texts)
        joint = cross_scores(counts, rows, own.astype(np.uint32), folds, self._rules(None), threads)
        return LeftOut(joint, np.ones(len(joint)))

    def suspects(self, texts: Any, labels: Any, n: int | None = None) -> list[Suspect]:
        """Learned documents whose label is probably wrong, worst first, with the terms that speak against it.

        Judged by what `leave_one_out` says of each: a share of the labels is taken to be wrong at random, and that
        share, like the calibration of the scores, is the one that makes the labels most probable. The better the
        model, the more it finds: tune it first.

        Parameters
        ----------
        texts, labels
            Documents that were learned, with the weight 1, and their labels: best all of them.
        n : int, optional
            So many at most, as long as another class has a better score than the label; else as many as make the
            expected F1 of the list best, which is about as many as there are wrong labels.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> labels[7] = "positive"  # it was negative
        >>> worst = NaiveBayes().fit(texts, labels).suspects(texts, labels)[0]
        >>> worst.row, worst.suggested, worst.terms[0][0]
        (7, 'negative', 'broken')
        """
        self._check_can_leave_out()
        return self._ask(suspects, texts, labels, n, thread_count(self.threads))

    def independence(self, texts: Any, labels: Any = None, n: int = 20) -> Independence:
        """Which terms break the naive assumption most: that within a class they come independently of each other.

        Of the terms that tell most about the class, some hundred, the pairs that are in the same texts more often
        (or less) than their frequencies in each class would have it; how much of what they say is counted twice; and
        how often the same evidence is counted on average, all terms together.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            As for `predict`: learned ones, or others.
        labels : iterable of str, int or bool, optional
            Their classes; if not given, those that the model predicts.
        n : int
            How many pairs, at most.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> texts = ["hong kong", "hong kong trade", "trade", "paris", "paris trade", "rome"]
        >>> labels = ["asia"] * 3 + ["europe"] * 3
        >>> found = NaiveBayes().fit(texts, labels).independence(texts, labels, n=1)
        >>> worst = found.pairs[0]
        >>> worst.a, worst.b, worst.documents, round(worst.expected, 2), round(worst.double_counted, 2)
        ('hong', 'kong', 2, 1.33, 1.61)
        """
        texts = list(texts) if isinstance(texts, Iterator) else texts
        known = self.predict(texts, abstain=0.0).tolist() if labels is None else python_labels(labels)
        return self._ask(independence, texts, known, n, thread_count(self.threads))

    def coverage_table(self, texts: Any, labels: Any, thresholds: Any = SHOWN) -> list[Coverage]:
        """What answering only from a probability on would mean for labelled texts, threshold by threshold.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> model.coverage_table(["good", "dull", "dull fun"], ["+", "-", "-"], [0.0, 0.61])[1]
        Coverage(threshold=0.61, coverage=0.6666666666666666, accuracy=1.0)
        """
        answers, probabilities = self.predict_top(texts, 1)
        labels = python_labels(labels)
        if not len(answers):
            raise LengthError("there are no texts to make a table of: give some")
        if len(labels) != len(answers):
            raise LengthError(f"there are {len(answers)} texts but {len(labels)} labels: give one label a text")
        pairs = zip(answers[:, 0].tolist(), labels, strict=True)
        return coverage_at(probabilities[:, 0], np.array([a == b for a, b in pairs], np.bool_), thresholds)

    def estimate_prior(self, texts: Any) -> dict[Label, float]:
        """How the classes are shared out in texts without labels, to be given as ``prior``.

        Training data often has other shares than the world: half of it may be spam. By expectation and maximization
        (Saerens, Latinne and Decaestecker 2002) the shares are found that make the texts most probable. It needs
        probabilities that mean something, so a calibrated model.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"])
        >>> shares = model.estimate_prior(["good", "fun", "good fun", "dull plot"])
        >>> shares["+"] > 0.6
        True
        >>> model.predict(["unheard of"], prior=shares)
        array(['+'], dtype='<U1')
        """
        classes, blocks = self._probabilities(texts, None, None, lambda logs, length, classes: logs)
        if not blocks:
            raise LengthError("there are no texts to estimate the shares of the classes from: give some")
        shares = estimate_shares(np.concatenate(blocks), classes.log_prior)
        return dict(zip(classes.labels, shares.tolist(), strict=True))
