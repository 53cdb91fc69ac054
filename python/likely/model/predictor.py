"""What a model says of new texts: scores, probabilities, classes, or nothing where it is not sure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely.analysis.analyzer import thread_count
from likely.errors import OptionError
from likely.formulas import log_posterior, log_prior, possible
from likely.model.questions import Knowledge
from likely.options.kinds import is_whole
from likely.options.table import OPTIONS
from likely.scoring.abstain import Threshold, threshold_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.evaluation.trials import Tuning
    from likely.scoring.calibration_record import Calibrated
    from likely.types import Array
    from likely.weighing.weights import Classes, Weights


class Predictor(Knowledge):
    """What can be asked about texts. `NaiveBayes` adds what a model says of itself."""

    def _joint(
        self, texts: Any, alpha: float | None, reduce: Callable[[Array, Classes], Any]
    ) -> tuple[Classes, list[Any]]:
        """The classes of one moment, and what ``reduce`` made of the scores of each batch of texts."""
        weights = self._weigh(alpha)
        classes = weights.classes
        return classes, weights.score(
            classes, texts, thread_count(self.threads), lambda joint: reduce(joint, classes)
        )

    def _probabilities(
        self, texts: Any, alpha: float | None, prior: Any, reduce: Callable[[Array, Array, Classes], Any]
    ) -> tuple[Classes, list[Any]]:
        """The same with the logarithms of probabilities, and lengths: calibrated, if the model is."""
        weights = self._weigh(alpha)
        classes, to_logs = weights.classes, self._to_logs(weights, alpha, prior)

        def of_batch(scores: Array) -> Any:
            joint, length = scores[:, :-1], scores[:, -1]
            return reduce(to_logs(joint, length), length, classes)

        return classes, weights.score(classes, texts, thread_count(self.threads), of_batch, lengths=True)

    def _to_logs(self, weights: Weights, alpha: float | None, prior: Any) -> Callable[[Array, Array], Array]:
        """What makes the logarithms of probabilities of scores and lengths."""
        classes = weights.classes
        shift = None if prior is None else _shift(classes, prior)
        fitted = None if alpha is not None else self._calibrated_for(weights.rules)

        def to_logs(joint: Array, length: Array) -> Array:
            if fitted is None:
                return log_posterior(joint if shift is None else joint + shift, classes.log_prior)
            logs = fitted.calibration.log_probabilities(joint, length)
            return logs if shift is None else log_posterior(logs + shift, classes.log_prior + shift)

        return to_logs

    @property
    def tuning_(self) -> Tuning | None:
        """How `likely.train` chose the options: what was tried, and how good each was; None if it did not."""
        return self._tuning

    @property
    def calibration_(self) -> Calibrated | None:
        """How probabilities are calibrated, and what that changed; None if they are not.

        None also after an option has changed that the scores depend on.
        """
        return self._calibrated and self._calibrated_for(self._rules(None))

    def predict(
        self, texts: Any, *, alpha: float | None = None, prior: Any = None, abstain: Any = None
    ) -> npt.NDArray[Any]:
        """The most probable class of each text; of equally probable ones the first in `classes_`.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            As for `fit`.
        alpha : float, optional
            Smooth with this instead of the model's alpha, for this call; probabilities are then not calibrated.
        prior : {"fitted", "uniform"} or mapping, optional
            P(class) where these texts come from, if that is not as in the training data.
        abstain : float or mapping, optional
            None instead of a class where the best one is less probable than this; or where it is not
            ``{"margin": ...}`` more probable than the next; or so that of the answers a share of
            ``{"precision": ...}`` is right, as on the training data. Then a text without known words gets None as
            well. If not given, as the model's option says; 0 for an answer always.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good", "bad"], [True, False])
        >>> model.predict(["good", "bad bad", ""])
        array([ True, False, False])
        >>> model.predict(["good", "bad bad", ""], abstain=0.7)
        array([None, False, None], dtype=object)
        """
        threshold = self._threshold(abstain)
        if threshold is None and prior is None:
            classes, best = self._joint(texts, alpha, most_probable)
            labels: npt.NDArray[Any] = classes.array[_joined(best, np.zeros(0, np.intp))]
            return labels
        classes, parts = self._probabilities(texts, alpha, prior, lambda *found: _answers(threshold, *found))
        places = _joined(parts, np.zeros(0, np.intp))
        answers: npt.NDArray[Any] = classes.array[places]
        if threshold is None:
            return answers
        answers = answers.astype(object)
        answers[places < 0] = None
        return answers

    def _threshold(self, abstain: Any) -> Threshold | None:
        abstain = self.abstain if abstain is None else abstain
        if abstain is None:
            return None
        OPTIONS["abstain"].check(abstain)
        found = self.calibration_
        return threshold_of(abstain, found.curve if found else None)

    def predict_joint_log_proba(self, texts: Any, *, alpha: float | None = None, prior: Any = None) -> Array:
        """Log P(c) + sum of log P(w given c) over the known words, a row a text, a column a class.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> np.exp(model.predict_joint_log_proba(["good"])) * [2 * 5, 2 * 4]
        array([[2., 1.]])
        """
        classes, blocks = self._joint(texts, alpha, lambda joint, classes: joint)
        joint: Array = _joined(blocks, np.zeros((0, len(classes.labels))))
        return joint if prior is None else joint + _shift(classes, prior)

    def predict_log_proba(self, texts: Any, *, alpha: float | None = None, prior: Any = None) -> Array:
        """Log P(c given text), a row a text, a column a class."""
        classes, blocks = self._probabilities(texts, alpha, prior, lambda logs, length, classes: logs)
        logs: Array = _joined(blocks, np.zeros((0, len(classes.labels))))
        return logs

    def predict_proba(self, texts: Any, *, alpha: float | None = None, prior: Any = None) -> Array:
        """P(c given text), a row a text, a column a class; calibrated, if the model is.

        Parameters
        ----------
        texts, alpha, prior
            As for `predict`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> model.predict_proba(["unheard of"])
        array([[0.5, 0.5]])
        >>> model.predict_proba(["unheard of"], prior={"+": 0.9, "-": 0.1})
        array([[0.9, 0.1]])
        """
        return np.exp(self.predict_log_proba(texts, alpha=alpha, prior=prior))

    def predict_top(self, texts: Any, n: int = 1, *, prior: Any = None) -> tuple[npt.NDArray[Any], Array]:
        """The most probable classes of each text, the best first, and their probabilities.

        Parameters
        ----------
        texts, prior
            As for `predict`.
        n : int
            How many classes; all, if there are no more.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
        >>> labels, probabilities = model.predict_top(["dull dull"], 2)
        >>> labels
        array([['-', '+']], dtype='<U1')
        >>> probabilities.round(4)
        array([[0.8621, 0.1379]])
        """
        if not is_whole(n) or n < 1:
            raise OptionError(f"n={n!r} is not allowed: n must be a whole number from 1 up")
        classes, blocks = self._probabilities(texts, None, prior, lambda logs, *_: most_probable_first(logs, n))
        if not blocks:
            return classes.array[np.zeros((0, n), np.int64)], np.zeros((0, n))
        places, probabilities = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return classes.array[places], probabilities


def _joined(parts: list[Any], none: Any) -> Any:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else none


def _shift(classes: Classes, prior: Any) -> Array:
    """What another prior adds to the scores of the classes (Saerens, Latinne and Decaestecker 2002, section 2.2)."""
    OPTIONS["prior"].check(prior)
    if classes.variant.normalized and prior != "uniform":
        raise OptionError("prior has no effect with variant='complement_normalized': its weights are none to weigh")
    with np.errstate(invalid="ignore"):
        shift: Array = log_prior(classes.totals.documents, classes.labels, prior) - classes.log_prior
    return np.where(np.isnan(shift), -np.inf, shift)


def _answers(threshold: Threshold | None, logs: Array, length: Array, classes: Classes) -> npt.NDArray[np.intp]:
    """The place of the most probable class, -1 where that is not sure enough."""
    best: npt.NDArray[np.intp] = logs.argmax(axis=1)
    return best if threshold is None else np.where(threshold.unsure(logs, length), -1, best)


def most_probable_first(logs: Array, n: int) -> tuple[npt.NDArray[np.intp], Array]:
    """The places of the ``n`` most probable classes in each row, the best first, and their probabilities."""
    places = np.argsort(-logs, axis=1, kind="stable")[:, :n]
    return places, np.exp(np.take_along_axis(logs, places, axis=1))


def most_probable(joint: Array, classes: Classes) -> Any:
    """The place of the most probable class in each row; of equally probable ones the first."""
    # Also where a text is impossible for every class.
    return (joint if classes.certain else possible(joint, classes.log_prior)).argmax(axis=1)
