"""HTML to text: real markup, broken markup, hostile markup."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.reading.mail import html_text

PAGES = {
    "<b>f</b>re<i>e</i> v<x-y>ia</x-y>gra": "free viagra",
    "<P>one</P><DIV>two<BR/>three<ul><li>four<li>five": "one\ntwo\nthree\nfour\nfive",
    "<table><tr><td>a<td>b<tr><th>c</table>d": "a\nb\nc\nd",
    "a\n b\t<b> c</b>&nbsp;&#10;d": "a b c d",
    "a<!-- b > c -->d<!-->e<!--->f<!DOCTYPE html>g<?xml x?>h<![if !mso]>i": "adefghi",
    "<head><title>t</title><meta x></head><body>b": "b",
    "<head><title>t</title><p>no end of head": "no end of head",
    "<html><head>junk<body>b": "b",
    "a<script>if (a<b) '</p>'</SCRIPT >b<style>x</style>c<script src=x></script>d": "abcd",
    "a<script>never closed": "a",
    "a<style>never closed <p>b": "a",
    "a<!-- never closed <p>b": "a",
    "a<p title='never closed>b</p>c": "a\nb\nc",
    "a<a href=never": "a",
    """x<a title="a > b" alt='>'>y</a>z""": "xyz",
    "1 < 2 && 3 > 2 <3 </ >": "1 < 2 && 3 > 2 <3",
    "&lt;b&gt; &amp;lt; &eacute;&#233;&#xE9; &copy &nosuch; &#xD800; &": "<b> &lt; ééé © &nosuch; \ufffd &",
    "&#" + "1" * 5000 + ";": "\ufffd" + "1" * 4968 + ";",
    "": "",
}


@pytest.mark.parametrize("markup", PAGES, ids=range(len(PAGES)))
def test_html(markup: str) -> None:
    assert html_text(markup) == PAGES[markup]


@given(st.text(st.sampled_from("<>/!-?='\"& ;#ab\n"), max_size=60))
def test_any_markup(markup: str) -> None:
    text = html_text(markup)
    assert text == text.strip()
    assert html_text(html.escape(markup)).split() == markup.split()


SIZE = 1_000_000


HOSTILE_PIECES = ["<", "&", "<a", "<a ", '<a ">"', '<a b=">"', '<a b="', "<a b='\"", "<!--", "<!", "</", "<script>"]


HOSTILE_PIECES += ["<head>", "<title>", "<div>", "&#1", "&a", "<p> ", "= ", "<script></script", "\n"]


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE_PIECES)
def test_hostile_markup_takes_no_longer_than_other_markup(piece: str) -> None:
    markup = piece * (SIZE // len(piece))
    for end in ("", ">", '"', "-->"):
        html_text(markup + end)
    html_text("<a " + markup)
