"""Pieces of HTML: nothing in a text can become markup."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from likely.reports.html.markup import LONGEST, cell, escaped, hidden_html, named_html, table_html, tint


@given(st.text())
def test_no_text_becomes_markup_or_controls_the_page(text: str) -> None:
    for shown in (escaped(text), named_html(text)[len("<bdi>") : -len("</bdi>")] if len(text) <= LONGEST else ""):
        assert not {"<", ">", '"', "'", "\u202e", "\u2066", "\x1b", "\x00"} & set(shown)


def test_long_names_are_cut_and_whole_in_the_tooltip() -> None:
    shown = named_html('"' * (LONGEST + 1))
    assert shown.count("&quot;") == 2 * LONGEST + 1
    assert shown.endswith("…</bdi>")


def test_tables_keep_cells_that_are_given_whole() -> None:
    page = table_html(["a", "<b>"], [["x", cell("y", style="color:red;", title='"')]], upright=True)
    assert page.count("<td") == 2
    assert "&lt;b&gt;" in page
    assert 'title="&quot;"' in page
    assert "vertical-rl" in page


def test_colours_are_translucent() -> None:
    assert tint("1,2,3", 2.0) == "background:rgba(1,2,3,0.70);"
    assert tint("1,2,3", 0.0) == ""
    assert hidden_html(-3, "row") == ""
