"""`ShiftWatch`: sees texts as they are scored, and says how far they are from the training data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.intervals import SEED
from likely.evaluation.paired import percentiles
from likely.evaluation.shift import DEVIATIONS, Shift
from likely.formulas import chi_squared_bound, log_prior, share
from likely.scoring.class_shares import estimate_shares, log_likelihood_gain, prior_in, share_replicates
from likely.scoring.seen import Seen

if TYPE_CHECKING:
    from likely.core.weights import Classes
    from likely.evaluation.intervals import Interval
    from likely.types import Array, Prior

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
        classes: Classes,
        usual: float | None,
        implied: list[float] | None,
        prior: Prior | None,
        seen: Seen | None = None,
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
        self._seen = Seen.of_classes(len(labels)) if seen is None else seen

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
        )

    def share_intervals(self) -> list[Interval] | None:
        """The 95 % interval of the estimated share of each class, by bootstrap; None if no text has a known term."""
        logs = self._seen.logs
        if not len(logs):
            return None
        shares = estimate_shares(logs, self._log_prior, CLOSE_ENOUGH)
        drawn = share_replicates(logs, self._log_prior, shares, REPLICATES, SEED, CLOSE_REPLICATE)
        return [percentiles(column) for column in drawn.T]

    def _is_significant(self, shares: Array) -> bool:
        """Whether the likelihood-ratio test says that the texts do not have the expected shares (Wilks 1938).

        Without a calibration, probabilities are too extreme to tell.
        """
        if not self._corrected:
            return False
        gain = log_likelihood_gain(self._seen.logs, self._log_prior, shares, self._expected)
        return 2 * gain > chi_squared_bound(max(1, len(shares) - 1), DEVIATIONS)
