"""The parts of an expression name their labels."""

from __future__ import annotations

from likely.batch.where import Parser, places_of


def test_all_labels_are_found() -> None:
    part = Parser("not (p(a) > p(b) or label in (c, d)) and 0 < p(e) < known").parse()
    assert list(part.labels()) == ["a", "b", "c", "d", "e", "e"]


def test_the_places_of_classes() -> None:
    assert places_of([False, True]) == {"false": 0, "true": 1}
    assert places_of([3, 5]) == {"3": 0, "5": 1}
