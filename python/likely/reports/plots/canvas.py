"""Figures of matplotlib, made without its global state: nothing is shown, and nothing must be closed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from likely.extras import extra
from likely.terminal import cut, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#555555")
"""Colours that colour-blind readers tell apart (Okabe and Ito, *Color Universal Design*, 2008)."""
BLUE, ORANGE = COLOURS[:2]
LONGEST_LABEL = 24
"""Longer labels and words are cut."""


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
