"""Texts to sparse matrices, by the rules of `likely` (`vectorize`) or of scikit-learn (three drop-in classes).

| module | what it does |
| --- | --- |
| `vectorize.matrix` | `vectorize`: texts to a matrix of counts |
| `vectorize.rows` | documents as rows of a ragged table, for learning and leave-one-out |
| `vectorize.drop_in` | `CountVectorizer`, `TfidfVectorizer`, `HashingVectorizer` |
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.vectorize.drop_in.count import CountVectorizer
    from likely.vectorize.drop_in.hashing import HashingVectorizer
    from likely.vectorize.drop_in.tfidf import TfidfVectorizer
    from likely.vectorize.matrix import CountMatrix, vectorize

__all__ = ["CountMatrix", "CountVectorizer", "HashingVectorizer", "TfidfVectorizer", "vectorize"]

_HOMES = {
    "CountMatrix": "matrix",
    "CountVectorizer": "drop_in.count",
    "HashingVectorizer": "drop_in.hashing",
    "TfidfVectorizer": "drop_in.tfidf",
    "vectorize": "matrix",
}
"""Where each public name is defined. It is loaded on first use, because the model needs only `vectorize.rows`."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"likely.vectorize.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
