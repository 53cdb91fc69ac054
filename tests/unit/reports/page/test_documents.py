"""The worst errors, and the documents that are probably mislabelled."""

from __future__ import annotations

from dataclasses import replace

from likely.reports.page import Contradicted, Material
from likely.reports.page.documents import mislabelled, worst_errors


def test_every_mistake_is_listed_with_its_words(material: Material) -> None:
    html = worst_errors(material)
    assert html.count('<li class="document">') == 1
    assert "<mark" in html
    assert "<good>" not in html


def test_nothing_wrong_is_said(flawless: Material) -> None:
    assert "every prediction is right" in worst_errors(flawless)


def test_doubtful_labels(material: Material) -> None:
    doubted = replace(material, suspects=[Contradicted(material.mistakes[0], 0.875)])
    assert "wrong with probability 87.5\u00a0%" in mislabelled(doubted)
    assert "No label is contradicted" in mislabelled(replace(material, suspects=[]))
    assert "not judged" in mislabelled(replace(material, suspects=None))
