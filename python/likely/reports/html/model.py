"""A model as HTML: what it is, its classes with their most typical words, and its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.html.markup import block, escaped, heading, hidden_html, named_html, paragraph, table_html
from likely.terminal import counted

if TYPE_CHECKING:
    from likely.explanation.overview import ClassOverview

MOST_CLASSES = 10
"""At most this many classes are shown, the largest ones."""
MOST_WORDS = 8
"""At most this many words per class are shown."""


def model_html(options: str, terms: int, classes: list[ClassOverview], of: int, sure: str) -> str:
    """A trained model.

    Parameters
    ----------
    options : str
        The options that do not have their default values, as in a call.
    terms : int
        The number of terms.
    classes : list
        The largest classes.
    of : int
        The number of all classes.
    sure : str
        How far the probabilities can be trusted, as one sentence, or ''.
    """
    rows = [
        [
            named_html(each["class"]),
            ", ".join(named_html(word["term"]) for word in each["top_words"]),
            f"{each['documents']:,.6g}",
        ]
        for each in classes
    ]
    known = f"Naive Bayes model of {counted(of, 'class', 'classes')} and {counted(terms, 'term')}"
    return block(
        "model",
        heading(escaped(known)),
        f"<p><code>{escaped(options)}</code></p>",
        paragraph(sure),
        table_html(["class", "most typical words", "documents"], rows, words=2),
        hidden_html(of - len(classes), "class", "classes"),
    )


def untrained_html(options: str) -> str:
    """A model that has not learned anything yet."""
    return block("model", heading("Naive Bayes model, not trained yet"), f"<p><code>{escaped(options)}</code></p>")
