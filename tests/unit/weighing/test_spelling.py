"""Spelling corrections, against rapidfuzz comparing every word."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely._native import Spelling
from likely.errors import LengthError
from rapidfuzz.distance import OSA

ALPHABETS = ["ab", "abc", "aeirst", "бел", "αβς", "aéèñ", "नमसते", "a'b"]
"""Few letters each, so that random words are near each other; Devanagari with its vowel signs."""
REMOVED, ADDED, OTHER, SWAPPED = range(4)

Known = dict[str, float]


def words_of(alphabet: str, longest: int = 14) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=1, max_size=longest)


@st.composite
def known_and_asked(draw: st.DrawFn) -> tuple[Known, str]:
    words = words_of(draw(st.sampled_from(ALPHABETS)))
    known = draw(st.dictionaries(words, st.integers(0, 3).map(float), max_size=40))
    return known, draw(words)


@st.composite
def with_misspellings(draw: st.DrawFn) -> Known:
    """Frequent words of a few letters, and rare ones that differ a little from them."""
    alphabet = draw(st.sampled_from(ALPHABETS))
    frequent = draw(st.lists(words_of(alphabet, 12).filter(lambda word: len(word) > 6), min_size=1, max_size=8))
    rng = random.Random(draw(st.integers(0, 10_000)))
    rare = [spoiled(rng.choice(frequent), alphabet, rng) for _ in range(20)]
    return {word: float(rng.randrange(1, 4)) for word in rare} | {
        word: 10.0 + rng.randrange(200) for word in frequent
    }


def spoiled(word: str, alphabet: str, rng: random.Random) -> str:
    at, kind = rng.randrange(len(word)), rng.randrange(4)
    if kind == SWAPPED:
        return word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
    return word[:at] + ("" if kind == REMOVED else rng.choice(alphabet)) + word[at + (kind != ADDED) :]


def spelling(known: Known) -> Spelling:
    return Spelling(list(known), np.array(list(known.values()), dtype=np.float64))


def closest(known: Known, asked: str) -> str | None:
    """The closest word as the kernel finds it."""
    found = spelling(known).closest(asked)
    return None if found is None else list(known)[found]


def folds(known: Known, rare: float, times: float) -> dict[str, str]:
    words = list(known)
    return {words[a]: words[b] for a, b in spelling(known).folds(rare, times)}


def allowed(word: str) -> int:
    return (len(word) >= 4) + (len(word) >= 8)


def expected_closest(known: Known, asked: str) -> str | None:
    near = [(OSA.distance(asked, word), -frequency, word) for word, frequency in known.items()]
    return (
        min((found for found in near if found[0] <= allowed(asked)), default=(0, 0.0, None))[2]
        if allowed(asked)
        else None
    )


def expected_fold(known: Known, word: str, rare: float, times: float) -> str | None:
    """The best frequent, long word that differs once, and neither in front nor behind."""
    near = [
        (-frequency, other)
        for other, frequency in known.items()
        if frequency > rare and frequency >= times * known[word] and len(other) >= 8
        if OSA.distance(word, other) == 1 and word[0] == other[0] and word[-1] == other[-1]
    ]
    return min(near)[1] if near and known[word] <= rare else None


@given(known_and_asked())
def test_closest_is_what_comparing_all_finds(case: tuple[Known, str]) -> None:
    known, asked = case
    assert closest(known, asked) == expected_closest(known, asked)


@given(with_misspellings(), st.data())
def test_misspelled_words_are_found(known: Known, data: st.DataObject) -> None:
    asked = data.draw(st.sampled_from(sorted(known)))
    del known[asked]
    assert closest(known, asked) == expected_closest(known, asked)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("terible", "terrible"),
        ("неплхой", "неплохой"),
        ("θαυμασιο", "θαυμάσιο"),
        ("naïvete", "naïveté"),
        ("नमसते", "नमस्ते"),
        ("doesnt", "doesn't"),
        ("beutifull", "beautiful"),
        ("naïveté", "naïveté"),
        ("teh", None),
        ("2terrible", None),
        ("terrible2", None),
        ("terri😀ble", None),
        ("terri ble", None),
        ("route67", None),
        ("terrible\ud800", None),
        ("a" * 41, None),
        ("", None),
    ],
)
def test_closest_in_several_scripts(asked: str, meant: str | None) -> None:
    words = [
        "terrible",
        "неплохой",
        "θαυμάσιο",
        "naïveté",
        "नमस्ते",
        "doesn't",
        "beautiful",
        "the",
        "route66",
        "a" * 42,
    ]
    assert closest(dict.fromkeys(words, 1.0), asked) == meant


@given(known_and_asked(), st.randoms(use_true_random=False))
def test_order_of_words_does_not_matter(case: tuple[Known, str], rng: random.Random) -> None:
    known, asked = case
    shuffled = dict(rng.sample(sorted(known.items()), len(known)))
    assert closest(shuffled, asked) == closest(known, asked)
    assert folds(shuffled, 1.0, 2.0) == folds(known, 1.0, 2.0)


@given(with_misspellings(), st.sampled_from([0.0, 2.0, 20.0]), st.sampled_from([0.0, 2.0, 50.0]))
def test_folds_are_what_comparing_all_finds(known: Known, rare: float, times: float) -> None:
    found = folds(known, rare, times)
    expected = {word: expected_fold(known, word, rare, times) for word in known}
    assert found == {word: other for word, other in expected.items() if other is not None}
    assert not found.keys() & set(found.values())


def test_folds_keep_words_that_may_be_right() -> None:
    known = {"terrible": 500.0, "loved": 900.0, "watching": 900.0, "directors": 60.0}
    rare = ["terible", "terrribly", "loves", "matching", "watchine", "direcotrs", "dierctrs"]
    assert folds(known | dict.fromkeys(rare, 1.0), 2.0, 50.0) == {"terible": "terrible", "direcotrs": "directors"}


def test_words_and_frequencies_must_match() -> None:
    with pytest.raises(LengthError, match="2 words with 1 frequencies"):
        Spelling(["a", "b"], np.ones(1))
