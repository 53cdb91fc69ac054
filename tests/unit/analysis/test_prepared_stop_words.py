"""Stop words after all other steps: lists, files and negators."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import likely
import pytest
from likely import NaiveBayes, analyze
from likely.core.analyzer import languages, negators, stop_words
from likely.options.kinds import STEM_LANGUAGES


def terms(text: str, **options: Any) -> list[str]:
    return [term.term for term in analyze(text, **options)]


@pytest.mark.parametrize("code", languages())
def test_a_list_of_stop_words_always_matches(code: str) -> None:
    stem = code if code in STEM_LANGUAGES else "none"
    words = stop_words(code)
    for options in (
        {},
        {"stem": stem},
        {"accents": "strip"},
        {"normalize": "nfkc"},
        {"stem": stem, "accents": "strip"},
    ):
        for case in (str.lower, str.title, lambda word: word.replace("'", "\u2019")):
            text = " . ".join(map(case, words))
            assert terms(text, stop_words=code, **options) == [], (code, options)
    assert "zzzz" in terms("zzzz", stop_words=code)
    assert not set(words) & set(negators(code))


def test_negators_are_kept_unless_asked() -> None:
    assert terms("it is not good", stop_words="en") == ["not", "good"]
    assert terms("it is not good", stop_words=["it", "is", "not"]) == ["good"]
    texts = ["not good", "not bad", "not so", "it is"]
    model = NaiveBayes(stop_words="auto").fit(texts, [1, 0, 1, 0])
    assert model.vocabulary_ == ["bad", "good", "is", "it", "not", "so"]


def test_stop_words_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("# mine\nThe\nfilm # too\n\n", encoding="utf-8")
    assert terms("the good film", stop_words=str(path)) == ["good"]
    model = NaiveBayes(stop_words=str(path)).fit(["the good film", "bad"], [1, 0])
    model.save(tmp_path / "m.likely")
    path.unlink()
    loaded = likely.load(tmp_path / "m.likely")
    assert loaded.stop_words == ["The", "film"]
    assert loaded.learn(["the end"], [1]).vocabulary_ == ["bad", "end", "good"]


def test_negators_go_the_way_of_the_text() -> None:
    assert terms("não gosto", negation=["não"], accents="strip") == ["nao", "NOT_gosto"]
    assert terms("não gosto", negation=["na\u0303o"], normalize="nfc") == ["não", "NOT_gosto"]
    assert terms("I don\u2019t know", negation="on") == ["i", "don\u2019t", "NOT_know"]
    assert terms("not so\r\n\r\ngood", negation="on") == ["not", "NOT_so", "good"]


def test_a_file_of_stop_words_may_go(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("the\n", encoding="utf-8")
    model = NaiveBayes(stop_words=str(path)).fit(["the end", "a"], [1, 0])
    path.unlink()
    assert model.learn(["the start"], [1]).vocabulary_ == ["a", "end", "start"]
    assert pickle.loads(pickle.dumps(model)).stop_words == ["the"]
