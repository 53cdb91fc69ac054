"""`Weights`: the weights of a model in the kernel, which scores texts; `WeighedClasses`: the numbers per class."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from likely import _native
from likely.core.analyzer import Analyzer, thread_count
from likely.core.rules import Rules
from likely.core.terms import Terms, choose_terms, follow_terms, negate, scales_of_frequencies
from likely.core.variants import LEARNED, Totals, Variant
from likely.errors import MismatchError
from likely.formulas import log_prior, sums_of_others, unseen_share

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.core.counts import Counts, LiveClasses
    from likely.core.nbsvm import Learned
    from likely.types import Array, Ids, Label, Places, Texts


@dataclass(frozen=True, eq=False)
class WeighedClasses:
    """The classes of a model at one moment, sorted by label, with their part of the linear form."""

    live: LiveClasses
    log_prior: Array
    lacking: Array
    """Per class: the sum of log(1 - p) over all terms for bernoulli, the bias beyond the prior for nbsvm, else 0."""
    base: Array
    factor: Array
    totals: Totals
    variant: Variant
    certain: bool
    """Whether no text is impossible in any class: alpha is above 0, and so is every prior."""
    terms: Terms
    """The kept terms."""
    learned: Learned | None = None
    """The weights of the terms, if they were learned."""

    @property
    def labels(self) -> list[Label]:
        """The labels."""
        return self.live.labels

    @property
    def factors(self) -> Array | None:
        """The weight of each class, which multiplies its counts and its number of documents; None if all are 1."""
        return None if self.terms.factors is None else self.terms.factors[self.live.numbers]

    @cached_property
    def excluded(self) -> Array | None:
        """Minus infinity for each class whose prior is 0, and 0 for all others; None if every prior is above 0."""
        excluded = self.log_prior == -np.inf
        return np.where(excluded, -np.inf, 0.0) if excluded.any() else None

    @cached_property
    def finite_log_prior(self) -> Array:
        """Log P(c), and 0 for a class whose prior is 0: another prior can still be given when texts are scored."""
        return self.log_prior if self.excluded is None else np.where(self.excluded < 0, 0.0, self.log_prior)

    @cached_property
    def _places(self) -> Places:
        """The place of each term among all terms, sorted: one element per id."""
        ids = self.terms.counts.sorted_ids()
        places = np.zeros(self.terms.native.vocabulary_size, np.intp)
        places[ids] = np.arange(len(ids))
        return places

    def weigh_terms(self, ids: Ids) -> Array:
        """The weights factor_c (base_c + delta_tc) of the terms with these ids, and the fractions behind them."""
        if self.learned is not None:
            return self.learned.dense(self._places[ids])
        variant, counts = self.variant, self.terms.rows(ids, self.live.numbers)
        of_others = self.terms.rows_of_others(ids, self.live.numbers) if variant.is_complement else counts
        if variant.is_local:
            return self.base + variant.delta(counts, of_others, self.totals)
        above, below = variant.fraction(counts, of_others, self.totals)
        weights: Array = self.factor * (np.log(above) - np.log(below))
        return weights


def weigh_classes(
    counts: Counts, rules: Rules, learned: Learned | None, terms: Terms | None = None
) -> WeighedClasses:
    """The classes of these counts. This is fast if the weight of a term does not depend on other terms."""
    terms = terms or choose_terms(counts, rules)
    variant, live = rules.form, counts.live()
    documents, tokens = counts.totals().documents[live.numbers], terms.class_tokens()[live.numbers]
    documents = documents if terms.factors is None else documents * terms.factors[live.numbers]
    # Only complement variants use the sums of others, and learning one document must be fast.
    totals = Totals(tokens, documents, sums_of_others(tokens) if variant.is_complement else tokens, terms.size)
    # Weights that are divided by their sum are so small that a prior would outweigh all terms.
    prior = log_prior(documents, live.labels, "uniform" if variant.normalized else rules.prior)
    lacking, factor = np.zeros(len(documents)), np.ones(len(documents))
    if not variant.follows_counts:
        lacking, factor = _sums_over_terms(terms, variant, totals, live.ranks)
    certain, base = rules.alpha > 0 and bool(np.isfinite(prior).all()), variant.base(totals)
    if rules.learned:
        learned = check_learned(learned, rules)
        return WeighedClasses(
            live, prior, learned.bias - prior, base, factor, totals, variant, certain, terms, learned
        )
    return WeighedClasses(live, prior, lacking, base, factor, totals, variant, certain, terms)


def check_learned(learned: Learned | None, rules: Rules) -> Learned:
    """The learned weights, if they were learned by these rules; else ``MismatchError``."""
    if learned is None:
        raise MismatchError(
            f"the weights of variant={rules.variant!r} have not been learned: call fit to learn from all documents"
        )
    if learned.rules != rules:
        raise MismatchError(
            f"the weights of variant={rules.variant!r} were learned with other options: set the options back, or "
            "call fit to learn again"
        )
    return learned


def _sums_over_terms(terms: Terms, variant: Variant, totals: Totals, ranks: Ids) -> tuple[Array, Array]:
    """The two numbers of each class that need a sum over all terms: ``lacking`` and ``factor``."""
    cells = terms.cells(terms.sorted_ids())  # sorted, so that the sums do not depend on the order of the texts
    classes = ranks[cells.classes].astype(np.intp)
    deltas = variant.delta(cells.values, cells.of_others, totals.of(classes))
    rests = variant.rest(cells.sums)
    if rests is not None:
        deltas = deltas - cells.repeat(rests)
    return variant.lacking(cells.values, classes, totals), variant.factor(
        deltas, classes, rests, variant.base(totals)
    )


T = TypeVar("T")

LENGTH = np.uint32(_native.LENGTH)
"""The class number by which the kernel is asked for the length of a document, the sum of the values of its known
terms, instead of a score."""

KNOWN = np.uint32(_native.KNOWN)
"""The class number by which the kernel is asked for the share of a document's terms that have weights."""

TERMS = np.uint32(_native.TERMS)
"""The class number by which the kernel is asked for the number of a document's terms, known or not."""

DOUBT = np.uint32(_native.DOUBT)
"""The class number by which the kernel is allowed rough scores, and asked by how much they may be wrong."""

WORD_MEMORY = 160 << 20
"""The bytes that scoring with one model may use to remember what words with n-grams of characters add up to. During a
call, each thread may use a tenth of that beside it."""

FEW = 2
"""If there are this many times as many terms as have weights, the weights get a smaller vocabulary of their own."""

_NO_DOCUMENTS = np.array([[-np.inf], [0.0], [1.0]])
"""The bias, base and factor of a class without documents."""


@dataclass(frozen=True, eq=False)
class FrozenWeights:
    """The weights and the classes of one moment. They stay as they are, whatever the model learns meanwhile."""

    classes: WeighedClasses
    native: _native.Weights
    analyzer: Analyzer
    session: _native.Session | None = None
    """What is kept from one batch to the next, if it is."""

    def score(self, texts: Texts, threads: int, reduce: Callable[[Array], T], *more: np.uint32) -> list[T]:
        """The results of ``reduce``, one per batch; it gets the scores: one row per text, one column per class.

        The scores contain the prior of each class, unless it is 0 (`WeighedClasses.excluded`). There is one more
        column for each of ``more``: `LENGTH`, `KNOWN`, `TERMS`, `DOUBT`.
        """
        columns = np.concatenate([self.classes.live.numbers, np.array(more, np.uint32)])
        return (self.session or self._session()).score(self.analyzer.texts(texts), columns, threads, reduce)

    def _session(self) -> _native.Session:
        return _native.Session(self.native, self.analyzer.native, self.classes.terms.native, WORD_MEMORY)

    def remembering(self) -> FrozenWeights:
        """The same weights for one thread that scores many batches: what it learns of words is kept between them."""
        return replace(self, session=self._session())


class Weights:
    """Weights that can follow their counts: if some counts change, only their weights are computed again."""

    classes: WeighedClasses
    _classes_of: dict[int, WeighedClasses]
    """The classes by the version of the weights in the kernel: those of the last two versions."""

    def __init__(self, moment: ModelView) -> None:
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

    def _set(self, classes: WeighedClasses, changed: Ids) -> None:
        if classes.learned is not None:
            self._set_learned(classes, classes.learned)
            return
        terms, scales = classes.terms, classes.terms.scales_of(changed)
        deltas, rests = term_deltas(classes, changed, scales)
        form = _NO_DOCUMENTS.repeat(len(classes.live.alive), axis=1)
        form[0, classes.live.numbers] = classes.finite_log_prior + classes.lacking
        form[1, classes.live.numbers], form[2, classes.live.numbers] = classes.base, classes.factor
        self._announce(classes)
        self.native.set(terms.native, changed, scales, rests, deltas, form)
        self.classes = classes

    def _announce(self, classes: WeighedClasses) -> None:
        """Make the classes of the next version known, before another thread can find its weights."""
        version = self.native.version
        before = {version: self.classes} if version else {}
        self._classes_of = {**before, version + 1: classes}

    def _set_learned(self, classes: WeighedClasses, learned: Learned) -> None:
        """Set the weights that were learned (nbsvm)."""
        stay = classes.terms.are_kept(learned.ids)
        learned = learned.of_terms(stay)
        scales = classes.terms.scales_of(learned.ids)
        deltas = learned.weights.astype(np.float64)
        if scales is not None:
            deltas *= learned.repeat(scales)
        bias = np.full(len(classes.live.alive), -np.inf)
        bias[classes.live.numbers] = learned.bias
        self._announce(classes)
        cells = _native.Ragged(learned.starts, classes.live.numbers[learned.classes], deltas, len(bias))
        self.native.set_cells(classes.terms.native, learned.ids, scales, cells, bias)
        self.classes = classes

    def fits(self, counts: Counts) -> bool:
        """Whether `update` can be used for these counts; if not, new weights must be made."""
        # The ids of terms are the same as long as the counts are the same object of the kernel.
        if counts.native is not self.counts or counts.analyzer.mail != self.analyzer.mail:
            return False
        if not (self.rules.keep_by_frequency and self.rules.form.follows_counts):
            return False
        if self.rules.tfidf and not self._few:  # to set all weights again takes longer than to make new ones
            return False
        weight = self.rules.class_weight  # balanced weights change with every document, others with the classes
        if isinstance(weight, str) or (weight is not None and counts.live().labels != self.classes.labels):
            return False
        return self.native.has_room_for(len(counts.index.labels)) and not self.native.worn

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


def term_deltas(classes: WeighedClasses, ids: Ids, scales: Array | None) -> tuple[Array, Array | None]:
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


def usual_unknown(terms: Terms) -> float | None:
    """The share of the terms of a text like the learned ones that the model does not know, or None.

    It is the mean over all learned documents, each of which is left out in turn. A model from which terms were
    dropped cannot say it: the terms of one document are the first to be dropped. If documents were learned in several
    copies, the share is too low, because the copies know the terms of each other.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.core.terms import choose_terms
    >>> snapshot = NaiveBayes().fit(["good fun", "good good plot"], [1, 0])._snapshot()
    >>> usual_unknown(choose_terms(snapshot.counts, snapshot.rules))  # fun and plot, of five terms
    0.4
    """
    counts = terms.counts
    if counts.dropped:
        return None
    if counts.unread is not None:
        return counts.unread.usual_unknown
    totals = counts.totals()
    if terms.scales is None:  # every term is kept
        return unseen_share(counts.native.count_in_single_documents(), math.fsum(totals.tokens))
    # Sums of sorted terms do not depend on the order of the texts.
    ids = counts.sorted_ids()
    frequencies = counts.document_frequencies(ids)
    # A term is lost if it would be unknown without one of the documents that have it.
    total, rules = math.fsum(totals.documents), terms.rules
    negates = negate(counts, ids) if rules.auto_stop_words else np.zeros(len(ids), np.bool_)
    without = scales_of_frequencies(rules, frequencies - 1, total - 1, negates, counts.analyzer.lengths)
    lost = (without == 0) | ~terms.are_kept(ids)
    if counts.analyzer.lengths is None:
        return unseen_share(float(counts.native.class_sums(ids[lost], False).sum()), math.fsum(totals.tokens))
    # The counts of documents of unit length are not numbers of occurrences, so documents stand in for them.
    return unseen_share(float(frequencies[lost].sum()), float(frequencies.sum()))


# A model at one moment, and its settings ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ModelView:
    """Counts, the rules that turn them into weights, and learned weights; all else is computed on first use.

    A moment is valid as long as the counts do not change: a model holds its lock while it uses one.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> snapshot = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot()
    >>> ModelView(snapshot.counts, snapshot.rules).classes.labels
    ['+', '-']
    """

    counts: Counts
    rules: Rules
    learned: Learned | None = None

    @cached_property
    def terms(self) -> Terms:
        """The kept terms."""
        return choose_terms(self.counts, self.rules)

    @cached_property
    def classes(self) -> WeighedClasses:
        """The classes, with their part of the weights."""
        return weigh_classes(self.counts, self.rules, self.learned, self.terms)

    @cached_property
    def weights(self) -> Weights:
        """The weights."""
        return Weights(self)


@dataclass(frozen=True)
class ModelSettings:
    """The values of all options, with the analyzer, rules and threads that follow from them.

    Attributes
    ----------
    values : dict
        All options by name.
    analyzer : Analyzer
        How texts become terms.
    rules : Rules
        How counts become weights.
    threads : int
        The number of threads.
    """

    values: Mapping[str, Any]
    analyzer: Analyzer
    rules: Rules
    threads: int

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> ModelSettings:
        """The object for the values of all options, which have been checked."""
        return cls(values, Analyzer.of(values), Rules.of(values), thread_count(values["threads"]))

    @property
    def reads_twice(self) -> str | None:
        """The option because of which texts are read twice, or None."""
        if self.rules.variant == LEARNED:
            return f"variant={LEARNED!r}"
        return None if self.analyzer.lengths is None else "norm='l2'"
