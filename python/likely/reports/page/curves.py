"""The curves of the probabilities, and the slider that shows what a threshold does to precision and recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.evaluation.ranking import GRID, thinned
from likely.reports.page.chart import SIZE, bars_of, chart, path_of, points_of
from likely.reports.page.escaping import escaped
from likely.reports.page.markup import paragraph, percent, section
from likely.scoring.reliability import BINS

if TYPE_CHECKING:
    from likely.evaluation.ranking import Sweep
    from likely.reports.page.material import Material
    from likely.types import Array

MOST_POINTS = 80
"""At most this many points of a curve are kept: the eye does not see more on a chart of this size."""
START = 0.5
"""The threshold at which the slider stands at first."""


def curves(material: Material) -> str:
    """The section with the slider and the three charts; without probabilities, a sentence that says so."""
    if material.overall is None:
        return section("thresholds", "Thresholds", paragraph("There are no probabilities, so there are no curves."))
    overall = material.overall
    return section(
        "thresholds",
        "Thresholds",
        paragraph(
            "What happens if only sure predictions are accepted? Move the slider. For all classes, a document is "
            "answered if the probability of its predicted class reaches the threshold; for one class, a document is "
            "given this class if the probability of the class does."
        ),
        _controls(material),
        f'<div class="charts">{_roc(overall)}{_precision_recall(overall)}{_reliability(overall)}</div>',
        paragraph(
            "ROC: found documents against false alarms; the diagonal is guessing. Reliability: a calibrated model is "
            "on the diagonal; the bars show how many documents have each probability. The dots, and the line in the "
            "last chart, are at the threshold of the slider.",
            "remark",
        ),
    )


def _controls(material: Material) -> str:
    choices = "".join(
        f'<option value="{at}">{escaped(label)}</option>' for at, label in enumerate(material.sweeps, start=1)
    )
    at = GRID.index(START)
    return (
        '<div class="controls"><p><label for="sweep">Class</label> <select id="sweep">'
        f'<option value="0">all classes</option>{choices}</select></p>'
        '<p><label for="threshold">Threshold '
        f'<output id="threshold-shown">{percent(START)}</output></label> '
        f'<input type="range" id="threshold" min="0" max="{len(GRID) - 1}" value="{at}"></p>'
        '<dl class="figures" aria-live="polite"><div><dt>Precision</dt><dd id="precision"></dd></div>'
        '<div><dt>Recall</dt><dd id="recall"></dd></div><div><dt>Coverage</dt><dd id="coverage"></dd></div></dl>'
        '<p id="in-words" class="remark"></p></div>'
    )


_DIAGONAL = f'<line class="diagonal" x1="0" y1="{SIZE}" x2="{SIZE}" y2="0"/>'
_DOT = '<circle class="dot" r="6"/>'


def _curve(points: list[int]) -> str:
    return f'<path class="curve" d="{path_of(points)}"/>'


def _roc(overall: Sweep) -> str:
    inside = _DIAGONAL + _curve(_thin(overall.roc)) + _DOT
    return chart("roc", "ROC curve", "wrong answers accepted, %", "right answers accepted, %", inside)


def _precision_recall(overall: Sweep) -> str:
    inside = _curve(_thin(overall.precision_recall)) + _DOT
    return chart("precision-recall", "Precision and recall", "recall, %", "precision, %", inside)


def _reliability(overall: Sweep) -> str:
    inside = (
        f'<g class="sizes">{bars_of(overall.sizes.tolist(), BINS)}</g>{_DIAGONAL}{_curve(_bins(overall))}'
        f'<g class="bins"></g><line class="at" y1="0" y2="{SIZE}"/>'
    )
    return chart("reliability", "Reliability", "probability, %", "answers that are right, %", inside)


def _thin(curve: Array) -> list[int]:
    return points_of(thinned(curve, MOST_POINTS))


def _bins(sweep: Sweep) -> list[int]:
    """The points of the reliability curve: mean probability and share of hits of each bin that has documents."""
    kept = sweep.sizes > 0
    pairs = zip(sweep.confidence[kept].tolist(), sweep.shares[kept].tolist(), strict=True)
    return [round(1000 * value) for pair in pairs for value in pair]


def curves_data(material: Material) -> dict[str, object]:
    """The sweeps for the script: all classes first, then one per class, in the order of the choices."""
    if material.overall is None:
        return {"grid": list(GRID), "sweeps": []}
    sweeps = (material.overall, *material.sweeps.values())
    return {"grid": list(GRID), "sweeps": [_plain(each) for each in sweeps]}


def _plain(sweep: Sweep) -> dict[str, object]:
    return {
        "documents": sweep.documents,
        "wanted": sweep.wanted,
        "hits": int(sweep.hits_reached[0]),
        "reached": sweep.reached.tolist(),
        "found": sweep.hits_reached.tolist(),
        "roc": _thin(sweep.roc),
        "pr": _thin(sweep.precision_recall),
        "bins": _bins(sweep),
        "sizes": [int(size) for size in sweep.sizes.tolist()],
    }
