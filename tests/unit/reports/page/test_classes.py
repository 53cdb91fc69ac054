"""The table of classes: one row per class with values to sort by, and the averages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from likely.reports.page.classes import COLUMNS, classes_table

if TYPE_CHECKING:
    from likely.reports.page import Material


def test_one_row_per_class_and_three_averages(material: Material) -> None:
    html = classes_table(material)
    body, foot = html.split("<tfoot>")
    assert body.count('<th scope="row"') == len(material.evaluation.labels)
    assert foot.count('<th scope="row"') == 3
    assert html.count("aria-sort") == len(COLUMNS)


def test_values_to_sort_by_are_exact(material: Material) -> None:
    html = classes_table(material)
    tables = list(material.evaluation.per_class.values())
    found = re.findall(r'<td data-value="([^"]*)">', html)
    assert len(found) == 6 * len(tables)
    recalls = ["" if table.recall is None else str(table.recall) for table in tables]
    assert found[1::6] == recalls


def test_undefined_is_said(material: Material) -> None:
    assert 'data-value="">undefined</td>' in classes_table(material)
