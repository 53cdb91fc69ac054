"""Text that is safe to print, and numbers and tables for people."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.terminal import (
    cut,
    cut_apart,
    display_width,
    named,
    number,
    percent,
    printable,
    size_text,
    table,
    wrapped,
)


@given(st.text())
def test_nothing_that_is_printed_steers_a_terminal(text: str) -> None:
    shown = printable(text)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not [c for c in shown if unicodedata.category(c) == "Cf" and c not in "\u200c\u200d"]
    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("naïve 漢字 👍🏽", "naïve 漢字 👍🏽"),
        ("a\nb\tc", "a\\x0ab\\x09c"),
        ("\u202eabc", "\\u202eabc"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
        ("👩\u200d👧", "👩\u200d👧"),
        (3, "3"),
    ],
)
def test_what_is_escaped_and_what_is_not(text: object, shown: str) -> None:
    assert printable(text) == shown


def test_columns_are_aligned_by_what_the_reader_sees() -> None:
    lines = table([["", "n", "share"], ["漢字", "1", "0.5"], ["cafe\u0301", "1000", "1"]]).splitlines()
    assert lines == ["         n  share", "漢字     1    0.5", "cafe\u0301  1000      1"]
    assert {display_width(line) for line in lines} == {display_width(lines[0])}


def test_widths() -> None:
    assert [display_width(text) for text in ("", "abc", "漢", "e\u0301", "Ａ")] == [0, 3, 2, 1, 2]


def test_numbers_and_sizes_change_their_unit_where_they_should() -> None:
    assert [number(value) for value in (None, 0.0, 1.0, 12345.6, float("inf"))] == [
        "undefined",
        "0",
        "1",
        "1.235e+04",
        "inf",
    ]
    sizes = {
        0: "0 bytes",
        999: "999 bytes",
        1000: "1 kB",
        999_499: "999 kB",
        1_000_000: "1.0 MB",
        12_340_000: "12.3 MB",
    }
    assert {size: size_text(size) for size in sizes} == sizes


def test_a_long_list_says_how_many_more_there_are() -> None:
    assert named(list(range(2000)), 1) == "0 and 1,999 more"
    assert named([], 3) == ""


def test_percentages_are_whole_only_if_they_are() -> None:
    assert [percent(each) for each in (0.0, 0.00049, 0.5, 0.99951, 1.0)] == [
        "0%",
        "< 0.1%",
        "50.0%",
        "> 99.9%",
        "100%",
    ]
    assert [percent(each, 0) for each in (0.001, 0.9, 0.999)] == ["< 1%", "90%", "> 99%"]


def test_texts_are_cut_at_columns() -> None:
    assert cut("e\u0301" * 5, 5) == "e\u0301" * 5, "combining characters take no column"
    assert display_width(cut("漢字" * 9, 7)) <= 7
    assert cut_apart(["same" * 5, "same" * 5, "other"], 6) == ["sames…", "sames…", "other"]
    assert cut_apart(["a" * 20 + "1" + "a" * 20, "a" * 20 + "2" + "a" * 20], 6)[0] == "a" * 20 + "1" + "a" * 20


@given(st.text(alphabet="ab漢 \u0301", max_size=60), st.integers(8, 20))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: int) -> None:
    lines = wrapped(text, "  ", width).split("\n")
    assert all(display_width(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
