"""`Weights`: the weights of all kept terms in the kernel, which scores texts with them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from likely import _native
from likely.weighing.classes import weigh_classes
from likely.weighing.terms import follow_terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.analysis.analyzer import Analyzer
    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Texts
    from likely.weighing.classes import Classes
    from likely.weighing.learned import Learned
    from likely.weighing.moment import Moment

T = TypeVar("T")

LENGTH = np.uint32(_native.LENGTH)
"""The class number by which the kernel is asked for the length of a document instead of a score."""

KNOWN = np.uint32(_native.KNOWN)
"""The class number by which the kernel is asked for the share of a document's terms that have weights."""

TERMS = np.uint32(_native.TERMS)
"""The class number by which the kernel is asked for the number of a document's terms, known or not."""

DOUBT = np.uint32(_native.DOUBT)
"""The class number by which the kernel is allowed rough scores, and asked by how much they may be wrong."""

FEW = 2
"""If there are this many times as many terms as have weights, the weights get a smaller vocabulary of their own."""

_NO_DOCUMENTS = np.array([[-np.inf], [0.0], [1.0]])
"""The bias, base and factor of a class without documents."""


@dataclass(frozen=True, eq=False)
class FrozenWeights:
    """The weights and the classes of one moment. They stay as they are, whatever the model learns meanwhile."""

    classes: Classes
    native: _native.Weights
    analyzer: Analyzer

    def score(
        self,
        texts: Texts,
        threads: int,
        reduce: Callable[[Array], T],
        *,
        lengths: bool = False,
        known: bool = False,
        terms: bool = False,
        rough: bool = False,
    ) -> list[T]:
        """The results of ``reduce``, one per batch; it gets the scores: one row per text, one column per class.

        The scores contain the prior of each class, unless it is 0: see `Classes.excluded`. With ``lengths`` there is
        one more column, the length of each text: the sum of the values of its known terms. With ``known`` there is
        one more: the share of its terms that are known. With ``terms`` there is one more: the number of its terms.
        With ``rough``, scores may be rough, and there is one more: by how much each of them may be wrong.
        """
        asked = ((LENGTH, lengths), (KNOWN, known), (TERMS, terms), (DOUBT, rough))
        more = [number for number, wanted in asked if wanted]
        columns = np.concatenate([self.classes.numbers, np.array(more, np.uint32)])
        return self._columns(texts, columns, threads, reduce)

    def known(self, texts: Texts, threads: int) -> list[Array]:
        """The share of the terms of each text that are known: one array per batch."""
        return self._columns(texts, np.array([KNOWN]), threads, lambda shares: shares[:, 0])

    def _columns(self, texts: Texts, columns: Ids, threads: int, reduce: Callable[[Array], T]) -> list[T]:
        counts, analyzer = self.classes.terms.native, self.analyzer
        return self.native.score(analyzer.native, counts, analyzer.texts(texts), columns, threads, reduce)


class Weights:
    """Weights that can follow their counts: if some counts change, only their weights are computed again."""

    classes: Classes
    _classes_of: dict[int, Classes]
    """The classes by the version of the weights in the kernel: those of the last two versions."""

    def __init__(self, moment: Moment) -> None:
        self._classes_of = {}
        counts, terms = moment.counts, moment.terms
        self.rules = moment.rules
        self.analyzer = counts.analyzer
        self.counts = counts.native
        size = len(counts.index.labels)
        self._few = terms.spelling is None and terms.size * FEW < terms.native.terms
        form = self.rules.form
        self.native = _native.Weights(size, terms.size, terms.value, terms.normalized, form.absent, self._few)
        self._set(moment.classes, terms.ids())
        if terms.spelling is not None:
            self.native.read_as_known(terms.native, terms.spelling, terms.known_words()[0], terms.folds)

    def update(self, counts: Counts, changed: Ids) -> None:
        """Compute the weights of the changed terms and the numbers of all classes again; see `fits`."""
        before = self.classes.terms.ids() if self.rules.tfidf else changed
        terms = follow_terms(replace(self.classes.terms, counts=counts), changed)
        if self.rules.tfidf:  # the idf of every term changes with the number of documents
            changed = np.concatenate([terms.ids(), before[~terms.are_kept(before)]])
        self._set(weigh_classes(counts, self.rules, None, terms), changed)

    def _set(self, classes: Classes, changed: Ids) -> None:
        if classes.learned is not None:
            self._set_learned(classes, classes.learned)
            return
        terms, scales = classes.terms, classes.terms.scales_of(changed)
        deltas, rests = term_deltas(classes, changed, scales)
        form = _NO_DOCUMENTS.repeat(len(classes.live.alive), axis=1)
        form[0, classes.numbers] = classes.finite_log_prior + classes.lacking
        form[1, classes.numbers], form[2, classes.numbers] = classes.base, classes.factor
        self._announce(classes)
        self.native.set(terms.native, changed, scales, rests, deltas, form)
        self.classes = classes

    def _announce(self, classes: Classes) -> None:
        """Make the classes of the next version known, before another thread can find its weights."""
        version = self.native.version
        before = {version: self.classes} if version else {}
        self._classes_of = {**before, version + 1: classes}

    def _set_learned(self, classes: Classes, learned: Learned) -> None:
        """Set the weights that were learned (nbsvm)."""
        stay = classes.terms.are_kept(learned.ids)
        learned = learned.of_terms(stay)
        scales = classes.terms.scales_of(learned.ids)
        deltas = learned.weights.astype(np.float64)
        if scales is not None:
            deltas *= learned.repeat(scales)
        bias = np.full(len(classes.live.alive), -np.inf)
        bias[classes.numbers] = learned.bias
        self._announce(classes)
        cells = _native.Ragged(learned.starts, classes.numbers[learned.classes], deltas, len(bias))
        self.native.set_cells(classes.terms.native, learned.ids, scales, cells, bias)
        self.classes = classes

    def fits(self, counts: Counts) -> bool:
        """Whether `update` can be used for these counts; if not, new weights must be made."""
        # The ids of terms are the same as long as the counts are the same object of the kernel.
        if counts.native is not self.counts or not (self.rules.keep_by_frequency and self.rules.form.follows_counts):
            return False
        if self.rules.tfidf and not self._few:  # to set all weights again takes longer than to make new ones
            return False
        if self.rules.class_weight is not None and not self._factors_stay(counts):
            return False
        return self.native.has_room_for(len(counts.index.labels)) and not self.native.worn

    def _factors_stay(self, counts: Counts) -> bool:
        """Whether the classes and their weights are still the same; balanced weights change with every document."""
        return not isinstance(self.rules.class_weight, str) and counts.live().labels == self.classes.labels

    def frozen(self) -> FrozenWeights:
        """The weights and the classes as they are now."""
        while True:  # another thread may change both at the same time
            native = self.native.frozen()
            classes = self._classes_of.get(native.version)
            if classes is not None:
                return FrozenWeights(classes, native, self.analyzer)

    def read_words(self, words: list[str]) -> list[str]:
        """Words as they are read: with spelling correction, an unknown word as the known word that it misspells."""
        return self.native.read_words(self.classes.terms.native, words) if self.rules.spelling else words


def term_deltas(classes: Classes, ids: Ids, scales: Array | None) -> tuple[Array, Array | None]:
    """The deltas of some terms in the classes that have them, and the part that is common to all classes."""
    terms, variant = classes.terms, classes.variant
    if (
        variant.is_local and scales is None and terms.factors is None
    ):  # the way of learning one document, so it must be short
        counts = terms.native.cells(ids, terms.documents_count)
        return variant.delta(counts, counts, classes.totals), None
    if scales is not None:
        scales = np.where(scales > 0, scales, 1.0)  # the kernel drops a term whose scale is 0, whatever its deltas
    cells = terms.cells(ids)
    of_others = cells.of_others if variant.is_complement else cells.values
    deltas = variant.delta(cells.values, of_others, classes.totals.of(classes.live.ranks[cells.classes]))
    rests = variant.rest(cells.sums)
    if scales is None:
        return deltas, rests
    return deltas * cells.repeat(scales), None if rests is None else rests * scales
