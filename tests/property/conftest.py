"""Texts, labels, weights and options as the laws draw them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from likely import NaiveBayes
from likely.storage.model_file import to_bytes

words = st.sampled_from(["a", "b", "c", "don't", "É", "漢字", "👍🏽", "x" * 20, "हिन्दी", "New", "York"])


texts = st.one_of(st.lists(words, max_size=8).map(" ".join), st.text(max_size=12))


labels = st.sampled_from(["+", "-", "?"])


weights = st.sampled_from([1.0, 1.0, 0.1, 0.3, 2.5, 1e-3, 7.0])


documents = st.lists(st.tuples(texts, labels, weights), min_size=1, max_size=8)


options = st.fixed_dictionaries(
    {
        "variant": st.sampled_from(["multinomial", "binary"]),
        "alpha": st.sampled_from([0, 1e-300, 0.1, 1.0, 7.5, 1e300]),
        "prior": st.sampled_from(["fitted", "uniform"]),
        "analyzer": st.sampled_from(["word", "char"]),
        "ngrams": st.sampled_from([(1, 1), (1, 2), (2, 2), (1, 3)]),
        "lowercase": st.booleans(),
    }
)


Documents = list[tuple[str, str, float]]


def columns(some: Documents) -> dict[str, Any]:
    return {
        "texts": [text for text, _, _ in some],
        "labels": [label for _, label, _ in some],
        "sample_weight": [weight for _, _, weight in some],
    }


def fitted(some: Documents, **opts: Any) -> NaiveBayes:
    return NaiveBayes(**opts).fit(**columns(some))


def same(a: NaiveBayes, b: NaiveBayes) -> bool:
    """Equal to the last bit: options, counts, scores."""
    a.threads = b.threads = None
    return to_bytes(a.snapshot()) == to_bytes(b.snapshot())
