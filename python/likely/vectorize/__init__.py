"""Texts to sparse matrices: by our own rules (`vectorize`), or by scikit-learn's, as drop-in classes."""

from likely.vectorize.count import CountVectorizer
from likely.vectorize.hashing import HashingVectorizer
from likely.vectorize.matrix import CountMatrix, vectorize
from likely.vectorize.tfidf import TfidfVectorizer

__all__ = ["CountMatrix", "CountVectorizer", "HashingVectorizer", "TfidfVectorizer", "vectorize"]
