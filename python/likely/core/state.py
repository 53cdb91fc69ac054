"""`State`: what a model has learned, changed all or nothing under one lock; `CountedTexts`: what it learns next."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from likely.core.calibration import Calibration, CalibrationRecord, Uncalibrated
from likely.core.counts import Counts
from likely.core.decisions import (
    ChosenThresholds,
    Decision,
    ThresholdChoice,
    are_given,
    decision_of,
    fitting_reject_label,
)
from likely.core.file import Pruning, Rest, Snapshot
from likely.core.scorer import Scorer
from likely.core.terms import choose_terms
from likely.core.weights import ModelSettings, ModelView, Weights
from likely.errors import (
    ArgumentError,
    LabelError,
    LikelyError,
    NotFittedError,
    OptionError,
    SourceError,
    TrainingWarning,
)
from likely.formulas import check_prior
from likely.labels import class_names
from likely.locks import fork_safe_lock
from likely.options.compound import reject_label_of
from likely.reading.rows import Batches, Labelled, Repeats
from likely.terminal import counted, named

if TYPE_CHECKING:
    from likely.core.analyzer import Analyzer
    from likely.core.nbsvm import Learned
    from likely.core.rules import Rules
    from likely.core.tuning_record import Tuning
    from likely.reading.batch import Chosen
    from likely.reading.corpus import Corpus
    from likely.types import Label, Labels, Prior, SampleWeight, Texts, Thresholds


class _Weighed(NamedTuple):
    """What a scorer is made from, for the options that it was weighed for."""

    settled: ModelSettings
    weights: Weights
    calibration: Calibration | None
    prior: Prior | None
    """The prior of the options, if the weights have the one that was calibrated."""
    decision: Decision | None


class State:
    """The counts of a model, its learned weights, and everything that is computed from them.

    Attributes
    ----------
    lock
        Held while counts are changed, and while a question is answered from a `ModelView`.
    learned, tuning, columns
        As in a `Snapshot`.
    threshold_choice : ThresholdChoice or None
        What the choice of thresholds has changed. It is not part of a model file.
    pruning : Pruning
        What was dropped from the model since it was trained or loaded.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self.lock = fork_safe_lock()
        self.replace(Counts(analyzer))

    def replace(
        self,
        counts: Counts,
        learned: Learned | None = None,
        tuning: Tuning | None = None,
        rest: Rest | None = None,
    ) -> None:
        """Forget everything, and take over these counts, learned weights and tuning instead.

        If there is a rest, the counts and learned weights are only those that are needed to score texts.
        """
        with self.lock:
            self._counts, self.learned, self.tuning, self.pruning = counts, learned, tuning, Pruning()
            self._rest = rest
            self.columns: Chosen | None = None
            self._calibration: CalibrationRecord | None = None
            self._calibrated_rules: Rules | None = None
            self._doubt: Uncalibrated | None = None
            self._weights: list[Weights] = []
            """The weights for the rules that were asked for last, and for those before."""
            self._thresholds: ChosenThresholds | None = None
            self.threshold_choice: ThresholdChoice | None = None
            self.repeats: Repeats | None = None
            self._weighed: _Weighed | None = None
            self._before: _Weighed | None = None
            """While the counts are changed: what others score with meanwhile."""

    @property
    def counts(self) -> Counts:
        """All counts. Those that scoring does not need are read from the model file when they are first asked for."""
        if self._rest is not None:
            self._read_rest()
        return self._counts

    def _read_rest(self) -> None:
        with self.lock:
            if self._rest is None:  # another thread was faster
                return
            self._counts, self.learned = self._rest.read()
            # The ids of terms are new, so there are new weights, with the same numbers.
            self._weights, self._weighed = [], None
            self._rest = None

    @property
    def has_rest(self) -> bool:
        """Whether a part of the model file has not been read yet."""
        return self._rest is not None

    @property
    def analyzer(self) -> Analyzer:
        """The analyzer that split the learned texts into terms."""
        return self._counts.analyzer

    def remember_mail(self) -> None:
        """From now on, decode texts that are raw mail, as the learned ones were when they were read."""
        with self.lock:
            self._counts.analyzer = replace(self._counts.analyzer, mail=True)
            self._weights, self._weighed = [], None

    def correct(self, more: Counts | None, less: Counts | None, rules: Rules, ages: float = -1.0) -> None:
        """Subtract some counts and add others in one step, as if the first documents had never been learned.

        The calibration ages by the documents of ``more`` and ``ages`` times those of ``less``; unless told otherwise,
        a document that is learned and forgotten again leaves no trace. The counts are either the old or the new ones,
        even if Ctrl-C interrupts this, and there are no weights that do not fit them. Others who score meanwhile do
        so as before.
        """
        with self.lock:
            if more is not None and less is None and not self.counts.native.learned:
                self.replace(more)
            elif more is not None or less is not None:
                known, self._before = self._weights, self._weighed
                self._weights, self._weighed = [], None
                try:
                    self._change(known, more, less, rules, ages)
                finally:
                    self._before = None

    def _change(
        self, known: list[Weights], more: Counts | None, less: Counts | None, rules: Rules, ages: float
    ) -> None:
        counts, before = self.counts, self._before
        labels = None if before is None else before.weights.classes.labels
        try:
            removed = [] if less is None else [counts.subtract(less)]
            changed = [*removed, *([] if more is None else [counts.add(more)])]
        except LikelyError:
            self._weights, self._weighed = known, before
            raise
        self.learned, self.pruning = None, Pruning()
        documents = sum(sign * documents_of(each) for sign, each in ((1.0, more), (ages, less)) if each is not None)
        self._calibration = None if self._calibration is None else self._calibration.aged(documents)
        self._counts = counts.compacted()
        weights = _of_rules(known, rules)
        if weights is not None and self.is_fitted and weights.fits(self._counts):
            weights.update(self._counts, reduce(np.union1d, changed))
            self._weights = [weights]
            if before is not None and before.weights is weights and weights.classes.labels == labels:
                self._weighed = before

    @property
    def documents(self) -> float:
        """The (weighted) number of documents."""
        return documents_of(self._counts)

    @property
    def is_fitted(self) -> bool:
        """Whether anything was learned."""
        return self._counts.native.learned

    def check_fitted(self) -> None:
        """Raise ``NotFittedError`` if nothing was learned."""
        if not self.is_fitted:
            raise NotFittedError("the model has not learned anything yet: call fit or learn first")

    def moment(self, rules: Rules, *, whole: bool = True) -> ModelView:
        """The model at this moment, with these rules. The lock must be held as long as it is used.

        With ``whole=False`` its counts may be only those of the kept terms, which are enough to score texts.
        """
        self.check_fitted()
        if self._rest is not None and (whole or rules.choice != self._rest.choice):
            self._read_rest()
        weights = _of_rules(self._weights, rules)
        return ModelView(self._counts, rules, self.learned) if weights is None else self.moment_of(weights)

    def moment_of(self, weights: Weights) -> ModelView:
        """The model at this moment, with these weights. The lock must be held as long as it is used.

        Its counts are those that the weights were made from, which may be only those of the kept terms.
        """
        moment = ModelView(self._counts, weights.rules, self.learned)
        vars(moment).update(terms=weights.classes.terms, classes=weights.classes, weights=weights)
        return moment

    def scorer(self, settled: ModelSettings) -> Scorer:
        """A scorer with the weights of this moment, for these options."""
        weighed = self._weighed or self._before
        if weighed is None or weighed.settled is not settled:
            weighed = self._weigh_anew(settled)
        _, weights, calibration, prior, decision = weighed
        doubt = self._uncalibrated(settled.rules) if calibration is None else None
        return Scorer(weights.frozen(), calibration, settled.threads, prior, doubt, decision)

    def _weigh_anew(self, settled: ModelSettings) -> _Weighed:
        """The weights for these options, with the calibration that fits them.

        If only the prior has changed since the model was calibrated, the weights are those with the prior of before:
        the scorer then shifts calibrated probabilities to the prior of the options.
        """
        with self.lock:
            found, fitted = self.calibration_for(settled.rules), self._calibrated_rules
            calibration, prior = None if found is None else found.calibration, None
            if found is None or fitted is None or fitted == settled.rules:
                weights = self.weights(settled.rules)
            else:
                weights, prior = self.weights(fitted), settled.rules.prior
            labels = weights.classes.labels
            decision = decision_of(self.thresholds(settled, labels), labels)
            self._weighed = _Weighed(settled, weights, calibration, prior, decision)
            return self._weighed

    def thresholds(self, settled: ModelSettings, labels: list[Label]) -> Mapping[Label, float]:
        """The thresholds that are in use with these options: those given, or those that were chosen for them."""
        wanted = cast("Thresholds | None", settled.values["thresholds"])
        if are_given(wanted):
            return cast("Mapping[Label, float]", wanted)
        chosen = self._chosen_for(wanted, settled.rules)
        if chosen is not None:
            return {label: value for label, value in chosen.items() if label in labels}
        if wanted is not None:
            warnings.warn(
                f"thresholds={wanted!r} have not been fitted to the current model, so the most probable class "
                "is predicted: call fit_thresholds with learned documents, or give a threshold per class",
                TrainingWarning,
                stacklevel=2,
            )
        return {}

    def _chosen_for(self, wanted: object, rules: Rules) -> Mapping[Label, float] | None:
        """The thresholds that were chosen for these rules, whatever the prior, and this value of the option."""
        chosen = self._thresholds
        if chosen is None or chosen.wish != wanted or replace(chosen.rules, prior=rules.prior) != rules:
            return None
        return chosen.thresholds

    def decide(self, chosen: ChosenThresholds, choice: ThresholdChoice | None = None) -> None:
        """Use thresholds that were chosen; ``choice`` is their measured effect."""
        with self.lock:
            self._thresholds, self.threshold_choice, self._weighed = chosen, choice, None

    def _uncalibrated(self, rules: Rules) -> Uncalibrated | None:
        """Why probabilities with these rules are raw though the model was calibrated; None if it never was."""
        if self._calibration is None or self._calibrated_rules is None:
            return None
        if self._doubt is None or self._doubt.rules != rules:
            self._doubt = Uncalibrated(rules, self._calibrated_rules)
        return self._doubt

    def warn_if_raw(self, rules: Rules) -> None:
        """Warn, unless that was said before, if probabilities with these rules are raw though it was calibrated."""
        doubt = self._uncalibrated(rules) if self.calibration_for(rules) is None else None
        if doubt is not None:
            doubt.warn()

    def weights(self, rules: Rules) -> Weights:
        """The weights for these rules. They are computed on first use."""
        found = _of_rules(self._weights, rules)
        if found is None:
            with self.lock:
                found = _of_rules(self._weights, rules)  # another thread may have been faster
                if found is None:
                    found = self.moment(rules, whole=False).weights
                    self._weights = [found, *self._weights[:1]]
        return found

    def calibration_for(self, rules: Rules) -> CalibrationRecord | None:
        """The calibration, if it was fitted to scores with these rules, apart from the prior, else None."""
        fitted = self._calibrated_rules
        if fitted is None or not (fitted == rules or replace(fitted, prior=rules.prior) == rules):
            return None
        return self._calibration

    def calibrate(self, record: CalibrationRecord | None, rules: Rules) -> None:
        """Use a calibration that was fitted to scores with these rules."""
        with self.lock:
            if record is not None and not record.of:
                record = replace(record, of=self.documents)
            self._calibration, self._calibrated_rules = record, None if record is None else rules
            self._weighed, self._doubt = None, None

    def take_calibration(self, other: State, documents: float) -> None:
        """Use the calibration and the thresholds of another state, which differs by this number of documents."""
        record, rules = other._calibration, other._calibrated_rules
        if record is not None and rules is not None:
            self.calibrate(record.aged(documents), rules)
        if other._thresholds is not None:
            self.decide(other._thresholds)

    def snapshot(
        self, values: Mapping[str, object], rules: Rules, chosen: tuple[str, ...] = (), *, whole: bool = True
    ) -> Snapshot:
        """Everything that a file of this model holds, as it is now. It does not change if the model learns later.

        With ``whole=False`` they may be only those of the kept terms, which are enough to score texts.
        """
        with self.lock:
            # The counts come before the learned weights, which are read together with them.
            counts = self.counts if whole else self.moment(rules, whole=False).counts
            # Learned weights are dropped if an option was changed since: they could not be used.
            learned = self.learned if self.learned is not None and self.learned.rules == rules else None
            found = self.calibration_for(rules)
            fitted = None if found is None else self._calibrated_rules
            return Snapshot(
                options={**values, "task": None},
                counts=counts.frozen(),
                learned=learned,
                calibration=found,
                # The prior of the scores that it was fitted to; None if it is that of these rules.
                calibrated_prior=fitted.prior if fitted is not None and fitted.prior != rules.prior else None,
                tuning=self.tuning,
                columns=self.columns,
                chosen=chosen,
                thresholds=self._chosen_for(values["thresholds"], rules),
            )


def _of_rules(known: list[Weights], rules: Rules) -> Weights | None:
    """The weights for these rules, if they are known."""
    return next((each for each in known if each.rules is rules or each.rules == rules), None)


def documents_of(counts: Counts) -> float:
    """The (weighted) number of documents that were counted."""
    return float(counts.totals().documents.sum())


# Counting what a model learns ---------------------------------------------------------------------------------------


class CountedTexts(NamedTuple):
    """The counts of some documents, and the weights learned from them (nbsvm)."""

    counts: Counts
    learned: Learned | None = None


def count_texts(
    settled: ModelSettings, texts: Texts, labels: Labels, sample_weight: SampleWeight | None
) -> CountedTexts:
    """Count texts in memory."""
    twice = settled.reads_twice
    if twice is not None:
        if isinstance(texts, Iterator) or hasattr(texts, "read_next_batch"):
            raise SourceError(f"{twice} reads the texts twice, which is not possible with a stream: give a list")
        labels = list(labels) if isinstance(labels, Iterator) else labels
        sample_weight = list(sample_weight) if isinstance(sample_weight, Iterator) else sample_weight
    return count_batches(settled, lambda: [Labelled(texts, labels, sample_weight)])


def count_corpus(
    settled: ModelSettings, corpus: Corpus, kind: type | None, sample_weight: SampleWeight | None = None
) -> CountedTexts:
    """Count a corpus that the caller has opened; ``kind`` is the type of the labels."""
    if sample_weight is not None:
        raise ArgumentError("sample_weight cannot be given with a source: name its column of weights with weight=...")
    if corpus.reading.group is not None:
        raise OptionError("group has no effect on a model that learns more, or forgets: leave it out")
    if settled.reads_twice is not None:
        corpus.check_rereadable(settled.reads_twice)
    found = count_batches(settled, lambda: corpus.training_batches(kind))
    found.counts.analyzer = replace(found.counts.analyzer, mail=found.counts.analyzer.mail or corpus.has_mail)
    return found


def count_batches(settled: ModelSettings, read: Callable[[], Batches], counts: Counts | None = None) -> CountedTexts:
    """Count labelled texts in batches, which are read twice if the options require it.

    If the ``counts`` of the first time are given, the texts are read only the second time.
    """
    if counts is None:
        counts = Counts.count_batches(settled.analyzer, read(), settled.threads)
    if settled.reads_twice is None:
        return CountedTexts(counts)
    if settled.rules.learned:
        from likely.core.nbsvm import learn

        return CountedTexts(counts, learn(counts, settled.rules, read(), settled.threads))
    scales = choose_terms(counts, settled.rules).scales
    return CountedTexts(counts if scales is None else counts.at_unit_length(read(), scales, settled.threads))


def check_classes(labels: list[Label], settled: ModelSettings) -> None:
    """Raise ``OptionError`` if an option does not fit these classes."""
    check_prior(labels, settled.rules.prior)
    reject_label = reject_label_of(settled.values["abstain"])
    if reject_label is not None:
        fitting_reject_label(labels, reject_label)


_NAMED = 5
_MOST_COMPARED = 1_000
"""With more classes than this, none is suggested: each suggestion compares a label with all of them."""


class NewClasses(NamedTuple):
    """The classes that counted texts would add to a model.

    Attributes
    ----------
    documents : dict
        The (weighted) number of documents of each new class.
    known : sequence of labels
        The classes of the model.

    Examples
    --------
    >>> print(NewClasses({"spma": 1.0, "eggs": 3.0}, ["ham", "spam"]))
    2 new classes: 'spma' (1 text; did you mean 'spam'?), 'eggs' (3 texts). Known classes: 'ham', 'spam'
    """

    documents: dict[Label, float]
    known: Sequence[Label]

    @classmethod
    def of(cls, new: Counts, counts: Counts) -> NewClasses:
        """The classes of new counts that the counts of a model do not have."""
        live, known = new.live(), counts.live().labels
        documents = new.totals().documents[live.numbers].tolist()
        old = set(known)
        pairs = zip(live.labels, documents, strict=True)
        return cls({label: number for label, number in pairs if label not in old}, known)

    def check(self) -> None:
        """Raise ``LabelError`` if there is a new class."""
        if self.documents:
            raise LabelError(f"{self}. Correct the labels, or allow new classes")

    def __str__(self) -> str:
        return f"{counted(len(self.documents), 'new class', 'new classes')}: {self.described()}"

    def described(self) -> str:
        """The new classes, with classes that may be meant instead, and the known ones."""
        new = named(list(self.documents), _NAMED, self._described)
        return f"{new}. Known classes: {class_names(self.known)}"

    def _described(self, label: Label) -> str:
        few = self.known if len(self.known) <= _MOST_COMPARED and isinstance(label, str) else []
        close = difflib.get_close_matches(str(label), map(str, few), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return f"{label!r} ({counted(self.documents[label], 'text')}{hint})"
