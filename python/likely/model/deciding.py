"""`Deciding`: the methods that choose the probabilities from which classes are predicted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from likely.errors import LengthError, OptionError
from likely.model.judging import Judging
from likely.options.configured import Configured
from likely.options.table import OPTIONS
from likely.scoring.abstain import threshold_of
from likely.scoring.decisions import Chosen, are_given, decided, decision_of

if TYPE_CHECKING:
    from likely.scoring.leave_one_out import LeftOut
    from likely.scoring.threshold_record import ThresholdChoice
    from likely.types import Abstain, Array, Groups, Label, Labels, Places, SampleWeight, Texts, Thresholds


class Unlearned(NamedTuple):
    """Answers about learned documents, each by a model without it.

    Attributes
    ----------
    rows : array
        The documents that can be judged: those whose class has other documents too.
    log_probabilities : array
        One row per document that can be judged, one column per class.
    best : array
        The place of the predicted class of each of them; -1 where the model abstains.
    """

    rows: Places
    log_probabilities: Array
    best: Places


class Deciding(Configured, Judging):
    """The options of a model, its questions, and the thresholds of its classes."""

    @property
    def thresholds_(self) -> dict[Label, float]:
        """The probability from which each class is predicted, for those classes that have a threshold.

        They were given by the option ``thresholds``, or chosen by `fit_thresholds` or `likely.train`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(thresholds={"spam": 0.3}).fit(["hello", "win"], ["ham", "spam"]).thresholds_
        {'spam': 0.3}
        """
        settled = self._settle()
        labels: list[Label] = self.classes_.tolist()
        found = decision_of(self._state.thresholds(settled, labels), labels)
        return {} if found is None else found.by_class(labels)

    @property
    def threshold_choice_(self) -> ThresholdChoice | None:
        """What the choice of thresholds has changed, measured while training; None if none was made here."""
        return self._state.threshold_choice

    def fit_thresholds(
        self,
        texts: Texts,
        labels: Labels,
        wish: Thresholds | None = None,
        *,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Self:
        """Choose the probabilities from which classes are predicted (`thresholds_`), on learned documents.

        The probabilities of the documents are those of `leave_one_out` (with variant nbsvm, of cross-validation),
        calibrated if the model is: calibrate first. The thresholds are valid until an option is changed that the
        scores depend on. Their effect is in `threshold_choice_`.

        Parameters
        ----------
        texts, labels, sample_weight, groups
            Documents that were learned, as for `leave_one_out`: all of them, or some thousands.
        wish : str or mapping, optional
            What to choose thresholds for, as the option ``thresholds``; by default this option. If it is None too,
            only a class that would hardly ever be predicted gets a threshold: that with its best F1, as far as the
            accuracy does not suffer.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> model = NaiveBayes(thresholds="precision:positive=0.9", calibrate=True).fit(texts, labels)
        >>> list(model.thresholds_)
        ['positive']
        >>> model.fit_thresholds(texts, labels, "f1:positive").threshold_choice_.documents
        480
        """
        wanted = self.thresholds if wish is None else wish
        OPTIONS["thresholds"].check(wanted)
        for given in (wanted, self.thresholds):
            if are_given(given):
                raise OptionError(
                    f"thresholds={given!r} are given, so there is nothing to choose: set the option to None"
                )
        return self._decide_by(*self._left_out(self._way(), texts, labels, sample_weight, groups), wanted)

    def judge_left_out(
        self,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
        *,
        abstain: Abstain | None = None,
    ) -> Unlearned:
        """What the model would answer about learned documents if it had not learned them, their copies and groups.

        The probabilities are those of `leave_one_out`, with the calibration and the thresholds of the model.
        ``abstain`` is that of `evaluate`.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> texts, labels = ["good fun", "good end", "bad plot", "bad joke", "so what"], ["+", "+", "-", "-", "?"]
        >>> found = NaiveBayes().fit(texts, labels).judge_left_out(texts, labels)
        >>> found.best, found.rows
        (array([0, 0, 1, 1]), array([0, 1, 2, 3]))
        """
        from likely.scoring.threshold_choice import Unseen

        self._check_can_leave_out()
        left, gold = self._left_out(self._way(), texts, labels, sample_weight, groups)
        rows = np.flatnonzero(np.isfinite(left.joint[np.arange(len(gold)), gold]))
        if not len(rows):
            raise LengthError(
                "no document can be judged: each is the only one of its class, beside its copies and its group. Give "
                "more documents, or other groups"
            )
        settled, classes = self._settle(), self.classes_.tolist()
        record = self._state.calibration_for(settled.rules)
        unseen = Unseen.of(left, gold, record.calibration if record else None, classes)
        decision = decision_of(self._state.thresholds(settled, classes), classes)
        best = decided(unseen.log_probabilities, decision)
        threshold = threshold_of(abstain, record.curve if record else None)
        if threshold is not None:
            best = np.where(threshold.unsure(unseen.log_probabilities, left.length[rows], best), -1, best)
        return Unlearned(rows, unseen.log_probabilities, best)

    def _decide_by(self, left: LeftOut, gold: Places, wanted: Thresholds | None) -> Self:
        """Choose thresholds by scores of documents from models without them."""
        from likely.scoring.threshold_choice import Unseen
        from likely.scoring.threshold_record import threshold_choice

        settled = self._settle()
        record = self._state.calibration_for(settled.rules)
        unseen = Unseen.of(left, gold, record.calibration if record else None, self.classes_.tolist())
        choice = threshold_choice(wanted, unseen, weighted=self.class_weight is not None)
        self._state.decide(Chosen(choice.thresholds, self.thresholds), settled.rules, choice)
        return self

    def _checked_thresholds(self) -> Self:
        """The model; ``OptionError`` if a class with a threshold does not exist."""
        self.thresholds_  # noqa: B018 - it is made from the option, which is checked thereby
        return self
