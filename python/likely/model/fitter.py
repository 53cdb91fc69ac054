"""`Fitter`: the methods by which a model is fitted to all its documents at once, and calibrated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Self, Unpack, cast

from likely.errors import LengthError, MismatchError, OptionError
from likely.formulas import check_prior
from likely.model.deciding import Deciding
from likely.model.learning import Lesson, count_texts
from likely.model.settled import Settled
from likely.model.state import State
from likely.options.configured import Configured
from likely.options.conflicts import OF_TUNING
from likely.options.presets import with_preset
from likely.options.table import OPTIONS
from likely.reading.repeats import repeats_of
from likely.scoring.abstain import fitting_reject_label
from likely.scoring.calibration_record import calibrate, calibrated_on, measured
from likely.scoring.decisions import are_given
from likely.weighing.class_weights import check_class_weight
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.model.fitting import Documents, Fitted, TrainingSource
    from likely.options.typed import ModelOptions
    from likely.reading.batch import Chosen
    from likely.reading.sampling import Sample
    from likely.scoring.calibration_record import Measures
    from likely.scoring.leave_one_out import LeftOut
    from likely.types import Groups, Label, Labels, Places, SampleWeight, Texts
    from likely.weighing.rules import Rules


MOST_CELLS = 1 << 24
"""The largest number of cells of documents with groups and with copies in others that are calibrated on."""


class Fitter(Deciding):
    """A model that is fitted to documents: its options, its state, and how it comes to both."""

    _state: State
    """Everything that was learned."""

    def __init__(self, **options: Unpack[ModelOptions]) -> None:
        super().__init__(**options)
        self._state = State(Settled.of(self.options()).analyzer)

    __init__.__signature__ = Configured.__init__.__signature__  # type: ignore[attr-defined]

    @classmethod
    def _with(cls, given: Mapping[str, object], chosen: Mapping[str, object]) -> Self:
        """A model that has learned nothing, with options that were given, and others that were chosen beside them."""
        model = cls(**cast("ModelOptions", {**chosen, **with_preset(given)}))
        model._hold(dict(given), dict(chosen))
        return model

    def fit(
        self,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Self:
        """Learn from labelled texts. Everything that was learned before is forgotten.

        With the option ``tune``, the options that were not given are chosen first, as `likely.train` does; `tuning_`
        lists what was tried. A clone of the model chooses again, so cross-validation tunes inside each fold.

        Parameters
        ----------
        texts : iterable of str, or Arrow data of strings
            A list, tuple or generator; a numpy array; a pandas or polars Series; anything with
            ``__arrow_c_stream__`` or ``__arrow_c_array__``.
        labels : iterable of str, int or bool
            One label per text, all of one type.
        sample_weight : iterable of numbers >= 0, optional
            The weight of each document: 2 is the same as giving it twice. A document of weight 0 is ignored.
        groups : iterable, optional
            The group of each document: its author, thread or source. Tuning and calibration judge a document by a
            model without its whole group.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes(ngrams=(1, 2)).fit(["so so", "so good"], [0, 1]).vocabulary_
        ['good', 'so', 'so good', 'so so']
        >>> from likely.sample import load_sample
        >>> NaiveBayes(tune="auto").fit(*load_sample()).variant
        'binary'
        """
        values = self._options_with({})
        calibrates, tunes = self._given.get("calibrate"), values["tune"] is not None
        if not (tunes or calibrates or self._wishes_thresholds):
            settled = Settled.of(values)
            self._start(settled, count_texts(settled, texts, labels, sample_weight), {})
            return self._checked_thresholds()
        from likely.model.fitting import Documents

        documents = Documents.held(texts, labels, sample_weight, groups)
        return self.fit_documents(documents, calibrates=calibrates if tunes else bool(calibrates), decides=tunes)

    def fit_counts(self, counts: Counts) -> Self:
        """As `fit`, for counts that were made elsewhere, with the options of this model. Nothing is chosen."""
        settled = Settled.of(self._options_with({}))
        return self._start(settled, Lesson(counts), {})._checked_thresholds()

    def fit_documents(self, documents: TrainingSource, *, calibrates: bool | None, decides: bool) -> Self:
        """As `fit`, for documents in batches.

        If ``calibrates`` is None, the model is calibrated if that is possible. If it ``decides``, rare classes get
        thresholds, if that is possible.
        """
        from likely.model.fitting import can_calibrate, fit_to  # with all of tuning, which loaded models do not need

        found = fit_to(documents, self._given)
        settled = Settled.of(self._options_with(found.chosen))
        self._start(settled, found.lesson, found.chosen)
        self._state.tuning, self._state.repeats = found.tuning, repeats_of(found.sample)
        if calibrates or (calibrates is None and can_calibrate(found, settled)):
            self._calibrate_with(found, required=bool(calibrates))
        if self.tune is not None and self.calibration_ is not None and "calibrate" not in self._given:
            self._choose({**self._chosen, "calibrate": True})
        return self._decide_with(found.sample, decides=decides)

    def fit_again(self, documents: Documents) -> Self:
        """Fit the model to other documents with the options that it has: nothing is chosen again.

        It is calibrated again if it was calibrated. `tuning_` still says how its options were chosen.
        """
        from likely.model.fitting import fit_to

        tuning, chosen, is_calibrated = self._state.tuning, self._chosen, self.calibration_ is not None
        decided = self._state.threshold_choice is not None
        values = self.options()
        untuned = {name: OPTIONS[name].default for name in ("tune", *OF_TUNING)}
        found = fit_to(documents, {**values, **untuned})
        self._start(Settled.of(values), found.lesson, chosen)
        self._state.tuning = tuning
        if is_calibrated:
            self._calibrate_with(found, required=False)
        return self._decide_with(found.sample, decides=decided)

    def _calibrate_with(self, found: Fitted, *, required: bool) -> None:
        """Take over the calibration that was found, or calibrate on the sample."""
        if found.calibration is not None:
            self._state.calibrate(found.calibration, self._settle().rules)
            return
        few = found.sample.first(calibrated_on(self.variant, len(found.lesson.counts.live().labels)))
        try:
            self.calibrate_on(few)
        except LengthError:  # each document is the only one of its class
            if required:
                raise

    def _decide_with(self, sample: Sample, *, decides: bool) -> Self:
        """Choose thresholds on the sample: for the option, for the F1 of the tuning, or for rare classes."""
        from likely.scoring.threshold_record import has_rare_class, to_decide

        if are_given(self.thresholds):
            return self._checked_thresholds()
        if self.thresholds is None and decides and self.tune is not None and self.tune.startswith("f1:"):
            self._choose({**self._chosen, "thresholds": self.tune})
        wish = self.thresholds
        is_rare = self.calibration_ is not None and has_rare_class(self.class_documents_)
        # For nbsvm, all folds would have to be learned again.
        if wish is None and not (decides and is_rare and self.variant != LEARNED):
            return self
        left, gold = self._judged_sample(to_decide(sample, len(self.classes_)))
        try:
            return self._decide_by(left, gold, wish)
        except (LengthError, OptionError):  # too few documents, or options for which documents cannot be left out
            if "thresholds" in self._given:
                raise
            self._choose({name: value for name, value in self._chosen.items() if name != "thresholds"})
            return self

    @property
    def _wishes_thresholds(self) -> bool:
        """Whether thresholds are to be chosen while training."""
        return self.thresholds is not None and not are_given(self.thresholds)

    def _start(self, settled: Settled, lesson: Lesson, chosen: Mapping[str, object] | None = None) -> Self:
        """Start with the lesson of all documents, and with the options that were chosen for it."""
        self._check_labels(lesson.counts.index.labels, settled)
        if chosen is not None:  # otherwise classes that class_weight names may still come
            check_class_weight(lesson.counts.index.labels, settled.rules.class_weight)
        self._state.replace(*lesson)
        if chosen is not None:
            self._choose(chosen)
        self._settled = settled
        return self

    def _check_labels(self, labels: list[Label], settled: Settled) -> None:
        """Raise ``OptionError`` if an option does not fit these classes."""
        check_prior(labels, settled.rules.prior)
        if self.reject_label is not None:
            fitting_reject_label(labels, self.reject_label)

    def fit_calibration(
        self,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Self:
        """Calibrate probabilities on learned documents.

        From then on `predict_proba` returns P(c|text) ~ exp(tau * score / (length ** gamma * spread ** delta)). The
        parameters minimize the log-loss of the scores of `leave_one_out` (with variant nbsvm, of cross-validation).
        The scores of `predict_joint_log_proba` do not change. The calibration is valid until an option is changed
        that the scores depend on, other than the prior: from then on probabilities are raw, with a
        ``NotCalibratedWarning``. Calibrate again if the model has learned or forgotten many documents since, as
        ``calibration_.age`` says.

        Parameters
        ----------
        texts, labels, sample_weight, groups
            Documents that were learned, as for `leave_one_out`: all of them, or a few thousand.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> model = NaiveBayes().fit(texts, labels).fit_calibration(texts, labels)
        >>> model.calibration_.after["log_loss"] < model.calibration_.before["log_loss"]
        True
        """
        settled = self._settle()
        left, gold = self._judged(texts, labels, sample_weight, groups)
        self._state.calibrate(calibrate(left, gold, settled.threads), settled.rules)
        return self

    def calibrate_on(self, sample: Sample) -> Measures:
        """As `fit_calibration`, on a sample of learned documents; returns the measures of what was before."""
        settled, found = self._settle(), self.calibration_
        left, gold = self._judged_sample(sample)
        self._state.calibrate(calibrate(left, gold, settled.threads), settled.rules)
        return measured(None if found is None else found.calibration, left, gold)

    def measure_calibration(
        self,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Measures:
        """The calibration error, Brier score and log-loss of the probabilities of learned documents.

        They are measured as `fit_calibration` does: each document is judged by a model without it.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> from likely.sample import load_sample
        >>> texts, labels = load_sample()
        >>> model = NaiveBayes().fit(texts, labels)
        >>> before = model.measure_calibration(texts, labels)["log_loss"]
        >>> model.fit_calibration(texts, labels).measure_calibration(texts, labels)["log_loss"] < before
        True
        """
        found = self.calibration_
        left, gold = self._judged(texts, labels, sample_weight, groups)
        return measured(None if found is None else found.calibration, left, gold)

    def _judged_sample(self, sample: Sample) -> tuple[LeftOut, Places]:
        """As `_judged`, for the documents of a sample, of which copies count once."""
        from likely.scoring.leave_one_out.left_out import weighed_as

        left, gold = self._left_out(self._way(most_cells=MOST_CELLS), *sample.documents)
        return weighed_as(left, sample.worth), gold

    def _judged(
        self, texts: Texts, labels: Labels, sample_weight: SampleWeight | None, groups: Groups | None
    ) -> tuple[LeftOut, Places]:
        """The scores of documents from models without them, and the gold class of each, by place."""
        return self._left_out(self._way(), texts, labels, sample_weight, groups)

    def remember_columns(self, columns: Chosen | None) -> Self:
        """Take over the names of the columns that the model was trained on."""
        self._state.columns = columns
        return self

    def _settle(self) -> Settled:
        """The current options with what follows from them, computed again if an option has changed."""
        settled: Settled | None = self._settled
        if settled is None or self._mapping_changed(settled.rules):
            settled = Settled.of(self.options())
            self._check_counted_as(settled)
            self._settled = settled
        return settled

    def _mapping_changed(self, rules: Rules) -> bool:
        """Whether the content of an option that is a mapping differs from the rules that were made from it."""
        made_from = ((self.prior, rules.prior), (self.class_weight, rules.class_weight))
        return any(isinstance(value, Mapping) and value != made for value, made in made_from)

    def _check_counted_as(self, settled: Settled) -> None:
        analyzer = self._state.analyzer
        if self._state.is_fitted and settled.analyzer.counted_as != analyzer.counted_as:
            raise MismatchError(
                f"the model has learned with {analyzer}, but weighting, tf, norm, document_weight or variant was "
                "changed since: set it back, or call fit to learn again"
            )

    def __sklearn_is_fitted__(self) -> bool:
        return self._state.is_fitted
