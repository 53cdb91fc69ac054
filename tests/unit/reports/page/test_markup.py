"""Small pieces of HTML: shares that are not whole never look whole, and every text is escaped."""

from __future__ import annotations

import pytest
from likely.reports.page.example import Example
from likely.reports.page.markup import bar, document_item, highlighted, percent, rows_of


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.0, "0"), (1.0, "100"), (0.5, "50.0"), (0.99996, "over 99.9"), (1e-9, "under 0.1")],
)
def test_percents(share: float, shown: str) -> None:
    assert percent(share) == f"{shown}\u00a0%"


def test_a_bar_stays_in_its_place() -> None:
    assert 'width="100.0%"' in bar(2.0)
    assert 'width="0.0%"' in bar(-1.0)


def test_texts_and_labels_are_escaped() -> None:
    example = Example(4, "<i>", "</li>", 0.9, 0.1, "<i>", [("<b>", 0), ("</mark>", -2)])
    html = document_item(example)
    assert "Row 5: predicted <bdi>&lt;/li&gt;</bdi>" in html
    assert "labelled <bdi>&lt;i&gt;</bdi>" in html
    assert '&lt;b&gt;<mark class="c2">&lt;/mark&gt;</mark>' in html


def test_right_documents_have_one_label() -> None:
    assert "labelled" not in document_item(Example(0, "a", "a", 0.9, 0.9, None, []))


def test_shades_are_classes_not_styles() -> None:
    assert "style" not in highlighted([("a", 4), ("b", -1)])


def test_the_first_cell_is_the_header_of_its_row() -> None:
    assert rows_of([["a", "b", "c"]]).count("<th") == 1
