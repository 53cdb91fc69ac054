"""Texts are shortened around their strongest words, and the shades of words follow their evidence."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from likely import NaiveBayes
from likely.explanation.explanation import LARGEST, contrast_by_character
from likely.report.examples import (
    GAP,
    MOST_CHARACTERS,
    joined,
    pieces_of,
    shades,
    windows,
)


@pytest.fixture
def model() -> NaiveBayes:
    return NaiveBayes().fit(["good good fun", "dull dull plot"], ["+", "-"])


def test_a_short_text_is_whole(model: NaiveBayes) -> None:
    pieces = pieces_of(model.explain("so good,\nso dull"), "+", "-")
    assert "".join(text for text, _ in pieces) == "so good, so dull"
    assert {text: shade > 0 for text, shade in pieces if shade} == {"good": True, "dull": False}


def test_the_other_class_turns_the_shades(model: NaiveBayes) -> None:
    pieces = pieces_of(model.explain("good"), "-", "+")
    assert pieces == [("good", -4)]


def test_without_a_rival_nothing_is_shaded(model: NaiveBayes) -> None:
    assert pieces_of(model.explain("good day"), "+", None) == [("good day", 0)]


def test_a_long_text_is_cut_around_its_strongest_words(model: NaiveBayes) -> None:
    text = "word " * 300 + "good " + "word " * 300 + "dull " + "word " * 300
    shown = pieces_of(model.explain(text), "+", "-")
    plain = "".join(piece for piece, _ in shown)
    assert len(plain) <= MOST_CHARACTERS + 4 * len(GAP)
    assert "good" in plain
    assert "dull" in plain
    assert plain.count("…") == 3


def test_a_long_text_without_known_words_begins_at_the_beginning(model: NaiveBayes) -> None:
    plain = "".join(piece for piece, _ in pieces_of(model.explain("nothing " * 200), "+", "-"))
    assert plain.startswith("nothing nothing")
    assert plain.endswith("…")


def test_a_text_without_spaces_is_not_cut_within_a_character() -> None:
    text = "e\u0301" * 600
    ((start, end),) = windows(text, np.zeros(len(text)))
    assert start == 0
    assert text[end] == "e"


def test_an_empty_text_has_no_pieces(model: NaiveBayes) -> None:
    assert pieces_of(model.explain(""), "+", "-") == []


def test_infinite_evidence_is_the_strongest() -> None:
    assert shades(np.array([np.inf, -np.inf, 1.0, np.nan])).tolist() == [4, -4, 0, 0]


def test_neighbours_of_one_shade_are_one_piece() -> None:
    assert joined([("a", 1), ("b", 1), ("", 0), ("c", 0)]) == [("ab", 1), ("c", 0)]


@pytest.mark.parametrize("text", ["हिंदी में क्षेत्र", "ไม่รู้ว่าดี", "e\u0301te\u0301", "👩\u200d👩\u200d👧 ok"])
def test_no_piece_begins_within_a_character(text: str) -> None:
    model = NaiveBayes(analyzer="char", ngrams=(1, 2)).fit([text[::2], text[1::2]], ["+", "-"])
    pieces = pieces_of(model.explain(text), "+", "-")
    assert "".join(piece for piece, _ in pieces) == text
    assert len(pieces) > 1
    assert not any(unicodedata.category(piece[0]).startswith("M") or piece[0] == "\u200d" for piece, _ in pieces)


def test_characters_have_the_evidence_of_their_words() -> None:
    model = NaiveBayes().fit(["good good fun", "dull plot", "good plot"], ["+", "-", "+"])
    explanation = model.explain("good: dull, good!")
    heights = contrast_by_character(explanation, "+", "-").tolist()
    by_term = {each.term: each.contribution for each in explanation.terms}
    good, dull = (by_term[term]["+"] - by_term[term]["-"] for term in ("good", "dull"))
    assert heights[:4] == heights[12:16] == [pytest.approx(good / 2)] * 4
    assert heights[6:10] == [pytest.approx(dull)] * 4
    assert heights[4:6] == heights[10:12] == [0.0, 0.0]
    assert good > 0 > dull


def test_the_other_way_round_the_evidence_has_the_other_sign() -> None:
    model = NaiveBayes(ngrams=(1, 2)).fit(["good good fun", "dull plot", "good plot"], ["+", "-", "+"])
    explanation = model.explain("good plot: dull, good plot!")
    found = contrast_by_character(explanation, "+", "-")
    assert contrast_by_character(explanation, "-", "+").tolist() == pytest.approx((-found).tolist())


def test_an_impossible_term_has_bounded_evidence() -> None:
    explanation = NaiveBayes(alpha=0).fit(["good", "dull"], ["+", "-"]).explain("good dull")
    assert contrast_by_character(explanation, "+", "-").tolist() == [LARGEST] * 4 + [0.0] + [-LARGEST] * 4
