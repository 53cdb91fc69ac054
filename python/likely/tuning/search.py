"""The search for the best options: one option after another, each from the best setting so far.

The first counts, of words and pairs of words, are enough to choose variant, alpha, single words or pairs, and tf-idf:
these options change only the weights. Options that change the terms (stemming, punctuation, longer n-grams) need new
counts for each trial, so they come after that, for the best setting only. At the end, fewer terms are tried
(``min_documents``), and alphas halfway to the next ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias, cast

from likely.core.analyzer import thread_count
from likely.core.variants import LEARNED
from likely.errors import OptionError
from likely.options.conflicts import check_together
from likely.options.table import OPTIONS, with_defaults
from likely.scoring.calibration_record import calibrate, calibrated_on
from likely.scoring.tuning_record import Tuning
from likely.tuning.alphas import ALPHAS, lower_alpha, next_to
from likely.tuning.judge import BETWEEN_ALPHAS, Counted, Goal, Judged, judge
from likely.tuning.learned import consider_learned
from likely.tuning.preparations import preparations
from likely.tuning.rare import CLASS_WEIGHTS, JUDGED, RareGoal, has_rare
from likely.tuning.size import SMALL, is_worth_its_time, smaller

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from likely.core.counts import Counts
    from likely.reading.sampling import Sample
    from likely.scoring.calibration_record import CalibrationRecord
    from likely.tuning.material import Material

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
ENOUGH = 2_000
"""This number of judged documents is enough for a calibration."""
WEIGHTED_ALPHA = 1.0
"""The first alpha to try with weights of classes, which make the counts of rare classes larger."""
LOCAL_VARIANTS = ("multinomial", "binary")
VARIANTS = (*LOCAL_VARIANTS, "complement", "complement_binary")
"""The variants to try. With two classes the complement variants give the same predictions, so they are left out."""
COMPLEMENTS = {"multinomial": "complement", "binary": "complement_binary"}
"""The complement variant with the same values of terms, so that the counts stay the same."""
TFIDF: Options = {"weighting": "tfidf", "tf": "raw", "alpha": 1.0}
"""Further options to try on the same counts, for the best variant. Idf makes values larger, so alpha is larger."""


@dataclass(frozen=True)
class Chosen:
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
    earlier
        The trials of a search on the counts of a subset of the documents.
    """

    material: Material
    given: Options
    goal: Goal
    tried: Tried = field(default_factory=dict)
    earlier: Tried = field(default_factory=dict)

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

    def judge(self, counted: Counted, options: Options) -> Judged | None:
        """The trial of these options, which is made only once; None if they are not allowed."""
        values = self.values(options)
        if values is None:
            return None
        key = _key(values)
        if key not in self.tried:
            self.tried[key] = self.trial(counted, values)
        return self.tried[key]

    def trial(self, counted: Counted, values: Options) -> Judged:
        """A new trial of the values of all options."""
        left = counted.left_out(values)
        judged = judge(left, counted.gold, counted.labels, values, "leave-one-out", self.goal, self.threads)
        return replace(judged, trial=counted.sized(judged.trial, values))

    def remember(self, values: Options, judged: Judged) -> Judged:
        """Add a trial that was made elsewhere; returns the first trial with these values."""
        return self.tried.setdefault(_key(values), judged)

    def climb(self, counted: Counted, options: Options) -> Judged | None:
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

    def refine(self, counted: Counted, best: Judged) -> Judged:
        """The best trial with its own alpha or one of the two that are halfway to the next."""
        options = best.trial.options
        alpha = _alpha(options, 1.0)
        for other in next_to(alpha) if "alpha" not in self.given else ():
            found = self.judge(counted, {**options, "alpha": other})
            if found is not None and self.goal.better(found, best, BETWEEN_ALPHAS):
                best = found
        return best

    def best_of(self, counted: Counted, settings: Iterable[Options], best: Judged | None) -> Judged | None:
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

    def trial(self, counted: Counted, values: Options) -> Judged:
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
            self.search.judge(Counted(each, self.sample, self.search.threads), some)
            for each, some in ((counts, options), (before, full_options(best)))
        )
        return one is not None and other is not None and one.trial.log_loss > ROUGHLY * other.trial.log_loss


def _key(values: Options) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in values.items())


def _alpha(options: Options, default: float) -> float:
    return cast("float", options.get("alpha", default))


def full_options(judged: Judged) -> dict[str, object]:
    """The options of a trial, always with its alpha, from which a search can continue."""
    return {"alpha": OPTIONS["alpha"].default, **judged.trial.options}


def choose(material: Material, given: Options, goal: Goal, strongest: Sample | None = None) -> Chosen:
    """The best options for some documents, with those that are given.

    If ``strongest`` is given, the variant nbsvm is tried too, by cross-validation on this sample.
    """
    search = Search(material, {**material.suited, **given}, goal)
    counted = Counted(material.counts, search.sample, search.threads)
    best = search.best_of(counted, _promising(search, counted, _first_settings(search, counted)), None)
    if best is None:
        raise OptionError(
            "all settings that would be tried contradict the options that are given: give fewer options"
        )
    best = search.best_of(counted, [{**full_options(best), **TFIDF}], best) or best
    # Fewer terms come before everything that needs new counts: with them, it is judged faster.
    was_large = best.trial.terms is not None and best.trial.terms > SMALL
    best, counted = _prepared(search, smaller(search, counted, best), counted)
    if strongest is not None and material.read is not None:
        few = strongest.first(calibrated_on(LEARNED, len(counted.labels)))
        rival = consider_rare(search, counted, search.refine(counted, best))
        found, gold = consider_learned(search, few, rival)
        if found.left is not None:
            return _chosen(search, found, None, calibrate(found.left, gold, search.threads))
    if material.subset is not None:
        search, best, counted = _on_all(search, best)
    if not was_large and "min_documents" not in best.trial.options:
        best = smaller(search, counted, best)
    best = search.refine(counted, best)
    best = consider_rare(search, counted, best)
    return _chosen(search, best, counted.counts, _calibration(search, best, counted))


def consider_rare(search: Search, counted: Counted, best: Judged) -> Judged:
    """The best trial so far, or one with weights of classes, if a class is rare and hardly ever predicted."""
    if "class_weight" in search.given or best.trial.options.get("class_weight") or not has_rare(counted.gold):
        return best
    small = Counted(counted.counts, search.sample.first(JUDGED), search.threads)
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


def _first_settings(search: Search, counted: Counted) -> list[Options]:
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


def _promising(search: Search, counted: Counted, settings: list[Options]) -> list[Options]:
    """The settings that are not far worse than the best on some of the documents, each with its best alpha."""
    rough = Rough.of(search)
    if len(settings) == 1 or rough is None:
        return settings
    small, found = Counted(counted.counts, rough.sample, search.threads), []
    for options in settings:
        judged = rough.search.climb(small, options)
        if judged is not None:
            found.append((options, judged))
    if not found:
        return settings
    best = search.goal.best([judged for _, judged in found])
    stay = [(options, judged) for options, judged in found if not search.goal.is_hopeless(judged, best)]
    return [{**options, "alpha": full_options(judged)["alpha"]} for options, judged in stay]


def _on_all(search: Search, best: Judged) -> tuple[Search, Judged, Counted]:
    """A search on the counts of all documents, the trial of the best options of a subset, and the counts."""
    options = full_options(best)
    counts = search.material.count_all({**search.given, **options})
    counted = Counted(counts, search.sample, search.threads)
    anew = Search(search.material, search.given, search.goal, earlier=search.tried)
    return anew, anew.judge(counted, options) or best, counted


def _calibration(search: Search, best: Judged, counted: Counted) -> CalibrationRecord:
    """The calibration of the best trial, on the documents that were judged, or on more if they are few."""
    values = with_defaults({**search.given, **best.trial.options})
    size = calibrated_on(str(values["variant"]), len(counted.labels))
    few = search.material.sample.first(size)
    if len(few) > len(counted.sample) and len(counted.sample) < ENOUGH:
        counted = Counted(counted.counts, few, search.threads)
    return counted.calibration(values, size)


def _prepared(search: Search, best: Judged, counted: Counted) -> tuple[Judged, Counted]:
    """The best trial after `preparations` were tried, one after another, and its counts."""
    material, rough = search.material, Rough.of(search)
    for change in preparations(material.counts, best.trial.options) if material.read is not None else ():
        options = {**full_options(best), **change}
        if "document_weight" in change and "alpha" not in search.given:
            options["alpha"] = lower_alpha(_alpha(options, 1.0))
        if search.values(options) is None or not _fits(material, change):
            continue
        counts = material.count({**search.given, **options})
        if not material.fits(counts):
            continue
        if rough is not None and rough.is_hopeless(counts, options, counted.counts, best):
            continue
        other = Counted(counts, search.sample, search.threads)
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


def _fits(material: Material, change: Options) -> bool:
    """Whether all documents would have few enough terms: longer n-grams are at least as many again."""
    return "ngrams" not in change or material.fits(material.counts, times=2)


def _chosen(search: Search, best: Judged, counts: Counts | None, found: CalibrationRecord) -> Chosen:
    options = {**search.given, **best.trial.options}
    if counts is not None and counts.analyzer.ngrams != with_defaults(options)["ngrams"]:
        counts = counts.single_words()
    tried = {**search.earlier, **search.tried}.values()
    others = sorted((each.trial for each in tried if each is not best), key=lambda trial: -trial.value)
    sample = search.sample
    tuning = Tuning(search.goal.tune_for, len(sample), sample.of, [best.trial, *others])
    return Chosen(options, counts, found, tuning)
