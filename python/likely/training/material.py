"""`Material`: what the choice of options needs: counts, a sample, how to count again; and trials of options."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.core.analyzer import Analyzer, thread_count
from likely.core.calibration import MOST_SCORES, CalibrationRecord, calibrate, calibrated_log_loss
from likely.core.counts import Counts, rows_of, single_words
from likely.core.decisions import Unseen
from likely.core.leave_one_out import LearnedDocuments, LeftOut, weighed_as
from likely.core.rules import Rules
from likely.core.tuning_record import AUTO, Trial, not_default
from likely.core.variants import LEARNED
from likely.errors import OptionError
from likely.options.compound import ngrams_of
from likely.options.kinds import GOALS, is_whole
from likely.options.model import MODEL, check_together, with_defaults
from likely.reading.rows import Batches, Labelled, Sample
from likely.training.sample import Sampler, bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.types import Array, Label, Mask, Places


def count(options: Mapping[str, object], batches: Batches) -> Counts:
    """The counts of labelled texts with these options.

    Examples
    --------
    >>> count({"ngrams": (1, 2)}, [Labelled(["so good", "so bad"], [1, 0])]).native.terms
    5
    """
    values = with_defaults(options)
    return Counts.count_batches(Analyzer.of(values), batches, thread_count(cast("int | None", values["threads"])))


def count_sample(options: Mapping[str, object], sample: Sample) -> Counts:
    """The counts of the documents of a sample with these options."""
    return count(options, [Labelled(sample.texts, sample.labels, sample.times)])


CHARACTERS: dict[str, object] = {"analyzer": "both"}
"""The options that are tried against words: words and n-grams of characters within them."""
FEW_CHARACTERS, FEW_DOCUMENTS, FEW_SCORES = 200_000, 2_000, 1 << 18
"""The largest numbers of characters, documents and scores of the sample that decides."""
LEAST_DOCUMENTS = 30
CLEARLY = 4.0
"""Characters are chosen if they are right more often than words by this many standard errors: with few documents they
are slightly ahead of words on many texts, but not with all documents."""
_RULES: tuple[Mapping[str, object], ...] = ({"alpha": 0.03}, {"variant": "binary", "alpha": 0.3})


def suit_characters(sample: Sample, given: Mapping[str, object]) -> bool:
    """Whether `CHARACTERS` are clearly better than words, beside the options that are given.

    Examples
    --------
    >>> from likely.reading.rows import Sample
    >>> few = Sample(["good fun", "dull"], ["+", "-"], [1.0, 1.0], [7, 8], [1, 1], judged=2, of=2)
    >>> suit_characters(few, {})  # too few to tell
    False
    """
    few = _few(sample)
    if len(few) < LEAST_DOCUMENTS or {"analyzer", "ngrams", "tokenizer"} & set(given) or not _is_allowed(given):
        return False
    threads = thread_count(cast("int | None", given.get("threads")))
    words = _right(few, [{"ngrams": (1, 1)}, {"ngrams": (1, 2)}], given, threads)
    return surplus(_right(few, [CHARACTERS], given, threads), words, np.array(few.worth[: len(few)])) > CLEARLY


def _few(sample: Sample) -> Sample:
    """The first documents of a sample, whose work is small whatever their length and the number of classes."""
    lengths = np.cumsum([len(text) for text in sample.texts[:FEW_DOCUMENTS]])
    classes = len(set(sample.labels))
    return sample.first(min(int(np.searchsorted(lengths, FEW_CHARACTERS)), FEW_SCORES // max(classes, 1)))


def _is_allowed(given: Mapping[str, object]) -> bool:
    """Whether the options given allow characters, and a judgement by leave-one-out."""
    values = with_defaults({**CHARACTERS, **given})
    try:
        check_together(values)
    except OptionError:
        return False
    without = values["variant"] == LEARNED or values["norm"] == "l2" or values["spelling"] == "on"
    return not without and values["max_terms"] is None


def _right(sample: Sample, kinds: list[dict[str, object]], given: Mapping[str, object], threads: int) -> Mask:
    """Whether each document is predicted right by the best setting with one of these kinds of terms."""
    found: list[Mask] = []
    for kind in kinds:
        counted = CountedSample(count_sample({**kind, **given}, sample), sample, threads)
        for rules in _RULES:
            joint = counted.left_out(with_defaults({**kind, **rules, **given})).joint
            found.append(joint.argmax(axis=1) == counted.gold)
    return max(found, key=lambda right: int(right.sum()))


def terms_of(counts: Counts, times: float) -> float:
    """About the number of terms of ``times`` as many documents.

    The number grows as a power of the number of documents (Heaps, *Information Retrieval*, 1978). The exponent is the
    share of terms that are in one document only: it is how fast the number grows where the counts end (Good, *The
    Population Frequencies of Species*, 1953).

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> counts = NaiveBayes().fit(["a b", "a c", "a b d", "a e"], [0, 0, 1, 1])._snapshot().counts
    >>> counts.native.terms, round(terms_of(counts, 10), 1)  # c, d and e are in one document only
    (5, 19.9)
    """
    terms = counts.native.terms
    rare = float((counts.document_frequencies(counts.native.ids()) <= 1).sum())
    return float(terms * times ** (rare / max(terms, 1)))


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
    def of(cls, value: str | float | None) -> Budget:
        """The budget from a value of the option: a number of seconds, or a text such as '30s' or '2m'."""
        MODEL["budget"].check(value)
        if value is None:
            return cls()
        number, unit = re.findall(r"[0-9.]+|[smh]", f"{value}s")[:2]
        return cls(float(number) * {"s": 1, "m": 60, "h": 3600}[unit])

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
    held: list[Labelled] = []
    most = HELD if again is None else min(HELD, HELD_ANYWAY)
    for batch in sampler.watch(stream):
        held.append(batch)
        size += bytes_of(batch.texts)
        if size > most:
            break
    if size <= most:
        return material_of(sampler.sample(), lambda: held, given, budget, strongest=strongest)
    first = count({"ngrams": (1, 1), **given}, chain(held, sampler.watch(stream)))
    held = []
    if again is None or sampler.bytes > budget.seconds * BYTES_PER_SECOND:
        return _judging(Material(first, sampler.sample().first(SAMPLED)), budget)
    return material_of(sampler.sample(), again, given, budget, strongest=strongest, first=first)


def sampler_for(*, strongest: bool = False) -> Sampler:
    """The sampler of the documents that settings are judged on, if there are too many for all of them."""
    return Sampler(SUBSET_DOCUMENTS, SUBSET * (STRONGEST if strongest else 1))


def material_of(
    subset: Sample,
    read: Callable[[], Batches],
    given: Mapping[str, object],
    budget: Budget,
    *,
    strongest: bool = False,
    first: Counts | None = None,
    elsewhere: Callable[[Mapping[str, object]], Counts] | None = None,
) -> Material:
    """The material of documents that can be read again, from a sample that `sampler_for` drew from all of them.

    ``first`` are counts of all of them, if there are any; ``elsewhere`` counts them where they lie, if not here.
    """
    suited = dict(CHARACTERS) if suit_characters(subset, given) else {}
    settings = (
        {"ngrams": NGRAMS, **given} if not suited and given.get("analyzer", "word") == "word" else {**suited, **given}
    )
    sample = subset.first(SAMPLED)
    if _characters(subset) <= LARGE * (STRONGEST if strongest else 1):
        return _judging(Material(count(settings, read()), sample, read, suited=suited), budget)
    counts = count_sample(settings, subset)
    found = Material(counts, sample, read, subset=subset, first=first, suited=suited, elsewhere=elsewhere)
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


# Trials: how good options are on documents that the model has not seen ----------------------------------------------


WORSE = 1.1
"""If the log-loss is this many times as large, another alpha will not make up for it."""
MOST_CELLS = 1 << 21
"""The largest number of cells of documents with groups and with copies in others that are judged."""
SIGNIFICANT = 2.0
"""Two accuracies differ significantly if they are this many standard errors apart."""
BETWEEN_ALPHAS = 1.5
"""The same for one setting with two alphas: whichever is taken, the model has the same size and takes as long."""


@dataclass(frozen=True)
class Goal:
    """The measure by which options are chosen.

    Examples
    --------
    >>> Goal("f1:spam").of_class(["ham", "spam"])
    'spam'
    """

    tune_for: str = AUTO
    prefer: str = "balanced"
    """How much fewer terms are worth (`likely.training.search`)."""

    def better(self, one: Judged, other: Judged, significant: float = SIGNIFICANT) -> bool:
        """Whether one trial is better than another; False if they are equal."""
        if self.tune_for == AUTO:
            surplus = one.surplus(other)
            if abs(surplus) > significant:
                return surplus > 0
        return one.trial.value > other.trial.value

    def is_hopeless(self, one: Judged, best: Judged) -> bool:
        """Whether one trial is far worse than the best, so that another alpha would not make it better."""
        return best.surplus(one) > 2 * SIGNIFICANT or one.trial.log_loss > WORSE * best.trial.log_loss

    def exceeds(self, one: Judged, other: Judged) -> bool:
        """Whether one trial is better than another that was made with other documents.

        If no measure was asked for, it may be less accurate by one standard error: it is a trial by cross-validation,
        whose models have learned fewer documents than the final one.
        """
        if self.tune_for != AUTO:
            return one.trial.value > other.trial.value
        error = math.sqrt(
            sum(each.trial.accuracy * (1 - each.trial.accuracy) / len(each.right) for each in (one, other))
        )
        return one.trial.accuracy > other.trial.accuracy - error

    def best(self, judged: list[Judged]) -> Judged:
        """The best trial; of equal trials the first."""
        if self.tune_for == AUTO:
            right = max(judged, key=lambda each: each.trial.accuracy)
            judged = [each for each in judged if right.surplus(each) <= SIGNIFICANT]
        return max(judged, key=lambda each: each.trial.value)

    def __post_init__(self) -> None:
        MODEL["tune"].check(self.tune_for)

    def of_class(self, labels: list[Label]) -> Label | None:
        """The class whose F1 is the measure, or None."""
        if self.tune_for in GOALS:
            return None
        name = self.tune_for.removeprefix("f1:")
        found = [label for label in labels if str(label) == name]
        if not found:
            raise OptionError(f"tune={self.tune_for!r}: there is no class {name!r}")
        return found[0]


@dataclass(frozen=True)
class Judged:
    """A trial, and whether each document was predicted right."""

    trial: Trial
    right: Mask
    times: Array | None = None
    """The weight of each document; None if each weighs 1."""
    left: LeftOut | None = None
    """The scores, if a calibration will be fitted to them when the trial is chosen."""

    def surplus(self, other: Judged) -> float:
        """How many more documents are right than in another trial, in standard errors (McNemar 1947)."""
        return surplus(self.right, other.right, self.times)


def surplus(one: Mask, other: Mask, times: Array | None = None) -> float:
    """How many more elements are true in one mask than in another, in standard errors (McNemar 1947).

    ``times`` are the weights of the elements: the copies of a text are right or wrong together.

    Examples
    --------
    >>> surplus(np.array([True, True, True, False]), np.array([False, False, True, True]))
    0.5773502691896258
    """
    weights = np.ones(len(one)) if times is None else times
    differences = weights * (one.astype(np.float64) - other)
    return float(differences.sum() / math.sqrt((differences**2).sum())) if differences.any() else 0.0


def judge(
    left: LeftOut,
    gold: Places,
    labels: list[Label],
    options: Mapping[str, object],
    way: str,
    goal: Goal,
    threads: int = 1,
) -> Judged:
    """The trial of options that gave these scores, from models without the documents."""
    log_loss = calibrated_log_loss(left, gold, threads)
    guess = left.joint.argmax(axis=1)
    right = guess == gold
    f1 = f1_of_classes(gold, guess, len(labels), left.times)
    accuracy = float(np.average(right, weights=left.times))
    macro = float(np.nanmean(f1))
    one = goal.of_class(labels)
    value = {AUTO: -log_loss, "log-loss": -log_loss, "accuracy": accuracy, "macro-f1": macro}.get(goal.tune_for)
    if one is not None:
        # A threshold will be chosen for this class, so its F1 is that of the best threshold.
        value = float(Unseen.calibrated(left, gold, labels, threads).of_class(one).f1.max())
    trial = Trial(not_default(options), way, log_loss, accuracy, macro, float(value or 0.0))
    return Judged(trial, right, left.times)


def f1_of_classes(gold: Places, guess: Places, classes: int, times: Array | None = None) -> Array:
    """The (weighted) F1 of each class; NaN for a class that has no documents and was never predicted.

    There are too many pairs of classes for a confusion matrix if there are thousands of classes.

    Examples
    --------
    >>> f1_of_classes(np.array([0, 0, 1]), np.array([0, 1, 1]), 3).round(3)
    array([0.667, 0.667,   nan])
    """
    weights = np.ones(len(gold)) if times is None else times
    right = np.bincount(gold, weights=weights * (gold == guess), minlength=classes)
    golds, guesses = (np.bincount(each, weights=weights, minlength=classes) for each in (gold, guess))
    with np.errstate(invalid="ignore"):
        f1: Array = 2 * right / (golds + guesses)
    return f1


class CountedSample:
    """Counts of all documents with the terms of a sample, for trials by leave-one-out."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.sample, self.threads = counts, sample, threads
        self._rows = rows_of(counts, sample.texts, threads)
        self._gold = counts.live().places.of_all(sample.labels)
        self.gold = self._gold[: sample.judged]
        self.labels = counts.live().labels
        self._fewer: dict[tuple[bool, float], LearnedDocuments] = {}

    def _documents(self, only: Mask | None) -> LearnedDocuments:
        times, groups = np.array(self.sample.times), np.array(self.sample.groups, np.uint64)
        return LearnedDocuments(
            self.counts, self._rows, self._gold, times, groups, only, self.sample.judged, MOST_CELLS
        )

    @cached_property
    def documents(self) -> LearnedDocuments:
        """The documents with all terms."""
        return self._documents(None)

    @cached_property
    def single(self) -> LearnedDocuments:
        """The same documents with single words only."""
        return self._documents(single_words(self.counts))

    def left_out(self, values: Mapping[str, object]) -> LeftOut:
        """The leave-one-out scores of the documents of the sample with these options."""
        left = self._with(values).left_out(Rules.of(values), self.threads)
        return weighed_as(left, self.sample.worth[: self.sample.judged])

    def sized(self, trial: Trial, values: Mapping[str, object]) -> Trial:
        """The trial of these options with the size of its model."""
        documents = self._with(values)
        return replace(trial, terms=documents.terms(Rules.of(values)), lookups=documents.lookups)

    def _with(self, values: Mapping[str, object]) -> LearnedDocuments:
        """The documents with the terms that these options ask for."""
        # The counts of single words are part of the counts of words and pairs of words.
        is_single = self.counts.analyzer.ngrams != ngrams_of(values["ngrams"])[0]
        documents, least = self.single if is_single else self.documents, cast("float", values["min_documents"])
        if not (is_whole(least) and least > 1):
            return documents
        if (is_single, least) not in self._fewer:
            self._fewer = {(is_single, least): documents.keeping(least)}  # only the last one, which is used again
        return self._fewer[is_single, least]

    def calibration(self, values: Mapping[str, object], documents: int) -> CalibrationRecord:
        """The calibration fitted on the first ``documents`` of the sample."""
        left, some = self.left_out(values), slice(documents)
        return calibrate(left.of(some), self.gold[some], self.threads)
