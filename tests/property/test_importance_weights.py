"""Law: the log importance weight of a document is that of the definition, whatever the threads."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import likely
from hypothesis import given, settings
from hypothesis import strategies as st
from likely import _native
from likely.batch.select import SelectingOptions

TEXTS = st.lists(st.text("ab cé漢 ", max_size=30), min_size=1, max_size=8)
BUCKETS = 50
"""So few that some n-grams share a bucket."""


def buckets(text: str) -> Counter[int]:
    """How often each bucket occurs: the n-grams are cut in Python, and each is hashed alone."""
    analyzer = SelectingOptions.of(1, {"ngrams": (1, 2)}).analyzer
    words = [term.term for term in likely.analyze(text)]

    def alone(*gram: str) -> Counter[int]:
        counts = _native.count_buckets(analyzer.native, [" ".join(gram)], BUCKETS, 1)
        return Counter({bucket: int(count) for bucket, count in enumerate(counts) if count})

    found = sum((alone(word) for word in words), Counter[int]())
    for pair in pairwise(words):
        found += alone(*pair) - alone(pair[0]) - alone(pair[1])
    return found


@settings(max_examples=30, deadline=None)
@given(target=TEXTS, raw=TEXTS, alpha=st.sampled_from([1.0, 0.25]), threads=st.integers(1, 3))
def test_weights_are_log_likelihood_ratios(target: list[str], raw: list[str], alpha: float, threads: int) -> None:
    models = [sum((buckets(text) for text in texts), Counter[int]()) for texts in (target, raw)]
    if not models[0]:
        return

    def share(model: Counter[int], bucket: int) -> Fraction:
        return (model[bucket] + Fraction(alpha)) / (sum(model.values()) + Fraction(alpha) * BUCKETS)

    wanted, frame = ([{"text": text} for text in texts] for texts in (target, raw))
    selection = likely.select(
        wanted, frame, len(raw), best=True, min_words=0, alpha=alpha, buckets=BUCKETS, threads=threads, text="text"
    )
    assert selection.rows.tolist() == list(range(len(raw)))
    for text, weight in zip(raw, selection.log_weights.tolist(), strict=True):
        ratio = math.prod(share(models[0], each) / share(models[1], each) for each in buckets(text).elements())
        assert math.isclose(weight, math.log(ratio), abs_tol=1e-7)
