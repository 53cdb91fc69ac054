"""`ShiftWatch`: sees texts as they are scored, and says how far they are from the training data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from likely.formulas import chi_squared_bound, log_prior, share, total_variation
from likely.terminal import named, percent, printable

if TYPE_CHECKING:
    from likely.core.weights import WeighedClasses
    from likely.types import Array, Label, Mask, Places, Plain, Prior


MOST_TEXTS, MOST_CELLS = 4_096, 1 << 18
"""Shares are estimated from at most this many texts, and from this many probabilities: texts times classes."""


class Sees(Protocol):
    """What sees texts while they are scored."""

    def see(self, logs: Array, known: Array, terms: Array) -> None:
        """See some texts: their log-probabilities, the shares of known terms, and the numbers of terms."""


@dataclass(eq=False)
class SeenTexts:
    """The numbers of texts and terms, and a sample of the log-probabilities, spread evenly over the texts.

    Attributes
    ----------
    documents : int
        The number of texts.
    terms, known, squares : float
        The number of their terms, each as often as it occurs, of those that are known, and the sum of the squares of
        the numbers of terms.
    spread : Spread
        Which texts are in the sample.
    logs : array
        The log-probabilities of the sample: one row per text, one column per class.

    Examples
    --------
    >>> one, other = SeenTexts.of_classes(2), SeenTexts.of_classes(2)
    >>> one.see(np.log([[0.9, 0.1]]), np.array([0.5]), np.array([4.0]))
    >>> other.see(np.log([[0.2, 0.8]]), np.array([1.0]), np.array([6.0]))
    >>> both = one.plus(other)
    >>> both.documents, both.terms, both.known, len(both.logs)
    (2, 10.0, 8.0, 2)
    """

    documents: int
    terms: float
    known: float
    squares: float
    spread: Spread
    logs: Array

    @classmethod
    def of_classes(cls, classes: int) -> SeenTexts:
        """Nothing yet, for a model with this many classes."""
        return cls(0, 0.0, 0.0, 0.0, Spread(max(1, min(MOST_TEXTS, MOST_CELLS // classes))), np.zeros((0, classes)))

    def see(self, logs: Array, known: Array, terms: Array) -> None:
        """See some texts: their log-probabilities, the shares of known terms, and the numbers of terms."""
        self.documents += len(terms)
        self.terms += float(terms.sum())
        self.known += float((known * terms).sum())
        self.squares += float((terms * terms).sum())
        if logs.shape[1] != self.logs.shape[1]:  # the model has learned of another class meanwhile
            return
        informative = np.flatnonzero(known)  # the others have the probabilities of the prior
        new, stay = self.spread.draw(len(informative))  # the same texts, whatever the batches
        self.logs = np.concatenate([self.logs, logs[informative[new]]])[stay]

    def plus(self, other: SeenTexts) -> SeenTexts:
        """What both have seen together; if they are about different classes, the sample is that of this one."""
        spread, logs = self.spread, self.logs
        if other.logs.shape[1] == logs.shape[1]:
            spread, stay = spread.plus(other.spread)
            logs = np.concatenate([logs, other.logs])[stay]
        documents, terms = self.documents + other.documents, self.terms + other.terms
        return SeenTexts(documents, terms, self.known + other.known, self.squares + other.squares, spread, logs)


MOST_STEPS = 1_000
CLOSE = 1e-9
"""The iteration stops if no share changes by this much in a step."""
CLOSE_PRIOR = 1e-4
"""The search for an implied prior stops if no number of it changes by this share in a step."""
LEAST_PRIOR, MOST_CHANGE = 1e-9, 1_000.0
"""The least mean probability from which this search starts, and the largest factor by which it moves away from there:
classes that can be told apart without any doubt would allow any prior."""
LEAST = 1e-300
"""The least probability of a text that is divided by: the texts of a class whose prior is nearly 0 have less."""


def estimate_shares(log_probabilities: Array, log_prior: Array, close: float = CLOSE) -> Array:
    """The shares of the classes that make the texts most probable: one per class.

    ``log_probabilities`` (one row per text, one column per class) were computed with ``log_prior``. Each step
    replaces the prior by the mean of the probabilities (Saerens, Latinne and Decaestecker, *Adjusting the Outputs of
    a Classifier to New a Priori Probabilities*, 2002), until no share changes by ``close``. Overconfident
    probabilities give shares that are too extreme, so they should be calibrated. A class with the prior 0 gets the
    share 0.

    Examples
    --------
    >>> import numpy as np
    >>> logs = np.log([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.1, 0.9]])
    >>> estimate_shares(logs, np.log([0.5, 0.5])).round(3)
    array([0.812, 0.188])
    """
    likelihoods = _likelihoods(log_probabilities, log_prior)
    return _maximized(likelihoods, np.exp(log_prior), np.ones(len(likelihoods)), close)


def _maximized(likelihoods: Array, start: Array, times: Array, close: float) -> Array:
    """The shares that make the texts most probable, each as often as ``times`` says; the search begins at a start."""
    shares = start
    for _ in range(MOST_STEPS):
        following = shares * ((times / _of_texts(likelihoods, shares)) @ likelihoods) / times.sum()
        change = np.abs(following - shares).max()
        shares = following
        if change < close:
            break
    total: Array = shares / shares.sum()
    return total


def log_likelihood_gain(log_probabilities: Array, log_prior: Array, shares: Array, others: Array) -> float:
    """By how much the log-likelihood of the texts is higher with ``shares`` than with ``others``, one per class.

    Examples
    --------
    >>> import numpy as np
    >>> logs = np.log([[0.9, 0.1], [0.9, 0.1]])
    >>> round(log_likelihood_gain(logs, np.log([0.5, 0.5]), np.array([1.0, 0.0]), np.array([0.5, 0.5])), 4)
    1.1756
    """
    likelihoods = _likelihoods(log_probabilities, log_prior)
    more, less = (np.log(_of_texts(likelihoods, each)).sum() for each in (shares, others))
    return float(more - less)


def prior_in(classes: WeighedClasses, implied: list[float] | None) -> Array:
    """The logarithm of the prior in the probabilities of a model; ``implied`` is that of its calibration, if any."""
    if implied is None or len(implied) != len(classes.labels):  # classes were learned or forgotten meanwhile
        return classes.log_prior
    return np.where(classes.log_prior > -np.inf, np.log(implied), -np.inf)


def implied_prior(log_probabilities: Array, gold: Places, times: Array | None = None) -> Array:
    """The prior with which `estimate_shares` finds the true shares of documents with gold classes: one per class.

    Calibrated scores are divided by a factor, and so is the prior in them; and the words of one class may count for
    more than those of another. So the prior that probabilities imply is not the one that the model has. It is found
    on documents that the model has not seen, as in *Maximum Likelihood with Bias-Corrected Calibration* (Alexandari,
    Kundaje and Shrikumar, 2020). ``gold`` has the places of the gold classes, ``times`` the weights
    of the documents.

    Examples
    --------
    >>> import numpy as np
    >>> logs = np.log([[0.9, 0.1], [0.7, 0.3], [0.7, 0.3], [0.3, 0.7]])
    >>> prior = implied_prior(logs, np.array([0, 0, 1, 1]))
    >>> estimate_shares(logs, np.log(prior)).round(3)
    array([0.5, 0.5])
    """
    probabilities = np.exp(log_probabilities)
    weights = np.full(len(gold), 1 / len(gold)) if times is None else times / times.sum()
    start = np.maximum(weights @ probabilities, LEAST_PRIOR)
    shares = np.bincount(gold, weights=weights, minlength=len(start))
    found, prior = shares > 0, start
    for _ in range(MOST_STEPS):
        ratios = shares / prior
        means = ratios * ((weights / _of_texts(probabilities, ratios)) @ probabilities)
        wanted = np.where(found, prior * means / np.where(found, shares, 1.0), start)
        following = np.clip(wanted, start / MOST_CHANGE, start * MOST_CHANGE)
        change = np.abs(following / prior - 1).max()
        prior = following
        if change < CLOSE_PRIOR:
            break
    implied: Array = prior / prior.sum()
    return implied


def _likelihoods(log_probabilities: Array, log_prior: Array) -> Array:
    """P(text given class), up to a factor per text: the largest one of each text is 1."""
    possible = log_prior > -np.inf
    logs = np.full_like(log_probabilities, -np.inf)
    logs[:, possible] = log_probabilities[:, possible] - log_prior[possible]
    likelihoods: Array = np.exp(logs - logs.max(axis=1, keepdims=True))
    return likelihoods


def _of_texts(likelihoods: Array, shares: Array) -> Array:
    """P(text), up to a factor per text; above 0, so that it can be divided by."""
    return np.maximum(likelihoods @ shares, LEAST)


MORE_UNKNOWN = 0.1
"""Warn if the share of unknown terms is more than this above the usual one.

In the test parts of fifteen corpora that are like their training parts, it is at most 0.031 above (20 Newsgroups with
bigrams); in reviews, for models of questions, of news or of another language, it is 0.11 to 0.98 above.
"""
OTHER_SHARES = 0.3
"""Warn if the estimated shares of the classes are further than this (total variation) from those expected.

A model with two equally frequent classes then expects 50% where there are less than 20% or more than 80%. In the
test parts of the same corpora, they are at most 0.18 away (Reuters, 52 classes).
"""
OVERCONFIDENT = 0.1
"""Warn if the mean confidence is more than this above the accuracy."""
DEVIATIONS = 3.09
"""Warn only if chance alone would give a difference like this once in a thousand times: standard deviations."""
FEWER_UNKNOWN, ALIKE, LEARNED_DEVIATIONS = 0.9, 0.1, 4.5
"""Texts look like the training data if at most this share of the usual terms is unknown, and chance does not explain
that: so many standard deviations, if the terms of a document are correlated like this.

In 752 random hold-outs of 30 to 600 texts of twelve corpora, it is never so, even where a few long mails have most of
the terms. Of the training data themselves, 95% are recognised, 78% if rare words and pairs of words were dropped.
"""
MOST_NAMED = 5
"""The largest number of classes that are named with their shares."""


_PLAIN = ("documents", "terms", "unknown", "usual", "labels", "distance", "warning")


@dataclass(frozen=True, eq=False)
class Shift:
    """How far some texts are from the training data of a model.

    Attributes
    ----------
    documents, terms : int
        The number of texts, and that of their terms, each as often as it occurs.
    unknown : float or None
        The share of these terms that the model does not know; None without terms.
    usual : float or None
        The share that would be unknown in texts like the training data: the mean over the learned documents, each
        left out in turn. None if terms were dropped from the model.
    labels : list
        The classes; ``shares`` and ``expected`` are in this order.
    shares : array or None
        The estimated share of each class in the texts; None if no text has a known term.
    expected : array
        The share of each class in the training data; if a prior was given as a mapping, that prior.
    significant : bool
        Whether it is improbable that the texts have the expected shares.
    is_calibrated : bool
        Whether the probabilities are calibrated; otherwise they are too extreme to tell whether that is so.
    """

    documents: int
    terms: int
    unknown: float | None
    usual: float | None
    labels: list[Label]
    shares: Array | None
    expected: Array
    significant: bool
    is_calibrated: bool = True
    effective: float = 0.0
    """The number of documents of equal length whose terms would say as much; 0 if it is not known."""

    @property
    def learned(self) -> str | None:
        """Why the texts look like those that the model has learned, in one sentence; None if they do not."""
        if not (self.unknown is not None and self.usual and self.effective):
            return None
        spread = max(share * (1 - share) for share in (self.usual, (self.usual + self.unknown) / 2))
        variance = spread * (1 / self.terms + ALIKE / self.effective)
        below = self.usual - self.unknown
        if self.unknown > FEWER_UNKNOWN * self.usual or below <= LEARNED_DEVIATIONS * math.sqrt(variance):
            return None
        return (
            f"these texts look like the training data: only {percent(self.unknown)} of their terms are unknown "
            f"({percent(self.usual)} would be usual), so figures do not hold for new texts. Evaluate on held-out rows"
        )

    @property
    def distance(self) -> float | None:
        """The total variation distance of the estimated shares from the expected ones, from 0 to 1."""
        return None if self.shares is None else total_variation(self.shares, self.expected)

    @property
    def warning(self) -> str | None:
        """What is wrong and what to do, in one sentence; None if the texts are like the training data."""
        return self._of_terms() or self._of_classes()

    def _of_terms(self) -> str | None:
        if self.unknown is None or self.usual is None:
            return None
        above = self.unknown - self.usual
        # Of few terms, many are unknown by chance.
        chance = DEVIATIONS * math.sqrt(self.usual * (1 - self.usual) / self.terms)
        if above <= max(MORE_UNKNOWN, chance):
            return None
        return (
            f"{self.unknown:.0%} of the terms are unknown ({self.usual:.0%} would be usual): these texts are unlike "
            "the training data, and the probabilities may be far too high. Train on texts of this kind, or measure "
            "the accuracy on some of them (`likely evaluate`)"
        )

    def _of_classes(self) -> str | None:
        if not self.significant or self.distance is None or self.distance <= OTHER_SHARES:
            return None
        return (
            f"the estimated shares of the classes are far from those expected: {self._named_shares()}. Either these "
            "texts have other shares, which can be given as the prior (`--prior`), or they are unlike the training "
            "data: measure the accuracy on some of them (`likely evaluate`)"
        )

    def _named_shares(self) -> str:
        """The classes whose shares differ most, each with both shares."""
        shares = self.expected if self.shares is None else self.shares
        order = np.argsort(-np.abs(shares - self.expected), kind="stable").tolist()
        return named(
            order,
            MOST_NAMED,
            lambda at: f"{printable(self.labels[at])} {shares[at]:.0%} (expected {self.expected[at]:.0%})",
        )

    def to_dict(self) -> Plain:
        """All fields as plain data, ready for JSON."""
        arrays = {"shares": None if self.shares is None else self.shares.tolist(), "expected": self.expected.tolist()}
        return {name: getattr(self, name) for name in _PLAIN} | arrays

    def __str__(self) -> str:
        if self.unknown is None:
            return "the texts have no terms"
        usual = "" if self.usual is None else f" ({self.usual:.1%} would be usual)"
        shares = "" if self.shares is None else f"; estimated shares of the classes: {self._named_shares()}"
        return f"{self.unknown:.1%} of the terms are unknown{usual}{shares}"


def overconfidence(confidence: float, accuracy: float, documents: int) -> str | None:
    """The warning that probabilities are too high for this accuracy, or None.

    Examples
    --------
    >>> overconfidence(0.82, 0.5, 1000)[:39]
    'the mean confidence is 0.82, but the ac'
    >>> overconfidence(0.82, 0.5, 10), overconfidence(0.82, 0.8, 1000)
    (None, None)
    """
    chance = DEVIATIONS * math.sqrt(confidence * (1 - confidence) / documents)
    if confidence - accuracy <= max(OVERCONFIDENT, chance):
        return None
    return (
        f"the mean confidence is {confidence:.2f}, but the accuracy is {accuracy:.2f}: the probabilities of these "
        "texts are too high. Calibrate the model, or train on texts of this kind"
    )


REPLICATES = 200
"""The number of bootstrap replicates of the shares."""
CLOSE_REPLICATE = 1e-4
"""The estimation of a replicate stops if no share changes by this much in a step."""
CLOSE_ENOUGH = 1e-5
"""The estimation stops if no share changes by this much in a step: shares are printed as whole percents."""


class ShiftWatch:
    """Adds up what is seen of texts while they are scored; it keeps a sample of their probabilities.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "good plot", "dull plot"], ["+", "+", "-"])
    >>> watch = model._watch()
    >>> for batch in (["good so good"], ["unheard of"]):
    ...     _ = model._predict_all(batch, watch=watch)
    >>> found = watch.shift()
    >>> found.documents, found.terms, found.unknown, round(found.usual, 3)
    (2, 5, 0.6, 0.333)
    """

    def __init__(
        self,
        classes: WeighedClasses,
        usual: float | None,
        implied: list[float] | None,
        prior: Prior | None,
        seen: SeenTexts | None = None,
    ) -> None:
        self._classes, self._usual = classes, usual
        self._corrected = implied is not None and len(implied) == len(classes.labels)
        documents, labels = classes.totals.documents, classes.labels
        self._log_prior = prior_in(classes, implied)
        if prior is not None:
            self._log_prior = self._log_prior + log_prior(documents, labels, prior) - classes.finite_log_prior
        wanted = classes.terms.rules.prior if prior is None else prior
        # Whatever the classes weigh, texts like the training data have its shares.
        learned = classes.terms.counts.totals().documents[classes.live.numbers]
        expected = np.exp(log_prior(learned, labels, wanted if isinstance(wanted, Mapping) else "fitted"))
        self._expected: Array = expected / expected.sum()
        self._seen = SeenTexts.of_classes(len(labels)) if seen is None else seen

    def see(self, logs: Array, known: Array, terms: Array) -> None:
        """See some texts: their log-probabilities, the shares of known terms, and the numbers of terms."""
        self._seen.see(logs, known, terms)

    def shift(self) -> Shift:
        """How far the texts that were seen are from the training data."""
        seen = self._seen
        shares = estimate_shares(seen.logs, self._log_prior, CLOSE_ENOUGH) if len(seen.logs) else None
        known = share(seen.known, seen.terms)
        return Shift(
            seen.documents,
            int(seen.terms),
            None if known is None else 1 - known,
            self._usual,
            list(self._classes.labels),
            shares,
            self._expected,
            shares is not None and self._is_significant(shares),
            self._corrected,
            seen.terms**2 / seen.squares if seen.squares else 0.0,
        )

    def replicates(self, seed: int) -> Array | None:
        """Bootstrap replicates of the estimated shares, one column per class; None if no text has a known term."""
        logs = self._seen.logs
        if not len(logs):
            return None
        likelihoods, size = _likelihoods(logs, self._log_prior), len(logs)
        start = np.maximum(estimate_shares(logs, self._log_prior, CLOSE_ENOUGH), LEAST_PRIOR)
        draws = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), REPLICATES)
        return np.array([_maximized(likelihoods, start / start.sum(), times, CLOSE_REPLICATE) for times in draws])

    def _is_significant(self, shares: Array) -> bool:
        """Whether the likelihood-ratio test says that the texts do not have the expected shares (Wilks 1938).

        Without a calibration, probabilities are too extreme to tell.
        """
        if not self._corrected:
            return False
        gain = log_likelihood_gain(self._seen.logs, self._log_prior, shares, self._expected)
        return 2 * gain > chi_squared_bound(max(1, len(shares) - 1), DEVIATIONS)


# Samples of streams, spread evenly whatever the batches -------------------------------------------------------------


_STRIDE = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: its multiples modulo 2^64 are spread evenly, without a period."""


MOST_BYTES = 64 << 20
"""The largest size of the texts of a sample in memory, about."""


@dataclass(eq=False)
class Spread:
    """Says which rows of a stream are in a sample of at most ``most`` rows.

    Each row has a rank, which follows from its number in the stream; the rows with the smallest ranks are the sample.

    Examples
    --------
    >>> spread, sample = Spread(3), []
    >>> for batch in (["a", "b", "c"], ["d", "e"], ["f"]):
    ...     new, stay = spread.draw(len(batch))
    ...     sample += [batch[at] for at in new]
    ...     sample = [row for row, stays in zip(sample, stay) if stays]
    >>> sample
    ['a', 'c', 'f']
    """

    most: int
    seen: int = 0
    """The number of rows of the stream so far."""
    limit: int = 2**64 - 1
    """The largest rank of a row in the sample."""
    ranks: npt.NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    """The ranks of the rows in the sample."""

    def plus(self, other: Spread) -> tuple[Spread, Mask]:
        """The sample of two streams together, and whether each row of this sample and then of the other stays in it.

        Of both streams the rows up to the same rank stay, so that each of them has its share of the sample.

        Examples
        --------
        >>> one, other = Spread(4), Spread(4)
        >>> _ = one.draw(4), other.draw(400)
        >>> both, stay = one.plus(other)
        >>> both.seen, len(stay), int(stay.sum())
        (404, 8, 4)
        """
        joined = Spread(self.most, self.seen + other.seen, min(self.limit, other.limit))
        ranks = np.concatenate([self.ranks, other.ranks])
        stay: Mask = ranks <= joined.limit
        joined.ranks = ranks[stay]
        stay[np.flatnonzero(stay)] = joined.narrow(self.most)
        return joined, stay

    def draw(self, rows: int) -> tuple[Places, Mask]:
        """See the next rows of the stream: how many there are."""
        with np.errstate(over="ignore"):
            ranks = np.arange(self.seen, self.seen + rows, dtype=np.uint64) * _STRIDE
        self.seen += rows
        drawn = ranks <= self.limit
        self.ranks = np.concatenate([self.ranks, ranks[drawn]])
        return np.flatnonzero(drawn), self.narrow(self.most)

    def narrow(self, most: int) -> Mask:
        """Make the sample smaller, from now on: at most ``most`` rows. Returns whether each row stays in it."""
        self.most = most
        stay: Mask = np.ones(len(self.ranks), np.bool_)
        if len(self.ranks) > most:
            self.limit = int(np.partition(self.ranks, most - 1)[most - 1])
            stay = self.ranks <= self.limit
            self.ranks = self.ranks[stay]
        return stay


class SpreadTexts:
    """A sample of at most ``most`` texts of a stream, and of about `MOST_BYTES` characters at most.

    Examples
    --------
    >>> sample = SpreadTexts(3)
    >>> for batch in (["a", "b", "c"], ["d", "e"], ["f"]):
    ...     sample.see(batch)
    >>> sample.texts
    ['a', 'c', 'f']
    """

    def __init__(self, most: int) -> None:
        self.texts: list[str] = []
        self._spread = Spread(most)

    def see(self, texts: Sequence[str]) -> None:
        """See the next texts of the stream."""
        new, stay = self._spread.draw(len(texts))
        self.texts += [texts[at] for at in new.tolist()]
        self._keep(stay)
        while len(self.texts) > 1 and sum(map(len, self.texts)) > MOST_BYTES:
            self._keep(self._spread.narrow(len(self.texts) // 2))

    def _keep(self, stay: Mask) -> None:
        self.texts = [text for text, stays in zip(self.texts, stay.tolist(), strict=True) if stays]
