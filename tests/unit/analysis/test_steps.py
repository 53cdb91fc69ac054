"""What becomes of a text, piece by piece, with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes, analyze
from likely.core.analyzer import trace
from likely.errors import OptionError


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("So good", {}, [("So", "so", "lower-cased"), ("good", "good", "kept")]),
        ("a!? ©", {}, [("a", "a", "kept"), ("!?", None, "punctuation"), ("©", None, "symbol")]),
        ("a\x00b", {}, [("a", "a", "kept"), ("\x00", None, "control character"), ("b", "b", "kept")]),
        ("Loved it", {"stem": "english"}, [("Loved", "love", "lower-cased, stemmed"), ("it", "it", "kept")]),
        ("the end", {"stop_words": ["the"]}, [("the", None, "stop word"), ("end", "end", "kept")]),
        ("not so", {"negation": "on"}, [("not", "not", "kept"), ("so", "NOT_so", "negated")]),
        ("3.14", {"entities": {"numbers": "mask"}}, [("3.14", "<number:9.99>", "masked")]),
        ("café", {"accents": "strip"}, [("café", "cafe", "normalised")]),
        ("", {}, []),
        (" \n ", {}, []),
    ],
)
def test_each_piece_has_its_reason(text: str, options: dict[str, Any], expected: list[Any]) -> None:
    assert [(piece.text, piece.term, piece.why) for piece in trace(text, **options).pieces] == expected


@given(st.text(max_size=40), st.sampled_from([{}, {"ngrams": (1, 2)}, {"punctuation": "keep"}, {"stop_words": "en"}]))
def test_pieces_are_all_of_the_text_but_white_space_and_terms_are_those_of_analyze(
    text: str, options: dict[str, Any]
) -> None:
    found = trace(text, **options)
    covered = {at for piece in found.pieces for at in range(piece.start, piece.end)}
    assert {at for at, character in enumerate(text) if not character.isspace()} <= covered
    assert all(text[piece.start : piece.end] == piece.text for piece in found.pieces)
    assert found.terms == [term.term for term in analyze(text, **options)]
    assert found.unknown is None


def test_a_model_tells_what_it_knows_and_how_it_reads_what_it_does_not() -> None:
    model = NaiveBayes(spelling="on").fit(["terrible plot", "wonderful plot"], ["-", "+"])
    found = trace("Terible zzz plot zzz", model)
    assert found.unknown == ["zzz"]
    assert [(piece.term, piece.why) for piece in found.pieces] == [
        ("terrible", "lower-cased, terible -> terrible"),
        ("zzz", "kept"),
        ("plot", "kept"),
        ("zzz", "kept"),
    ]
    json.dumps(found.to_dict())


def test_a_task_stands_for_its_options_and_others_are_refused() -> None:
    assert trace("It's!", task="spam").terms == ["it's", "!", "it's !"]
    with pytest.raises(OptionError, match="alpha"):
        trace("x", alpha=1)
    with pytest.raises(OptionError, match="no effect"):
        trace("x", analyzer="char", stem="english")
