"""The most typical words of classes as bars."""

from __future__ import annotations

import io

import pytest
from likely import NaiveBayes
from likely.errors import ArgumentError, LabelError
from likely.report.plots import MOST_PANELS
from likely.sample import load_sample
from matplotlib.patches import Rectangle


def test_bars_are_the_scores_of_top_words() -> None:
    model = NaiveBayes().fit(*load_sample())
    figure = model.plot_top_words(n=5)
    words = model.top_words("positive", 5)
    panel = figure.axes[1]
    assert panel.get_title() == "positive"
    assert [label.get_text() for label in panel.get_yticklabels()] == [term for term, _ in words]
    assert [bar.get_bbox().width for bar in panel.patches if isinstance(bar, Rectangle)] == [s for _, s in words]


def test_classes_may_be_chosen_and_are_bounded_otherwise() -> None:
    model = NaiveBayes().fit([f"w{at} $x$" for at in range(20)], [f"$c{at:02}" for at in range(20)])
    assert sum(panel.get_visible() for panel in model.plot_top_words().axes) == MOST_PANELS
    chosen = model.plot_top_words(["$c03", "$c01"])
    assert [panel.get_title() for panel in chosen.axes] == ["\\$c03", "\\$c01"]
    chosen.savefig(io.BytesIO(), format="png", dpi=20)
    with pytest.raises(LabelError):
        model.plot_top_words(["c99"])
    with pytest.raises(ArgumentError, match="no classes to plot"):
        model.plot_top_words([])
