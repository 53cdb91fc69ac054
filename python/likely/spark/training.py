"""`train`: a DataFrame of labelled texts becomes a model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from likely.batch.building import tell_bad
from likely.batch.counting import ColumnNames
from likely.core.decisions import DECIDED_ON, are_given
from likely.core.state import CountedTexts, count_batches
from likely.core.terms import choose_terms
from likely.core.weights import ModelSettings
from likely.model.naive_bayes import NaiveBayes
from likely.model.train import divided, train_documents
from likely.options.kinds import is_whole
from likely.spark.frame import Frame
from likely.training.material import gather_from, sampler_for
from likely.training.sample import MOST_BYTES, Sampler

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame

    from likely.batch.building import Summing
    from likely.batch.sampling import JoinedSample
    from likely.core.counts import Counts
    from likely.reading.rows import Labelled, Sample
    from likely.training.material import Budget, Material
    from likely.types import Thresholds


def train(
    df: DataFrame,
    text: str = "text",
    label: str = "label",
    weight: str | None = None,
    *,
    group: str | None = None,
    prune: bool = True,
    plain: bool = False,
    **options: object,
) -> NaiveBayes:
    """A model of the labelled texts of a DataFrame, with the same bytes as the one that `likely.train` makes of them.

    The workers count, and the cluster adds the counts. With ``min_documents`` as a number, given or chosen, rarer
    terms are dropped there, so that the driver receives only what the model keeps: the model then is that of
    ``likely.train(...)`` after ``pruned(min_documents=...)``, and it cannot forget. ``prune=False`` keeps all terms.

    Without options, or with ``tune``, the options are chosen on a sample that is sent to the driver (about 9 million
    characters), and then all documents are counted with them. Of at most 10 million characters in all, the documents
    themselves are sent. Probabilities are calibrated on a sample, too. The sample is the one of `likely.train`.

    Rows with a missing text or label, or with a label or weight that is not allowed, are left out; a
    ``DataWarning`` has their number. With ``variant='nbsvm'``, which learns from all documents at once, the
    texts are sent to the driver, one partition after the other; ``norm='l2'`` reads them twice on the cluster.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        One row per document.
    text, label, weight, group : str
        The names of the columns: the text (string), the label (string, whole number or bool), and, if there are some,
        the weight of each document and its group, such as its author.
    prune : bool
        Whether terms below ``min_documents`` are dropped on the cluster.
    plain : bool
        Choose nothing: train the textbook classifier.
    **options
        Options of the model, as for `likely.train`.

    Examples
    --------
    >>> from likely.spark import train
    >>> model = train(df, text="body", label="tag")  # doctest: +SKIP
    >>> model = train(df, text="body", label="tag", ngrams=(1, 2), min_documents=5)  # doctest: +SKIP
    """
    _, checked, _ = divided({"plain": plain, **options}, reads=False)
    source = FrameSource(Frame.of(df, ColumnNames(text, label, weight, group)), prunes=prune)
    model = train_documents(source, checked, plain=plain)
    tell_bad(*source.bad_rows)
    return model if source.dropped is None else _without_rare_terms(model, source.dropped)


def _without_rare_terms(model: NaiveBayes, dropped: int) -> NaiveBayes:
    """The model without the rare terms of the sample, which were kept while this many others were dropped."""
    snapshot = model._snapshot()
    counts = replace(snapshot.counts, dropped=dropped)
    return NaiveBayes._from_snapshot(replace(snapshot, counts=counts)).pruned(min_documents=int(model.min_documents))


@dataclass
class FrameSource:
    """The documents of a frame, which are counted and sampled where they lie."""

    frame: Frame
    prunes: bool = True
    bad_rows: tuple[int, int] = (0, 0)
    """The number of bad rows and of all rows, once a job has met them."""
    dropped: int | None = None
    """The number of terms that were dropped on the cluster; None if none may be."""

    def count(self, settled: ModelSettings) -> tuple[CountedTexts, Sample]:
        """What is learned with these options, and a sample to calibrate on."""
        sample = self._sample(DECIDED_ON, MOST_BYTES) if is_judged(settled) else Sampler(0).sample()
        counts = self._counts(settled, sample)
        if settled.reads_twice is None:
            return CountedTexts(counts), sample
        if settled.rules.learned:
            return count_batches(settled, self.frame.documents, counts), sample
        scales = choose_terms(counts, settled.rules).scales
        if scales is not None:
            counts = self.frame.at_unit_length(settled, counts, scales).counts()
        return CountedTexts(counts), sample

    def material(self, given: Mapping[str, object], budget: Budget, *, strongest: bool) -> Material:
        """What the choice of options needs."""
        sampler = sampler_for(strongest=strongest)
        subset = self._sample(sampler.size, sampler.most_bytes)
        held: list[Labelled] = []

        def read() -> list[Labelled]:
            if not held:
                held.extend(self.frame.documents())
            return held

        def elsewhere(values: Mapping[str, object]) -> Counts:
            return self._counts(ModelSettings.of(values), subset)

        return gather_from(subset, read, elsewhere, given, budget, strongest=strongest)

    def _sample(self, size: int, most_bytes: int) -> Sample:
        found = self.frame.sample(size, most_bytes)
        self._note(found)
        return found.sample()

    def _counts(self, settled: ModelSettings, sample: Sample) -> Counts:
        """The counts of all documents; without rare terms, if nothing needs them. Those of the sample are needed."""
        rules, least = settled.rules, settled.rules.min_documents
        can = is_whole(least) and least > 1 and not rules.spelling and settled.reads_twice is None
        prunes = self.prunes and can
        found = self.frame.count(settled, int(least) if prunes else None, sample.texts)
        self._note(found)
        self.dropped = found.dropped if prunes else None
        return found.counts()

    def _note(self, found: Summing | JoinedSample) -> None:
        """Note the bad rows of a job; ``BadRowsError`` if there are no others."""
        self.bad_rows = (found.bad, found.rows)
        if found.bad == found.rows:
            tell_bad(*self.bad_rows)


def is_judged(settled: ModelSettings) -> bool:
    """Whether a model with these options is judged on a sample while it is trained: to calibrate it, or to decide."""
    thresholds = cast("Thresholds | None", settled.values["thresholds"])
    return settled.values["calibrate"] is not False or (thresholds is not None and not are_given(thresholds))
