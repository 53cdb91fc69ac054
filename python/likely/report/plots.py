"""Pictures by matplotlib, made without its global state: nothing is shown, and nothing must be closed."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from likely.errors import ArgumentError, OptionError
from likely.extras import extra
from likely.report.pages import matrix
from likely.terminal import cut, percent, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likely.evaluation.evaluation import Evaluation
    from likely.types import Array, Label

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#555555")
"""Colours that colour-blind readers tell apart (Okabe and Ito, *Color Universal Design*, 2008)."""
BLUE, ORANGE = COLOURS[:2]
LONGEST_LABEL = 24
"""Longer labels and words are cut."""
MOST_CLASSES = 20
"""At most this many classes are in the confusion matrix, those that are confused most."""
MOST_CURVES = len(COLOURS)
"""At most this many classes have a curve, the largest ones."""
MOST_POINTS = 2_000
"""At most this many points of a curve are drawn."""
DARK = 0.55
"""On a cell with a larger share, text is white."""


def plot_evaluation(evaluation: Evaluation, kind: str, axes: Axes | None = None) -> Figure:
    """A picture of an evaluation; see `Evaluation.plot`."""
    if kind not in KINDS:
        raise OptionError(f"kind={kind!r} is not allowed: kind must be {', '.join(map(repr, KINDS))}")
    return KINDS[kind](evaluation, axes)


def plot_confusion(evaluation: Evaluation, axes: Axes | None = None) -> Figure:
    """The confusion matrix: numbers of documents; the colour is the share of the gold label."""
    found = matrix(evaluation, MOST_CLASSES, errors_only=True)
    cells, tables = found.counts(), [evaluation.per_class[label] for label in found.labels]
    names, number = list(map(label_text, found.labels)), len(found.labels)
    side = max(3.6, 1.8 + 0.42 * number)
    figure, axes = canvas(axes, side + 1.0, side)
    shares = [[n / max(of.tp + of.fn, 1) for n in row] for row, of in zip(cells, tables, strict=True)]
    picture = axes.imshow(shares, cmap="Blues", vmin=0.0, vmax=1.0)
    for row, numbers in enumerate(cells):
        for column, documents in enumerate(numbers):
            colour = "white" if shares[row][column] > DARK else "black"
            text = f"{documents:,}" if documents else ""
            axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=8)
    axes.set_xticks(range(number), names, rotation=90 if number > 4 else 0)
    axes.set_yticks(range(number), names)
    axes.set_xlabel("predicted label")
    axes.set_ylabel("gold label")
    figure.colorbar(picture, ax=axes, label="share of the gold label", shrink=0.8)
    few = f", {number} of {len(evaluation.labels):,} classes" if number < len(evaluation.labels) else ""
    axes.set_title(f"accuracy {percent(evaluation.accuracy)}{few}")
    return figure


def plot_curves(kind: str, evaluation: Evaluation, axes: Axes | None = None) -> Figure:
    """The ROC curves, or those of precision against recall: one class against the rest."""
    ranking, is_roc = evaluation.ranking, kind == "roc"
    if ranking is None:
        raise _no_probabilities(kind)
    figure, axes = canvas(axes)
    areas = ranking.roc_auc if is_roc else ranking.average_precision
    for colour, label in zip(COLOURS, _largest(evaluation, areas), strict=False):
        x, y = ranking.roc_curve(label)[:2] if is_roc else ranking.precision_recall_curve(label)[1::-1]
        style, name = "default" if is_roc else "steps-post", f"{areas[label]:.3f}  {label_text(label)}"
        axes.plot(_thinned(x), _thinned(y), color=colour, label=name, drawstyle=style)
    if is_roc:
        axes.plot([0, 1], [0, 1], color="gray", linestyle=":", linewidth=1)
        _finish(axes, "false positive rate", "true positive rate (recall)", "area  class")
    else:
        _finish(axes, "recall", "precision", "average precision  class")
    return figure


def plot_reliability(evaluation: Evaluation, axes: Axes | None = None) -> Figure:
    """How often predictions are right against how probable they are said to be, with 95% intervals."""
    from likely.core.calibration import bands_of

    if evaluation.reliability is None:
        raise _no_probabilities("reliability")
    bands = bands_of(evaluation.reliability)
    figure, axes = canvas(axes)
    said, right = [band.said for band in bands], [band.right for band in bands]
    ends = [band.interval for band in bands]
    below = [max(share - low, 0.0) for share, (low, _) in zip(right, ends, strict=True)]
    above = [max(high - share, 0.0) for share, (_, high) in zip(right, ends, strict=True)]
    axes.plot([0, 1], [0, 1], color="gray", linestyle=":", linewidth=1, label="as it should be")
    axes.errorbar(said, right, yerr=[below, above], color=BLUE, marker="o", capsize=2, label="measured, with 95%")
    error = evaluation.reliability.expected_calibration_error
    _finish(axes, "probability of the prediction", "share of right predictions", f"calibration error {error:.3f}")
    return figure


KINDS: dict[str, Callable[..., Figure]] = {
    "confusion": plot_confusion,
    "roc": partial(plot_curves, "roc"),
    "precision-recall": partial(plot_curves, "precision-recall"),
    "reliability": plot_reliability,
}
"""The kinds of pictures of an evaluation."""


def _finish(axes: Axes, x: str, y: str, title: str) -> None:
    axes.set(xlabel=x, ylabel=y, xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.legend(title=title, fontsize=8, title_fontsize=8, loc="best")
    axes.grid(alpha=0.3)


def _no_probabilities(kind: str) -> ArgumentError:
    return ArgumentError(
        f"plot({kind!r}) needs probabilities, which this evaluation does not have: use the result of "
        "`model.evaluate`, or give `likely.evaluate` the probabilities"
    )


def _largest(evaluation: Evaluation, areas: dict[Label, float | None]) -> list[Label]:
    """The classes with most documents whose area is defined; of two, the second, whose curves say the same."""
    tables = evaluation.per_class
    defined = [label for label, area in areas.items() if area is not None]
    if len(areas) == 2 and len(defined) == 2:
        return defined[1:]
    return sorted(defined, key=lambda label: -(tables[label].tp + tables[label].fn))[:MOST_CURVES]


def _thinned(points: Array) -> Array:
    """Some of the points of a curve, always with the first and the last."""
    import numpy as np

    return points[np.linspace(0, len(points) - 1, min(len(points), MOST_POINTS)).round().astype(np.intp)]


def canvas(axes: Axes | None, width: float = 5.6, height: float = 4.4) -> tuple[Figure, Axes]:
    """A new figure of this size in inches and its axes, or the given axes and their figure."""
    if axes is not None:
        return axes.get_figure(root=True), axes  # type: ignore[return-value]
    figure = new_figure(width, height)
    return figure, figure.subplots()


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of this size in inches."""
    if "IPython" in sys.modules:  # a notebook learns to show figures when this module is imported
        extra("matplotlib.pyplot", "A plot")
    figure: Figure = extra("matplotlib.figure", "A plot").Figure(figsize=(width, height), layout="constrained")
    return figure


def label_text(text: object) -> str:
    r"""A label or a word that is safe to draw: cut if it is long, and never taken for a formula.

    Examples
    --------
    >>> print(label_text("$x$"), label_text("a" * 30))
    \$x\$ aaaaaaaaaaaaaaaaaaaaaaa…
    """
    return cut(printable(text), LONGEST_LABEL).replace("$", r"\$")
