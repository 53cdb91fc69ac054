"""The heading of a report: the title that was given, or the names."""

from __future__ import annotations

from likely.reports.page import About


def test_headings() -> None:
    assert About(title="T", model="m", data="d").heading == "T"
    assert About(model="m", data="d").heading == "m on d"
    assert About(data="d").heading == "d"
