"""`Shifts`: the methods that compare texts with the training data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack, cast

from likely.scoring.shift import ShiftWatch
from likely.weighing.usual import usual_unknown

if TYPE_CHECKING:
    from likely.evaluation.drift import Drift
    from likely.model.naive_bayes import NaiveBayes
    from likely.model.settled import Settled
    from likely.model.state import State
    from likely.options.typed import ReadingOptions
    from likely.scoring.scorer import Scorer
    from likely.scoring.shift import Shift
    from likely.types import Label, Labels, Prior, Rows, Source, Texts
    from likely.weighing.classes import Classes


class Shifts:
    """The methods for texts that may be unlike the training data. This class has no state of its own."""

    _state: State

    def _settle(self) -> Settled:
        raise NotImplementedError

    def _texts(self, texts: Texts | Rows) -> Texts:
        raise NotImplementedError

    def _scorer(self, alpha: float | None = None) -> Scorer:
        raise NotImplementedError

    def estimate_prior(self, texts: Texts | Rows) -> dict[Label, float]:
        """The share of each class in texts without labels, which can be given as ``prior``.

        The shares in the training data are often not those of the texts to classify. Expectation maximization
        (Saerens, Latinne and Decaestecker 2002) finds the shares that make the texts most probable. The probabilities
        of the model should be calibrated.

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
        return self._scorer().estimate_prior(self._texts(texts), self._implied_prior())

    def _implied_prior(self) -> list[float] | None:
        """The prior that calibrated probabilities imply; None if the model is not calibrated."""
        record = self._state.calibration_for(self._settle().rules)
        return None if record is None else record.prior

    def shift(self, texts: Texts | Rows, *, prior: Prior | None = None) -> Shift:
        """How far texts are from the training data: unknown terms and shares of the classes, with a ``warning``.

        The share of unknown terms is compared with that of learned documents, each left out in turn. The shares of
        the classes are estimated as in `estimate_prior`, from a sample of the texts. ``warning`` is None, or it says
        what is wrong and what to do.

        Parameters
        ----------
        texts, prior
            As for `predict`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> model = NaiveBayes(calibrate=True).fit(*load_sample())
        >>> model.shift(["The plot is good.", "A dull film."]).warning is None
        True
        >>> model.shift(["Das Wetter bleibt morgen trocken und warm."]).warning[:28]
        '86% of the terms are unknown'
        """
        watch = self.watch(prior=prior)
        self._scorer().watched_log_probabilities(self._texts(texts), prior, watch)
        return watch.shift()

    def watch(self, *, prior: Prior | None = None) -> ShiftWatch:
        """A watch for texts that come in batches: `predict_all` shows it the texts, its `shift` is as here.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> watch = model.watch()
        >>> model.predict_all(["so good"], watch=watch).answers
        array(['+'], dtype='<U1')
        >>> watch.shift().unknown
        0.5
        """
        with self._state.lock:
            classes = self._scorer().classes
            return ShiftWatch(classes, self._usual(classes), self._implied_prior(), prior)

    def drift(
        self,
        texts: Texts | Source,
        labels: Labels | None = None,
        *,
        prior: Prior | None = None,
        **reading: Unpack[ReadingOptions],
    ) -> Drift:
        """Whether texts have moved away from the training data: checks with stated bounds.

        The checks are the share of unknown terms, the shares of the classes, and the share of the frequent terms that
        are more or less frequent than in training; with labels, also the accuracy and the calibration. Texts in files
        are read once, and only a sample of them is kept.

        Parameters
        ----------
        texts
            Texts as for `predict`; or a source as for `likely.train`, whose labels are read if it has the column that
            the model was trained on.
        labels : optional
            The gold labels, if they are known.
        prior : {"fitted", "uniform"} or mapping, optional
            As for `predict`.
        **reading
            How to read a source, as for `learn`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> model = NaiveBayes(calibrate=True).fit(texts[:240], labels[:240])
        >>> model.drift(texts[240:], labels[240:]).is_drifted
        False
        >>> found = model.drift(["Das Wetter bleibt morgen trocken und warm."] * 20)
        >>> [check.name for check in found.checks if check.is_drifted]
        ['unknown terms', 'class shares', 'moved terms']
        """
        from likely.evaluation.drift import drift_of_texts

        return drift_of_texts(cast("NaiveBayes", self), texts, labels, prior, reading)

    def _usual(self, classes: Classes) -> float | None:
        """The share of the terms of new texts that is usually unknown; None if it is not known."""
        record = self._state.calibration_for(self._settle().rules)
        if record is None or record.unknown is None or record.changed or classes.terms.counts.dropped:
            return usual_unknown(classes.terms)
        return record.unknown  # it was counted without copies, which the counts do not show
