"""Labelled texts to what a model learns from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from likely.core.state import CountedTexts, count_batches, count_corpus, count_texts
from likely.core.weights import ModelSettings
from likely.errors import ArgumentError, SourceError
from likely.options.model import with_defaults
from likely.reading.corpus import Corpus
from likely.reading.rows import Labelled

TEXTS, LABELS = ["good fun", "dull plot", "so good", "so dull"], ["1", "0", "1", "0"]
TWICE: list[dict[str, Any]] = [{"variant": "nbsvm"}, {"weighting": "tfidf", "norm": "l2"}]
EVERY = pytest.mark.parametrize("options", [{}, {"ngrams": (1, 2)}, *TWICE], ids=str)


def settled(options: dict[str, Any]) -> ModelSettings:
    return ModelSettings.of(with_defaults(options))


def shown(lesson: CountedTexts) -> tuple[Any, ...]:
    learned = lesson.learned
    numbers = None if learned is None else (learned.weights.tolist(), learned.bias.tolist())
    return lesson.counts.table().to_pylist(), numbers


@EVERY
def test_texts_batches_and_sources_teach_the_same(options: dict[str, Any]) -> None:
    how = settled(options)
    expected = shown(count_texts(how, TEXTS, LABELS, None))
    assert (expected[1] is not None) == (options.get("variant") == "nbsvm")
    parts = [Labelled(TEXTS[:1], LABELS[:1]), Labelled(TEXTS[1:], LABELS[1:])]
    assert shown(count_batches(how, lambda: iter(parts))) == expected
    assert shown(count_corpus(how, Corpus(pa.table({"text": TEXTS, "label": LABELS})), None)) == expected


@pytest.mark.parametrize("options", TWICE, ids=str)
def test_a_stream_cannot_be_read_twice(options: dict[str, Any]) -> None:
    with pytest.raises(SourceError, match=r"reads the texts twice.*give a list"):
        count_texts(settled(options), iter(TEXTS), LABELS, None)
    lesson = count_texts(settled(options), TEXTS, iter(LABELS), (weight for weight in [1.0] * 4))
    assert shown(lesson) == shown(count_texts(settled(options), TEXTS, LABELS, None)), "labels and weights may be"


def test_batches_are_read_as_often_as_they_are_needed() -> None:
    times = 0

    def read() -> Iterator[Labelled]:
        nonlocal times
        times += 1
        yield Labelled(TEXTS, LABELS)

    count_batches(settled({}), read)
    assert times == 1
    count_batches(settled(TWICE[1]), read)
    assert times == 3


def test_the_labels_of_a_source_become_the_kind_that_the_model_has() -> None:
    corpus = Corpus(pa.table({"text": TEXTS, "label": LABELS}))
    assert count_corpus(settled({}), corpus, int).counts.live().labels == [0, 1]
    assert count_corpus(settled({}), corpus, None).counts.live().labels == ["0", "1"]


def test_what_cannot_be_learned_from() -> None:
    corpus = Corpus(pa.table({"text": TEXTS, "label": LABELS}))
    with pytest.raises(ArgumentError, match="cannot be given with a source"):
        count_corpus(settled({}), corpus, None, [1.0] * 4)
    with pytest.raises(ArgumentError, match="there are no documents"):
        count_batches(settled({}), list)
    with pytest.raises(ArgumentError, match="there are 3 labels, but more texts"):
        count_texts(settled({}), TEXTS, LABELS[:3], None)
