"""`Lesson`: what a model learns from labelled texts: counts, and for the variant nbsvm learned weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from likely.core.counts import Counts
from likely.core.terms import choose_terms
from likely.errors import SourceError, UnknownOptionError, WeightError
from likely.reading.rows import Labelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.core.nbsvm import Learned
    from likely.core.settled import Settled
    from likely.reading.corpus import Corpus
    from likely.reading.rows import Batches
    from likely.types import Labels, SampleWeight, Texts


class Lesson(NamedTuple):
    """The counts of some documents, and the weights learned from them (nbsvm)."""

    counts: Counts
    learned: Learned | None = None


def count_texts(settled: Settled, texts: Texts, labels: Labels, sample_weight: SampleWeight | None) -> Lesson:
    """The lesson of texts in memory."""
    twice = settled.reads_twice
    if twice is None:
        return Lesson(Counts.count(settled.analyzer, texts, labels, sample_weight, settled.threads))
    if isinstance(texts, Iterator) or hasattr(texts, "read_next_batch"):
        raise SourceError(f"{twice} reads the texts twice, which is not possible with a stream: give a list")
    labels = list(labels) if isinstance(labels, Iterator) else labels
    sample_weight = list(sample_weight) if isinstance(sample_weight, Iterator) else sample_weight
    counts = Counts.count(settled.analyzer, texts, labels, sample_weight, settled.threads)
    return _second_pass(settled, counts, [Labelled(texts, labels, sample_weight)])


def count_corpus(
    settled: Settled, corpus: Corpus, kind: type | None, sample_weight: SampleWeight | None = None
) -> Lesson:
    """The lesson of a corpus that the caller has opened; ``kind`` is the type of the labels."""
    if sample_weight is not None:
        raise WeightError("sample_weight cannot be given with a source: name its column of weights with weight=...")
    if corpus.reading.group is not None:
        raise UnknownOptionError("group has no effect on a model that learns more, or forgets: leave it out")
    if settled.reads_twice is not None:
        corpus.check_rereadable(settled.reads_twice)
    return count_batches(settled, lambda: corpus.lessons(kind))


def count_batches(settled: Settled, read: Callable[[], Batches], counts: Counts | None = None) -> Lesson:
    """The lesson of labelled texts in batches, which are read twice if the options require it.

    If the ``counts`` of the first time are given, the texts are read only the second time.
    """
    if counts is None:
        counts = Counts.count_batches(settled.analyzer, read(), settled.threads)
    if settled.reads_twice is None:
        return Lesson(counts)
    return _second_pass(settled, counts, read())


def _second_pass(settled: Settled, counts: Counts, again: Batches) -> Lesson:
    """The lesson of the same texts, read again: with learned weights, or with documents scaled to unit length."""
    if settled.rules.learned:
        from likely.core.nbsvm import learn

        return Lesson(counts, learn(counts, settled.rules, again, settled.threads))
    scales = choose_terms(counts, settled.rules).scales
    return Lesson(counts if scales is None else counts.at_unit_length(again, scales, settled.threads))
