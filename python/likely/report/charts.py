"""Curves as points and SVG paths: ROC, precision against recall, reliability, and the data of the slider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.core.reliability import BINS
from likely.evaluation.ranking import GRID, thinned

if TYPE_CHECKING:
    from typing import Any

    from likely.evaluation.ranking import Sweep
    from likely.report.material import ReportMaterial
    from likely.types import Array

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
        "bars": bars_of(overall.sizes.tolist(), BINS),
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


def bars_of(sizes: list[float], count: int) -> list[dict[str, str]]:
    """Thin bars at the bottom of a chart, in proportion to the largest size, at most a fifth of the height."""
    most, width = max(max(sizes, default=0.0), 1.0), SIZE / count
    return [
        {
            "x": f"{at * width + 1:g}",
            "width": f"{width - 2:g}",
            "y": f"{SIZE - SIZE / 5 * size / most:.1f}",
            "height": f"{SIZE / 5 * size / most:.1f}",
        }
        for at, size in enumerate(sizes)
    ]


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
