"""The sample of parts is the sample of all documents."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest
from likely.batch.counting import EVERY, JoinedSample, SamplePart, bounds, sample_parts
from likely.reading.batch import Chosen
from likely.reading.rows import Labelled
from likely.training.sample import Sampler


def corpus(size: int) -> tuple[list[str], list[str], list[float], list[str]]:
    """Texts of which many are copies, some of them spelled in many ways."""
    draw = random.Random(2)
    texts = [f"text {draw.randint(0, size // 2)}" + "!" * draw.randint(0, 1) for _ in range(size)]
    texts += ["Same" + "!" * draw.randint(0, 40) for _ in range(size // 4)]
    weights = [draw.choice([0.1, 1.0, 2.5]) for _ in texts]
    return texts, [draw.choice("xyz") for _ in texts], weights, [draw.choice("abcdefgh") for _ in texts]


@pytest.mark.parametrize(("size", "most_bytes"), [(10, 1 << 20), (50, 4_000), (10_000, 1 << 20)])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("grouped", [False, True], ids=["alone", "grouped"])
def test_any_parts_give_the_same_sample(size: int, most_bytes: int, weighted: bool, grouped: bool) -> None:
    texts, labels, weights, groups = corpus(400)
    sampler = Sampler(size, most_bytes)
    sampler.add(Labelled(texts, labels, weights if weighted else None, groups if grouped else None))
    expected = sampler.sample()
    columns = Chosen("text", "label", weight="weight" if weighted else None, group="group" if grouped else None)
    order = list(range(len(texts)))
    random.Random(9).shuffle(order)
    table = pa.table({"text": texts, "label": labels, "weight": weights, "group": groups}).take(order)
    for number in (1, 7, 100):
        joined = JoinedSample(size, most_bytes, grouped=grouped)
        for at in range(number):
            some = table.take(pa.array(range(at, len(texts), number), pa.int64()))
            for part in sample_parts(some.to_batches(max_chunksize=13), columns, size, most_bytes):
                joined.add(SamplePart.of_table(part.to_table()))
        assert joined.sample() == expected, number
        assert (joined.bad, joined.rows) == (0, len(texts))


def test_bad_rows_are_counted() -> None:
    joined = JoinedSample(10, 1000)
    for part in sample_parts(
        [pa.record_batch({"text": ["a", None], "label": ["x", "y"]})], Chosen("text", "label"), 10, 1000
    ):
        joined.add(part)
    assert (joined.sample().texts, joined.bad, joined.rows, joined.sample().of) == (["a"], 1, 2, 1)


def test_a_bound_that_is_large_enough_changes_nothing() -> None:
    texts, labels, _, _ = corpus(4000)
    sampler = Sampler(50, 1 << 20)
    sampler.add(Labelled(texts, labels))
    expected, batch = sampler.sample(), pa.record_batch({"text": texts, "label": labels})
    whole = []
    for bound in (EVERY >> 12, *bounds(50, 1 << 20, len(texts), sum(map(len, texts)))):
        joined = JoinedSample(50, 1 << 20, bound)
        sent = list(sample_parts([batch], Chosen("text", "label"), 50, 1 << 20, bound))
        for part in sent:
            joined.add(part)
        whole.append(joined.is_whole())
        assert (joined.sample() == expected) is joined.is_whole()
    assert whole[0] is False
    assert whole[-1] is True
