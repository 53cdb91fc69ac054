"""What a model has learned, in short."""

from __future__ import annotations

from likely import NaiveBayes
from likely.explanation.words import class_overviews, largest_classes
from likely.report.pages import MOST_CLASSES
from likely.sample import load_sample


def test_the_largest_classes_are_shown_in_their_order() -> None:
    model = NaiveBayes().fit(["a"] * 6, ["z", "z", "y", "x", "x", "w"])
    assert largest_classes(model, 2) == ["x", "z"]
    assert largest_classes(model, 9) == ["w", "x", "y", "z"]


def test_classes_have_their_sizes_and_the_words_of_top_words() -> None:
    model = NaiveBayes().fit(*load_sample())
    for found in class_overviews(model, ["negative", "positive"], 5):
        words = [(word["term"], word["score"]) for word in found["top_words"]]
        assert words == model.top_words(found["class"], 5)
        assert found["documents"] == 240


def test_notebooks_show_a_model_before_and_after_training() -> None:
    model = NaiveBayes(alpha=0.5)
    assert "not trained yet" in model._repr_html_()
    assert "alpha=0.5" in model._repr_html_()
    page = model.fit([f"word{at}" for at in range(40)], [f"c{at}" for at in range(40)])._repr_html_()
    assert "40 classes and 40 terms" in page
    assert f"and {40 - MOST_CLASSES} more classes" in page
    tuned = NaiveBayes(tune="auto").fit(*load_sample())
    assert "confidence it is right" in tuned._repr_html_()
