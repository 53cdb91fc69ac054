"""Classes as language models: likelihood, perplexity, and texts that a class writes."""

from __future__ import annotations

import math
from typing import Any

import pytest
from likely import NaiveBayes
from likely.errors import LengthError, OptionError, TextError, UnknownClassError
from likely.sample import load_sample

Reviews = tuple[list[str], list[str]]


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes().fit(*load_sample())


def test_log_likelihood_and_perplexity(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    expected = math.log(2 / 34) + math.log(2 / 34) + math.log(1 / 34)
    assert model.log_likelihood("predictable with no fun", "-") == pytest.approx(expected, rel=1e-14)
    assert model.perplexity(["predictable with", "no fun"], "-") == pytest.approx(math.exp(-expected / 3), rel=1e-14)
    assert model.perplexity(["very powerful"], "+") < model.perplexity(["very powerful"], "-")
    assert NaiveBayes(alpha=0).fit(*reviews).perplexity(["fun"], "-") == math.inf
    with pytest.raises(LengthError, match="without known words"):
        model.perplexity(["unheard"], "+")
    with pytest.raises(UnknownClassError):
        model.log_likelihood("fun", "?")
    texts: Any
    for texts in ("a text", {"fun": 1}, None, 3):
        with pytest.raises(TextError):
            model.perplexity(texts, "+")


def test_generate_is_random_by_its_seed_alone(model: NaiveBayes) -> None:
    text = model.generate("positive", words=200, seed=7)
    assert text == model.generate("positive", words=200, seed=7) != model.generate("positive", words=200, seed=8)
    assert len(text.split(" ")) == 200
    assert set(text.split(" ")) <= set(model.vocabulary_)
    assert model.generate("positive", words=0, seed=1) == ""
    with pytest.raises(OptionError, match="words=-1"):
        model.generate("positive", words=-1, seed=1)
    with pytest.raises(UnknownClassError):
        model.generate("neutral", words=1, seed=1)
    bad: Any
    for bad in (2.5, None, "3", True, 10**13):
        with pytest.raises(OptionError, match="words="):
            model.generate("positive", words=bad, seed=1)
    for bad in (-1, 1.5, "a"):
        with pytest.raises(OptionError, match="seed="):
            model.generate("positive", words=1, seed=bad)
    for bad in (2.5, None, "3"):
        with pytest.raises(OptionError, match="n="):
            model.top_words("positive", bad)


def test_generate_writes_what_the_class_writes(reviews: Reviews) -> None:
    model = NaiveBayes(alpha=0, ngrams=(1, 2)).fit(*reviews)
    theirs = {"very", "powerful", "the", "most", "fun", "film", "of", "summer"}
    assert set(model.generate("+", words=300, seed=1).split(" ")) == theirs
    letters = NaiveBayes(alpha=0, analyzer="char").fit(["ab", "c"], [0, 1])
    assert set(letters.generate(0, words=50, seed=1)) == {"a", "b"}
    with pytest.raises(LengthError, match="no words"):
        NaiveBayes(alpha=0).fit(["a", ""], ["x", "y"]).generate("y", words=3, seed=1)
