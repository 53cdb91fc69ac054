"""`Scorer`: the scores, probabilities and classes of texts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from likely.core.calibration import Calibration, Uncalibrated, spread_of
from likely.core.decisions import Decision, Threshold, decided, fitting_reject_label
from likely.core.weights import DOUBT, KNOWN, LENGTH, TERMS, FrozenWeights, WeighedClasses
from likely.errors import ArgumentError, ImpossibleWarning, OptionError, frames_of_ours
from likely.formulas import log_posterior, log_prior
from likely.labels import label_array
from likely.options.model import MODEL

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from likely.core.shift import Sees
    from likely.types import Array, Label, LabelArray, Mask, Places, Prior, Texts


SLACK = 1e-6
"""What rounding may add to the error of log-odds: it is less."""
MOST_LOG_ODDS = 16.0
"""Above these log-odds, a probability is so close to 1 that rounding may change them by more than the slack."""

ROUNDING = 1e-9
"""What rounding may add to the error of a probability close to 1, where the slack of log-odds changes it by less."""
CERTAIN_LOG_ODDS = 40.0
"""Above these log-odds, a probability is exactly 1."""


def log_odds_doubt(joint: Array, length: Array, doubt: Array, calibration: Calibration | None) -> Array:
    """By how much the log-odds of any class may be wrong, per text, if each of its scores is wrong by ``doubt``.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.core.calibration import Calibration
    >>> joint, length, doubt = np.array([[-8.0, -4.0]]), np.array([4.0]), np.array([0.1])
    >>> log_odds_doubt(joint, length, doubt, None).round(4)
    array([0.2])
    >>> log_odds_doubt(joint, length, doubt, Calibration(1.0, 0.5, 0.0)).round(4)
    array([0.1])
    """
    if calibration is None:
        return 2 * doubt + SLACK
    factors = calibration.factors(joint, length)[:, 0]
    spread = spread_of(joint)
    certain = np.maximum(spread - doubt, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        # A text without known terms has the factor 1, whatever its spread.
        largest = factors * np.where((doubt > 0) & (length > 0), spread / certain, 1.0) ** calibration.delta
        found: Array = 2 * doubt * largest + (largest - factors) * _range(joint) + SLACK
    return np.where(np.isnan(found), np.inf, found)


def _range(joint: Array) -> Array:
    """The largest difference of the scores of each text, over the classes that are possible."""
    is_finite = np.isfinite(joint)
    highest: Array = np.where(is_finite, joint, -np.inf).max(axis=1)
    found: Array = highest - np.where(is_finite, joint, np.inf).min(axis=1)
    return np.where(is_finite.any(axis=1), found, 0.0)


def probability_bounds(log_probabilities: Array, place: int, doubt: Array) -> tuple[Array, Array]:
    """The least and the largest probabilities of the class at ``place``, if the log-odds are wrong by ``doubt``.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = probability_bounds(np.log([[0.5, 0.5], [0.1, 0.9]]), 1, np.array([0.1, 0.1]))
    >>> low.round(3), high.round(3)
    (array([0.475, 0.891]), array([0.525, 0.909]))
    """
    before, after = log_probabilities[:, :place], log_probabilities[:, place + 1 :]
    next_best = np.maximum(before.max(axis=1, initial=-np.inf), after.max(axis=1, initial=-np.inf))
    return _bounds(log_probabilities[:, place], next_best, log_probabilities.shape[1], doubt)


def best_bounds(log_probabilities: Array, doubt: Array) -> tuple[Array, Array]:
    """The least and the largest probabilities of the most probable class, if the log-odds are wrong by ``doubt``.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = best_bounds(np.log([[0.1, 0.9]]), np.array([0.1]))
    >>> low.round(3), high.round(3)
    (array([0.891]), array([0.909]))
    """
    best, next_best = _best_two(log_probabilities)
    return _bounds(best, next_best, log_probabilities.shape[1], doubt)


def _bounds(logs: Array, next_best: Array, classes: int, doubt: Array) -> tuple[Array, Array]:
    """The bounds of probabilities; ``next_best`` are the log-probabilities of the best of the other classes."""
    with np.errstate(divide="ignore"):
        odds = logs - np.log(-np.expm1(logs))
    is_near_one = odds > MOST_LOG_ODDS
    # All other classes together are at most as probable as if each were as probable as the best of them.
    least = np.maximum(logs - next_best - np.log(max(classes - 1, 1)), MOST_LOG_ODDS)
    low, high = np.where(is_near_one, least, odds), np.where(is_near_one, np.inf, odds)
    with np.errstate(invalid="ignore"):  # an impossible class is not certain if the doubt is infinite
        return _widened(low - doubt, -ROUNDING), _widened(high + doubt, ROUNDING)


def _widened(log_odds: Array, rounding: float) -> Array:
    """The probabilities of log-odds, moved by ``rounding`` where they are close to 1, but not certain."""
    small = np.exp(-np.abs(log_odds))  # the exponential of a large number would be infinite
    found: Array = np.where(log_odds < 0, small, 1.0) / (1 + small)
    is_close = (log_odds > 0) & (log_odds < CERTAIN_LOG_ODDS)
    return np.where(is_close, np.minimum(found + rounding, 1.0), found)


def is_best_certain(log_probabilities: Array, doubt: Array) -> Mask:
    """Whether the most probable class of each text is certain, if the log-odds are wrong by at most ``doubt``.

    Examples
    --------
    >>> import numpy as np
    >>> is_best_certain(np.log([[0.6, 0.4], [0.9, 0.1]]), np.array([1.0, 1.0]))
    array([False,  True])
    """
    best, next_best = _best_two(log_probabilities)
    with np.errstate(invalid="ignore"):
        certain: Mask = best - next_best > doubt
    return certain


def _best_two(log_probabilities: Array) -> tuple[Array, Array]:
    """The log-probabilities of the most probable class and of the next one, which may be missing."""
    if log_probabilities.shape[1] < 2:
        return log_probabilities[:, 0], np.full(len(log_probabilities), -np.inf)
    best_two = np.partition(log_probabilities, -2, axis=1)[:, -2:]
    return best_two[:, 1], best_two[:, 0]


T = TypeVar("T")
N = TypeVar("N", bound=np.generic)

LARGEST = float(np.finfo(np.float64).max)
"""The largest finite number."""


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores texts with the weights of one moment. Probabilities are calibrated if there is a calibration.

    The predicted class is the most probable one, unless classes have thresholds (`likely.core.decisions`).

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.core.weights import ModelView
    >>> snapshot = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot()
    >>> Scorer(ModelView(snapshot.counts, snapshot.rules).weights.frozen(), None, threads=1).best(["dull"])
    array(['-'], dtype='<U1')
    """

    weights: FrozenWeights
    calibration: Calibration | None
    threads: int
    prior: Prior | None = None
    """The prior of the model, if it has changed since the calibration; the weights have the one of before."""
    doubt: Uncalibrated | None = None
    """Why probabilities are raw though the model was calibrated."""
    decision: Decision | None = None
    warns: bool = True
    """Whether it warns of texts that are impossible in every class."""

    @property
    def classes(self) -> WeighedClasses:
        """The classes of this moment."""
        return self.weights.classes

    def remembering(self) -> Scorer:
        """The same scorer for one thread and many batches: see `FrozenWeights.remembering`."""
        return replace(self, weights=self.weights.remembering())

    def _score(self, texts: Texts, reduce: Callable[[Array], T], *more: np.uint32) -> list[T]:
        """What ``reduce`` makes of the scores of each batch (`FrozenWeights.score`), or of no rows without texts."""
        found = self.weights.score(texts, self.threads, reduce, *more)
        return found or [reduce(np.zeros((0, len(self.classes.labels) + len(more))))]

    def best(self, texts: Texts) -> LabelArray:
        """The predicted class of each text; of equally probable classes the first."""
        if self.decision is not None or self.prior is not None or not self.classes.certain:
            return self.answers(texts).answers
        shift = score_shift(self.classes, None)
        found = self._score(texts, lambda joint: _plus(joint, shift).argmax(axis=1))
        labels: LabelArray = self.classes.live.array[_joined(found)]
        return labels

    def decided(self, log_probabilities: Array) -> Places:
        """The place of the predicted class, per row of log-probabilities."""
        return decided(log_probabilities, self.decision)

    def _labels(self, places: Places, threshold: Threshold | None, reject_label: Label | None) -> LabelArray:
        """The labels of the classes at these places; where the place is -1, the model abstains."""
        if threshold is None:
            return self.classes.live.array[places]
        if reject_label is None:
            return np.where(places < 0, None, self.classes.live.array[places].astype(object))  # type: ignore[call-overload,no-any-return]
        rejected = fitting_reject_label(self.classes.labels, reject_label)
        return label_array([*self.classes.labels, rejected])[places]  # the place -1 is the last one

    def joint(self, texts: Texts, prior: Prior | None = None) -> Array:
        """Log P(c, text): one row per text, one column per class."""
        shift = score_shift(self.classes, self.prior if prior is None else prior)
        return _joined(self._score(texts, lambda joint: _plus(joint, shift)))

    def log_probabilities(self, texts: Texts, prior: Prior | None = None) -> Array:
        """Log P(c|text): one row per text, one column per class."""
        self._warn_if_raw()
        to_logs = self._to_logs(prior)
        return _joined(self._score(texts, lambda scores: to_logs(scores[:, :-1], scores[:, -1])[0], LENGTH))

    def decisions(self, texts: Texts) -> Array:
        """With two classes, the log-odds of the second: one per text; else the scores: one row per text.

        If the classes have thresholds, the log-odds are shifted, so that they are above 0 where the second class is
        predicted. An infinite number is replaced by the largest finite one, because scikit-learn refuses infinity.
        """
        if len(self.classes.labels) == 2:
            logs = self.log_probabilities(texts)
            decisions = logs[:, 1] - logs[:, 0] if self.decision is None else self.decision.log_odds(logs)
        else:
            decisions = self.joint(texts)
        return np.clip(decisions, -LARGEST, LARGEST)

    def known(self, texts: Texts) -> Array:
        """The share of the terms of each text that are known; 0 for a text without terms."""
        return _joined(self._score(texts, lambda scores: scores[:, -1], KNOWN))

    def answers(
        self,
        texts: Texts,
        n: int = 1,
        *,
        prior: Prior | None = None,
        threshold: Threshold | None = None,
        reject_label: Label | None = None,
        watch: Sees | None = None,
    ) -> Answers:
        """Everything about texts in one pass: the predicted class, and the ``n`` most probable ones.

        ``reject_label`` is the answer if a text does not reach the threshold of abstaining. The watch sees the texts.
        """
        self._warn_if_raw()
        to_logs, width = self._to_logs(prior), min(n, len(self.classes.labels))

        def of_batch(scores: Array) -> tuple[Places, Places, Array, Array, Array, Array, Mask]:
            length, known, terms = scores[:, -3], scores[:, -2], scores[:, -1]
            logs, impossible = to_logs(scores[:, :-3], length)
            if watch is not None:
                watch.see(logs, known, terms)
            best = self.decided(logs)
            answered = best if threshold is None else np.where(threshold.unsure(logs, length, best), -1, best)
            return answered, *most_probable_first(logs, width, best), known, terms, logs, impossible

        found = self._score(texts, of_batch, LENGTH, KNOWN, TERMS)
        columns = found[0] if len(found) == 1 else map(np.concatenate, zip(*found, strict=True))
        best, places, probabilities, known, terms, logs, impossible = columns
        answers, labels = self._labels(best, threshold, reject_label), self.classes.live.array[places]
        return Answers(answers, labels, probabilities, known, terms, logs, best, impossible)

    def rough_answers(self, texts: Texts, prior: Prior | None) -> RoughAnswers | None:
        """What can be said about texts in less time; None if thresholds decide, which need exact probabilities."""
        if self.decision is not None:
            return None
        self._warn_if_raw()
        to_logs, own = self._to_logs(prior), score_shift(self.classes, None)

        def of_batch(scores: Array) -> tuple[Array, Array, Array, Array]:
            joint, length, known, terms, doubt = scores[:, :-4], *scores[:, -4:].T
            logs, _ = to_logs(joint, length)
            return logs, log_odds_doubt(_plus(joint, own), length, doubt, self.calibration), known, terms

        found = self._score(texts, of_batch, LENGTH, KNOWN, TERMS, DOUBT)
        parts = found[0] if len(found) == 1 else map(np.concatenate, zip(*found, strict=True))
        return RoughAnswers(*parts)

    def of_text(self, text: str) -> Scored:
        """The scores of one text, its calibrated probabilities, its class, and the share of its known terms."""
        found = self.weights.score([text], 1, lambda scores: scores, LENGTH, KNOWN)[0]
        raw, length, known = found[:, :-2], found[:, -2], found[:, -1]
        joint = _plus(raw, score_shift(self.classes, self.prior))
        logs, _ = replace(self, warns=False)._to_logs(None)(raw, length)
        probabilities = None if self.calibration is None else np.exp(logs)[0]
        is_plain = self.decision is None and (self.calibration is None or self.prior is None)
        best = joint.argmax(axis=1) if is_plain and self.classes.certain else self.decided(logs)
        thresholds = {} if self.decision is None else self.decision.by_class(self.classes.labels)
        own = _plus(raw, score_shift(self.classes, None))
        factor = 1.0 if self.calibration is None else float(self.calibration.factors(own, length)[0, 0])
        return Scored(joint[0], probabilities, float(known[0]), int(best[0]), thresholds, factor)

    def estimate_prior(self, texts: Texts, implied: list[float] | None = None) -> dict[Label, float]:
        """The shares of the classes in texts without labels; ``implied`` is the prior of the calibration, if any."""
        from likely.core.shift import estimate_shares, prior_in

        logs = self.log_probabilities(texts)
        if not len(logs):
            raise ArgumentError("there are no texts to estimate the class shares from: give at least one text")
        log_prior = prior_in(self.classes, implied)
        if self.prior is not None:
            log_prior = log_posterior(_plus(log_prior, score_shift(self.classes, self.prior))[None, :], log_prior)[0]
        shares = estimate_shares(logs, log_prior)
        return dict(zip(self.classes.labels, shares.tolist(), strict=True))

    def _to_logs(self, prior: Prior | None) -> Callable[[Array, Array], tuple[Array, Mask]]:
        """The function from scores of the kernel and lengths to log-probabilities, and which texts are impossible."""
        # The prior of a call is the one given to it, or else that of the model; None if the weights have it.
        classes, calibration, prior = self.classes, self.calibration, self.prior if prior is None else prior
        own, shift = score_shift(classes, None), score_shift(classes, prior)
        hopeless = classes.log_prior if prior is None else _plus(classes.finite_log_prior, shift)

        def to_logs(joint: Array, length: Array) -> tuple[Array, Mask]:
            if calibration is not None and prior is not None:
                joint = joint * calibration.factors(_plus(joint, own), length)
            joint = _plus(joint, shift)
            impossible = self._impossible(joint)
            if calibration is not None and prior is None:
                return calibration.log_probabilities(joint, length), impossible
            return log_posterior(joint, hopeless), impossible

        return to_logs

    def _impossible(self, joint: Array) -> Mask:
        """True for each text that is impossible in every class, after a warning if there is one."""
        if self.classes.certain:
            return np.zeros(len(joint), np.bool_)
        found: Mask = np.isneginf(joint.max(axis=1))
        if self.warns and found.any():
            why = "every class is impossible for some texts (alpha=0): 0/0 is not defined, and their predictions say "
            warnings.warn(f"{why}nothing. Set alpha above 0", ImpossibleWarning, stacklevel=frames_of_ours())
        return found

    def _warn_if_raw(self) -> None:
        if self.doubt is not None:
            self.doubt.warn()


class Answers(NamedTuple):
    """Everything that a model answers about texts: one element, or one row, per text."""

    answers: LabelArray
    """The predicted class; None or the ``reject_label`` if the model abstains."""
    labels: LabelArray
    """The predicted class, then the most probable others: one row per text."""
    probabilities: Array
    """Their probabilities: one row per text."""
    known: Array
    """The share of the terms of the text that are known."""
    terms: Array
    """The number of terms of the text, known or not."""
    log_probabilities: Array
    """Log P(c|text): one row per text, one column per class."""
    places: Places
    """The place of the predicted class; -1 if the model abstains."""
    impossible: Mask
    """Whether the text is impossible in every class, so that its probabilities say nothing."""


class RoughAnswers(NamedTuple):
    """What is nearly certain about texts: one element, or one row, per text."""

    log_probabilities: Array
    """Log P(c|text), roughly: one row per text, one column per class."""
    doubt: Array
    """By how much the log-odds of a class may be wrong."""
    known: Array
    """The share of the terms of the text that are known."""
    terms: Array
    """The number of terms of the text, known or not."""


class Scored(NamedTuple):
    """The scores of one text."""

    joint: Array
    """Log P(c, text), per class."""
    probabilities: Array | None
    """The calibrated probabilities, per class; None without a calibration."""
    known: float
    """The share of the terms of the text that are known."""
    place: int
    """The place of the predicted class."""
    thresholds: dict[Label, float]
    """The thresholds by class, of those classes that have one."""
    factor: float
    """By how much calibration multiplies the scores; 1 without a calibration."""


def _joined(parts: list[npt.NDArray[N]]) -> npt.NDArray[N]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def score_shift(classes: WeighedClasses, prior: Prior | None) -> Array | None:
    """What is added to the scores of the kernel: the difference that another prior makes; None if there is none.

    The formula is that of Saerens, Latinne and Decaestecker (2002), section 2.2. The kernel scores classes whose
    prior is 0 without a prior, so that another prior can make them possible.
    """
    if prior is None:
        return classes.excluded
    MODEL["prior"].check(prior)
    if classes.variant.normalized and prior != "uniform":
        raise OptionError("prior has no effect with variant='complement_normalized': its weights do not use a prior")
    return log_prior(classes.totals.documents, classes.labels, prior) - classes.finite_log_prior


def _plus(scores: Array, shift: Array | None) -> Array:
    return scores if shift is None else scores + shift


def most_probable_first(logs: Array, n: int, best: Places) -> tuple[Places, Array]:
    """The place of the predicted class per row, then those of the most probable others, and their probabilities."""
    rows = np.arange(len(best))
    if n == 1:  # of a single text, to sort takes longer than to score
        return best[:, None], np.exp(logs[rows, best])[:, None]
    rank = -logs
    rank[rows, best] = -np.inf
    places = np.argsort(rank, axis=1, kind="stable")[:, :n]
    return places, np.exp(logs[rows[:, None], places])
