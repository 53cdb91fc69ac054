"""`Scorer`: the scores, probabilities and classes of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from likely.errors import LengthError, OptionError
from likely.formulas import log_posterior, log_prior, possible
from likely.options.table import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from likely.scoring.abstain import Threshold
    from likely.scoring.calibration import Calibration
    from likely.types import Array, Label, LabelArray, Places, Prior, Texts
    from likely.weighing.classes import Classes
    from likely.weighing.weights import Weights

T = TypeVar("T")
N = TypeVar("N", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores texts with the weights of one moment. Probabilities are calibrated if there is a calibration.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.weighing.moment import Moment
    >>> snapshot = NaiveBayes().fit(["good fun", "dull"], ["+", "-"]).snapshot()
    >>> Scorer(Moment(snapshot.counts, snapshot.rules).weights, None, threads=1).classes(["dull"])
    array(['-'], dtype='<U1')
    """

    weights: Weights
    calibration: Calibration | None
    threads: int

    def classes(self, texts: Texts) -> LabelArray:
        """The most probable class of each text; of equally probable classes the first."""
        classes = self.weights.classes
        found = self.weights.score(classes, texts, self.threads, lambda joint: most_probable(joint, classes))
        labels: LabelArray = classes.array[_joined(found, np.zeros(0, np.intp))]
        return labels

    def answers(self, texts: Texts, prior: Prior | None, threshold: Threshold | None) -> LabelArray:
        """The most probable class of each text; None if it does not reach the threshold."""
        classes, parts = self._probabilities(texts, prior, lambda logs, length: _answered(logs, length, threshold))
        places = _joined(parts, np.zeros(0, np.intp))
        answers: LabelArray = classes.array[places]
        if threshold is None:
            return answers
        return np.where(places < 0, None, answers.astype(object))  # type: ignore[call-overload,no-any-return]

    def joint(self, texts: Texts, prior: Prior | None = None) -> Array:
        """Log P(c, text): one row per text, one column per class."""
        classes = self.weights.classes
        blocks = self.weights.score(classes, texts, self.threads, lambda joint: joint)
        joint = _joined(blocks, np.zeros((0, len(classes.labels))))
        return joint if prior is None else joint + prior_shift(classes, prior)

    def log_probabilities(self, texts: Texts, prior: Prior | None = None) -> Array:
        """Log P(c|text): one row per text, one column per class."""
        classes, blocks = self._probabilities(texts, prior, lambda logs, length: logs)
        return _joined(blocks, np.zeros((0, len(classes.labels))))

    def top(self, texts: Texts, n: int, prior: Prior | None = None) -> tuple[LabelArray, Array]:
        """The ``n`` most probable classes of each text, best first, and their probabilities."""
        classes, blocks = self._probabilities(texts, prior, lambda logs, length: most_probable_first(logs, n))
        if not blocks:
            return classes.array[np.zeros((0, n), np.int64)], np.zeros((0, n))
        places, probabilities = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return classes.array[places], probabilities

    def both(self, text: str) -> tuple[Array, Array | None]:
        """Log P(c, text) of one text, and its calibrated probabilities if there is a calibration."""
        found = self.weights.score(self.weights.classes, [text], 1, lambda scores: scores, lengths=True)[0]
        joint, length = found[:, :-1], found[:, -1]
        if self.calibration is None:
            return joint[0], None
        return joint[0], np.exp(self.calibration.log_probabilities(joint, length))[0]

    def estimate_prior(self, texts: Texts) -> dict[Label, float]:
        """The shares of the classes in texts without labels."""
        from likely.scoring.class_shares import estimate_shares

        classes, blocks = self._probabilities(texts, None, lambda logs, length: logs)
        if not blocks:
            raise LengthError("there are no texts to estimate the shares of the classes from: give at least one text")
        shares = estimate_shares(np.concatenate(blocks), classes.log_prior)
        return dict(zip(classes.labels, shares.tolist(), strict=True))

    def _probabilities(
        self, texts: Texts, prior: Prior | None, reduce: Callable[[Array, Array], T]
    ) -> tuple[Classes, list[T]]:
        """The classes, and the results of ``reduce`` of log-probabilities and lengths: one result per batch."""
        classes = self.weights.classes
        to_logs = self._to_logs(classes, prior)

        def of_batch(scores: Array) -> T:
            joint, length = scores[:, :-1], scores[:, -1]
            return reduce(to_logs(joint, length), length)

        return classes, self.weights.score(classes, texts, self.threads, of_batch, lengths=True)

    def _to_logs(self, classes: Classes, prior: Prior | None) -> Callable[[Array, Array], Array]:
        """The function from scores and lengths to log-probabilities."""
        shift = None if prior is None else prior_shift(classes, prior)
        calibration = self.calibration

        def to_logs(joint: Array, length: Array) -> Array:
            if calibration is None:
                return log_posterior(joint if shift is None else joint + shift, classes.log_prior)
            logs = calibration.log_probabilities(joint, length)
            return logs if shift is None else log_posterior(logs + shift, classes.log_prior + shift)

        return to_logs


def _joined(parts: list[npt.NDArray[N]], none: npt.NDArray[N]) -> npt.NDArray[N]:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else none


def prior_shift(classes: Classes, prior: Prior) -> Array:
    """The difference that another prior makes to the score of each class.

    The formula is that of Saerens, Latinne and Decaestecker (2002), section 2.2.
    """
    OPTIONS["prior"].check(prior)
    if classes.variant.normalized and prior != "uniform":
        raise OptionError("prior has no effect with variant='complement_normalized': its weights do not use a prior")
    with np.errstate(invalid="ignore"):
        shift: Array = log_prior(classes.totals.documents, classes.labels, prior) - classes.log_prior
    return np.where(np.isnan(shift), -np.inf, shift)


def _answered(logs: Array, length: Array, threshold: Threshold | None) -> Places:
    """The place of the most probable class per row; -1 if it does not reach the threshold."""
    best: Places = logs.argmax(axis=1)
    return best if threshold is None else np.where(threshold.unsure(logs, length), -1, best)


def most_probable_first(logs: Array, n: int) -> tuple[Places, Array]:
    """The places of the ``n`` most probable classes per row, best first, and their probabilities."""
    places = np.argsort(-logs, axis=1, kind="stable")[:, :n]
    return places, np.exp(np.take_along_axis(logs, places, axis=1))


def most_probable(joint: Array, classes: Classes) -> Places:
    """The place of the most probable class per row; of equally probable classes the first."""
    # A text may be impossible in every class: then the class with the highest prior is returned.
    best: Places = (joint if classes.certain else possible(joint, classes.log_prior)).argmax(axis=1)
    return best
