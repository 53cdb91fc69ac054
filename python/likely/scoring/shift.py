"""`ShiftWatch`: sees texts as they are scored, and says how far they are from the training data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.intervals import SEED
from likely.evaluation.paired import percentiles
from likely.evaluation.shift import DEVIATIONS, Shift
from likely.formulas import chi_squared_bound, log_prior, share
from likely.reading.spread import Spread
from likely.scoring.class_shares import estimate_shares, log_likelihood_gain, prior_in, share_replicates

if TYPE_CHECKING:
    from likely.evaluation.intervals import Interval
    from likely.types import Array, Prior
    from likely.weighing.classes import Classes

MOST_TEXTS, MOST_CELLS = 4_096, 1 << 18
"""Shares are estimated from at most this many texts, and from this many probabilities: texts times classes."""
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
    >>> watch = model.watch()
    >>> for batch in (["good so good"], ["unheard of"]):
    ...     _ = model.predict_all(batch, watch=watch)
    >>> found = watch.shift()
    >>> found.documents, found.terms, found.unknown, round(found.usual, 3)
    (2, 5, 0.6, 0.333)
    """

    def __init__(
        self, classes: Classes, usual: float | None, implied: list[float] | None, prior: Prior | None
    ) -> None:
        self._classes, self._usual = classes, usual
        self._corrected = implied is not None and len(implied) == len(classes.labels)
        documents, labels = classes.totals.documents, classes.labels
        self._log_prior = prior_in(classes, implied)
        if prior is not None:
            self._log_prior = self._log_prior + log_prior(documents, labels, prior) - classes.finite_log_prior
        wanted = classes.terms.rules.prior if prior is None else prior
        # Whatever the classes weigh, texts like the training data have its shares.
        learned = classes.terms.counts.totals().documents[classes.numbers]
        expected = np.exp(log_prior(learned, labels, wanted if isinstance(wanted, Mapping) else "fitted"))
        self._expected: Array = expected / expected.sum()
        self._documents, self._terms, self._known = 0, 0.0, 0.0
        self._spread = Spread(max(1, min(MOST_TEXTS, MOST_CELLS // len(labels))))
        self._logs: Array = np.zeros((0, len(labels)))

    def see(self, logs: Array, known: Array, terms: Array) -> None:
        """See some texts: their log-probabilities, the shares of known terms, and the numbers of terms."""
        self._documents += len(terms)
        self._terms += float(terms.sum())
        self._known += float((known * terms).sum())
        if logs.shape[1] != self._logs.shape[1]:  # the model has learned of another class meanwhile
            return
        informative = np.flatnonzero(known)  # the others have the probabilities of the prior
        drawn = self._spread.draw(len(informative))  # the same texts, whatever the batches
        self._logs = np.concatenate([self._logs, logs[informative[drawn.new]]])[drawn.stay]

    def shift(self) -> Shift:
        """How far the texts that were seen are from the training data."""
        shares = estimate_shares(self._logs, self._log_prior, CLOSE_ENOUGH) if len(self._logs) else None
        known = share(self._known, self._terms)
        return Shift(
            self._documents,
            int(self._terms),
            None if known is None else 1 - known,
            self._usual,
            list(self._classes.labels),
            shares,
            self._expected,
            shares is not None and self._is_significant(shares),
            self._corrected,
        )

    def share_intervals(self) -> list[Interval] | None:
        """The 95 % interval of the estimated share of each class, by bootstrap; None if no text has a known term."""
        if not len(self._logs):
            return None
        shares = estimate_shares(self._logs, self._log_prior, CLOSE_ENOUGH)
        drawn = share_replicates(self._logs, self._log_prior, shares, REPLICATES, SEED, CLOSE_REPLICATE)
        return [percentiles(column) for column in drawn.T]

    def _is_significant(self, shares: Array) -> bool:
        """Whether the likelihood-ratio test says that the texts do not have the expected shares (Wilks 1938).

        Without a calibration, probabilities are too extreme to tell.
        """
        if not self._corrected:
            return False
        gain = log_likelihood_gain(self._logs, self._log_prior, shares, self._expected)
        return 2 * gain > chi_squared_bound(max(1, len(shares) - 1), DEVIATIONS)
