"""A model as JSON for JavaScript: settings, weights and decisions, with as many terms as fit."""

from __future__ import annotations

import base64
import gzip
import json
import math
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from likely import _native
from likely.core.decisions import are_given, decision_of, threshold_of
from likely.core.file import Snapshot, value_terms
from likely.core.scorer import score_shift
from likely.core.weights import ModelView, WeighedClasses, term_deltas
from likely.errors import OptionError, OutputError
from likely.options.compound import PARTS, reject_label_of
from likely.options.model import ANALYZE_OPTIONS
from likely.report.live.scripts import stemmer
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from likely.core.analyzer import Analyzer
    from likely.core.rules import Rules
    from likely.types import Abstain, Array, Ids, Label, Starts, Thresholds

FORMAT = 1
"""The format of the file, which ``classifier.js`` checks."""

LEAST_BYTES = 6
"""No term takes fewer bytes than this, so that models with far too many terms need not be tried as a whole."""
USUAL_BYTES = 12
"""What a term takes about, with which the search for the number of terms begins."""
_TRIES = 8
_CLOSE, _AIM = 0.94, 0.975
"""The share of the allowed size that is good enough, and the share that is aimed at."""

LARGEST_SAFE = 2**53 - 1
"""The largest whole number that JavaScript does not round."""
GRID = 2.0**-40
"""Weights are rounded to multiples of this number (1e-12), which takes fewer digits than all their bits, and makes
weights equal that differ by rounding only. A thousand such words change a probability by less than 3e-10."""
_WRITTEN_APART = ("stop_words", "stem", "negation", "tokenizer")
_AS_THEY_ARE = tuple(
    part for name in ANALYZE_OPTIONS if name not in _WRITTEN_APART for part in PARTS.get(name, (name,))
)


@dataclass(frozen=True, eq=False)
class LiveModel:
    """A model for JavaScript.

    Attributes
    ----------
    snapshot : Snapshot
        The model, with the terms that are in the file only. `NaiveBayes.from_snapshot` makes the same model of it.
    all_terms : int
        The number of terms that the model had before.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> live = live_model(NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot())
    >>> live.terms, live.file["weights"]["terms"].split(), live.file["labels"]
    (3, ['dull', 'fun', 'good'], ['+', '-'])
    """

    snapshot: Snapshot
    all_terms: int

    @cached_property
    def file(self) -> dict[str, object]:
        """The document."""
        classes = _classes(self.snapshot)
        return {
            "format": FORMAT,
            "labels": self.labels,
            "names": [printable(label) for label in classes.labels],
            "all_terms": self.all_terms,
            "preparation": preparation(self.snapshot.counts.analyzer),
            "decision": _decision(self.snapshot, classes),
            "weights": weight_tables(classes),
        }

    @cached_property
    def labels(self) -> list[Label]:
        """The classes, as JavaScript has them."""
        return [_label(label) for label in self.snapshot.counts.live().labels]

    @cached_property
    def json(self) -> str:
        """The document as text."""
        return json.dumps(self.file, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    @cached_property
    def packed(self) -> str:
        """The document as a page holds it: compressed (gzip), and written in ASCII (base64)."""
        return base64.b64encode(gzip.compress(self.json.encode(), 6, mtime=0)).decode()

    @property
    def stem_language(self) -> str:
        """The language of the stems, or "none"."""
        return stem_language(self.snapshot.counts.analyzer)

    @property
    def terms(self) -> int:
        """The number of terms in the file."""
        return len(cast("dict[str, list[int]]", self.file["weights"])["lengths"])


def live_model(snapshot: Snapshot, most_bytes: int | None = None) -> LiveModel:
    """A model for JavaScript that takes at most ``most_bytes`` in a page: its most informative terms.

    Raise ``OutputError`` if the browser cannot prepare texts as the model does, and ``OptionError`` if not even a
    model without terms fits.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.sample import load_sample
    >>> snapshot = NaiveBayes().fit(*load_sample())._snapshot()
    >>> small = live_model(snapshot, 5_000)
    >>> small.terms < small.all_terms, len(small.packed) <= 5_000
    (True, True)
    """
    snapshot = snapshot.whole()
    why = obstacle(snapshot.counts.analyzer, snapshot.rules)
    if why is not None:
        raise OutputError(f"this model cannot be used in a browser, because {why}")
    kept = snapshot.moment.terms.sorted_ids()
    whole = LiveModel(snapshot, len(kept))
    if most_bytes is None or (len(kept) * LEAST_BYTES <= most_bytes and len(whole.packed) <= most_bytes):
        return whole
    terms = value_terms(snapshot.counts)
    order = terms.ids[terms.order()]
    return _fitting(snapshot, order[np.isin(order, kept)], most_bytes)


def _fitting(snapshot: Snapshot, ids: Ids, most_bytes: int) -> LiveModel:
    """The model with only the first of these terms: nearly as many as fit."""
    found, fits, too_many = None, -1, len(ids) + 1
    number = min(len(ids), most_bytes // USUAL_BYTES)
    for _ in range(_TRIES):
        some = LiveModel(snapshot.of_terms(ids[:number]), len(ids))
        size = len(some.packed)
        if size <= most_bytes:
            found, fits = some, number
            if size >= _CLOSE * most_bytes:
                break
        else:
            too_many = number
        number = min(max(int(number * _AIM * most_bytes / size), fits + 1), too_many - 1)
        if number <= fits:
            break
    if found is None:
        size = len(LiveModel(snapshot.of_terms(ids[:0]), len(ids)).packed)
        raise OptionError(f"max_size={most_bytes} is too small: without any term the model takes {size} bytes")
    return found


def _classes(snapshot: Snapshot) -> WeighedClasses:
    """The classes. Their weights have the prior of the calibration, if that was changed since."""
    fitted = snapshot.calibrated_prior
    if fitted is None:
        return snapshot.moment.classes
    return ModelView(snapshot.counts, replace(snapshot.rules, prior=fitted), snapshot.learned).classes


def _thresholds(snapshot: Snapshot, labels: list[Label]) -> Mapping[Label, float]:
    """The thresholds of the classes: those given, or those that were chosen while training."""
    given = cast("Thresholds | None", snapshot.options["thresholds"])
    if are_given(given):
        return cast("Mapping[Label, float]", given)
    return {label: value for label, value in (snapshot.thresholds or {}).items() if label in labels}


def _decision(snapshot: Snapshot, classes: WeighedClasses) -> dict[str, object]:
    """From scores to a class: priors, calibration, thresholds and abstaining."""
    record, labels = snapshot.calibration, classes.labels
    shift = None if snapshot.calibrated_prior is None else score_shift(classes, snapshot.rules.prior)
    decision = decision_of(_thresholds(snapshot, labels), labels)
    abstain = cast("Abstain | None", snapshot.options["abstain"])
    threshold = threshold_of(abstain, record.curve if record else None)
    excluded = np.zeros(len(labels)) if classes.excluded is None else classes.excluded
    prior = classes.log_prior if shift is None else classes.finite_log_prior + shift
    return {
        "excluded": numbers(excluded.tolist()),
        "log_prior": numbers(prior.tolist()),
        "shift": None if shift is None else numbers(shift.tolist()),
        "calibration": None if record is None else record.calibration.to_dict(),
        "thresholds": None
        if decision is None
        else [None if np.isnan(t) else t for t in decision.thresholds.tolist()],
        "abstain": None if threshold is None else asdict(threshold),
        "reject_label": _label(cast("Label", reject_label_of(abstain))),
    }


def _label(label: Label) -> Label:
    """A label as JSON. A number that JavaScript would round is written as text."""
    return str(label) if type(label) is int and abs(label) > LARGEST_SAFE else label


def obstacle(analyzer: Analyzer, rules: Rules) -> str | None:
    """Why a browser cannot prepare texts for this model, as the end of a sentence; None if it can.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> snapshot = NaiveBayes(tokenizer=str.split).fit(["a", "b"], [1, 2])._snapshot()
    >>> obstacle(snapshot.counts.analyzer, snapshot.rules)
    'its texts are cut by a tokenizer of your own, which is written in Python'
    """
    if analyzer.tokenizer is not None:
        return "its texts are cut by a tokenizer of your own, which is written in Python"
    if rules.spelling:
        return "it corrects the spelling of unknown words (spelling='on'), which takes all of its words"
    if analyzer.stem != "none" and stemmer(stem_language(analyzer)) is None:
        return (
            f"it reduces words to their stems (stem={analyzer.stem!r}), which JavaScript cannot do in this language"
        )
    return None


def stem_language(analyzer: Analyzer) -> str:
    """The name of the language of the stems, or "none"."""
    return dict(_native.stem_languages()).get(analyzer.stem, analyzer.stem)


def preparation(analyzer: Analyzer) -> dict[str, object]:
    """The settings of ``terms.js``. The lists of words are prepared like the words that they are compared with.

    Examples
    --------
    >>> from likely.core.analyzer import Analyzer
    >>> from likely.options.model import with_defaults
    >>> found = preparation(Analyzer.of(with_defaults({"stop_words": ["THE"], "negation": "on"})))
    >>> found["analyzer"], found["stop_words"], "don't" in found["negators"]
    ('word', ['the'], True)
    """
    settings = {name: getattr(analyzer, name) for name in _AS_THEY_ARE}
    lower = replace(analyzer, lowercase=True, stem="none", stop_words=(), negation=(), hash_bits=0)
    words = sorted({_straight(analyzer.native.normalized(word)) for word in analyzer.stop_words})
    negators = sorted({_straight(lower.native.normalized(word)) for word in analyzer.negation})
    apart = {"stop_words": words, "negators": negators, "stem": stem_language(analyzer), "mail": analyzer.mail}
    return {**settings, **apart}


def _straight(word: str) -> str:
    """A word with the straight apostrophe, by which the kernel compares words of lists."""
    return word.replace("\u2019", "'")


def weight_tables(classes: WeighedClasses) -> dict[str, object]:
    """The numbers of the linear form (see ``weights.js``), one row per kept term, sorted by term.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> found = weight_tables(NaiveBayes().fit(["a a b", "b"], [1, 0])._snapshot().moment.classes)
    >>> found["terms"].split(), found["lengths"], found["classes"]
    (['a', 'b'], [1, 2], [1, 0, 1])
    >>> [round(float(np.exp(value * GRID))) for value in found["deltas"]["values"]], found["deltas"]["places"]
    ([3, 2, 2], None)
    """
    terms = classes.terms
    ids = terms.sorted_ids()
    scales = terms.scales_of(ids)
    starts, of_class, deltas, rests = _weight_cells(classes, ids, scales)
    is_learned = classes.learned is not None
    zeros = np.zeros(len(classes.labels))
    bias = classes.finite_log_prior + classes.lacking if classes.learned is None else classes.learned.bias
    return {
        "value": terms.value,
        "unit_length": terms.normalized,
        "absent": None if classes.variant.absent == -np.inf and not is_learned else 0,
        "bias": numbers(bias.tolist()),
        "base": numbers((zeros if is_learned else classes.base).tolist()),
        "factor": numbers((zeros + 1 if is_learned else classes.factor).tolist()),
        "terms": "\n".join(terms.native.spell(ids)),
        "scales": None if scales is None else table(scales, on_grid=False),
        "rests": None if rests is None else table(rests),
        "lengths": np.diff(starts).tolist(),
        "classes": of_class.tolist(),
        "deltas": table(deltas),
        "times_scale": is_learned,
    }


def _weight_cells(classes: WeighedClasses, ids: Ids, scales: Array | None) -> tuple[Starts, Ids, Array, Array | None]:
    """The starts of the rows, and of each cell its class (by place) and its delta; what is common to all classes."""
    terms, learned = classes.terms, classes.learned
    if learned is not None:
        learned = learned.of_terms(terms.are_kept(learned.ids))
        return learned.starts, learned.classes, learned.weights.astype(np.float64), None
    cells = terms.counts.cells(ids)
    deltas, rests = term_deltas(classes, ids, scales)
    places = classes.live.ranks[cells.classes]
    order = np.lexsort((places, cells.rows))  # whichever class was learned first, the bytes are the same
    return cells.starts, places[order], deltas[order], rests


def table(values: Array, *, on_grid: bool = True) -> dict[str, object]:
    """Numbers as a list of the distinct ones, the most frequent first, and the place of each in the list.

    If most are distinct, there are no places, and the numbers themselves are listed. Numbers that fit 32 bits are
    written with the fewest digits that tell them apart in 32 bits; others, on the grid, as whole multiples of `GRID`.

    Examples
    --------
    >>> table(np.array([0.25, 0.5, 0.5, 0.5, -np.inf, -np.inf]))
    {'values': [0.5, None, 0.25], 'places': [2, 0, 0, 0, 1, 1], 'kind': 'single'}
    >>> table(np.array([0.1]), on_grid=False), table(np.array([0.1]))
    ({'values': [0.1], 'places': None, 'kind': 'double'}, {'values': [109951162778], 'places': None, 'kind': 'grid'})
    """
    with np.errstate(over="ignore"):
        fit_32_bits = bool((values.astype(np.float32) == values).all())
    if fit_32_bits:
        return {**_listed(values, lambda value: float(str(np.float32(value)))), "kind": "single"}
    if not on_grid:
        return {**_listed(values, float), "kind": "double"}
    return {
        **_listed(np.rint(values / GRID), lambda value: int(value) if math.isfinite(value) else value),
        "kind": "grid",
    }


def _listed(values: Array, written: Callable[[float], float]) -> dict[str, object]:
    """The distinct values, most frequent first, and the place of each value; or all values, if most are distinct."""
    distinct, places, frequencies = np.unique(values, return_inverse=True, return_counts=True)
    if 2 * len(distinct) > len(values):
        return {"values": numbers(map(written, values.tolist())), "places": None}
    order = np.argsort(-frequencies, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return {"values": numbers(map(written, distinct[order].tolist())), "places": rank[places].tolist()}


def numbers(values: Iterable[float]) -> list[float | None]:
    """Numbers for JSON, which has no infinite ones: minus infinity is None.

    Examples
    --------
    >>> numbers([1.5, -np.inf])
    [1.5, None]
    """
    return [None if value == -np.inf else value for value in values]
