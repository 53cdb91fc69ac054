"""Presets: options that go well with a kind of work, by its name. `benchmarks/presets.py` shows why these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely.options.conflicts import OF_WORDS, PIECES
from likely.options.table import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

PRESETS: dict[str, dict[str, Any]] = {
    # That a word is there says more than how often; pairs hold "not good". Who says it at length is one opinion too.
    # A small alpha keeps rare classes alive, smaller still where each document counts for less.
    "sentiment": {"variant": "binary", "ngrams": (1, 2), "alpha": 0.05, "document_weight": "equal"},
    # Spam shouts and counts: its marks ("!!!", "£") and shapes of numbers tell, whatever the numbers are.
    "spam": {"variant": "binary", "ngrams": (1, 2), "punctuation": "keep", "numbers": "mask", "alpha": 0.1},
    # Pairs are names and subjects; with many classes a large alpha would drown what is rare in all but the largest.
    "topics": {"ngrams": (1, 2), "alpha": 0.03},
    # Parts of words tell unknown words' languages, whole words those of close relatives.
    "language": {"analyzer": "both", "alpha": 0.01},
    # How somebody writes is in frequent words, capitals and marks; rare words are what it is about. Who has left more
    # texts is not more likely to have written this one.
    "authorship": {"prior": "uniform", "lowercase": False, "punctuation": "keep", "max_terms": 1000},
}
"""What each task stands for."""


def expanded(options: Mapping[str, Any]) -> dict[str, Any]:
    """All options, with what a task stands for where one was left at its default.

    Examples
    --------
    >>> from likely.options.table import with_defaults
    >>> values = expanded(with_defaults({"task": "sentiment", "alpha": 0.5}))
    >>> values["ngrams"], values["alpha"]
    ((1, 2), 0.5)
    """
    given = {name: value for name, value in options.items() if _plain(value) != OPTIONS[name].default}
    return {**options, **_beside(given), "task": options["task"]}


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _beside(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the task among some options stands for where nothing else was given, and where that has an effect."""
    without: set[str] = set(given)
    if given.get("analyzer") in ("char", "char_wb"):
        without |= set(OF_WORDS)
    if given.get("norm") == "l2" or given.get("variant") in ("bernoulli", "complement_normalized", "nbsvm"):
        without.add("document_weight")
    if given.get("tokenizer") is not None:
        without |= {*PIECES, "analyzer"}
    return {name: value for name, value in PRESETS.get(given.get("task", ""), {}).items() if name not in without}


def with_preset(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, and what a task among them stands for where nothing else was given.

    Examples
    --------
    >>> with_preset({"task": "sentiment", "ngrams": (1, 1)})
    {'variant': 'binary', 'alpha': 0.05, 'document_weight': 'equal', 'ngrams': (1, 1)}
    """
    if given.get("task") is None:
        return dict(given)
    rest = {name: value for name, value in given.items() if name != "task"}
    return {**_beside(given), **rest}
