"""The cost of each option of text preparation: training with it against training without it."""

from __future__ import annotations

from functools import partial
from typing import Any

from likely import NaiveBayes

from benchmarks import corpus
from benchmarks.measure import THREADS, Claim, best, show

BAR = 2
OPTIONS: tuple[dict[str, Any], ...] = (
    {"lowercase": False},
    {"accents": "strip"},
    {"normalize": "nfc"},
    {"normalize": "nfkc"},
    {"punctuation": "keep"},
    {"entities": {"numbers": "mask"}},
    {"entities": {"urls": "mask"}},
    {"entities": {"emails": "mask"}},
    {"entities": {"mentions": "mask"}},
    {"entities": {"hashtags": "keep"}},
    {"stop_words": "en"},
    {"stop_words": "auto"},
    {"stem": "english"},
    {"negation": "on"},
    {"spelling": "on"},
    {"min_documents": 2},
    {"max_terms": 10_000},
    {"hash_bits": 20},
    {"weighting": "tfidf"},
)
TWICE = {"weighting": "tfidf", "norm": "l2"}
"""This option reads the texts twice and processes all terms in between, so its bar is twice as high."""


def claims() -> list[Claim]:
    texts, labels, name = corpus.load()
    found = []
    for options, bar in [*((options, BAR) for options in OPTIONS), (TWICE, 2 * BAR)]:
        # Both are timed in turn, so that a slow moment of the machine affects both.
        plain, prepared = float("inf"), float("inf")
        for _ in range(3):
            plain = min(plain, best(partial(fit, texts, labels, {}), 2)[0])
            prepared = min(prepared, best(partial(fit, texts, labels, options), 2)[0])
        weighing = best(partial(fit(texts, labels, options).predict, ["ready"]), 1)[0]
        shown = ", ".join(f"{key}={value}" for key, value in options.items())
        detail = f"{prepared * 1000:.0f} ms against {plain * 1000:.0f} ({name}); weighing {weighing * 1000:.0f} ms"
        found.append(Claim(f"training with {shown}", prepared / plain, bar, detail, at_most=True))
    return found


def fit(texts: list[str], labels: list[str], options: dict[str, Any]) -> NaiveBayes:
    return NaiveBayes(threads=THREADS, **options).fit(texts, labels)


if __name__ == "__main__":
    show(claims())
