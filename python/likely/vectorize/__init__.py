"""Texts to sparse matrices, by the rules of `likely` (`vectorize`) or scikit-learn (three drop-in classes).

| module | what it does |
| --- | --- |
| `vectorize.matrix` | `vectorize`: texts to a matrix of counts; matrices of scipy |
| `vectorize.count`, `vectorize.tfidf`, `vectorize.hashing` | the three vectorizers |
| `vectorize.vocabulary` | the terms that have columns |
| `vectorize.terms` | who finds the terms of a document: the kernel, or scikit-learn if the kernel cannot |
| `vectorize.parameters` | the parameters, their defaults and checks |
"""

from __future__ import annotations

from likely.vectorize.count import CountVectorizer
from likely.vectorize.hashing import HashingVectorizer
from likely.vectorize.matrix import CountMatrix, vectorize
from likely.vectorize.tfidf import TfidfVectorizer

__all__ = ["CountMatrix", "CountVectorizer", "HashingVectorizer", "TfidfVectorizer", "vectorize"]
