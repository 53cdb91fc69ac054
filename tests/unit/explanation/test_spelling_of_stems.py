"""People read words: as their text has them, or, without a text, stems that are marked as stems."""

from __future__ import annotations

from typing import Any

import pytest
from likely import NaiveBayes, analyze
from likely.evaluation.drift import MovedTerm, MovedTerms
from likely.evaluation.drift import _terms as moved_text
from likely.explanation.words import STEM_NOTE, class_overviews, marked, spelled
from likely.report.pages import explanation_page, model_html

TEXTS = ["a beautiful day, so beautiful", "beauty and fun", "wasted time, so boring", "a waste of time"]
LABELS = ["+", "+", "-", "-"]


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes(stem="english").fit(TEXTS, LABELS)


@pytest.mark.parametrize(
    ("options", "text", "words"),
    [
        ({"stem": "english"}, "BEAUTIFUL wasting", ["BEAUTIFUL", "wasting"]),
        ({"stem": "english", "ngrams": (2, 2)}, "wasting \n my times", ["wasting my", "my times"]),
        ({"stem": "english", "ngrams": (2, 2), "stop_words": ["my"]}, "wasting my times", ["wasting my times"]),
        ({"stem": "english", "negation": "on"}, "not Beautiful", ["not", "NOT_Beautiful"]),
        (
            {"stem": "english", "ngrams": (2, 2), "negation": "on"},
            "not good days",
            ["not NOT_good", "NOT_good NOT_days"],
        ),
        ({"entities": {"numbers": "mask"}, "ngrams": (2, 2)}, "In 1990", ["In <number:9999>"]),
        ({"entities": {"urls": "mask"}}, "see https://example.org", ["see", "<url>"]),
        ({"stem": "english", "ngrams": (2, 2)}, "state-of", ["state-of"]),
        ({"ngrams": (2, 2)}, '"Film": the - end, (so)!', ["Film the", "the end", "end so"]),
        ({"ngrams": (2, 2), "punctuation": "keep"}, "so - :-)", ["so -", "- :-)"]),
        ({"analyzer": "char", "ngrams": (3, 3)}, "a B", ["a b"]),
        ({"analyzer": "both"}, "A", ["A", "char:␣a", "char:a␣", "char:␣a␣"]),
        ({"tokenizer": str.split, "stem": "english"}, "Running days", ["Running", "days"]),
        ({"tokenizer": lambda text: ["lemma"], "stem": "english"}, "Running", ["lemma-"]),
    ],
)
def test_terms_as_their_text_has_them(options: dict[str, Any], text: str, words: list[str]) -> None:
    analyzer = NaiveBayes(**options).fit(["a text"], ["+"]).analysis_
    assert [spelled(analyzer, each.term, each, text) for each in analyzer.terms(text)] == words


def test_only_words_of_models_that_stem_are_marked(model: NaiveBayes) -> None:
    terms = ["beauti", "wast time", "NOT_wast", "<url>", ":-)", "example.org", "#tag", "1990", "char:abc"]
    shown = ["beauti-", "wast- time-", "NOT_wast-", "<url>", ":-)", "example.org", "#tag", "1990", "char:abc"]
    assert [marked(model.analysis_, term) for term in terms] == shown
    for unmarked in (NaiveBayes(), NaiveBayes(stem="english", hash_bits=10)):
        analyzer = unmarked.fit(TEXTS, LABELS).analysis_
        assert [marked(analyzer, term) for term in terms] == terms


def test_an_explanation_has_the_words_of_the_text_and_the_terms(model: NaiveBayes) -> None:
    found = model.explain("Beautiful beauty, wasting of xyzzies")
    assert [(each.term, each.word, each.count) for each in found.terms[:2]] == [
        ("beauti", "Beautiful", 2),
        ("wast", "wasting", 1),
    ]
    assert (found.unknown, found.unknown_words) == (["xyzzi"], ["xyzzies"])
    assert found.to_dict()["terms"][0]["word"] == "Beautiful"
    shown = [found.summary, str(found), found.describe(top=5), found._repr_html_(), explanation_page(found)]
    for text in shown:
        assert "Beautiful" in text
        assert "beauti\n" not in text.replace("Beautiful", "")
    assert all("xyzzies" in text for text in shown[1:3])


def test_mistakes_and_suspects_have_the_words_of_their_texts(model: NaiveBayes) -> None:
    evaluation = model.evaluate(["Beautiful beauties"], ["-"])
    assert [word for word, _ in evaluation.mistakes[0].words] == ["Beautiful"]
    texts = [f"beautiful fun {at}" for at in range(20)] + [f"wasted time {at}" for at in range(20)]
    labels = ["-", *["+"] * 19, *["-"] * 20]
    suspect = NaiveBayes(stem="english").fit(texts, labels).suspects(texts, labels, n=1)[0]
    assert {term for term, _ in suspect.terms} == {"beauti", "fun"}
    assert set(suspect.words) == {"beautiful", "fun"}
    assert "beautiful +" in str(suspect)


def test_without_a_text_stems_are_marked_and_explained(model: NaiveBayes) -> None:
    words = class_overviews(model, ["+"], 1)[0]["top_words"][0]
    assert (words["term"], words["word"]) == ("beauti", "beauti-")
    assert "beauti-" in model_html(model)
    assert STEM_NOTE.replace('"', "&#34;") in model_html(model)
    found = model.independence(TEXTS, LABELS)
    assert STEM_NOTE in str(found)
    assert [pair.words for pair in found.pairs] == [(f"{pair.a}-", f"{pair.b}-") for pair in found.pairs]
    assert STEM_NOTE not in str(NaiveBayes().fit(TEXTS, LABELS).independence(TEXTS, LABELS))
    moved = MovedTerms(9, 9, 1, [MovedTerm("wast", "wast-", 0.5, 0.1, 4.0)])
    assert "wast-" in moved_text(moved.top, 9)
    assert moved_text(moved.top, 9).endswith(STEM_NOTE)
    assert len(STEM_NOTE) <= 80
    assert [each.term for each in analyze("beautiful beauty", stem="english")] == ["beauti", "beauti"]
