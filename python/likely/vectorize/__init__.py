"""Texts to sparse matrices: of the terms that `likely` counts (`vectorize`), or as scikit-learn makes them."""

from likely.vectorize.drop_in.count import CountVectorizer
from likely.vectorize.drop_in.hashing import HashingVectorizer
from likely.vectorize.drop_in.tfidf import TfidfVectorizer
from likely.vectorize.matrix import CountMatrix, vectorize

__all__ = ["CountMatrix", "CountVectorizer", "HashingVectorizer", "TfidfVectorizer", "vectorize"]
