"""Texts to sparse matrices, by the rules of `likely` (`vectorize`) or scikit-learn (three drop-in classes).

| module | what it does |
| --- | --- |
| `vectorize.matrix` | `vectorize`: texts to a matrix of counts; matrices of scipy |
| `vectorize.count`, `vectorize.tfidf`, `vectorize.hashing` | the three vectorizers |
| `vectorize.terms` | the parameters, and who finds the terms of a document: the kernel, or else scikit-learn |
"""

from __future__ import annotations

from likely.vectorize.count import CountVectorizer
from likely.vectorize.hashing import HashingVectorizer
from likely.vectorize.matrix import CountMatrix, vectorize
from likely.vectorize.tfidf import TfidfVectorizer

__all__ = ["CountMatrix", "CountVectorizer", "HashingVectorizer", "TfidfVectorizer", "vectorize"]
