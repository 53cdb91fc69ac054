"""Which options are tried, in which order: coordinate by coordinate, each from where the last one left off.

The first counting, of words and pairs of words, answers for variant, alpha, single words or pairs, tf-idf and the
least number of documents: all of that is decided when counts are weighed. What changes the terms themselves (stems,
marks, longer phrases) takes a counting each, so it comes last, for the best setting alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from likely.analysis.analyzer import thread_count
from likely.errors import OptionError
from likely.evaluation.trials import Tuning
from likely.model.examiner import calibrated_on
from likely.options.conflicts import check_together
from likely.options.table import OPTIONS, with_defaults
from likely.training.tuning.judge import Counted, Crossed, Goal, Judged, judge
from likely.training.tuning.material import NGRAMS
from likely.training.tuning.preparations import preparations
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from likely.counting.counts import Counts
    from likely.reading.sampling import Sample
    from likely.scoring.calibration_record import Calibrated
    from likely.training.tuning.material import Material

ALPHAS = (10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
"""About half an order of magnitude apart."""
STEP = 10**0.25
"""What is between them."""
FIRST_ALPHA = 0.3
LOCAL_VARIANTS = ("multinomial", "binary")
VARIANTS = (*LOCAL_VARIANTS, "complement", "complement_binary")
"""With two classes each is the other's complement, so those say the same."""
WEIGHTS = ({"weighting": "tfidf", "tf": "raw", "alpha": 1.0}, {"min_documents": 2})
"""What else is tried on the same counts, for the best variant. Values that idf makes larger want a larger alpha."""


_LENGTH_ONE: dict[str, Any] = {"variant": "nbsvm", "weighting": "tfidf", "idf": "smooth", "norm": "l2"}
LEARNED_SETTINGS: tuple[dict[str, Any], ...] = (
    {**_LENGTH_ONE, "tf": "raw", "min_documents": 2, "cost": 2.0},
    {**_LENGTH_ONE, "tf": "raw", "min_documents": 2, "cost": 4.0},
    _LENGTH_ONE,
    {"variant": "nbsvm", "cost": 0.1, "interpolation": 0.25},
)
"""What is tried of the variant that is learned from all documents at once."""


@dataclass(frozen=True)
class Chosen:
    """The options that were chosen beside those given, the counts by them, and how it came about."""

    options: dict[str, Any]
    counts: Counts | None
    """None where the documents have to be read for it."""
    calibrated: Calibrated
    tuning: Tuning


@dataclass
class Search:
    """One search: what is held fixed, what it is for, and what has been tried."""

    material: Material
    given: dict[str, Any]
    goal: Goal
    tried: dict[tuple[tuple[str, Any], ...], Judged] = field(default_factory=dict)

    @property
    def threads(self) -> int:
        """How many threads work at once."""
        return thread_count(self.given.get("threads"))

    def values(self, options: Mapping[str, Any]) -> dict[str, Any] | None:
        """All options, if these go together and leave what is given alone."""
        if any(self.given.get(name, value) != value for name, value in options.items()):
            return None
        values = with_defaults({**options, **self.given})
        try:
            check_together(values)
        except OptionError:
            return None
        return values

    def judge(self, counted: Counted, options: Mapping[str, Any]) -> Judged | None:
        """A trial of some options; the same one if they were tried before."""
        values = self.values(options)
        if values is None:
            return None
        key = _key(values)
        if key not in self.tried:
            left = counted.left_out(values)
            judged = judge(left, counted.own, counted.kinds.labels, values, "leave-one-out", self.goal)
            self.tried[key] = judged
        return self.tried[key]

    def remember(self, values: Mapping[str, Any], judged: Judged) -> Judged:
        """Note a trial that was judged elsewhere."""
        return self.tried.setdefault(_key(values), judged)

    def climb(self, counted: Counted, options: Mapping[str, Any]) -> Judged | None:
        """The best trial over alpha, from the one of these options on: to both sides as long as it gets better."""
        if "alpha" in self.given:
            return self.judge(counted, options)
        start = options.get("alpha", FIRST_ALPHA)
        at = ALPHAS.index(start)
        best = self.judge(counted, {**options, "alpha": start})
        for step in (-1, 1):
            place = at + step
            while best is not None and 0 <= place < len(ALPHAS):
                found = self.judge(counted, {**options, "alpha": ALPHAS[place]})
                if found is None or not self.goal.better(found, best):
                    break
                best, place = found, place + step
        return best

    def refine(self, counted: Counted, best: Judged) -> Judged:
        """The best trial with the alphas between its own and the next."""
        alpha = best.trial.options.get("alpha", 1.0)
        options = best.trial.options
        for other in (round_alpha(alpha / STEP), round_alpha(alpha * STEP)) if "alpha" not in self.given else ():
            found = self.judge(counted, {**options, "alpha": other})
            if found is not None and self.goal.better(found, best):
                best = found
        return best

    def best_of(self, counted: Counted, settings: Iterable[Mapping[str, Any]], best: Judged | None) -> Judged | None:
        """The best trial of these and what was best so far; of equal ones the first."""
        for options in settings:
            found = self.climb(counted, options)
            if found is not None and (best is None or self.goal.better(found, best)):
                best = found
        return best


def _key(values: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, str(value)) for name, value in values.items())


def full_options(judged: Judged) -> dict[str, Any]:
    """The options of a trial with its alpha, also where that is the default: a search goes on from there."""
    return {"alpha": OPTIONS["alpha"].default, **judged.trial.options}


def lower_alpha(alpha: float) -> float:
    """An alpha to begin with where documents count as one: their terms then count about a tenth.

    Examples
    --------
    >>> lower_alpha(1.0), lower_alpha(0.001)
    (0.1, 0.001)
    """
    return ALPHAS[min(ALPHAS.index(alpha) + 2, len(ALPHAS) - 1)]


def round_alpha(alpha: float) -> float:
    """An alpha that is easy to write.

    Examples
    --------
    >>> round_alpha(0.3 / STEP)
    0.17
    """
    return float(f"{alpha:.2g}")


def choose(material: Material, given: Mapping[str, Any], goal: Goal, strongest: Sample | None = None) -> Chosen:
    """The best options for some documents, beside those that are given.

    With a sample for the ``strongest``, what is learned from all documents at once is considered too, judged on that.
    """
    search = Search(material, dict(given), goal)
    counted = Counted(material.counts, material.sample, search.threads)
    ngrams = material.counts.analyzer.ngrams
    # Buckets do not tell words from pairs, and where documents count the same, pairs are part of their length.
    mixed = given.get("hash_bits") or given.get("document_weight") == "equal"
    as_counted = "ngrams" in given or mixed or ngrams == (1, 1)
    pairs = [ngrams] if as_counted else [(1, 1), ngrams]
    variants: tuple[str, ...] = VARIANTS if len(counted.kinds.labels) > 2 else LOCAL_VARIANTS
    if "variant" in given and given["variant"] != LEARNED:
        variants = (given["variant"],)
    best = search.best_of(counted, ({"ngrams": n, "variant": v} for n in pairs for v in variants), None)
    if best is None:
        raise OptionError("none of the settings that are tried goes together with the options that are given")
    for change in WEIGHTS:
        best = search.best_of(counted, [{**full_options(best), **change}], best) or best
    best, counted = _prepared(search, best, counted)
    best = search.refine(counted, best)
    if strongest is not None and material.read is not None:
        found = consider_learned(search, strongest, best)
        if found is not best:
            return _chosen(search, found, None, found.calibrated)
    values = with_defaults({**search.given, **best.trial.options})
    return _chosen(search, best, counted.counts, counted.calibrated(values, calibrated_on(values["variant"])))


def consider_learned(search: Search, sample: Sample, best: Judged) -> Judged:
    """The better one of the best trial so far and those of `LEARNED_SETTINGS`, judged by cross-validation.

    Whether words are stemmed is as in the best one: leaving one out tells that better than folds do.
    """
    stem = {name: value for name, value in best.trial.options.items() if name == "stem"}
    settings = [{"ngrams": NGRAMS, **setting, **stem} for setting in LEARNED_SETTINGS]
    values = [found for found in map(search.values, settings) if found is not None]
    if not values:
        return best
    counts = search.material.count({"ngrams": NGRAMS, **search.given, **stem})
    crossed = Crossed(counts, sample, search.threads)
    found = search.goal.best([search.remember(each, crossed.judge(each, search.goal)) for each in values])
    return found if search.goal.exceeds(found, best) else best


def _prepared(search: Search, best: Judged, counted: Counted) -> tuple[Judged, Counted]:
    """The best trial with other preparations of the texts, one after the other, and its counts."""
    material = search.material
    for change in preparations(material.counts, best.trial.options) if material.read is not None else ():
        options = {**full_options(best), **change}
        if "document_weight" in change and "alpha" not in search.given:
            options["alpha"] = lower_alpha(options["alpha"])
        if search.values(options) is None:
            continue
        other = Counted(material.count({**search.given, **options}), material.sample, search.threads)
        same = search.judge(other, options)
        # What is worse with the same alpha, and not by what an alpha is worth, is not worth another.
        if same is None or search.goal.is_hopeless(same, best):
            continue
        found = search.best_of(other, [options], best)
        if found is not None and found is not best:
            best, counted = found, other
    return best, counted


def _chosen(search: Search, best: Judged, counts: Counts | None, found: Calibrated) -> Chosen:
    options = {**search.given, **best.trial.options}
    if counts is not None and counts.analyzer.ngrams != with_defaults(options)["ngrams"]:
        counts = counts.single_words()
    others = sorted((each.trial for each in search.tried.values() if each is not best), key=lambda t: -t.value)
    sample = search.material.sample
    tuning = Tuning(search.goal.tune_for, len(sample), sample.of, [best.trial, *others])
    return Chosen(options, counts, found, tuning)
