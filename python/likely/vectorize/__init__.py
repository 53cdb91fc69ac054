"""Texts to sparse matrices, by the rules of `likely` (`vectorize`) or of scikit-learn (three drop-in classes).

| module | what it does |
| --- | --- |
| `vectorize.matrix` | `vectorize`: texts to a matrix of counts |
| `vectorize.drop_in` | `CountVectorizer`, `TfidfVectorizer`, `HashingVectorizer` |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.lazy_names import loaded_on_use

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
"""Where each public name is defined. It is loaded on first use."""

__getattr__, __dir__ = loaded_on_use(__name__, _HOMES)
