"""Presets: options that go well with a kind of work, by its name. `benchmarks/presets.py` shows why these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

PRESETS: dict[str, dict[str, Any]] = {
    "sentiment": {"variant": "binary", "ngrams": (1, 2)},
    "spam": {"variant": "binary", "numbers": "mask"},
    "topics": {"alpha": 0.1},
    "language": {"analyzer": "char_wb", "ngrams": (1, 4), "alpha": 0.01},
    "authorship": {"lowercase": False},
}
"""What each task stands for."""


def expanded(options: Mapping[str, Any]) -> dict[str, Any]:
    """All options, with what a task stands for where one was left at its default.

    Examples
    --------
    >>> from likely.options import with_defaults
    >>> values = expanded(with_defaults({"task": "sentiment", "alpha": 0.5}))
    >>> values["ngrams"], values["alpha"]
    ((1, 2), 0.5)
    """
    preset = PRESETS.get(options["task"], {})
    return {
        name: preset[name] if name in preset and value == OPTIONS[name].default else value
        for name, value in options.items()
    }


def with_preset(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, and what a task among them stands for where nothing else was given.

    Examples
    --------
    >>> with_preset({"task": "sentiment", "ngrams": (1, 1)})
    {'variant': 'binary', 'ngrams': (1, 1)}
    """
    task = given.get("task")
    rest = {name: value for name, value in given.items() if name != "task"}
    return {**PRESETS.get(task, {}), **rest} if isinstance(task, str) else dict(given)
