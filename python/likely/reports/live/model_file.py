"""A model as JSON for JavaScript: settings, weights and decisions, with as many terms as fit."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.core.moment import Moment
from likely.core.snapshot import value_terms
from likely.errors import ExportError, OptionError
from likely.reports.live.preparation import obstacle, preparation, stem_language
from likely.reports.live.weight_tables import numbers, weight_tables
from likely.scoring.abstain import threshold_of
from likely.scoring.decisions import are_given, decision_of
from likely.scoring.scorer import score_shift
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.core.snapshot import Snapshot
    from likely.core.weights import Classes
    from likely.types import Abstain, Ids, Label, Thresholds

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
            "weights_are_log_odds": not (classes.variant.normalized or self.snapshot.rules.learned),
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

    Raise ``ExportError`` if the browser cannot prepare texts as the model does, and ``OptionError`` if not even a
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
        raise ExportError(f"this model cannot be used in a browser, because {why}")
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


def _classes(snapshot: Snapshot) -> Classes:
    """The classes. Their weights have the prior of the calibration, if that was changed since."""
    fitted = snapshot.calibrated_prior
    if fitted is None:
        return snapshot.moment.classes
    return Moment(snapshot.counts, replace(snapshot.rules, prior=fitted), snapshot.learned).classes


def _thresholds(snapshot: Snapshot, labels: list[Label]) -> Mapping[Label, float]:
    """The thresholds of the classes: those given, or those that were chosen while training."""
    given = cast("Thresholds | None", snapshot.options["thresholds"])
    if are_given(given):
        return cast("Mapping[Label, float]", given)
    return {label: value for label, value in (snapshot.thresholds or {}).items() if label in labels}


def _decision(snapshot: Snapshot, classes: Classes) -> dict[str, object]:
    """From scores to a class: priors, calibration, thresholds and abstaining."""
    record, labels = snapshot.calibration, classes.labels
    shift = None if snapshot.calibrated_prior is None else score_shift(classes, snapshot.rules.prior)
    decision = decision_of(_thresholds(snapshot, labels), labels)
    threshold = threshold_of(cast("Abstain | None", snapshot.options["abstain"]), record.curve if record else None)
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
        "reject_label": _label(cast("Label", snapshot.options["reject_label"])),
    }


def _label(label: Label) -> Label:
    """A label as JSON. A number that JavaScript would round is written as text."""
    return str(label) if type(label) is int and abs(label) > LARGEST_SAFE else label
