"""Fitting: what a model learns from all its documents, with the options that are chosen if it has ``tune``."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from likely.arrow_data import one_column
from likely.core.counts import check_weights
from likely.core.decisions import DECIDED_ON
from likely.core.learning import Lesson, count_batches
from likely.core.leave_one_out import check_exact
from likely.core.moment import Settled
from likely.core.tuning_record import BESIDE, KEPT_ASIDE
from likely.errors import ArgumentError, LabelError, OptionError, SourceError, TrainingWarning, frames_of_ours
from likely.labels import python_labels
from likely.options.configured import effective
from likely.options.conflicts import check_together
from likely.options.presets import with_preset
from likely.options.table import OPTIONS
from likely.reading.corpus import read_once
from likely.reading.rows import Labelled, in_memory
from likely.training.judge import Goal
from likely.training.material import (
    FEWEST,
    Budget,
    gather,
)
from likely.training.sample import Sampler
from likely.training.search import choose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from likely.core.calibration import CalibrationRecord
    from likely.core.tuning_record import Tuning
    from likely.reading.rows import Batches, Sample
    from likely.training.material import Material
    from likely.training.search import Chosen
    from likely.types import Groups, Labels, SampleWeight, Texts


NOT_JUDGED = (
    "options were not chosen, and probabilities are not calibrated, because no document can be judged: each is the "
    "only one of its class, beside its copies and its group. Give more documents, or other groups"
)


class TrainingSource(Protocol):
    """Where labelled texts lie: the trainer asks what to learn from them, and for a sample to choose options on."""

    def lesson(self, settled: Settled) -> tuple[Lesson, Sample]:
        """What is learned with these options, and a sample to calibrate on."""

    def material(self, given: Mapping[str, object], budget: Budget, *, strongest: bool) -> Material:
        """What the choice of options needs."""


@dataclass(frozen=True)
class Documents:
    """Labelled texts in batches, and a function that reads them again, if that is possible."""

    batches: Batches
    again: Callable[[], Batches] | None

    def lesson(self, settled: Settled) -> tuple[Lesson, Sample]:
        """What is learned with these options, and a sample to calibrate on."""
        sampler, again = Sampler(DECIDED_ON), self.again
        if settled.reads_twice is not None and again is None:
            raise read_once(settled.reads_twice)
        first = [sampler.watch(self.batches)]
        lesson = count_batches(settled, lambda: first.pop() if first or again is None else again())
        return lesson, sampler.sample()

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
    named = None if groups is None else list(cast("Iterable[object]", one_column(groups, "groups", LabelError)))
    if named is not None and len(named) != len(labels):
        raise ArgumentError(f"{len(named)} groups for {len(labels)} documents: give one group per document")
    if sample_weight is None:
        return batch._replace(groups=named)
    weights = check_weights(sample_weight, len(labels))
    if weights.all() or not weights.any():
        return batch._replace(weights=weights.tolist(), groups=named)
    heavy = weights.nonzero()[0].tolist()
    texts = cast("list[str]", batch.texts.to_pylist() if hasattr(batch.texts, "to_pylist") else batch.texts)
    return Labelled(
        [texts[at] for at in heavy],
        [labels[at] for at in heavy],
        weights[heavy].tolist(),
        None if named is None else [named[at] for at in heavy],
    )


class Fitted(NamedTuple):
    """What was found in some documents.

    Attributes
    ----------
    chosen : dict
        The options that tuning was free to choose, by name; empty if nothing was chosen.
    lesson : Lesson
        What the model learns, with these options.
    sample : Sample
        Documents to calibrate on.
    tuning, calibration
        The record of the choice, and the calibration that was found with it; None if there is none.
    """

    chosen: Mapping[str, object]
    lesson: Lesson
    sample: Sample
    tuning: Tuning | None = None
    calibration: CalibrationRecord | None = None


def fit_to(documents: TrainingSource, given: Mapping[str, object]) -> Fitted:
    """What a model with the given options learns from documents. If ``tune`` is one of them, it chooses the others.

    Examples
    --------
    >>> from likely.sample import load_sample
    >>> found = fit_to(Documents.held(*load_sample()), {"tune": "auto", "ngrams": (1, 1)})
    >>> found.chosen["variant"], "ngrams" in found.chosen
    ('binary', False)
    """
    options = with_preset(given)
    _settled(options)  # options that contradict each other are refused before anything is read
    if options.get("tune") is None:
        return Fitted({}, *documents.lesson(_settled(options)))
    material = documents.material(_fixed(options), _budget(options), strongest=bool(options.get("strongest")))
    return _tuned(material, options)


def _settled(options: Mapping[str, object], chosen: Mapping[str, object] | None = None) -> Settled:
    values = effective(options, chosen or {})
    check_together(values)
    return Settled.of(values)


def _fixed(options: Mapping[str, object]) -> dict[str, object]:
    """The options that stay fixed while the others are chosen."""
    aside = [name for name in BESIDE if name != "threads"]
    return {name: value for name, value in options.items() if name not in aside}


def _budget(options: Mapping[str, object]) -> Budget:
    budget = options.get("budget")
    return Budget() if budget is None else Budget.of(cast("str | float", budget))


def _goal(options: Mapping[str, object]) -> Goal:
    return Goal(str(options["tune"]), str(options.get("prefer", OPTIONS["prefer"].default)))


def _tuned(material: Material, options: Mapping[str, object]) -> Fitted:
    """What is learned with the best options, besides those that were given."""
    sample, classes = material.sample, len(material.counts.live().labels)
    if sample.of < FEWEST or classes < 2:
        return _too_few(material, options)
    goal, strongest = _goal(options), sample if options.get("strongest") else None
    try:
        found = choose(material, _fixed(options), goal, strongest)
    except ArgumentError:
        warnings.warn(NOT_JUDGED, TrainingWarning, stacklevel=frames_of_ours())
        return _too_few(material, options)
    chosen = _free(found, options)
    counts = found.counts
    lesson = Lesson(counts) if counts is not None else _read(material, _settled(options, chosen))
    return Fitted(chosen, lesson, sample, found.tuning, found.calibration)


def _free(found: Chosen, options: Mapping[str, object]) -> dict[str, object]:
    """The values of all options that the search was free to choose, in the order of the table."""
    values = effective(found.options)
    return {name: values[name] for name in OPTIONS if name not in options and name not in KEPT_ASIDE}


def _read(material: Material, settled: Settled) -> Lesson:
    counts = None if material.elsewhere is None else material.elsewhere(settled.values)
    return count_batches(settled, material.read or list, counts)


def _too_few(material: Material, options: Mapping[str, object]) -> Fitted:
    """What is learned with the given options from documents that are too few to choose others."""
    settled = _settled(options)
    if material.read is not None:
        return Fitted({}, _read(material, settled), material.sample)
    if settled.reads_twice is not None:
        raise SourceError(
            f"{settled.reads_twice} reads the texts twice, which is not possible here: leave out tune, budget, "
            "prefer and strongest"
        )
    return Fitted({}, Lesson(material.counts), material.sample)


def can_calibrate(found: Fitted, settled: Settled) -> bool:
    """Whether there are enough documents to calibrate on, and scores from models without them."""
    if found.sample.of < FEWEST:
        return False
    if settled.rules.learned:
        return True
    try:
        check_exact(found.lesson.counts, settled.rules)
    except OptionError:
        return False
    return True
