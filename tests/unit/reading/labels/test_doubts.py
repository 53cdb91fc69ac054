"""Doubts about labels: exact numbers, the option that settles each, and no false alarms."""

from __future__ import annotations

from typing import Any

import pytest
from likely.options.reading import READING, ReadingOptions
from likely.reading.labels import doubts_about, quoted, settled_by

SETTLED: list[tuple[dict[Any, int], str, list[dict[str, Any]]]] = [
    (
        {"ham": 5, " spam": 2, "spam\u00a0": 1, "spam": 7},
        "3 rows have a label with white space around it, such as ' spam': strip_labels=True",
        [{"strip_labels": True}, {"strip_labels": False}],
    ),
    (
        {"spam": 7, "Spam": 2, "SPAM": 1, "ham": 5, "Straße": 4, "STRASSE": 1},
        "4 rows have a label that differs only in case from another one, such as 'Spam' from 'spam': fold_labels=",
        [{"fold_labels": True}, {"fold_labels": False}],
    ),
    (
        {"ham": 9, "NA": 2, "null": 3, "?": 1, "N/A": 1},
        "7 rows have a label that looks like a missing value, 'null' (3), 'NA' (2), '?' (1) and 1 more: "
        "missing_labels='skip' (--missing-labels skip)",
        [{"missing_labels": "skip"}, {"missing_labels": "keep"}],
    ),
    (
        {"a;b": 5, "b;c": 4, "a": 1},
        "9 of 10 rows seem to have several labels, such as 'a;b'. `likely` learns one label per text: "
        "label_separator=';' (--label-separator ';')",
        [{"label_separator": ";"}, {"label_separator": "none"}],
    ),
    (
        {f"user {number}": 1 for number in range(99)} | {"x": 2},
        "99 of 101 rows have a label that no other row has, such as 'user 0': label='id' (--label-column id)",
        [{"label": "id"}],
    ),
    (
        dict.fromkeys(range(20), 1),
        "20 of 20 rows have a label that no other row has, such as 0: label='id'",
        [{"label": "id"}],
    ),
]


def test_labels_of_several_parts_are_recognised_where_the_parts_are_labels_too() -> None:
    rows: dict[Any, int] = {"anger": 500, "joy": 450, "anger | joy": 20, "R&B|soul": 30}
    (found,) = doubts_about(rows, ReadingOptions())
    assert found.startswith("50 of 1,000 rows seem to have several labels, such as 'R&B|soul'")
    assert doubts_about({**rows, "anger | joy": 19}, ReadingOptions()) == []
    assert doubts_about({"anger": 950, "R&B|soul": 50}, ReadingOptions()) == [], "its parts are no labels"


@pytest.mark.parametrize(("rows", "line", "options"), SETTLED)
def test_each_doubt_is_one_line_that_an_option_settles(
    rows: dict[Any, int], line: str, options: list[dict[str, Any]]
) -> None:
    (found,) = doubts_about(rows, ReadingOptions(), column="id")
    assert found.startswith(line)
    assert "\n" not in found
    for option in options:
        assert doubts_about(rows, ReadingOptions(**option), column="id") == []


@pytest.mark.parametrize(
    "rows",
    [
        {"pos": 3, "neg": 3},
        {"+": 3, "-": 3},
        {1: 5, 2: 5, 3: 1},
        {"a;b": 1, "c": 20},
        {f"user {number}": 1 for number in range(9)},  # too few rows to be sure
        {"Straße": 3, "Strase": 4},
        {},
    ],
)
def test_nothing_is_said_of_good_labels(rows: dict[Any, int]) -> None:
    assert doubts_about(rows, ReadingOptions(), column="label") == []


def test_classes_of_the_model_are_not_doubtful() -> None:
    rows: dict[Any, int] = {" spam": 2, "Spam": 3, "spam": 1, "NA": 1}
    assert doubts_about(rows, ReadingOptions(), classes=list(rows)) == []
    assert doubts_about({"a;b": 20}, ReadingOptions(), classes=["a;b"]) == []
    (found,) = doubts_about({"Spam": 30}, ReadingOptions(), classes=["spam", "ham"])
    assert found.startswith(
        "30 rows have a label that differs only in case from another one, such as 'Spam' from 'sp"
    )


def test_long_labels_are_cut() -> None:
    (found,) = doubts_about({"x" * 10_000 + " ": 1, "y": 1}, ReadingOptions())
    assert len(found) < 300
    assert len(quoted({"x" * 10_000: 1})) < 60


def test_options_are_written_as_they_are_given() -> None:
    assert settled_by("strip_labels", True) == "strip_labels=True (--strip-labels)"
    assert settled_by("label", "my column") == "label='my column' (--label-column 'my column')"
    assert all(name in READING for name in ("missing_labels", "label_separator"))
