"""Findings about documents as HTML."""

from __future__ import annotations

from likely.explanation.independence import Independence, Pair
from likely.explanation.mislabelled import Suspect, Suspects
from likely.reports.html.findings import MOST_ROWS

BAD = "<script>alert(1)</script>\"' \x1b[31m \u202e"


def test_suspects_are_a_bounded_table() -> None:
    one = Suspect(6, f"{BAD} {'long ' * 900}", BAD, "&", 0.913, [(BAD, 3.2), ("b", 1.0)])
    found = Suspects([one] * (MOST_ROWS + 2))
    page = found._repr_html_()
    assert "22 documents that are probably mislabelled" in page
    assert "91.3 %" in page
    assert ">7<" in page, "rows are counted from 1"
    assert "and 2 more documents" in page
    assert "<script" not in page
    assert not {"\x1b", "\u202e"} & set(page)
    assert len(page) < 50_000


def test_suspects_are_a_list_that_prints_itself() -> None:
    one = Suspect(6, "text", "+", "-", 0.9, [])
    assert Suspects([one]) == [one]
    assert str(Suspects([one, one])).count("row 7: +, rather -") == 2
    assert "No document is probably mislabelled." in Suspects()._repr_html_()
    assert str(Suspects()) == "No document is probably mislabelled."


def test_independence_lists_its_pairs() -> None:
    found = Independence([Pair(BAD, "kong", 2, 1.33, 5.0, 1.61)] * 30, 6, 7, 3.0, 1.5)
    page = found._repr_html_()
    assert "Evidence is counted 1.50 times on average" in page
    assert "as much evidence as 2.0 independent ones" in page
    assert "+1.61" in page
    assert "and 10 more pairs" in page
    assert "<script" not in page
