"""Fingerprints of documents: numbers of words and pairs, and signatures that estimate similarity."""

from __future__ import annotations

import numpy as np
from likely import _native
from likely.evaluation.near_copies import HASHES, FingerprintMaker
from likely.sample import load_sample


def test_batches_do_not_matter() -> None:
    texts = load_sample()[0]
    whole = FingerprintMaker().add(texts).made()
    parts = FingerprintMaker(threads=1).add(texts[:7]).add(_native.Strings(texts[7:])).made()
    assert np.array_equal(whole.features, parts.features)
    assert np.array_equal(whole.signatures, parts.signatures)
    assert np.array_equal(whole.starts, parts.starts)
    assert whole.of == parts.of == len(texts)


def test_numbers_ascend_and_do_not_repeat() -> None:
    prints = FingerprintMaker().add(["b a b a b", "the end", "愛 我愛北京"]).made()
    for start, end in zip(prints.starts[:-1], prints.starts[1:], strict=True):
        assert (np.diff(prints.features[start:end].astype(np.int64)) > 0).all()
    assert prints.lengths.tolist()[:2] == [4, 3]
    assert prints.lengths[2] > 4, "each Han character is a word, so an edit changes few features"


def test_signatures_estimate_the_similarity() -> None:
    words = [f"w{number}" for number in range(400)]
    prints = FingerprintMaker().add([" ".join(words), " ".join([*words[:360], "x"])]).made()
    first, second = (set(prints.features[a:b].tolist()) for a, b in ((0, prints.starts[1]), (prints.starts[1], None)))
    similarity = len(first & second) / len(first | second)
    estimate = float((prints.signatures[0] == prints.signatures[1]).mean())
    assert abs(estimate - similarity) < 4 * np.sqrt(similarity * (1 - similarity) / HASHES)


def test_documents_without_words_have_nothing() -> None:
    prints = FingerprintMaker().add(["", "...", "one", " "]).made()
    assert prints.lengths.tolist() == [0, 0, 1, 0]
    assert not prints.signatures[[0, 1, 3]].any()
    assert len(FingerprintMaker().made()) == 0


def test_memory_is_limited() -> None:
    maker = FingerprintMaker(most=1000)
    for _ in range(5):
        maker.add([f"text {number}" for number in range(400)])
    prints = maker.made()
    assert (len(prints), prints.of) == (400, 2000)
