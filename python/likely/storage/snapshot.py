"""`Snapshot`: everything that a model file holds, and everything that a model can be made from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.core.moment import Moment
from likely.core.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.core.counts import Counts
    from likely.core.nbsvm import Learned
    from likely.reading.batch import Chosen
    from likely.scoring.calibration_record import CalibrationRecord
    from likely.scoring.tuning_record import Tuning
    from likely.types import Ids, Label, Prior


class Rest(NamedTuple):
    """The part of a model file that is not needed to score texts, and is read when it is asked for.

    Attributes
    ----------
    choice : tuple
        The choice of terms (`Rules.choice`) for which the rest is not needed.
    read : callable
        Returns all counts of the file and all learned weights.
    """

    choice: tuple[object, ...]
    read: Callable[[], tuple[Counts, Learned | None]]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A model at one moment, which does not change if the model learns later.

    Attributes
    ----------
    options : dict
        The values of all options, by name.
    counts : Counts
        The counts.
    learned : Learned or None
        The weights learned beside the counts (variant nbsvm).
    calibration, tuning
        The record of the calibration and of how the options were chosen, or None.
    columns : Chosen or None
        The columns of the data with the text and the label, if the model was trained from data with columns.
    chosen : tuple of str
        The names of the options that tuning was free to choose.
    calibrated_prior : str, mapping or None
        The prior of the model when it was calibrated, if it was changed since.
    thresholds : dict or None
        The thresholds by class that were chosen while training, if any were.
    rest : Rest or None
        What was not read from a file yet. The counts and learned weights are then those of the kept terms only.
    """

    options: Mapping[str, object]
    counts: Counts
    learned: Learned | None = None
    calibration: CalibrationRecord | None = None
    tuning: Tuning | None = None
    columns: Chosen | None = None
    chosen: tuple[str, ...] = ()
    calibrated_prior: Prior | None = None
    thresholds: Mapping[Label, float] | None = None
    rest: Rest | None = None

    def whole(self) -> Snapshot:
        """The snapshot with all counts: those that were not read from its file yet are read now."""
        if self.rest is None:
            return self
        counts, learned = self.rest.read()
        return replace(self, counts=counts, learned=learned, rest=None)

    @cached_property
    def rules(self) -> Rules:
        """The rules that follow from the options."""
        return Rules.of(self.options)

    @cached_property
    def moment(self) -> Moment:
        """The moment from which questions about the model are answered."""
        return Moment(self.counts, self.rules, self.learned)

    def kept(self) -> Snapshot:
        """The model with only its kept terms, if it scores texts in the same way without the others.

        Its bytes do not depend on whether all counts were read from the file.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> model = NaiveBayes(min_documents=2).fit(["good fun", "so good", "bad plot"], ["+", "+", "-"])
        >>> model._snapshot().kept().counts.terms, model._snapshot().counts.terms
        (1, 5)
        """
        if self.rules.count_every_term or self.rules.spelling:
            return self.whole()
        ids = self.moment.terms.sorted_ids()
        return replace(self.of_terms(ids), rest=None)

    def of_terms(self, ids: Ids) -> Snapshot:
        """The same model with only the terms with these ids; its counts are independent."""
        counts, learned = self.counts.select(ids), self.learned
        if learned is not None:
            learned = learned.of_terms(np.isin(learned.ids, ids), counts.sorted_ids())
        return replace(self, counts=counts, learned=learned)
