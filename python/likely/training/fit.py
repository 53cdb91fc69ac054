"""`fit`: a source of labelled texts and options become everything that a model takes over."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from likely.arrow_data import as_list, listed_texts
from likely.core.calibration import CalibrationRecord, calibrate, calibrated_on
from likely.core.counts import check_weights
from likely.core.cross_validation import judged_sample
from likely.core.decisions import (
    DECIDED_ON,
    ThresholdChoice,
    Unseen,
    are_given,
    decision_of,
    has_rare_class,
    threshold_choice,
    to_decide,
)
from likely.core.leave_one_out import check_exact
from likely.core.state import CountedTexts, check_classes, count_batches
from likely.core.terms import check_class_weight
from likely.core.tuning_record import KEPT_ASIDE, UNRELATED_TO_LEARNING, Tuning
from likely.core.variants import LEARNED
from likely.core.weights import ModelSettings, ModelView
from likely.errors import ArgumentError, LabelError, OptionError, SourceError, TrainingWarning, frames_of_ours
from likely.labels import python_labels
from likely.options.model import MODEL, check_together, effective, with_preset
from likely.reading.corpus import read_once
from likely.reading.rows import Batches, Labelled, Sample, in_memory
from likely.training.material import FEWEST, Budget, Goal, Material, gather
from likely.training.sample import Sampler
from likely.training.search import ChosenOptions, choose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.types import Groups, Label, Labels, SampleWeight, Texts, Thresholds


NOT_JUDGED = (
    "options were not tuned, and probabilities are not calibrated: there are fewer than {FEWEST} distinct "
    "documents, or none resembles another document of its class outside its group. Give more documents, or "
    "other groups"
)


class TrainingSource(Protocol):
    """Where labelled texts lie: the trainer asks what to learn from them, and for a sample to choose options on."""

    def count(self, settled: ModelSettings) -> tuple[CountedTexts, Sample]:
        """What is learned with these options, and a sample to calibrate on."""

    def material(self, given: Mapping[str, object], budget: Budget, *, strongest: bool) -> Material:
        """What the choice of options needs."""


@dataclass(frozen=True)
class Documents:
    """Labelled texts in batches, and a function that reads them again, if that is possible."""

    batches: Batches
    again: Callable[[], Batches] | None

    def count(self, settled: ModelSettings) -> tuple[CountedTexts, Sample]:
        """What is learned with these options, and a sample to calibrate on."""
        sampler, again = Sampler(DECIDED_ON), self.again
        if settled.reads_twice is not None and again is None:
            raise read_once(settled.reads_twice)
        first = [sampler.watch(self.batches)]
        counted_texts = count_batches(settled, lambda: first.pop() if first or again is None else again())
        return counted_texts, sampler.sample()

    def material(self, given: Mapping[str, object], budget: Budget, *, strongest: bool) -> Material:
        """What the choice of options needs."""
        return gather(self.batches, self.again, given, budget, strongest=strongest)

    @classmethod
    def held(
        cls,
        texts: Texts,
        labels: Labels,
        sample_weight: SampleWeight | None = None,
        groups: Groups | None = None,
    ) -> Documents:
        """Documents in memory. Those of weight 0 are left out.

        Examples
        --------
        >>> list(Documents.held(["good", "bad"], ["+", "-"], [1, 0]).batches)
        [Labelled(texts=['good'], labels=['+'], weights=[1.0], groups=None)]
        """
        batch = _weighted(in_memory(texts, labels), sample_weight, groups)
        return cls([batch], lambda: [batch])


def _weighted(batch: Labelled, sample_weight: SampleWeight | None, groups: Groups | None) -> Labelled:
    """The documents with their weights and groups, without those of weight 0."""
    labels = python_labels(batch.labels)
    named = None if groups is None else as_list(groups, "groups", LabelError)
    if named is not None and len(named) != len(labels):
        raise ArgumentError(f"{len(named)} groups for {len(labels)} documents: give one group per document")
    if sample_weight is None:
        return batch._replace(groups=named)
    weights = check_weights(sample_weight, len(labels))
    if weights.all() or not weights.any():
        return batch._replace(weights=weights.tolist(), groups=named)
    heavy = weights.nonzero()[0].tolist()
    texts = listed_texts(batch.texts)
    return Labelled(
        [texts[at] for at in heavy],
        [labels[at] for at in heavy],
        weights[heavy].tolist(),
        None if named is None else [named[at] for at in heavy],
    )


class Fitted(NamedTuple):
    """What training makes of some documents: all that a model takes over.

    Attributes
    ----------
    counted_texts : CountedTexts
        What the model learns.
    chosen : dict
        The options that tuning was free to choose, by name; empty if nothing was chosen.
    tuning, calibration
        The record of the choice, and the calibration; None if there is none.
    thresholds : ThresholdChoice or None
        The thresholds that were chosen, with their measured effect.
    sample : Sample or None
        Documents to calibrate on.
    """

    counted_texts: CountedTexts
    chosen: Mapping[str, object]
    tuning: Tuning | None = None
    calibration: CalibrationRecord | None = None
    thresholds: ThresholdChoice | None = None
    sample: Sample | None = None


def fit(
    source: TrainingSource, given: Mapping[str, object], *, calibrates: bool | None = None, decides: bool = True
) -> Fitted:
    """What a model with the given options learns. If ``tune`` is one of them, the others are chosen first.

    Parameters
    ----------
    source
        Where the labelled texts lie.
    given
        The options that were given.
    calibrates
        Whether the model is calibrated; None: if that is possible.
    decides
        Whether rare classes get thresholds, if that is possible. Thresholds that the options ask for are always
        chosen.

    Examples
    --------
    >>> from likely.sample import load_sample
    >>> found = fit(Documents.held(*load_sample()), {"tune": "auto", "ngrams": (1, 1)})
    >>> found.chosen["variant"], "ngrams" in found.chosen
    ('binary', False)
    """
    options = with_preset(given)
    _settled(options)  # options that contradict each other are refused before anything is read
    if options.get("tune") is None:
        counted_texts, sample = source.count(_settled(options))
        found = Fitted(counted_texts, {}, sample=sample)
    else:
        budget = Budget.of(cast("str | float | None", options.get("budget")))
        material = source.material(_fixed(options), budget, strongest=options.get("prefer") == "strongest")
        found = _tuned(material, options)
    settled = _settled(given, found.chosen)
    check_classes(found.counted_texts.counts.index.labels, settled)
    check_class_weight(found.counted_texts.counts.index.labels, settled.rules.class_weight)
    found = _calibrated(found, settled, calibrates)
    if found.calibration is not None and settled.values["tune"] is not None and "calibrate" not in given:
        found = found._replace(chosen={**found.chosen, "calibrate": True})
    return _decided(found, settled, given, decides=decides)


def _calibrated(found: Fitted, settled: ModelSettings, calibrates: bool | None) -> Fitted:
    """The result with a calibration, if it is wanted and possible."""
    if not (calibrates or (calibrates is None and _can_calibrate(found, settled))):
        return found._replace(calibration=None)
    if found.calibration is not None:
        return found
    counts, learned = found.counted_texts
    few = cast("Sample", found.sample).first(calibrated_on(settled.rules.variant, len(counts.live().labels)))
    try:
        left, gold = judged_sample(ModelView(counts, settled.rules, learned), settled.threads, few)
        if not (calibrates or (left.joint.argmax(axis=1) == gold).any()):
            return found
        return found._replace(calibration=calibrate(left, gold, settled.threads))
    except ArgumentError:  # each document is the only one of its class
        if calibrates:
            raise
        return found


def _decided(found: Fitted, settled: ModelSettings, given: Mapping[str, object], *, decides: bool) -> Fitted:
    """The result with thresholds: for the option, for the F1 of the tuning, or for rare classes."""
    wanted, tune = cast("Thresholds | None", settled.values["thresholds"]), settled.values["tune"]
    counts, learned = found.counted_texts
    live = counts.live()
    if are_given(wanted):
        decision_of(cast("Mapping[Label, float]", wanted), live.labels)  # each class must exist
        return found
    chosen = found.chosen
    if wanted is None and decides and isinstance(tune, str) and tune.startswith("f1:"):
        wanted, chosen = tune, {**chosen, "thresholds": tune}
    is_rare = found.calibration is not None and has_rare_class(counts.totals().documents[live.numbers])
    # For nbsvm, all folds would have to be learned again.
    if wanted is None and not (decides and is_rare and settled.rules.variant != LEARNED):
        return found
    few = to_decide(cast("Sample", found.sample), len(live.labels))
    left, gold = judged_sample(ModelView(counts, settled.rules, learned), settled.threads, few)
    try:
        calibration = None if found.calibration is None else found.calibration.calibration
        unseen = Unseen.of(left, gold, calibration, live.labels)
        choice = threshold_choice(wanted, unseen, weighted=settled.rules.class_weight is not None)
    except (ArgumentError, OptionError):  # too few documents, or options for which documents cannot be left out
        if "thresholds" in given:
            raise
        return found
    return found._replace(chosen=chosen, thresholds=choice)


def _settled(options: Mapping[str, object], chosen: Mapping[str, object] | None = None) -> ModelSettings:
    values = effective(options, chosen or {})
    check_together(values)
    return ModelSettings.of(values)


def _fixed(options: Mapping[str, object]) -> dict[str, object]:
    """The options that stay fixed while the others are chosen."""
    aside = [name for name in UNRELATED_TO_LEARNING if name != "threads"]
    return {name: value for name, value in options.items() if name not in aside}


def _tuned(material: Material, options: Mapping[str, object]) -> Fitted:
    """What is learned with the best options, besides those that were given."""
    sample, classes = material.sample, len(material.counts.live().labels)
    if sample.of < FEWEST or classes < 2:
        return _too_few(material, options)
    found = _best(material, options)
    if found is None:
        warnings.warn(NOT_JUDGED, TrainingWarning, stacklevel=frames_of_ours())
        return _too_few(material, options)
    # The values of all options that the search was free to choose, in the order of the table.
    values = effective(found.options)
    chosen = {name: values[name] for name in MODEL if name not in options and name not in KEPT_ASIDE}
    counts = found.counts
    counted_texts = CountedTexts(counts) if counts is not None else _read(material, _settled(options, chosen))
    return Fitted(counted_texts, chosen, found.tuning, found.calibration, sample=sample)


def _best(material: Material, options: Mapping[str, object]) -> ChosenOptions | None:
    """The best options; None if no document can be judged, or if no setting predicts any of them right."""
    goal = Goal(str(options["tune"]), str(options.get("prefer", MODEL["prefer"].default)))
    if _distinct(material.sample) < FEWEST:
        return None
    try:
        found = choose(material, _fixed(options), goal, material.sample if goal.prefer == "strongest" else None)
    except ArgumentError:
        return None
    return found if any(each.accuracy for each in found.tuning.trials) else None


def _distinct(sample: Sample) -> int:
    """The number of different documents of a sample: copies are left out together."""
    return len(sample.texts) if sample.is_grouped else len(set(sample.groups))


def _read(material: Material, settled: ModelSettings) -> CountedTexts:
    counts = None if material.elsewhere is None else material.elsewhere(settled.values)
    return count_batches(settled, material.read or list, counts)


def _too_few(material: Material, options: Mapping[str, object]) -> Fitted:
    """What is learned with the given options from documents that are too few to choose others."""
    settled = _settled(options)
    if material.read is not None:
        return Fitted(_read(material, settled), {}, sample=material.sample)
    if settled.reads_twice is not None:
        raise SourceError(
            f"{settled.reads_twice} reads the texts twice, which is not possible here: leave out tune, budget "
            "and prefer"
        )
    return Fitted(CountedTexts(material.counts), {}, sample=material.sample)


def _can_calibrate(found: Fitted, settled: ModelSettings) -> bool:
    """Whether there are enough documents to calibrate on, and scores from models without them."""
    if _distinct(cast("Sample", found.sample)) < FEWEST:
        return False
    if settled.rules.learned:
        return True
    try:
        check_exact(found.counted_texts.counts, settled.rules)
    except OptionError:
        return False
    return True
