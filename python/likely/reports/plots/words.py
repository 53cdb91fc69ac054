"""The most typical words of classes as bars."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.reports.plots.canvas import BLUE, label_text, new_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from likely.types import Label

COLUMNS = 3
"""At most this many classes are beside each other."""


def plot_words(classes: Sequence[tuple[Label, list[tuple[str, float]]]]) -> Figure:
    """One panel per class with its words and their scores, the highest first."""
    columns = min(len(classes), COLUMNS)
    rows = math.ceil(len(classes) / columns)
    most = max((len(words) for _, words in classes), default=1)
    figure = new_figure(3.2 * columns + 0.4, rows * (0.7 + 0.24 * max(most, 3)))
    panels = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
    for panel, (label, words) in zip(panels, classes, strict=False):
        panel.barh(range(len(words)), [score for _, score in words], color=BLUE)
        panel.set_yticks(range(len(words)), [label_text(term) for term, _ in words], fontsize=8)
        panel.invert_yaxis()
        panel.set_title(label_text(label), fontsize=9)
        panel.tick_params(axis="x", labelsize=7)
    for panel in panels[len(classes) :]:
        panel.set_visible(False)
    figure.supxlabel("log-ratio of the frequency in the class to that in all others", fontsize=8)
    return figure
