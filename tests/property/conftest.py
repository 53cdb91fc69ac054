"""Texts, labels, weights and options as the laws draw them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.counts import rows_of, single_words
from likely.core.file import to_bytes
from likely.core.leave_one_out import LearnedDocuments, LeftOut

words = st.sampled_from(["a", "b", "c", "don't", "É", "漢字", "👍🏽", "x" * 20, "हिन्दी", "New", "York"])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Drawn models may have alpha=0, with which texts can be impossible in every class."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore::likely.errors.ImpossibleWarning"))


texts = st.one_of(st.lists(words, max_size=8).map(" ".join), st.text(max_size=12))


labels = st.sampled_from(["+", "-", "?"])


weights = st.sampled_from([1.0, 1.0, 0.1, 0.3, 2.5, 1e-3, 7.0])


documents = st.lists(st.tuples(texts, labels, weights), min_size=1, max_size=8)


def _agree(options: dict[str, Any]) -> bool:
    """Whether the weights of classes have an effect."""
    return options["class_weight"] is None or options["alpha"] > 0 or options["prior"] == "fitted"


options: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "variant": st.sampled_from(["multinomial", "binary"]),
        "alpha": st.sampled_from([0, 1e-300, 0.1, 1.0, 7.5, 1e290]),
        "prior": st.sampled_from(["fitted", "uniform"]),
        "class_weight": st.sampled_from([None, None, "balanced"]),
        "analyzer": st.sampled_from(["word", "char"]),
        "ngrams": st.sampled_from([(1, 1), (1, 2), (2, 2), (1, 3)]),
        "lowercase": st.booleans(),
    }
).filter(_agree)


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
    return to_bytes(a._snapshot()) == to_bytes(b._snapshot())


# Small labelled corpora, for leaving one out. Long documents of few words repeat them.
labelled = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["a", "a", "a", "b", "c", "d", "e", "not"]), max_size=9).map(" ".join),
        st.sampled_from("xyz"),
    ),
    min_size=2,
    max_size=9,
)


def split(sample: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [text for text, _ in sample], [label for _, label in sample]


def without(options: dict[str, Any], texts: list[str], labels: list[str], out: set[int], weights: Any) -> NaiveBayes:
    rest = [at for at in range(len(texts)) if at not in out]
    weights = None if weights is None else [weights[at] for at in rest]
    return NaiveBayes(**options).fit([texts[at] for at in rest], [labels[at] for at in rest], weights)


def copies(model: NaiveBayes, texts: list[str], row: int) -> set[int]:
    """The indices of the texts that have the same terms as one of them, equally often."""
    bags = [sorted(each.term for each in model.analysis_.terms(text)) for text in texts]
    return {at for at, bag in enumerate(bags) if bag == bags[row]}


def left_out(model: NaiveBayes, texts: list[str], labels: list[str], *, words: bool = False) -> LeftOut:
    counts = model._snapshot().counts
    only = single_words(counts) if words else None
    gold = counts.live().places.of_all(labels)
    return LearnedDocuments(counts, rows_of(counts, texts, 2), gold, only=only).left_out(model._snapshot().rules, 2)
