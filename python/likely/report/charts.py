"""Curves as points and SVG paths: ROC, precision against recall, reliability, and the data of the slider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.core.calibration import BINS, confidence_bins
from likely.evaluation.ranking import Ranked, ranked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.report.material import ReportMaterial
    from likely.types import Array, Mask, Places


GRID = (*(percent / 100 for percent in range(100)), 0.995, 0.999, 0.9999, 1.0)
"""The thresholds: every percent, and closer ones near 1, where the probabilities of sure answers are."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """How many documents reach each threshold, and how many of them are hits.

    The score of a document is the probability of one class, and a hit is a document of that class; or it is the
    probability of the predicted class, and a hit is a right prediction.

    Attributes
    ----------
    documents, wanted : int
        The number of documents, and the number of hits that recall is a share of.
    reached, hits_reached : array
        The number of documents whose score reaches each threshold of `GRID`, and that of hits among them.
    roc, precision_recall : array
        The points of the curves: one row per point, x and y. On the ROC curve, x is the share of the other documents
        and y the share of the hits that reach a threshold; on the other curve, x is the recall and y the precision.
    sizes, confidence, shares : array
        Per bin of the score (15 of equal width): the number of documents, their mean score, and the share of hits;
        0 in empty bins.

    Examples
    --------
    >>> found = sweep(np.array([0.9, 0.8, 0.3]), np.array([True, False, True]))
    >>> int(found.reached[50]), int(found.hits_reached[50]), found.documents, found.wanted
    (2, 1, 3, 2)
    >>> found.roc.tolist()
    [[0.0, 0.0], [0.0, 0.5], [1.0, 0.5], [1.0, 1.0]]
    """

    documents: int
    wanted: int
    reached: Places
    hits_reached: Places
    roc: Array
    precision_recall: Array
    sizes: Array
    confidence: Array
    shares: Array


def sweep(scores: Array, hits: Mask, wanted: int | None = None) -> Sweep:
    """The sweep of the scores of documents, from 0 to 1; ``hits`` says which documents are hits.

    Recall is the share of ``wanted`` documents that are hits and reach the threshold. Default: of all hits. The
    curves are about the hits alone.
    """
    ascending, hits_ascending = np.sort(scores), np.sort(scores[hits])
    reached, found = (
        len(each) - np.searchsorted(each, np.asarray(GRID), side="left") for each in (ascending, hits_ascending)
    )
    wanted = len(hits_ascending) if wanted is None else wanted
    return Sweep(len(scores), wanted, reached, found, *_curves(ranked(scores, hits)), *_score_bins(scores, hits))


def _curves(found: Ranked) -> tuple[Array, Array]:
    """The ROC curve and the precision-recall curve from the highest threshold on; a share of nothing is 0."""
    roc, both = found.roc_curve(), found.precision_recall_curve()
    return (
        np.nan_to_num(np.stack([roc.false_positive_rate, roc.true_positive_rate], axis=1)),
        np.stack([np.nan_to_num(both.recall), both.precision], axis=1)[::-1],
    )


def _score_bins(scores: Array, hits: Mask) -> tuple[Array, Array, Array]:
    bins = confidence_bins(scores)
    weights = np.ones(len(scores)), scores, hits.astype(np.float64)
    sizes, sums, right = (np.bincount(bins, weights=each, minlength=BINS).astype(np.float64) for each in weights)
    return sizes, sums / np.maximum(sizes, 1), right / np.maximum(sizes, 1)


def mean_curves(sweeps: Iterable[Sweep]) -> tuple[Array, Array]:
    """The means of the curves of classes against the rest: the areas below them are the means of their areas.

    Examples
    --------
    >>> scores = np.array([0.9, 0.8, 0.3])
    >>> some = [sweep(scores, np.array(hits)) for hits in ([True, False, False], [False, False, True])]
    >>> roc, precision_recall = mean_curves(some)
    >>> float(np.trapezoid(roc[:, 1], roc[:, 0]).round(2)), roc[0].tolist(), roc[-1].tolist()
    (0.5, [0.0, 0.0], [1.0, 1.0])
    >>> float(np.trapezoid(precision_recall[:, 1], precision_recall[:, 0]).round(2))
    0.67
    """
    at = np.linspace(0, 1, PER_MILLE + 1)
    roc, precision, ranked_classes, classes = np.zeros(len(at)), np.zeros(len(at)), 0, 0
    for each in sweeps:  # one after the other, because there may be thousands
        if 0 < each.wanted < each.documents:
            roc, ranked_classes = roc + np.interp(at, each.roc[:, 0], each.roc[:, 1]), ranked_classes + 1
        places = np.searchsorted(each.precision_recall[:, 0], at - 1e-9)  # a step reaches up to its recall
        precision, classes = precision + each.precision_recall[places, 1], classes + 1
    mean = roc / ranked_classes if ranked_classes else at
    return (
        np.concatenate([[[0.0, 0.0]], np.stack([at, mean], axis=1)]),
        np.stack([at, precision / max(classes, 1)], axis=1),
    )


def thinned(points: Array, most: int) -> Array:
    """At most ``most`` points of a curve in the unit square, evenly along its length; both ends are kept.

    Examples
    --------
    >>> thinned(np.array([[0.0, 0.0], [0.0, 0.01], [0.0, 1.0], [1.0, 1.0]]), 3).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    """
    if len(points) <= most:
        return points
    length = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(points, axis=0)).sum(axis=1))])
    wanted = np.linspace(0.0, length[-1], most)
    places = np.searchsorted(length, wanted, side="left")
    return points[np.unique(np.clip(places, 0, len(points) - 1))]


MOST_POINTS = 80
"""At most this many points of a curve are kept: the eye does not see more on a chart of this size."""
START = 0.5
"""The threshold at which the slider stands at first."""
SIZE = 300
"""The width and the height of the square between the axes; ``threshold.js`` has the same."""
PER_MILLE = 1000
"""The coordinates of points in the data of the page are whole numbers up to this one."""


def chart_paths(overall: Sweep) -> dict[str, Any]:
    """What the charts draw, in a square whose origin is at the bottom left."""
    return {
        "size": SIZE,
        "ticks": [step / 4 for step in range(5)],
        "roc": path_of(thin_points(overall.roc)),
        "precision_recall": path_of(thin_points(overall.precision_recall)),
        "reliability": path_of(_bins(overall)),
        "sizes": overall.sizes.tolist(),
        "start": START,
        "start_place": GRID.index(START),
        "last_place": len(GRID) - 1,
    }


def path_of(points: list[int]) -> str:
    """The SVG path through points, x and y in turn; the script draws others in the same way.

    Examples
    --------
    >>> path_of([0, 500, 1000, 1000])
    'M0 150L300 0'
    """
    pairs = zip(points[::2], points[1::2], strict=True)
    return "M" + "L".join(f"{_across(x):g} {SIZE - _across(y):g}" for x, y in pairs)


def _across(value: int) -> float:
    return round(SIZE * value / PER_MILLE, 2)


def thin_points(curve: Array) -> list[int]:
    """Some points of a curve as whole numbers, x and y in turn."""
    return [round(PER_MILLE * value) for value in thinned(curve, MOST_POINTS).ravel().tolist()]


def _bins(sweep: Sweep) -> list[int]:
    """The points of the reliability curve: mean probability and share of hits of each bin that has documents."""
    kept = sweep.sizes > 0
    pairs = zip(sweep.confidence[kept].tolist(), sweep.shares[kept].tolist(), strict=True)
    return [round(PER_MILLE * value) for pair in pairs for value in pair]


def curves_data(material: ReportMaterial) -> dict[str, object]:
    """The sweeps for the script: all classes first, then one per class, in the order of the choices."""
    sweeps = () if material.overall is None else (material.overall, *material.sweeps.values())
    return {"grid": list(GRID), "sweeps": [_plain_sweep(each) for each in sweeps]}


def _plain_sweep(sweep: Sweep) -> dict[str, object]:
    return {
        "documents": sweep.documents,
        "wanted": sweep.wanted,
        "hits": int(sweep.hits_reached[0]),
        "reached": sweep.reached.tolist(),
        "found": sweep.hits_reached.tolist(),
        "roc": thin_points(sweep.roc),
        "pr": thin_points(sweep.precision_recall),
        "bins": _bins(sweep),
        "sizes": [int(size) for size in sweep.sizes.tolist()],
    }
