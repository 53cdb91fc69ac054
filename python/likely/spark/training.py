"""`train`: a DataFrame of labelled texts becomes a model; `learn` and `forget`: a model changes by its rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from pyspark.sql import DataFrame, functions

from likely.batch.counting import JoinedSample, Summing, check_column, tell_bad
from likely.core.decisions import DECIDED_ON, are_given
from likely.core.state import CountedTexts, count_batches
from likely.core.terms import choose_terms
from likely.core.weights import ModelSettings
from likely.errors import NotAdditiveError, OptionError, TrainingWarning, frames_of_ours
from likely.model.naive_bayes import NaiveBayes
from likely.model.train import divided, train_documents
from likely.options.kinds import is_whole
from likely.reading.batch import Chosen
from likely.spark.frame import Frame, check_frame, quoted
from likely.training.material import Budget, Material, material_of, sampler_for
from likely.training.sample import MOST_BYTES, Sampler

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.core.counts import Counts
    from likely.reading.rows import Labelled, Sample
    from likely.types import Thresholds


def train(
    df: DataFrame,
    text: str = "text",
    label: str = "label",
    weight: str | None = None,
    *,
    group: str | None = None,
    prune: bool | None = None,
    plain: bool = False,
    **options: object,
) -> NaiveBayes:
    """Train on a DataFrame. The model has the same bytes as the one that `likely.train` makes of its texts.

    The workers count, and the cluster adds the counts. With ``min_documents`` as a number, given or chosen, rarer
    terms are dropped there, so that the driver receives only what the model keeps: the model then is that of
    ``likely.train(...)`` after ``pruned(min_documents=...)``, and it cannot forget. A ``TrainingWarning`` says
    how many were dropped, unless ``prune=True`` asks for that. ``prune=False`` keeps all terms.

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
    prune : bool, optional
        Whether terms below ``min_documents`` are dropped on the cluster. Default: they are, with a warning.
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
    source = FrameSource(Frame.of(df, Chosen(text, label, weight, group)), prunes=prune is not False)
    model = train_documents(source, checked, plain=plain)._remember_columns(Chosen(text, label, weight))
    tell_bad(*source.bad_rows)
    if source.dropped is not None:
        model = _without_rare_terms(model, source.dropped)
    if model._dropped_terms and prune is None:
        warnings.warn(
            f"{model._dropped_terms:,} terms in fewer than {model.min_documents} documents were dropped, so the "
            "model cannot forget documents: prune=False keeps all terms, prune=True asks for this",
            TrainingWarning,
            stacklevel=frames_of_ours(),
        )
    return model


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

        return material_of(subset, read, given, budget, strongest=strongest, elsewhere=elsewhere)

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
        """Note the bad rows of a job; ``SourceError`` if there are no others."""
        self.bad_rows = (found.bad, found.rows)
        if found.bad == found.rows:
            tell_bad(*self.bad_rows)


def is_judged(settled: ModelSettings) -> bool:
    """Whether a model with these options is judged on a sample while it is trained: to calibrate it, or to decide."""
    thresholds = cast("Thresholds | None", settled.values["thresholds"])
    return settled.values["calibrate"] is not False or (thresholds is not None and not are_given(thresholds))


TYPES = {str: "string", int: "bigint", bool: "boolean"}
"""Spark's types for the types of labels."""


def learn(
    df: DataFrame,
    model: NaiveBayes,
    text: str = "text",
    label: str = "label",
    weight: str | None = None,
    *,
    new_classes: bool = True,
) -> NaiveBayes:
    """Learn the rows of a DataFrame, as the model's method `learn` would in one process. Returns the model.

    The rows are counted on the cluster, where the counts are added up. Rows without a text or label are left out; a
    ``DataWarning`` says how many. If there is an error, nothing is learned.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The rows.
    model : NaiveBayes
        The model, which changes.
    text, label, weight : str
        The columns with the texts, with the labels and, if there is one, with the weights.
    new_classes : bool
        Whether texts of classes that the model does not have are learned, or raise ``LabelError``.

    Examples
    --------
    >>> from likely.spark import learn
    >>> learn(more_reviews, model, text="body", label="tag").save("reviews.likely")  # doctest: +SKIP
    """
    _check_model(model)
    model._learn_counted(_lesson(df, model, Chosen(text, label, weight)), new_classes=new_classes)
    return model


def forget(
    df: DataFrame, model: NaiveBayes, text: str = "text", label: str = "label", weight: str | None = None
) -> NaiveBayes:
    """Forget the rows of a DataFrame. Returns the model. The arguments are those of `learn`.

    If the counts show that a text was never learned, that is an error, and nothing is forgotten.

    Examples
    --------
    >>> from likely.spark import forget
    >>> forget(withdrawn, model, text="body", label="tag").save("reviews.likely")  # doctest: +SKIP
    """
    _check_model(model)
    model._check_can_forget()
    model._forget_counted(_lesson(df, model, Chosen(text, label, weight)))
    return model


def _check_model(model: object) -> None:
    """Raise ``OptionError`` if this is not a model: the file of one would not change."""
    if not isinstance(model, NaiveBayes):
        raise OptionError(f"the model is of type {type(model).__name__}: give a NaiveBayes; `likely.load` reads one")


def _lesson(df: DataFrame, model: NaiveBayes, columns: Chosen) -> CountedTexts:
    """What the rows of a DataFrame teach a model."""
    check_frame(df)
    label = cast("str", columns.label)
    check_column(df.columns, label)
    settled = model._to_learn()
    if settled.reads_twice is not None:
        raise NotAdditiveError(
            f"with {settled.reads_twice} a model is trained on all documents at once: call `likely.spark.train` "
            "with all of them"
        )
    frame = Frame.of(_with_labels(df, label, model._kind), columns)
    found = frame.count(settled)
    tell_bad(found.bad, found.rows)
    return CountedTexts(found.counts())


def _with_labels(df: DataFrame, label: str, kind: type | None) -> DataFrame:
    """The DataFrame with the labels as the type of the labels of a model; null where that is not possible."""
    of_labels = dict(df.dtypes)[label]
    if kind is None or of_labels == TYPES[kind]:
        return df
    column = functions.col(quoted(label))
    if of_labels in ("float", "double"):
        column = functions.when(column == functions.floor(column), column.cast("bigint"))
    cast_to = column.try_cast if hasattr(column, "try_cast") else column.cast
    return df.withColumn(label, cast_to(TYPES[kind]))
