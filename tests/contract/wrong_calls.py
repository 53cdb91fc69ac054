"""Calls that mypy must refuse: each with the code of the error, which mypy reports as unused if there is none."""

from __future__ import annotations

import likely
from likely import NaiveBayes
from likely.vectorize import CountVectorizer, HashingVectorizer, TfidfVectorizer, vectorize

TEXTS, LABELS = ["good", "dull"], ["+", "-"]


def options() -> None:
    NaiveBayes(alpha="small")  # type: ignore[arg-type]
    NaiveBayes(variant="gaussian")  # type: ignore[arg-type]
    NaiveBayes(ngrams=2)  # type: ignore[arg-type]
    NaiveBayes(tokenizer="split")  # type: ignore[arg-type]


def model() -> None:
    fitted = NaiveBayes().fit(TEXTS, LABELS)
    fitted.fit(TEXTS)  # type: ignore[call-arg]
    fitted.explain(5)  # type: ignore[arg-type]
    fitted.predict_top(TEXTS, n="two")  # type: ignore[arg-type]
    fitted.top_words(1.5)  # type: ignore[arg-type]
    fitted.predict_probability(TEXTS)  # type: ignore[attr-defined]
    fitted.explain("good").posterior = {}  # type: ignore[misc]
    likely.load(5)  # type: ignore[arg-type]
    NaiveBayes(alhpa=1.0)  # type: ignore[call-arg]
    fitted.fit(5, LABELS)  # type: ignore[arg-type]
    fitted.fit(TEXTS, 5)  # type: ignore[arg-type]
    fitted.fit(TEXTS, [0.5])  # type: ignore[list-item]
    fitted.learn([1, 2], LABELS)  # type: ignore[arg-type]
    fitted.predict(5)  # type: ignore[arg-type]
    fitted.predict(TEXTS, abstain="often")  # type: ignore[arg-type]
    fitted.predict_proba(TEXTS, prior="even")  # type: ignore[arg-type]
    likely.train(5)  # type: ignore[arg-type]


def functions() -> None:
    likely.analyze(["a", "text"])  # type: ignore[arg-type]
    likely.evaluate(5, LABELS)  # type: ignore[arg-type]
    likely.evaluate([0.5], [0.5])  # type: ignore[list-item]
    likely.evaluate(LABELS, LABELS, beta="one")  # type: ignore[arg-type]
    likely.evaluate(LABELS, LABELS).precision  # type: ignore[attr-defined] # noqa: B018


def vectorizers() -> None:
    vectorize(5)  # type: ignore[arg-type]
    CountVectorizer(ngram_range=2)  # type: ignore[arg-type]
    CountVectorizer(max_dff=2)  # type: ignore[call-arg]
    CountVectorizer(norm="l2")  # type: ignore[call-arg]
    CountVectorizer().fit(5)  # type: ignore[arg-type]
    TfidfVectorizer(norm="l3")  # type: ignore[arg-type]
    HashingVectorizer(vocabulary=["good"])  # type: ignore[call-arg]
