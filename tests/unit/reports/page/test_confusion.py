"""The confusion matrix: one button per cell with documents, and the data that the buttons open."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from likely.evaluation.evaluation import from_confusion
from likely.reports.page.confusion import (
    MOST_CLASSES,
    cells_data,
    confusion_matrix,
    shown_classes,
)

if TYPE_CHECKING:
    from likely.reports.page import Material


def test_one_button_per_cell_with_documents(material: Material) -> None:
    html = confusion_matrix(material)
    matrix = html[html.index("<table") : html.index("</table>")]
    assert matrix.count("<button") == len(material.evaluation.counts)
    assert "<good>" not in html
    assert "style=" not in html


def test_every_button_opens_documents(material: Material) -> None:
    cells = cells_data(material)["cells"]
    assert isinstance(cells, dict)
    buttons = set(re.findall(r'data-cell="([^"]+)"', confusion_matrix(material)))
    assert buttons == set(cells)
    assert all(cells.values())


def test_totals_are_the_counts(material: Material) -> None:
    totals = cells_data(material)["totals"]
    assert isinstance(totals, dict)
    assert sum(totals.values()) == material.evaluation.documents


def test_of_many_classes_those_with_errors_are_shown() -> None:
    size = MOST_CLASSES + 20
    matrix = np.diag(np.full(size, 5))
    matrix[70, 75] = 1
    matrix[3, 3] = 0
    shown = shown_classes(from_confusion([f"c{at:03}" for at in range(size)], matrix))
    assert len(shown) == MOST_CLASSES
    assert {70, 75} <= set(shown)
    assert 3 not in shown
    assert shown == sorted(shown)
