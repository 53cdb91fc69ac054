"""No text can become markup, end a script, or change the direction of what surrounds it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.report.render import _environment, percent, script_json, visible

SHOWN = """{% from "macros.html" import name, short, bar, highlighted %}"""


def shown(template: str, **values: object) -> str:
    """A small template, rendered as those of pages are."""
    return _environment().from_string(SHOWN + template).render(**values)


@given(st.text())
def test_html_has_no_marks_of_a_text(text: str) -> None:
    for template in ("{{ text }}", "{{ text|lines }}"):
        found = shown(template, text=text)
        assert not {*"<>\"'", "\u202e", "\u2066", "\x00", "\x1b", "\u2028"} & set(found)


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


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, "0"), (1.0, "100"), (0.5, "50.0"), (0.99996, ">\u00a099.9"), (1e-9, "<\u00a00.1")],
)
def test_percents(share: float, expected: str) -> None:
    assert percent(share) == f"{expected}%"


def test_a_bar_stays_in_its_place() -> None:
    assert 'width="100.0%"' in shown("{{ bar(2.0) }}")
    assert 'width="0.0%"' in shown("{{ bar(-1.0) }}")


def test_shades_are_classes_not_styles() -> None:
    found = shown("{{ highlighted(pieces) }}", pieces=[("a<", 4), ("b", -1)])
    assert found == '<bdi class="text"><mark class="p4">a&lt;</mark><mark class="c1">b</mark></bdi>'


def test_long_names_are_cut_and_whole_in_the_tooltip() -> None:
    found = shown("{{ short(text) }}", text="<" * 61)
    assert found == f'<bdi title="{"&lt;" * 61}">{"&lt;" * 60}…</bdi>'
