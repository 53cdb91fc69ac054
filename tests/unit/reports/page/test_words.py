"""Typical words as bars, the share of unknown terms, and the pairs that are not independent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from likely.explanation.independence import Independence, Pair
from likely.reports.page.words import dependent_pairs, is_nested, typical_words

if TYPE_CHECKING:
    from likely.reports.page import Material


def test_the_strongest_word_has_the_longest_bar(material: Material) -> None:
    html = typical_words(material)
    assert 'width="100.0%"' in html
    assert html.count("<details open>") == len(material.words)
    assert "<bdi>script</bdi>" in html


def test_the_share_of_unknown_terms(material: Material) -> None:
    assert "The model does not know <b>" in typical_words(material)


def test_hashed_terms_have_no_names(material: Material) -> None:
    assert "hashed" in typical_words(replace(material, words={}))


def test_pairs_that_contain_each_other_are_not_shown(material: Material) -> None:
    pairs = [Pair("best", "the best", 9, 1.0, 5.0, 0.1), Pair("hong", "<kong>", 9, 1.5, 5.0, 0.25)]
    html = dependent_pairs(replace(material, independence=Independence(pairs, 20, 30, 4.0, 2.0)))
    assert "the best" not in html
    assert "<bdi>hong</bdi> + <bdi>&lt;kong&gt;</bdi>" in html
    assert "worth 2 independent ones (20 documents)" in html
    assert "not examined" in dependent_pairs(replace(material, independence=None))


@pytest.mark.parametrize(("a", "b", "nested"), [("u s", "s", True), ("the u", "u s", True), ("us", "bus", False)])
def test_what_is_nested(a: str, b: str, nested: bool) -> None:
    assert is_nested(Pair(a, b, 1, 1.0, 1.0, 0.0)) is nested
