"""What Python knows of characters, as the kernel is told."""

from __future__ import annotations

import re
import sys

from hypothesis import given
from hypothesis import strategies as st
from likely.vectorize.drop_in.characters import END, FIRST, changed, only_ascii, ranges, without_accents
from sklearn.feature_extraction.text import strip_accents_ascii, strip_accents_unicode

EVERYTHING = "".join(map(chr, range(FIRST, 0x3000)))


@given(st.text())
def test_accents_are_stripped_as_scikit_learn_does(text: str) -> None:
    assert without_accents(text) == strip_accents_unicode(text)
    assert only_ascii(text) == strip_accents_ascii(text)


def test_all_code_points_but_ascii_are_asked_for() -> None:
    assert (128, sys.maxunicode + 1) == (FIRST, END)


def test_ranges_hold_the_characters_that_match_and_no_others() -> None:
    inside = {code for first, end in ranges(r"\w+", EVERYTHING) for code in range(first, end)}
    assert inside == {ord(c) for c in EVERYTHING if re.match(r"\w", c)}


def test_what_changes_is_every_character_that_becomes_another() -> None:
    found = {chr(code): folded.decode() for code, folded in changed(str.lower, EVERYTHING)}
    assert found == {c: c.lower() for c in EVERYTHING if c.lower() != c}
    assert found["É"] == "é"
    assert dict(changed(str, EVERYTHING)) == {}
