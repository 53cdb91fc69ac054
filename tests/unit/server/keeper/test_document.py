"""The counts of one document: packed and unpacked without a change, and refused if they are anything else."""

from __future__ import annotations

from typing import Any

import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import StoreError
from likely.server.keeper.document import counts_of, pack, relabelled, unpack
from likely.server.store.entry import Entry


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"variant": "bernoulli", "analyzer": "both", "hash_bits": 12},
        {"weighting": "tfidf", "ngrams": (1, 3), "stop_words": "en"},
        {"document_weight": "equal", "stem": "english", "negation": "on"},
        {"prior": {"+": 0.7, "-": 0.3}, "class_weight": {"-": 3}, "reject_label": "?", "abstain": 0.9},
    ],
)
@pytest.mark.parametrize("text", ["", "not good, 漢字 👍🏽 good", "a\x00b"])
def test_what_is_unpacked_is_what_was_packed(options: dict[str, Any], text: str) -> None:
    base = ["so good", "very dull"], ["+", "-"]
    direct, packed = NaiveBayes(**options).fit(*base), NaiveBayes(**options).fit(*base)
    lesson = packed._count_one(text, "-")
    packed._correct(unpack(pack(lesson)), None)
    assert to_bytes(packed._snapshot()) == to_bytes(direct.learn([text], ["-"])._snapshot())


def test_another_label_is_another_lesson(reviews: tuple[list[str], list[str]]) -> None:
    model = NaiveBayes().fit(*reviews)
    plus, minus = (model._count_one("so good", label) for label in "+-")
    assert pack(relabelled(plus, "-")) == pack(minus)


def test_counts_of_anything_but_one_document_are_refused() -> None:
    model = NaiveBayes().fit(["a", "b"], ["x", "y"])
    entry = Entry(3, "", "learn", "", "x", counts=pack(model._count_one("a", "x")))
    assert counts_of(entry).live().labels == ["x"]
    for counts, why in (
        (None, "are erased"),
        (b"damaged", "are damaged"),
        (pack(model._snapshot().counts), "are not those of one document"),
        (pack(model._count_one("a", "y")), "are not those of one document"),
    ):
        with pytest.raises(StoreError, match=f"the counts of entry 3 {why}"):
            counts_of(Entry(3, "", "learn", "", "x", counts=counts))
