"""Fitting: what a model learns from all its documents, with the options that are chosen if it has ``tune``."""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, cast

from likely.arrow_data import one_column
from likely.core.analyzer import Analyzer
from likely.core.counts import check_weights
from likely.core.learning import Lesson, count_batches
from likely.core.settled import Settled
from likely.errors import LabelError, LengthError, NotJudgedWarning, OptionError, SourceError, frames_of_ours
from likely.evaluation.trials import BESIDE
from likely.labels import python_labels
from likely.options.configured import effective
from likely.options.conflicts import check_together
from likely.options.kinds import is_finite
from likely.options.presets import with_preset
from likely.options.table import OPTIONS, with_defaults
from likely.reading.corpus import read_once
from likely.reading.rows import Labelled, in_memory
from likely.scoring.calibration_record import MOST_SCORES
from likely.scoring.leave_one_out import check_exact
from likely.scoring.threshold_record import DECIDED_ON
from likely.training.judge import Goal
from likely.training.sample import Sampler, bytes_of
from likely.training.search import CHARACTERS, choose, count, count_sample, suit_characters, terms_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from likely.core.counts import Counts
    from likely.evaluation.trials import Tuning
    from likely.reading.rows import Batches, Sample
    from likely.scoring.calibration_record import CalibrationRecord
    from likely.training.search import Chosen
    from likely.types import Groups, Labels, SampleWeight, Texts


NOT_JUDGED = (
    "options were not chosen, and probabilities are not calibrated, because no document can be judged: each is the "
    "only one of its class, beside its copies and its group. Give more documents, or other groups"
)

KEPT_ASIDE = ("task", "reject_label", *BESIDE)
"""Options that tuning does not choose, because they do not change what is learned."""


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
        raise LengthError(f"there are {len(named)} groups, but {len(labels)} documents: give one group per document")
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


def fit_to(documents: Documents, given: Mapping[str, object]) -> Fitted:
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
    except LengthError:
        warnings.warn(NOT_JUDGED, NotJudgedWarning, stacklevel=frames_of_ours())
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


HELD, HELD_ANYWAY = 256 << 20, 64 << 20
"""Texts of at most this many bytes are kept in memory, to be counted with several options; the second number is for
texts that can be read again. If there are more, single words are counted while they are read."""
LARGE = 10_000_000
"""If the texts have more characters than this, settings are judged on the counts of a subset of them."""
SUBSET = 9_000_000
"""About the number of characters of this subset."""
STRONGEST = 3
"""How many times as many characters both are if nbsvm is tried, which learns from the sample."""
SUBSET_DOCUMENTS = 100_000
"""The largest number of documents of this subset."""
SAMPLED = 20_000
"""The largest number of documents that settings are tested on."""
MOST_TERMS = 6_000_000
"""With a subset: n-grams of words are tried only if all documents would have at most this many terms. The counts and
weights of a term take about 250 bytes, and its part of a trial 100: about 2 GB in all."""
FEWEST = 30
"""With fewer documents, options are not chosen and probabilities are not calibrated."""
PER_SECOND = 130_000
"""About the number of terms of documents that are tested with all settings in a second, to convert a budget."""
SCORES_PER_SECOND = 100_000
"""About the number of scores (documents times classes) that are tested with all settings in a second: some fifty
settings, a fifth of a microsecond each."""
LEAST_SAMPLED = 2_000
TOGETHER = 12
"""About how many times as long a document takes that is left out together with others, or with a weight."""
BYTES_PER_SECOND = 50e6
"""About the number of bytes that are read and counted in a second."""
NGRAMS = (1, 2)
"""The n-grams that are counted first, if there is enough memory."""


@dataclass(frozen=True)
class Budget:
    """About how long the choice of options may take.

    The time is estimated from the amount of work, not measured, so that the same data give the same model.

    Examples
    --------
    >>> Budget.of("30s"), Budget.of("2m"), Budget.of(5)
    (Budget(seconds=30.0), Budget(seconds=120.0), Budget(seconds=5.0))
    """

    seconds: float = 10.0

    @classmethod
    def of(cls, value: str | float) -> Budget:
        """The budget from a number of seconds, or from a text such as '30s' or '2m'."""
        found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?(s|m|h|)", str(value).strip())
        seconds = float(found[1]) * {"s": 1, "": 1, "m": 60, "h": 3600}[found[2]] if found else math.nan
        if not (is_finite(seconds) and seconds > 0):
            raise OptionError(f"budget={value!r} is not allowed: it must be a time above 0 such as 30s or 2m")
        return cls(seconds)

    def documents(self, terms: float, classes: int) -> int:
        """The number of documents that settings can be tested on, from their average number of terms and classes.

        Documents times classes are the scores of each setting. They are never more than `MOST_SCORES`, whatever the
        budget, so that they fit into memory.

        Examples
        --------
        >>> [Budget().documents(20, classes) for classes in (2, 1_000, 16_000)]
        [61904, 1000, 62]
        """
        work = self.seconds * PER_SECOND / max(terms, 1.0) / (1 + classes / 40)
        scores = min(self.seconds * SCORES_PER_SECOND, MOST_SCORES) / max(classes, 1)
        return max(FEWEST, min(max(LEAST_SAMPLED, int(work)), int(scores)))


@dataclass(frozen=True)
class Material:
    """Counts of documents, a sample of these documents, and how to count them again."""

    counts: Counts
    """The counts that settings are judged on: of all documents, or of the subset."""
    sample: Sample
    """Documents that the counts contain."""
    read: Callable[[], Batches] | None = None
    """Reads all documents again; None if that is not possible, or not within the budget."""
    judged: int = SAMPLED
    """The number of documents of the sample that settings are tested on."""
    subset: Sample | None = None
    """The documents of the counts, if they are not those of all documents."""
    first: Counts | None = None
    """The counts of all documents, if they were counted while they were read and there is a subset."""
    suited: Mapping[str, object] = field(default_factory=dict)
    """Options that were chosen before anything was counted: the kind of terms."""
    elsewhere: Callable[[Mapping[str, object]], Counts] | None = None
    """Counts all documents with some options where they lie, if that is not here."""

    def count(self, options: Mapping[str, object]) -> Counts:
        """The counts with other options: of the subset if there is one, else of all documents."""
        if self.subset is not None:
            return count_sample(options, self.subset)
        return self.count_all(options)

    def count_all(self, options: Mapping[str, object]) -> Counts:
        """The counts of all documents with other options, if they can be read again."""
        if self.first is not None and self.first.analyzer == Analyzer.of(with_defaults(options)):
            return self.first
        if self.elsewhere is not None:
            return self.elsewhere(with_defaults(options))
        return count(options, [] if self.read is None else self.read())

    def fits(self, counts: Counts, times: float = 1.0) -> bool:
        """Whether all documents would have few enough terms, if they have ``times`` as many as these counts show."""
        if self.subset is None:
            return True
        return times * terms_of(counts, self.subset.of / sum(self.subset.copies)) <= MOST_TERMS


def gather(
    batches: Batches,
    again: Callable[[], Batches] | None,
    given: Mapping[str, object],
    budget: Budget,
    *,
    strongest: bool = False,
) -> Material:
    """The material of labelled texts. ``again`` reads them once more; None if that is not possible."""
    stream, sampler, size = iter(batches), sampler_for(strongest=strongest), 0
    large = LARGE * (STRONGEST if strongest else 1)
    held: list[Labelled] = []
    most = HELD if again is None else min(HELD, HELD_ANYWAY)
    for batch in sampler.watch(stream):
        held.append(batch)
        size += bytes_of(batch.texts)
        if size > most:
            break
    if size <= most:
        return _material(sampler.sample(), lambda: held, given, budget, large)
    first = count({"ngrams": (1, 1), **given}, chain(held, sampler.watch(stream)))
    held = []
    if again is None or sampler.bytes > budget.seconds * BYTES_PER_SECOND:
        return _judging(Material(first, sampler.sample().first(SAMPLED)), budget)
    return _material(sampler.sample(), again, given, budget, large, first)


def sampler_for(*, strongest: bool = False) -> Sampler:
    """The sampler of the documents that settings are judged on, if there are too many for all of them."""
    return Sampler(SUBSET_DOCUMENTS, SUBSET * (STRONGEST if strongest else 1))


def gather_from(
    subset: Sample,
    read: Callable[[], Batches],
    elsewhere: Callable[[Mapping[str, object]], Counts],
    given: Mapping[str, object],
    budget: Budget,
    *,
    strongest: bool = False,
) -> Material:
    """The material of documents that lie elsewhere, from a sample that `sampler_for` drew from all of them.

    Few documents are read here, and are then material as any others. Of many only the sample is looked at, until the
    options are chosen and ``elsewhere`` counts all documents with them.
    """
    large = LARGE * (STRONGEST if strongest else 1)
    found = _material(subset, read, given, budget, large)
    return found if found.subset is None else replace(found, elsewhere=elsewhere)


def _material(
    subset: Sample,
    read: Callable[[], Batches],
    given: Mapping[str, object],
    budget: Budget,
    large: int,
    first: Counts | None = None,
) -> Material:
    """The material of documents that can be read again; ``first`` are counts of all of them, if there are any."""
    suited = dict(CHARACTERS) if suit_characters(subset, given) else {}
    settings = {"ngrams": NGRAMS, **given} if not suited and _has_words(given) else {**suited, **given}
    sample = subset.first(SAMPLED)
    if _characters(subset) <= large:
        return _judging(Material(count(settings, read()), sample, read, suited=suited), budget)
    counts = count_sample(settings, subset)
    found = Material(counts, sample, read, subset=subset, first=first, suited=suited)
    if "ngrams" not in given and counts.analyzer.ngrams == NGRAMS and not found.fits(counts):
        mixed = given.get("hash_bits") or given.get("document_weight") == "equal"
        words = count_sample({"ngrams": (1, 1), **given}, subset) if mixed else counts.single_words()
        found = replace(found, counts=words)
    return _judging(found, budget)


def _judging(material: Material, budget: Budget) -> Material:
    """The material, with the number of documents that the budget allows to test."""
    counts, documents = material.counts, material.sample.of if material.subset is None else len(material.subset)
    terms = float(counts.totals().presences.sum()) / max(documents, 1)
    judged = min(budget.documents(terms, len(counts.live().labels)), SAMPLED)
    slow = max(1.0, TOGETHER * _share_together(material.sample))
    return replace(material, judged=max(min(judged, LEAST_SAMPLED), int(judged / slow)))


def _share_together(sample: Sample) -> float:
    """The share of the rows of a sample that are not left out alone: they have copies, a group or a weight."""
    sizes = Counter(sample.groups)
    together = sum(times != 1 or sizes[group] > 1 for times, group in zip(sample.times, sample.groups, strict=True))
    return together / max(len(sample.texts), 1)


def _characters(sample: Sample) -> float:
    """About the number of characters of all documents, which depends neither on their order nor on the container."""
    characters = sum(len(text) * copies for text, copies in zip(sample.texts, sample.copies, strict=True))
    return characters / max(sum(sample.copies), 1) * sample.of


def _has_words(given: Mapping[str, object]) -> bool:
    return given.get("analyzer", "word") == "word"
