"""The search for the best options: one option after another, each from the best setting so far.

The first counts, of words and pairs of words, are enough to choose variant, alpha, single words or pairs, and tf-idf:
these options change only the weights. Options that change the terms (stemming, punctuation, longer n-grams) need new
counts for each trial, so they come after that, for the best setting only. At the end, fewer terms are tried
(``min_documents``), and alphas halfway to the next ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from likely.core.analyzer import counted_as, languages, stop_word_list, thread_count
from likely.core.calibration import CalibrationRecord, calibrate, calibrated_on
from likely.core.counts import UNKNOWN, Counts, rows_of
from likely.core.cross_validation import Folded
from likely.core.decisions import MOST_LOST, Unseen, has_rare_class, rare_f1, rarely_found
from likely.core.leave_one_out import LeftOut
from likely.core.rules import Rules
from likely.core.tuning_record import AUTO, Trial, Tuning
from likely.core.variants import LEARNED
from likely.errors import OptionError
from likely.options.compound import ngrams_of
from likely.options.kinds import STEM_LANGUAGES
from likely.options.model import MODEL, check_together, with_defaults
from likely.reading.rows import Sample, folds_of
from likely.training.material import BETWEEN_ALPHAS, NGRAMS, SIGNIFICANT, CountedSample, Goal, Judged, Material, judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import numpy.typing as npt

    from likely.types import Label, Places


ALPHAS = (10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
"""The first values to try, about half an order of magnitude apart."""
STEP = 10**0.25
"""The factor from an alpha to a value halfway to the next one."""


def lower_alpha(alpha: float) -> float:
    """The first alpha to try with ``document_weight='equal'``, where counts are about a tenth as large.

    Examples
    --------
    >>> lower_alpha(1.0), lower_alpha(0.001)
    (0.1, 0.001)
    """
    return ALPHAS[min(ALPHAS.index(alpha) + 2, len(ALPHAS) - 1)]


def next_to(alpha: float) -> tuple[float, float]:
    """The two values halfway to the next ones, with two significant digits.

    Examples
    --------
    >>> next_to(0.3)
    (0.17, 0.53)
    """
    below, above = (float(f"{value:.2g}") for value in (alpha / STEP, alpha * STEP))
    return below, above


CLASS_WEIGHTS = ("sqrt_balanced", "balanced")
"""The weights of classes to try."""
JUDGED = 10_000
"""The largest number of documents on which they are tried: no document is left out as fast as without weights."""
GAIN = 0.02
"""By how much the mean F1 of the rare classes must rise, if it is not what the model is tuned for."""


def has_rare(gold: Places) -> bool:
    """Whether one of the classes is rare, from the class of each document.

    Examples
    --------
    >>> has_rare(np.array([0, 0, 1])), has_rare(np.array([0, 0, 0, 0, 1]))
    (False, True)
    """
    return has_rare_class(np.unique(gold, return_counts=True)[1].astype(np.float64))


@dataclass(frozen=True)
class RareGoal:
    """What weights of classes are chosen by: the F1 of rare classes that is possible without losing much accuracy."""

    labels: list[Label]
    """The classes that are hardly ever predicted."""
    least_accuracy: float
    gain: float
    threads: int

    @classmethod
    def of(cls, left: LeftOut, counted: CountedSample, goal: Goal) -> RareGoal | None:
        """The goal for documents with these scores; None if weights of classes would not help it."""
        unseen = Unseen.calibrated(left, counted.gold, counted.labels, counted.threads)
        one = goal.of_class(counted.labels)
        labels = rarely_found(unseen) if one is None else [one]
        accuracy = float(np.average(left.joint.argmax(axis=1) == counted.gold, weights=left.times))
        least, gain = (accuracy - MOST_LOST, GAIN) if one is None else (0.0, 0.0)
        return cls(labels, least, gain, counted.threads) if labels else None

    def judge(self, counted: CountedSample, values: Mapping[str, object]) -> Judged:
        """The trial of options; its value is the mean F1 of the rare classes."""
        left = counted.left_out(values)
        judged = judge(left, counted.gold, counted.labels, values, "leave-one-out", Goal(), self.threads)
        unseen = Unseen.calibrated(left, counted.gold, counted.labels, self.threads)
        value = rare_f1(unseen, self.labels, self.least_accuracy)
        return replace(judged, trial=replace(judged.trial, value=value))


STOP_WORD_SHARE = 0.1
"""Texts are in a language if at least this share of their words are stop words of it."""


def stemming(counts: Counts) -> list[Options]:
    """The change of options that stems words, if the texts are in a language that can be stemmed."""
    language = language_of(counts)
    return [{"stem": STEM_LANGUAGES[language]}] if language in STEM_LANGUAGES else []


def preparations(best: Options) -> Iterator[Options]:
    """Further changes of options to try, each with new counts, starting from the best setting so far."""
    yield {"punctuation": "keep"}
    yield {"document_weight": "equal"}
    if best.get("ngrams") == (1, 2):
        yield {"ngrams": (1, 3)}


def language_of(counts: Counts) -> str | None:
    """The language whose stop words are most frequent in the counts; None if those of no language are frequent.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> language_of(NaiveBayes().fit(["the cat and the dog", "it is not of this world"], [1, 2])._snapshot().counts)
    'en'
    """
    total = float(counts.totals().tokens.sum())
    shares = {code: _occurrences(counts, stop_word_list(code)) / total for code in languages()} if total else {}
    best = max(shares, key=lambda code: shares[code], default=None)
    return best if best is not None and shares[best] >= STOP_WORD_SHARE else None


def _occurrences(counts: Counts, words: tuple[str, ...]) -> float:
    ids = counts.find([counts.analyzer.native.normalized(word) for word in words])
    ids = np.unique(ids[ids != UNKNOWN]).astype(np.uint32)
    return float(counts.native.cells(ids, False).sum())


MIN_DOCUMENTS = (2, 3, 5, 10, 20)
"""The values of ``min_documents`` to try, one after another, as long as the last one was taken."""
MORE_LOSS = 0.025
MORE_MISTAKES = 0.03
POINTS = 0.01
LESS_LOSS = 0.0125
"""Stems and punctuation are worth their time if the log-loss is lower by this share."""
SMALL = 100_000
"""A vocabulary of at most this many terms is small: to have fewer saves hardly any time."""


def smaller(search: Search, counted: CountedSample, best: Judged) -> Judged:
    """The best trial, or one with fewer terms that is about as good."""
    if "min_documents" in search.given:
        return best
    found = best
    for number in MIN_DOCUMENTS:
        trial = search.judge(counted, {**best.trial.options, "min_documents": number})
        if trial is None or trial.trial.terms == 0:
            return found
        is_less_accurate = search.goal.prefer == "balanced" and best.surplus(trial) > SIGNIFICANT
        is_taken = not is_less_accurate and is_worth(trial.trial, best.trial, search.goal)
        if not (is_taken or search.goal.better(trial, found)):
            return found
        found = trial
    return found


def is_worth_its_time(one: Judged, best: Judged, goal: Goal) -> bool:
    """Whether a better trial, whose stems or punctuation make every text slower to analyze, is clearly better."""
    if goal.prefer == "accurate" or goal.tune_for not in (AUTO, "log-loss") or one.surplus(best) > SIGNIFICANT:
        return True
    return one.trial.log_loss <= (1 - LESS_LOSS) * best.trial.log_loss


def is_worth(one: Trial, best: Trial, goal: Goal) -> bool:
    """Whether one trial has fewer terms than the best one, and is good enough to be taken instead.

    Examples
    --------
    >>> from likely.core.tuning_record import Trial
    >>> from likely.training.material import Goal
    >>> best = Trial({}, "leave-one-out", 0.30, 0.900, 0.9, -0.30, 1_000_000)
    >>> one = Trial({"min_documents": 2}, "leave-one-out", 0.305, 0.898, 0.9, -0.305, 200_000)
    >>> [is_worth(one, best, Goal(prefer=prefer)) for prefer in ("balanced", "small", "accurate")]
    [True, True, False]
    """
    if goal.prefer == "accurate" or not one.terms or best.terms is None or one.terms >= best.terms:
        return False
    measured = [(one.accuracy, best.accuracy)]
    if goal.tune_for not in (AUTO, "log-loss"):
        measured.append((one.value, best.value))
    if goal.prefer == "small":
        return all(mine >= other - POINTS for mine, other in measured)
    more = (1 - mine <= (1 + MORE_MISTAKES) * (1 - other) for mine, other in measured)
    return best.terms > SMALL and one.log_loss <= (1 + MORE_LOSS) * best.log_loss and all(more)


_UNIT_LENGTH: Mapping[str, object] = {"variant": "nbsvm", "weighting": "tfidf_smooth", "norm": "l2"}
_RAW: Mapping[str, object] = {**_UNIT_LENGTH, "weighting": "tfidf_raw_smooth", "min_documents": 2}
LEARNED_SETTINGS: tuple[Mapping[str, object], ...] = (
    {**_RAW, "nbsvm": {"cost": 2.0}},
    _UNIT_LENGTH,
    {"variant": "nbsvm", "nbsvm": {"cost": 0.1, "interpolation": 0.25}},
)
"""The settings of the variant nbsvm to try. One of them is also tried with weights of classes."""
FOLLOW_UP: Mapping[str, object] = {**_RAW, "nbsvm": {"cost": 4.0}}
"""This setting is tried only if the first one is ahead of the others."""
HARDLY = 1.0
"""If no measure was asked for, weights of classes may cost at most this many standard errors of accuracy."""
TOLERANCE = 0.003
"""How exactly the weights of trials are learned. On R8 no log-loss changes by more than 0.2%; with 0.01 another is
chosen."""
FIRST_FOLDS = 2
"""With two classes, settings are tried on at least this number of folds, so that two threads can work on them."""
ENOUGH_TRIED, ENOUGH_JUDGED = 1_000, 2_500
"""Settings are told apart on the first folds that have so many documents. Only the best one is judged on further
folds, until they have so many, to compare it with other variants and to calibrate it."""


class Crossed:
    """Counts of all documents with the terms of a sample, for trials by cross-validation (nbsvm)."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.threads, self.labels = counts, threads, counts.live().labels
        gold = counts.live().places.of_all(sample.labels)
        self.worth = np.array(sample.worth)
        rows = rows_of(counts, sample.texts, threads)
        self.folded = Folded(counts, rows, gold.astype(np.uint32), folds_of(sample.groups), np.array(sample.times))
        least = FIRST_FOLDS if len(self.labels) == 2 else 1
        self.first, self.folds = (
            enough_folds(self.folded.held, enough, least) for enough in (ENOUGH_TRIED, ENOUGH_JUDGED)
        )
        """The number of folds on which settings are told apart, and of folds that are judged."""

    @property
    def gold(self) -> Places:
        """The gold classes of the documents that are judged."""
        return self._gold(self.folds)

    def _gold(self, folds: int) -> Places:
        return self.folded.gold[self.folded.held < folds].astype(np.intp)

    def judge(self, values: Options, goal: Goal, first: Judged | None = None) -> Judged:
        """A trial of options for nbsvm on the first folds; from such a trial, one on all folds that are judged."""
        rules, held = Rules.of(values), self.folded.held
        scored = self.folded.by(rules, "presence" if rules.presence else counted_as(values)[0])
        begin, end = (0, self.first) if first is None else (self.first, self.folds)
        joint = scored.scores(range(begin, end), self.threads, TOLERANCE)
        if first is not None and first.left is not None:
            joint[held < begin] = first.left.joint
        some = held < end
        left = LeftOut(joint[some], np.ones(int(some.sum())), self.worth[some])
        judged = judge(left, self._gold(end), self.labels, values, "cross-validation", goal, self.threads)
        return replace(judged, left=left)


def enough_folds(held: npt.NDArray[np.intp], documents: int, least: int = 1) -> int:
    """The number of the first folds that have so many documents together; ``held`` is the fold of each document.

    Examples
    --------
    >>> enough_folds(np.arange(10) % 5, 2_500), enough_folds(np.arange(20_000) % 5, 2_500, least=2)
    (5, 2)
    """
    sums = np.cumsum(np.bincount(held))
    return min(max(int(np.searchsorted(sums, documents)) + 1, least), len(sums))


def consider_learned(search: Search, sample: Sample, best: Judged) -> tuple[Judged, Places]:
    """The best trial among the best one so far and those of `LEARNED_SETTINGS`, and the gold classes of the judged.

    Stemming is taken over from the best trial so far: leave-one-out tests it better than cross-validation.
    """
    stem = {name: value for name, value in best.trial.options.items() if name == "stem"}
    settings = [{"ngrams": NGRAMS, **setting, **stem} for setting in (*LEARNED_SETTINGS, FOLLOW_UP)]
    *tried, follow_up = map(search.values, settings)
    values = [found for found in tried if found is not None]
    if not values:
        return best, np.zeros(0, np.intp)
    counts = search.material.count({"ngrams": NGRAMS, **search.given, **stem})
    crossed = Crossed(counts, sample, search.threads)
    judged = [search.remember(each, crossed.judge(each, search.goal)) for each in values]
    if follow_up is not None and search.goal.best(judged) is judged[0]:
        judged.append(search.remember(follow_up, crossed.judge(follow_up, search.goal)))
    found = whole = consider_weights(search, crossed, judged)
    if crossed.first < crossed.folds:
        chosen = search.values(found.trial.options) or {}
        whole = crossed.judge(chosen, search.goal, found)
        found = search.tried[_key(chosen)] = replace(found, left=whole.left)
    return found if search.goal.exceeds(whole, best) else best, crossed.gold


def consider_weights(search: Search, crossed: Crossed, judged: list[Judged]) -> Judged:
    """The best of these trials and, if a class is rare, of one of their settings with weights of classes.

    Weights change which class is chosen more than how the classes are told apart, so they are tried for the setting
    with the lowest log-loss, whatever the goal.
    """
    goal, best = search.goal, search.goal.best(judged)
    if "class_weight" in search.given or not has_rare(crossed.gold):
        return best
    setting = min(judged, key=lambda each: each.trial.log_loss).trial.options
    for name in CLASS_WEIGHTS:
        values = search.values({**setting, "class_weight": name})
        found = best if values is None else search.remember(values, crossed.judge(values, goal))
        less_accurate = goal.tune_for == AUTO and best.surplus(found) > HARDLY
        if less_accurate or goal.best([best, found]) is best:
            return best
        best = found
    return best


Options: TypeAlias = "Mapping[str, object]"
"""Some options of a model by name."""
Tried: TypeAlias = "dict[tuple[tuple[str, str], ...], Judged]"
"""Trials by the values of their options."""

FIRST_ALPHA = 0.3
FEWER, LEAST_JUDGED = 4, 500
"""The first settings are tried on this part of the sample, if it has enough documents; those that are far worse than
the best are then left out."""
ROUGHLY = 1.03
"""If the log-loss of a change is this many times as large on some of the documents, it is not tried on all."""
ENOUGH_TO_CALIBRATE = 2_000
"""This number of judged documents is enough for a calibration."""
WEIGHTED_ALPHA = 1.0
"""The first alpha to try with weights of classes, which make the counts of rare classes larger."""
LOCAL_VARIANTS = ("multinomial", "binary")
VARIANTS = (*LOCAL_VARIANTS, "complement", "complement_binary")
"""The variants to try. With two classes the complement variants give the same predictions, so they are left out."""
COMPLEMENTS = {"multinomial": "complement", "binary": "complement_binary"}
"""The complement variant with the same values of terms, so that the counts stay the same."""
TFIDF: Options = {"weighting": "tfidf_raw", "alpha": 1.0}
"""Further options to try on the same counts, for the best variant. Idf makes values larger, so alpha is larger."""


@dataclass(frozen=True)
class ChosenOptions:
    """The chosen options, with the given ones, and the results of the search."""

    options: Options
    counts: Counts | None
    """The counts with these options; None if the documents must be read again (nbsvm)."""
    calibration: CalibrationRecord
    tuning: Tuning


@dataclass
class Search:
    """One search.

    Attributes
    ----------
    material
        The counts and the sample of the documents.
    given
        The options that were given, which do not change.
    goal
        The measure by which options are chosen.
    tried
        The trials so far.
    """

    material: Material
    given: Options
    goal: Goal
    tried: Tried = field(default_factory=dict)

    @property
    def sample(self) -> Sample:
        """The documents that settings are tested on."""
        return self.material.sample.first(self.material.judged)

    @property
    def threads(self) -> int:
        """The number of threads."""
        return thread_count(cast("int | None", self.given.get("threads")))

    def values(self, options: Options) -> dict[str, object] | None:
        """The values of all options; None if these options contradict the given ones or each other."""
        if any(self.given.get(name, value) != value for name, value in options.items()):
            return None
        values = with_defaults({**options, **self.given})
        try:
            check_together(values)
        except OptionError:
            return None
        return values

    def judge(self, counted: CountedSample, options: Options) -> Judged | None:
        """The trial of these options, which is made only once; None if they are not allowed."""
        values = self.values(options)
        if values is None:
            return None
        key = _key(values)
        if key not in self.tried:
            self.tried[key] = self.trial(counted, values)
        return self.tried[key]

    def trial(self, counted: CountedSample, values: Options) -> Judged:
        """A new trial of the values of all options."""
        left = counted.left_out(values)
        judged = judge(left, counted.gold, counted.labels, values, "leave-one-out", self.goal, self.threads)
        return replace(judged, trial=counted.sized(judged.trial, values))

    def remember(self, values: Options, judged: Judged) -> Judged:
        """Add a trial that was made elsewhere; returns the first trial with these values."""
        return self.tried.setdefault(_key(values), judged)

    def climb(self, counted: CountedSample, options: Options) -> Judged | None:
        """The best trial over all alphas: from the alpha of these options, up and down as long as it gets better."""
        if "alpha" in self.given:
            return self.judge(counted, options)
        start = _alpha(options, FIRST_ALPHA)
        at = ALPHAS.index(start)
        best = self.judge(counted, {**options, "alpha": start})
        for step in (-1, 1):
            place = at + step
            while best is not None and 0 <= place < len(ALPHAS):
                found = self.judge(counted, {**options, "alpha": ALPHAS[place]})
                if found is None or not self.goal.better(found, best, BETWEEN_ALPHAS):
                    break
                best, place = found, place + step
        return best

    def refine(self, counted: CountedSample, best: Judged) -> Judged:
        """The best trial with its own alpha or one of the two that are halfway to the next."""
        options = best.trial.options
        alpha = _alpha(options, 1.0)
        for other in next_to(alpha) if "alpha" not in self.given else ():
            found = self.judge(counted, {**options, "alpha": other})
            if found is not None and self.goal.better(found, best, BETWEEN_ALPHAS):
                best = found
        return best

    def best_of(self, counted: CountedSample, settings: Iterable[Options], best: Judged | None) -> Judged | None:
        """The best trial of these settings and the best so far; of equal trials the first."""
        for options in settings:
            found = self.climb(counted, options)
            if found is not None and (best is None or self.goal.better(found, best)):
                best = found
        return best


@dataclass
class RareSearch(Search):
    """A search among weights of classes, by the F1 of rare classes."""

    rare: RareGoal = field(kw_only=True)

    def trial(self, counted: CountedSample, values: Options) -> Judged:
        """A new trial, whose value is the F1 of rare classes."""
        return self.rare.judge(counted, values)


@dataclass(frozen=True)
class Rough:
    """A search on some of the documents, which finds out fast that a change makes everything worse."""

    search: Search
    sample: Sample

    @classmethod
    def of(cls, search: Search) -> Rough | None:
        """The rough search beside another one; None if there are too few documents for it."""
        few = search.sample.first(len(search.sample) // FEWER)
        return None if len(few) < LEAST_JUDGED else cls(Search(search.material, search.given, search.goal), few)

    def is_hopeless(self, counts: Counts, options: Options, before: Counts, best: Judged) -> bool:
        """Whether options with new counts are worse than the best ones so far, whose counts are ``before``."""
        one, other = (
            self.search.judge(CountedSample(each, self.sample, self.search.threads), some)
            for each, some in ((counts, options), (before, full_options(best)))
        )
        return one is not None and other is not None and one.trial.log_loss > ROUGHLY * other.trial.log_loss


def _key(values: Options) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in values.items())


def _alpha(options: Options, default: float) -> float:
    return cast("float", options.get("alpha", default))


def full_options(judged: Judged) -> dict[str, object]:
    """The options of a trial, always with its alpha, from which a search can continue."""
    return {"alpha": MODEL["alpha"].default, **judged.trial.options}


def choose(material: Material, given: Options, goal: Goal, strongest: Sample | None = None) -> ChosenOptions:
    """The best options for some documents, with those that are given.

    If ``strongest`` is given, the variant nbsvm is tried too, by cross-validation on this sample.
    """
    search = Search(material, {**material.suited, **given}, goal)
    counted = CountedSample(material.counts, search.sample, search.threads)
    best = search.best_of(counted, _promising(search, counted, _first_settings(search, counted)), None)
    if best is None:
        raise OptionError(
            "all settings that would be tried contradict the options that are given: give fewer options"
        )
    best = search.best_of(counted, [{**full_options(best), **TFIDF}], best) or best
    # Fewer terms come before everything that needs new counts: with them, it is judged faster.
    was_large = best.trial.terms is not None and best.trial.terms > SMALL
    best, counted = _prepared(search, smaller(search, counted, best), counted, stemming(material.counts))
    if strongest is not None and material.read is not None:
        # What nbsvm does not take over is tried only if it does not win.
        few = strongest.first(calibrated_on(LEARNED, len(counted.labels)))
        found, gold = consider_learned(search, few, search.refine(counted, best))
        if found.left is not None:
            return _chosen(search, found, None, calibrate(found.left, gold, search.threads))
    best, counted = _prepared(search, best, counted, preparations(best.trial.options))
    if material.subset is not None:
        search, best, counted = _on_all(search, best)
    if not was_large and "min_documents" not in best.trial.options:
        best = smaller(search, counted, best)
    best = search.refine(counted, best)
    best = consider_rare(search, counted, best)
    return _chosen(search, best, counted.counts, _calibration(search, best, counted))


def consider_rare(search: Search, counted: CountedSample, best: Judged) -> Judged:
    """The best trial so far, or one with weights of classes, if a class is rare and hardly ever predicted."""
    if "class_weight" in search.given or best.trial.options.get("class_weight") or not has_rare(counted.gold):
        return best
    small = CountedSample(counted.counts, search.sample.first(JUDGED), search.threads)
    values = search.values(full_options(best))
    goal = None if values is None else RareGoal.of(small.left_out(values), small, search.goal)
    if goal is None or values is None:
        return best
    anew = RareSearch(search.material, search.given, Goal("macro-f1"), rare=goal)
    start = anew.judge(small, full_options(best))
    own = str(values["variant"])
    variants = dict.fromkeys((own, COMPLEMENTS.get(own, own) if len(small.labels) > 2 else own))
    settings = [
        {**best.trial.options, "variant": variant, "class_weight": weight, "alpha": WEIGHTED_ALPHA}
        for variant in variants
        for weight in CLASS_WEIGHTS
    ]
    found = anew.best_of(small, settings, start)
    if start is None or found is None or found is start or found.trial.value < start.trial.value + goal.gain:
        return best
    return search.judge(counted, full_options(found)) or best


def _first_settings(search: Search, counted: CountedSample) -> list[Options]:
    """The first settings to try: each variant, with single words and with pairs of words."""
    given, ngrams = search.given, counted.counts.analyzer.ngrams
    # The counts of single words cannot be separated if terms are hashed into buckets, or if each count was divided by
    # the length of a document with its pairs of words.
    mixed = given.get("hash_bits") or given.get("document_weight") == "equal"
    as_counted = "ngrams" in given or mixed or ngrams == (1, 1)
    pairs = [ngrams] if as_counted else [(1, 1), ngrams]
    variants: tuple[str, ...] = VARIANTS if len(counted.labels) > 2 else LOCAL_VARIANTS
    if "variant" in given and given["variant"] != LEARNED:
        variants = (str(given["variant"]),)
    return [{"ngrams": n, "variant": v} for n in pairs for v in variants]


def _promising(search: Search, counted: CountedSample, settings: list[Options]) -> list[Options]:
    """The settings that are not far worse than the best on some of the documents, each with its best alpha."""
    rough = Rough.of(search)
    if len(settings) == 1 or rough is None:
        return settings
    small, found = CountedSample(counted.counts, rough.sample, search.threads), []
    for options in settings:
        judged = rough.search.climb(small, options)
        if judged is not None:
            found.append((options, judged))
    if not found:
        return settings
    best = search.goal.best([judged for _, judged in found])
    stay = [(options, judged) for options, judged in found if not search.goal.is_hopeless(judged, best)]
    return [{**options, "alpha": full_options(judged)["alpha"]} for options, judged in stay]


def _on_all(search: Search, best: Judged) -> tuple[Search, Judged, CountedSample]:
    """A search on the counts of all documents, the trial of the best options of a subset, and the counts."""
    options = full_options(best)
    counts = search.material.count_all({**search.given, **options})
    counted = CountedSample(counts, search.sample, search.threads)
    anew = Search(search.material, search.given, search.goal)
    return anew, anew.judge(counted, options) or best, counted


def _calibration(search: Search, best: Judged, counted: CountedSample) -> CalibrationRecord:
    """The calibration of the best trial, on the documents that were judged, or on more if they are few."""
    values = with_defaults({**search.given, **best.trial.options})
    size = calibrated_on(str(values["variant"]), len(counted.labels))
    few = search.material.sample.first(size)
    if len(few) > len(counted.sample) and len(counted.sample) < ENOUGH_TO_CALIBRATE:
        counted = CountedSample(counted.counts, few, search.threads)
    return counted.calibration(values, size)


def _prepared(
    search: Search, best: Judged, counted: CountedSample, changes: Iterable[Options]
) -> tuple[Judged, CountedSample]:
    """The best trial after these changes were tried, one after another, and its counts."""
    material, rough = search.material, Rough.of(search)
    for change in changes if material.read is not None else ():
        options = {**full_options(best), **change}
        if "document_weight" in change and "alpha" not in search.given:
            options["alpha"] = lower_alpha(_alpha(options, 1.0))
        # With longer n-grams, all documents have at least as many terms again.
        if search.values(options) is None or ("ngrams" in change and not material.fits(material.counts, times=2)):
            continue
        counts = material.count({**search.given, **options})
        if not material.fits(counts):
            continue
        if rough is not None and rough.is_hopeless(counts, options, counted.counts, best):
            continue
        other = CountedSample(counts, search.sample, search.threads)
        same = search.judge(other, options)
        if same is None or not _is_promising(search.goal, same, best, change):
            continue
        found = search.best_of(other, [options], best)
        if found is not None and found is not best:
            best, counted = found, other
    return best, counted


def _is_promising(goal: Goal, same: Judged, best: Judged, change: Options) -> bool:
    """Whether other alphas are tried with a change, from the trial that has the same alpha as the best."""
    if set(change) & {"document_weight", "ngrams"}:  # counts become smaller, or many more terms share them
        return not goal.is_hopeless(same, best)
    return goal.better(same, best) and is_worth_its_time(same, best, goal)


def _chosen(search: Search, best: Judged, counts: Counts | None, found: CalibrationRecord) -> ChosenOptions:
    options = {**search.given, **best.trial.options}
    if counts is not None and counts.analyzer.ngrams != ngrams_of(with_defaults(options)["ngrams"])[0]:
        counts = counts.single_words()
    # Trials on the counts of a subset cannot be compared with those on all counts.
    others = sorted(
        (each.trial for each in search.tried.values() if each is not best), key=lambda trial: -trial.value
    )
    sample = search.sample
    tuning = Tuning(search.goal.tune_for, len(sample), sample.of, [best.trial, *others])
    return ChosenOptions(options, counts, found, tuning)
