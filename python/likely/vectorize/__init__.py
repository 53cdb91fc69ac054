"""Texts to sparse matrices: by our own rules (`vectorize`), or by scikit-learn's, as drop-in classes."""

from likely.vectorize.drop_in.count import CountVectorizer
from likely.vectorize.drop_in.hashing import HashingVectorizer
from likely.vectorize.drop_in.tfidf import TfidfVectorizer
from likely.vectorize.matrix import CountMatrix, vectorize

__all__ = ["CountMatrix", "CountVectorizer", "HashingVectorizer", "TfidfVectorizer", "vectorize"]
