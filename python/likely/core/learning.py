"""`CountedTexts`: what a model learns from labelled texts: counts, and for the variant nbsvm learned weights."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from likely.core.counts import Counts
from likely.core.decisions import fitting_reject_label
from likely.core.terms import choose_terms
from likely.errors import ArgumentError, LabelError, OptionError, SourceError
from likely.formulas import check_prior
from likely.labels import class_names
from likely.options.compound import reject_label_of
from likely.reading.rows import Labelled
from likely.terminal import counted, named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from likely.core.model import Model
    from likely.core.nbsvm import Learned
    from likely.core.view import ModelSettings
    from likely.reading.corpus import Corpus
    from likely.reading.rows import Batches
    from likely.types import Label, Labels, SampleWeight, Texts


class CountedTexts(NamedTuple):
    """The counts of some documents, and the weights learned from them (nbsvm)."""

    counts: Counts
    learned: Learned | None = None


def count_texts(
    settled: ModelSettings, texts: Texts, labels: Labels, sample_weight: SampleWeight | None
) -> CountedTexts:
    """Count texts in memory."""
    twice = settled.reads_twice
    if twice is None:
        return CountedTexts(Counts.count(settled.analyzer, texts, labels, sample_weight, settled.threads))
    if isinstance(texts, Iterator) or hasattr(texts, "read_next_batch"):
        raise SourceError(f"{twice} reads the texts twice, which is not possible with a stream: give a list")
    labels = list(labels) if isinstance(labels, Iterator) else labels
    sample_weight = list(sample_weight) if isinstance(sample_weight, Iterator) else sample_weight
    counts = Counts.count(settled.analyzer, texts, labels, sample_weight, settled.threads)
    return _second_pass(settled, counts, [Labelled(texts, labels, sample_weight)])


def count_corpus(
    settled: ModelSettings, corpus: Corpus, kind: type | None, sample_weight: SampleWeight | None = None
) -> CountedTexts:
    """Count a corpus that the caller has opened; ``kind`` is the type of the labels."""
    if sample_weight is not None:
        raise ArgumentError("sample_weight cannot be given with a source: name its column of weights with weight=...")
    if corpus.reading.group is not None:
        raise OptionError("group has no effect on a model that learns more, or forgets: leave it out")
    if settled.reads_twice is not None:
        corpus.check_rereadable(settled.reads_twice)
    return count_batches(settled, lambda: corpus.training_batches(kind))


def count_batches(settled: ModelSettings, read: Callable[[], Batches], counts: Counts | None = None) -> CountedTexts:
    """Count labelled texts in batches, which are read twice if the options require it.

    If the ``counts`` of the first time are given, the texts are read only the second time.
    """
    if counts is None:
        counts = Counts.count_batches(settled.analyzer, read(), settled.threads)
    if settled.reads_twice is None:
        return CountedTexts(counts)
    return _second_pass(settled, counts, read())


def _second_pass(settled: ModelSettings, counts: Counts, again: Batches) -> CountedTexts:
    """Count the same texts, read again: with learned weights, or with documents scaled to unit length."""
    if settled.rules.learned:
        from likely.core.nbsvm import learn

        return CountedTexts(counts, learn(counts, settled.rules, again, settled.threads))
    scales = choose_terms(counts, settled.rules).scales
    return CountedTexts(counts if scales is None else counts.at_unit_length(again, scales, settled.threads))


def check_classes(labels: list[Label], settled: ModelSettings) -> None:
    """Raise ``OptionError`` if an option does not fit these classes."""
    check_prior(labels, settled.rules.prior)
    reject_label = reject_label_of(settled.values["abstain"])
    if reject_label is not None:
        fitting_reject_label(labels, reject_label)


M = TypeVar("M", bound="Model")


def added(one: M, other: M) -> M:
    """A new model of the documents of both, with the options of the first.

    It is as if the larger model had learned the documents of the smaller one: it is calibrated as the larger one is,
    and remembers how many documents were learned since. If only one is calibrated, its calibration is kept.
    """
    one._check_additive()
    mine, theirs = _copied(one), _copied(other)
    sizes = one._state.documents, other._state.documents
    mine.add(theirs)
    first, second = (one, other) if sizes[0] >= sizes[1] else (other, one)
    kept = (first, min(sizes)) if _is_calibrated(first, one) else (second, max(sizes))
    return _made(one, other, mine, *kept)


def subtracted(one: M, other: M) -> M:
    """A new model of the documents of one without those of the other, calibrated as the first is."""
    one._check_additive()
    mine, theirs = _copied(one), _copied(other)
    mine.subtract(theirs)
    return _made(one, other, mine, one, other._state.documents)


def _made(one: M, other: M, counts: Counts, calibrated: M, changed: float) -> M:
    """A model with the options of the first, and the calibration of one of them after ``changed`` documents."""
    model = one._alike()
    model._state.replace(counts)
    is_wanted = one.calibrate is not False or _is_calibrated(one, one)
    if is_wanted and _is_calibrated(calibrated, one):
        model._state.take_calibration(calibrated._state, changed)
        model._state.take_thresholds(calibrated._state)
    is_same = not other._state.is_fitted or other.columns_ == one.columns_
    return model._remember_columns(one.columns_ if is_same else None)


def _is_calibrated(model: Model, one: Model) -> bool:
    """Whether a model is calibrated for scores with the options of the first."""
    return model._state.calibration_for(one._settle().rules) is not None


def _copied(model: Model) -> Counts:
    with model._state.lock:
        return model._state.counts.copy()


_NAMED = 5
_MOST_COMPARED = 1_000
"""With more classes than this, none is suggested: each suggestion compares a label with all of them."""


class NewClasses(NamedTuple):
    """The classes that counted texts would add to a model.

    Attributes
    ----------
    documents : dict
        The (weighted) number of documents of each new class.
    known : sequence of labels
        The classes of the model.

    Examples
    --------
    >>> print(NewClasses({"spma": 1.0, "eggs": 3.0}, ["ham", "spam"]))
    2 new classes: 'spma' (1 text; did you mean 'spam'?), 'eggs' (3 texts). Known classes: 'ham', 'spam'
    """

    documents: dict[Label, float]
    known: Sequence[Label]

    @classmethod
    def of(cls, new: Counts, counts: Counts) -> NewClasses:
        """The classes of new counts that the counts of a model do not have."""
        live, known = new.live(), counts.live().labels
        documents = new.totals().documents[live.numbers].tolist()
        old = set(known)
        pairs = zip(live.labels, documents, strict=True)
        return cls({label: number for label, number in pairs if label not in old}, known)

    def check(self) -> None:
        """Raise ``LabelError`` if there is a new class."""
        if self.documents:
            raise LabelError(f"{self}. Correct the labels, or allow new classes")

    def __str__(self) -> str:
        return f"{counted(len(self.documents), 'new class', 'new classes')}: {self.described()}"

    def described(self) -> str:
        """The new classes, with classes that may be meant instead, and the known ones."""
        new = named(list(self.documents), _NAMED, self._described)
        return f"{new}. Known classes: {class_names(self.known)}"

    def _described(self, label: Label) -> str:
        few = self.known if len(self.known) <= _MOST_COMPARED and isinstance(label, str) else []
        close = difflib.get_close_matches(str(label), map(str, few), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return f"{label!r} ({counted(self.documents[label], 'text')}{hint})"
