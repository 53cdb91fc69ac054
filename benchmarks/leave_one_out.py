"""Leave-one-out scores of learned documents, against predicting them: every variant, 2 to 52 classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely import NaiveBayes
from likely.core.counts import rows_of
from likely.core.leave_one_out import LearnedDocuments

from benchmarks import corpus, tasks
from benchmarks.measure import THREADS, Claim, best, show

if TYPE_CHECKING:
    from collections.abc import Iterator

BAR = 5
RUNS = 3
VARIANTS: list[dict[str, Any]] = [
    {"variant": "multinomial"},
    {"variant": "binary"},
    {"variant": "bernoulli"},
    {"variant": "complement"},
    {"variant": "complement_normalized"},
    {"variant": "multinomial", "weighting": "tfidf"},
    {"variant": "complement_normalized", "weighting": "tfidf"},
    {"variant": "bernoulli", "min_documents": 2, "max_documents": 0.5},
    {"variant": "complement", "stop_words": "auto"},
]
CANDIDATE = 0.5
"""The bar, in seconds, for one set of rules on all reviews."""


def claims() -> Iterator[Claim]:
    texts, labels, name = corpus.load()
    for ngrams in ((1, 1), (1, 2)):
        yield slowest(f"{name}, {ngrams}", texts, labels, ngrams)
    if name == "IMDB train":
        for other in ("20newsgroups", "reuters_r52"):
            yield slowest(other, *tasks.training(other), (1, 1))
    yield candidate(texts, labels, name)


def slowest(name: str, texts: list[str], labels: list[str], ngrams: tuple[int, int]) -> Claim:
    """The variant whose ratio is the largest."""
    ratios = {str(options): ratio(texts, labels, {"ngrams": ngrams, **options}) for options in VARIANTS}
    worst = max(ratios, key=lambda options: ratios[options])
    detail = f"{worst}; best {min(ratios.values()):.1f}"
    return Claim(f"leave one out, times predict: {name}", ratios[worst], BAR, detail, at_most=True)


def ratio(texts: list[str], labels: list[str], options: dict[str, Any]) -> float:
    model = NaiveBayes(threads=THREADS, **options).fit(texts, labels)
    model.predict(texts[:1])
    predicting, _ = best(lambda: model.predict(texts), RUNS)
    leaving, _ = best(lambda: model.leave_one_out(texts, labels), RUNS)
    return leaving / predicting


def candidate(texts: list[str], labels: list[str], name: str) -> Claim:
    """The time for each further set of rules after the documents are read."""
    model = NaiveBayes(ngrams=(1, 2), variant="complement_normalized", threads=THREADS).fit(texts, labels)
    counts, rules = model._snapshot().counts, model._snapshot().rules
    documents = LearnedDocuments(counts, rows_of(counts, texts, THREADS), counts.live().places.of_all(labels))
    documents.left_out(rules, THREADS)
    seconds, _ = best(lambda: documents.left_out(rules, THREADS))
    detail = f"{name}, (1, 2), complement_normalized"
    return Claim("judge other rules by leaving one out, s", seconds, CANDIDATE, detail, at_most=True)


if __name__ == "__main__":
    show(claims())
