"""What a model has learned, in short: its largest classes, their sizes and their most typical words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.errors import LengthError
from likely.report.plots import plot_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from matplotlib.figure import Figure

    from likely.explanation.overview import ClassOverview
    from likely.types import Label

MOST_PANELS = 9
"""At most this many classes are in a picture, unless they are named."""


def largest_classes(model: Any, most: int) -> list[Label]:
    """The classes with most documents, at most this many, sorted.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> largest_classes(NaiveBayes().fit(["a", "b", "c"], ["z", "y", "z"]), 1)
    ['z']
    """
    classes: list[Label] = model.classes_.tolist()
    documents = dict(zip(classes, model.class_documents_.tolist(), strict=True))
    largest = set(sorted(classes, key=lambda label: -documents[label])[:most])
    return [label for label in classes if label in largest]


def class_overviews(model: Any, shown: list[Label], top: int) -> list[ClassOverview]:
    """The sizes of some classes, and the words that speak most for each of them."""
    figures = (model.class_documents_, model.class_tokens_, model.class_weights_)
    sizes = zip(*(each.tolist() for each in figures), strict=True)
    by_class = dict(zip(model.classes_.tolist(), sizes, strict=True))
    return [
        {
            "class": label,
            "documents": by_class[label][0],
            "tokens": by_class[label][1],
            "weight": by_class[label][2],
            "top_words": [{"term": term, "score": score} for term, score in words],
        }
        for label, words in model._top_words_of(shown, top).items()
    ]


def words_figure(model: Any, labels: Sequence[Label] | None, n: int) -> Figure:
    """The most typical words of some classes as a picture; without ``labels``, those of the largest ones."""
    shown = largest_classes(model, MOST_PANELS) if labels is None else list(labels)
    if not shown:
        raise LengthError("there are no classes to plot: give at least one label")
    return plot_words(list(model._top_words_of(shown, n).items()))
