"""Presets: options that suit a kind of task. `benchmarks/presets.md` shows why these options were chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely.options.conflicts import OF_WORDS, PIECES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.options.typed import ModelOptions

PRESETS: dict[str, ModelOptions] = {
    # Whether a word occurs matters more than how often. Pairs of words contain "not good". A long review is one
    # opinion, as a short one is. A small alpha helps rare classes; it is smaller still if each document weighs less.
    "sentiment": {"variant": "binary", "ngrams": (1, 2), "alpha": 0.05, "document_weight": "equal"},
    # Spam contains punctuation marks ("!!!", "£") and numbers. The shape of a number matters, not its value.
    "spam": {"variant": "binary", "ngrams": (1, 2), "punctuation": "keep", "numbers": "mask", "alpha": 0.1},
    # Pairs of words are names and subjects. With many classes, a large alpha would hide the rare terms of small ones.
    "topics": {"ngrams": (1, 2), "alpha": 0.03},
    # Parts of words show the language of unknown words; whole words separate similar languages.
    "language": {"analyzer": "both", "alpha": 0.01},
    # Style is in frequent words, capital letters and punctuation marks; rare words depend on the subject. An author
    # with more texts in the training data is not a more probable author of a new text.
    "authorship": {"prior": "uniform", "lowercase": False, "punctuation": "keep", "max_terms": 1000},
}
"""The options that each task stands for."""


def _beside(given: Mapping[str, object]) -> dict[str, object]:
    """The options of the task, without those that were given or that would have no effect beside the given ones."""
    without: set[str] = set(given)
    if given.get("analyzer") in ("char", "char_wb"):
        without |= set(OF_WORDS)
    if given.get("norm") == "l2" or given.get("variant") in ("bernoulli", "complement_normalized", "nbsvm"):
        without.add("document_weight")
    if given.get("tokenizer") is not None:
        without |= {*PIECES, "analyzer"}
    return {name: value for name, value in PRESETS.get(str(given.get("task")), {}).items() if name not in without}


def with_preset(given: Mapping[str, object]) -> dict[str, Any]:
    """The given options, and the options of the task that were not given.

    Examples
    --------
    >>> with_preset({"task": "sentiment", "ngrams": (1, 1)})
    {'variant': 'binary', 'alpha': 0.05, 'document_weight': 'equal', 'ngrams': (1, 1)}
    """
    if given.get("task") is None:
        return dict(given)
    rest = {name: value for name, value in given.items() if name != "task"}
    return {**_beside(given), **rest}
