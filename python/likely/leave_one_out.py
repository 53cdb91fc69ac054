"""The scores that each learned document would get from a model that never saw it: its own counts taken away, exactly.

Counts can be subtracted, so no model is trained anew. What changes with a document less is worked out in two steps:
for all terms what they count with one document less, whichever it is ("outside"); and for the terms of the document
what they then count without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import LengthError, NotLearnedError, OptionError
from likely.formulas import Array, log_prior, term_frequency
from likely.labels import python_labels
from likely.terms import document_frequencies, negate, scales_of_frequencies
from likely.variants import Totals, one_over

if TYPE_CHECKING:
    from likely.counts import Counts, Ids
    from likely.terms import Rules
    from likely.weigh import Classes

Places = npt.NDArray[np.intp]
SumRows = Callable[[Any, "Ids", Array, npt.NDArray[np.uint32]], Array]
"""What the terms of documents weigh beyond the base: from the kernel's weights."""

_ROUNDING = 1e-9
"""By so much damped counts may be off: they are sums of logarithms."""


def check_exact(counts: Counts, rules: Rules) -> None:
    """Raise ``OptionError`` where one document less changes what no subtraction can."""
    reasons = {
        "norm='l2'": counts.analyzer.lengths is not None,
        "spelling='on'": rules.spelling,
        f"max_terms={rules.max_terms}": rules.max_terms is not None,
    }
    for reason, there in reasons.items():
        if there:
            raise OptionError(
                f"leave_one_out is not defined with {reason}: which terms count depends on all documents"
            )


@dataclass(frozen=True)
class Entries:
    """The terms of some documents: of which one each is, its id, and what it counts there before it is scaled."""

    rows: Places
    ids: Ids
    values: Array


@dataclass(frozen=True)
class Pairs:
    """The terms of some documents with each class they occur in: the entry, the class, n_tc before it is scaled."""

    entries: Places
    classes: Places
    counts: Array


@dataclass(frozen=True)
class Sums:
    """Sums over terms, a row a document (or one for all): how many count, N_c, and what the variant needs besides."""

    terms: Array
    tokens: Array
    rests: Array | float = 0.0
    """What the terms weigh in classes that lack them, beyond the base."""
    beyond: Array | float = 0.0
    """By class: what the terms it has weigh beyond that."""
    beyond_without: Array | float = 0.0
    """The same for a class with one document less."""

    def without(self, old: Sums, new: Sums) -> Sums:
        """These sums with the terms of each document as they are without it."""
        return Sums(
            self.terms - old.terms + new.terms,
            self.tokens - old.tokens + new.tokens,
            self.rests - old.rests + new.rests,
            self.beyond - old.beyond + new.beyond,
            self.beyond_without - old.beyond_without + new.beyond_without,
        )


class LeaveOneOut:
    """Scores of documents from the counts of all others.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> texts, labels = ["good fun", "good plot", "bad plot"], ["+", "+", "-"]
    >>> model = NaiveBayes().fit(texts, labels)
    >>> others = NaiveBayes().fit(texts[1:], labels[1:])
    >>> bool(np.allclose(model.leave_one_out(texts, labels)[0], others.predict_joint_log_proba(texts[:1])[0]))
    True
    """

    def __init__(self, counts: Counts, classes: Classes, rules: Rules, sum_rows: SumRows) -> None:
        check_exact(counts, rules)
        self.sum_rows, self.is_local = sum_rows, rules.count_every_term and classes.variant.is_local
        self.native, self.value = counts.native, classes.terms.value
        self.documents_count = classes.terms.documents_count
        self.classes, self.variant, self.rules = classes, classes.variant, rules
        ids = counts.native.sorted_ids()
        self.frequencies = np.zeros(int(ids.max(initial=0)) + 1)
        self.frequencies[ids] = document_frequencies(counts, ids)
        self.negates = np.zeros(len(self.frequencies), np.bool_)
        if rules.auto_stop_words:
            self.negates[ids] = negate(counts, ids)
        self.total = float(counts.totals().documents.sum()) - 1
        self.places: Places = np.full(len(counts.index.labels), -1, np.intp)
        self.places[classes.columns] = np.arange(len(classes.columns))
        self.ids = ids
        self.outside = self._scales(self.frequencies, self.negates)

    def _scales(self, frequencies: Array, negates: npt.NDArray[np.bool_]) -> Array:
        """What terms in so many documents count with one document less in all; 0 for those that do not count."""
        return scales_of_frequencies(self.rules, frequencies, self.total, negates)

    def _rests(self, sums: Array) -> Array:
        rests = self.variant.rest(sums)
        return np.zeros(len(sums)) if rests is None else rests

    def _pairs(self, ids: Ids) -> Pairs:
        entries = np.repeat(np.arange(len(ids)), self.native.row_lengths(ids))
        classes = self.places[self.native.cell_classes(ids)]
        return Pairs(entries, classes, self.native.cells(ids, self.documents_count))

    @cached_property
    def _everywhere(self) -> Sums:
        """The sums over all terms, outside."""
        scales = self.outside[self.ids]
        pairs, rows = self._pairs(self.ids), np.zeros(len(self.ids), np.intp)
        counts = pairs.counts * scales[pairs.entries]
        sums = np.bincount(pairs.entries, weights=counts, minlength=len(self.ids)).astype(np.float64)
        return self._sums(rows, 1, scales, sums, pairs, counts)

    def _sums(self, rows: Places, size: int, scales: Array, sums: Array, pairs: Pairs, counts: Array) -> Sums:
        """Sums, row by row, over terms that count so much, occur so often in all, and so often in each class."""
        width = len(self.classes.labels)
        kept = scales > 0
        here = kept[pairs.entries]
        at = (rows[pairs.entries] * width + pairs.classes)[here]

        def by_class(values: Array) -> Array:
            sums = np.bincount(at, weights=values[here], minlength=size * width)
            return sums.reshape(size, width).astype(np.float64)

        terms = np.bincount(rows[kept], minlength=size).astype(np.float64)
        tokens = by_class(counts)
        if self.variant.is_local:
            return Sums(terms, tokens)
        if self.variant.is_complement:
            # What a term weighs beyond the base, where it is lacking and where it is not.
            rests = np.where(kept, self._rests(sums), 0.0)
            beyond = _complement(sums[pairs.entries], counts, self.variant.alpha)
            all_rests = np.bincount(rows, weights=rests, minlength=size).astype(np.float64)
            return Sums(terms, tokens, all_rests, by_class(beyond))
        documents = self.classes.totals.documents[pairs.classes]
        return Sums(
            terms,
            tokens,
            beyond=by_class(_lacks(documents, counts, self.variant.alpha)),
            beyond_without=by_class(_lacks(documents - 1, counts, self.variant.alpha)),
        )

    def scores(self, starts: Any, ids: Ids, frequencies: Any, own: Places) -> Array:
        """The scores of some documents, of the class ``own`` each: a row a document, a column a class."""
        rows = np.repeat(np.arange(len(own)), np.diff(starts))
        values = term_frequency(frequencies.astype(np.float64), sublinear=self.value == "damped")
        entries = Entries(rows, ids, np.ones(len(ids)) if self.value == "presence" else values)
        if self.is_local:
            return self._local_scores(starts, entries, own)
        pairs = self._pairs(ids)
        mine = pairs.classes == own[rows][pairs.entries]
        left = pairs.counts - np.where(mine, entries.values[pairs.entries], 0.0)
        found = np.bincount(pairs.entries[mine & (left > -_ROUNDING)], minlength=len(ids))
        _check_learned(rows, found > 0)
        return self._scores(entries, pairs, own, np.maximum(left, 0.0))

    def _local_scores(self, starts: Any, entries: Entries, own: Places) -> Array:
        """As `_scores` where a term weighs the same in all other classes, whoever is left out."""
        size, rows, classes = len(own), entries.rows, self.classes
        counts = self.native.cells_in(entries.ids, classes.columns[own[rows]], self.documents_count)
        left = counts - entries.values
        _check_learned(rows, left > -_ROUNDING)
        stay = self.frequencies[entries.ids] > 1
        values = np.where(stay, entries.values, 0.0)
        beyond = self.sum_rows(starts, entries.ids, values, classes.columns)
        deltas = self.variant.delta(np.maximum(left[stay], 0.0), left, classes.totals)
        mine = np.arange(size)
        beyond[mine, own] = np.bincount(rows[stay], weights=values[stay] * deltas, minlength=size)
        tokens, documents = (np.tile(each, (size, 1)) for each in (classes.tokens, classes.totals.documents))
        tokens[mine, own] -= np.bincount(rows, weights=entries.values, minlength=size)
        documents[mine, own] -= 1
        terms = (classes.totals.size - np.bincount(rows[~stay], minlength=size)[:, None]).astype(np.float64)
        base = self.variant.base(Totals(tokens, documents, 0.0, terms))
        joint = np.bincount(rows, weights=values, minlength=size)[:, None] * base + beyond
        joint += self._log_prior(documents)
        joint[documents <= 0] = -np.inf
        return np.asarray(joint, np.float64)

    def _scores(self, entries: Entries, pairs: Pairs, own: Places, left: Array) -> Array:
        size, rows = len(own), entries.rows
        before = self.outside[entries.ids]
        scales = self._scales(self.frequencies[entries.ids] - 1, self.negates[entries.ids])
        with_own, without = pairs.counts * before[pairs.entries], left * scales[pairs.entries]
        sums = np.bincount(pairs.entries, weights=without, minlength=len(rows)).astype(np.float64)
        sums_with = np.bincount(pairs.entries, weights=with_own, minlength=len(rows)).astype(np.float64)
        rest = self._everywhere.without(
            self._sums(rows, size, before, sums_with, pairs, with_own),
            self._sums(rows, size, scales, sums, pairs, without),
        )
        documents = np.tile(self.classes.totals.documents, (size, 1))
        documents[np.arange(size), own] -= 1
        # What is left of a sum of logarithms from which all were taken away is not always 0.
        tokens = np.where(rest.tokens > _ROUNDING, rest.tokens, 0.0)
        totals = Totals(tokens, documents, tokens.sum(axis=1, keepdims=True), rest.terms[:, None])
        base = np.nan_to_num(self.variant.base(totals), nan=0.0, posinf=0.0, neginf=0.0)
        values = entries.values * scales
        known = np.bincount(rows, weights=values, minlength=size)[:, None]
        beyond = self._beyond(Entries(rows, entries.ids, values), pairs, sums, without, documents)
        joint = (known * base + beyond) * self._factor(rest, base)
        joint += self._lacking(rest, documents, own) + self._log_prior(documents)
        joint[documents <= 0] = -np.inf
        return joint

    def _beyond(self, entries: Entries, pairs: Pairs, sums: Array, counts: Array, documents: Array) -> Array:
        """What the terms of each document weigh beyond the base, from their counts without it."""
        size, width = documents.shape
        weights = entries.values[pairs.entries]
        rows = entries.rows[pairs.entries]
        deltas = np.zeros(len(counts))
        some = weights > 0
        if self.variant.is_complement:
            deltas = _complement(sums[pairs.entries], counts, self.variant.alpha)
        elif self.variant.is_local:
            deltas[some] = self.variant.delta(counts[some], counts[some], self.classes.totals)
        else:
            of_class = Totals(np.zeros(0), documents[rows, pairs.classes][some], 0.0, 0)
            deltas[some] = self.variant.delta(counts[some], counts[some], of_class)
        at = (rows * width + pairs.classes)[some]
        beyond = np.bincount(at, weights=(weights * deltas)[some], minlength=size * width)
        beyond = beyond.reshape(size, width).astype(np.float64)
        if self.variant.is_complement:
            rests = np.where(entries.values > 0, self._rests(sums), 0.0)
            beyond = beyond + np.bincount(entries.rows, weights=entries.values * rests, minlength=size)[:, None]
        if self.variant.alpha == 0:  # a class that lacks a term that counts is impossible
            terms = np.bincount(entries.rows[entries.values > 0], minlength=size)[:, None]
            beyond[np.bincount(at, minlength=size * width).reshape(size, width) < terms] = -np.inf
        return np.asarray(beyond, np.float64)

    def _factor(self, rest: Sums, base: Array) -> Array | float:
        if not self.variant.normalized:
            return 1.0
        total = rest.terms[:, None] * base + np.asarray(rest.rests)[:, None] + rest.beyond
        return one_over(np.asarray(total, np.float64))

    def _lacking(self, rest: Sums, documents: Array, own: Places) -> Array | float:
        if self.variant.name != "bernoulli":
            return 0.0
        alpha = self.variant.alpha
        nowhere = rest.terms[:, None] * (np.log(documents + alpha) - np.log(documents + 2 * alpha))
        here = np.array(rest.beyond)
        mine = np.arange(len(own))
        here[mine, own] = np.asarray(rest.beyond_without)[mine, own]
        lacking: Array = nowhere + here
        return lacking

    def _log_prior(self, documents: Array) -> Array:
        labels, prior = self.classes.labels, self.rules.prior
        if self.variant.normalized or prior == "uniform":
            return np.broadcast_to(-np.log((documents > 0).sum(axis=1, keepdims=True)), documents.shape)
        if prior != "fitted":
            return log_prior(documents[0], labels, prior)
        with np.errstate(divide="ignore"):
            fitted: Array = np.log(documents / documents.sum(axis=1, keepdims=True))
        return fitted


def _check_learned(rows: Places, learned: npt.NDArray[np.bool_]) -> None:
    if not learned.all():
        row = int(rows[learned.argmin()])
        raise NotLearnedError(f"the text in row {row} was not learned with this label, so it cannot be left out")


def _lacks(documents: Array, counts: Array, alpha: float) -> Array:
    """log(1 - p) of terms in so many of the documents, beyond that of a term in none of them.

    A term in more documents than there are is in the one that is left out, whose terms are counted anew.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        lacks = np.log(documents - counts + alpha) - np.log(documents + alpha)
    return np.where(counts <= documents, lacks, 0.0)


def _complement(sums: Array, counts: Array, alpha: float) -> Array:
    """What a term weighs in a class beyond what it does where it is lacking."""
    beyond: Array = np.log(sums + alpha) - np.log(sums - counts + alpha)
    return beyond


def leave_one_out(
    counts: Counts, classes: Classes, rules: Rules, texts: Any, labels: Any, threads: int, sum_rows: SumRows
) -> Array:
    """The scores of learned documents, each from a model without it; see `likely.NaiveBayes.leave_one_out`."""
    own = _places(classes, labels)
    left_out = LeaveOneOut(counts, classes, rules, sum_rows)
    done = 0

    def scores(starts: Any, ids: Ids, frequencies: Any) -> Array:
        nonlocal done
        batch = own[done : done + len(starts) - 1]
        if len(batch) < len(starts) - 1:
            raise LengthError(f"there are {len(own)} labels, but more texts than that: give one label a text")
        done += len(batch)
        return left_out.scores(starts, ids, frequencies, batch)

    analyzer = counts.analyzer
    parts = _native.rows_of(counts.native, analyzer.native, analyzer.texts(texts), threads, scores)
    if done < len(own):
        raise LengthError(f"there are {len(own)} labels, but only {done} texts: give one label a text")
    return np.concatenate(parts) if parts else np.zeros((0, len(classes.labels)))


def _places(classes: Classes, labels: Any) -> Places:
    """The place of each label among the classes."""
    places = {label: place for place, label in enumerate(classes.labels)}
    found = [places.get(label, -1) for label in python_labels(labels)]
    if -1 in found:
        row = found.index(-1)
        raise NotLearnedError(f"the label in row {row} was never learned: only what was learned can be left out")
    return np.array(found, np.intp)
