"""No text can become markup, end a script, or change the direction of what surrounds it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.reports.page.escaping import escaped, isolated, script_json, visible


@given(st.text())
def test_html_has_no_marks_of_a_text(text: str) -> None:
    assert not set("<>\"'") & set(escaped(text))
    assert not {"\u202e", "\u2066", "\x00", "\x1b", "\u2028"} & set(isolated(text))


@given(st.recursive(st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.text(), st.lists))
def test_json_in_a_script_is_the_same_document(document: object) -> None:
    written = script_json(document)
    assert json.loads(written) == document
    assert not {"<", ">", "&", "\u2028", "\u2029"} & set(written)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\tb", "a b"),
        ("  a  ", " a "),
        ("\n", " "),
        ("\u202eab", "\\u202eab"),
        ("क्\u200dष", "क्\u200dष"),
        (True, "True"),
    ],
)
def test_what_is_visible(text: object, expected: str) -> None:
    assert visible(text) == expected


def test_numbers_that_json_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        script_json(float("inf"))
