"""Charts: the origin is at the bottom left, and curves keep their ends."""

from __future__ import annotations

import numpy as np
from likely.reports.page.chart import SIZE, bars_of, chart, path_of, points_of


def test_the_origin_is_at_the_bottom_left() -> None:
    assert path_of(points_of(np.array([[0.0, 0.0], [1.0, 1.0]]))) == f"M0 {SIZE}L{SIZE} 0"


def test_bars_are_relative_to_the_largest() -> None:
    html = bars_of([5.0, 0.0, 10.0], 3)
    assert f'height="{SIZE / 5:.1f}"' in html
    assert f'height="{SIZE / 10:.1f}"' in html
    assert 'height="0.0"' in html


def test_bars_of_nothing() -> None:
    assert bars_of([0.0, 0.0], 2).count('height="0.0"') == 2


def test_a_chart_has_names_for_people_who_do_not_see_it() -> None:
    html = chart("roc", "ROC curve", "x, %", "y, %", "<path/>")
    assert 'role="img" aria-label="ROC curve"' in html
    assert html.count('class="tick"') == 10
