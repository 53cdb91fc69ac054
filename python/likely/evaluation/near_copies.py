"""`NearCopies`: documents that were judged by a model that has learned near-copies of them, and what that changes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.core.analyzer import Analyzer, thread_count
from likely.core.counts import Ragged, starts_of
from likely.formulas import share
from likely.options.model import with_defaults
from likely.terminal import counted, cut, number, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from likely.evaluation.evaluation import Evaluation
    from likely.reading.rows import Whole
    from likely.types import Array, Ids, Label, Mask, Places, Starts


SHOWN = 5
"""At most this many examples are kept."""
LONGEST = 100
"""At most this many characters of a text are kept."""
LONGEST_LINE = 74
"""At most this many columns of a terminal are used for a text."""


@dataclass(frozen=True)
class CopyExample:
    """A judged document, and the most similar document that the model has learned.

    Rows are indices, from 0; ``other_row`` is that of the learned document in its own data.
    """

    row: int
    other_row: int
    similarity: float
    label: Label
    other_label: Label
    text: str
    other_text: str

    def __str__(self) -> str:
        of = f"row {self.row + 1:,} ({printable(self.label)})"
        learned = f"row {self.other_row + 1:,} ({printable(self.other_label)})"
        first = f"  {of} ~ learned {learned}, similarity {self.similarity:.2f}"
        return f"{first}\n    {cut(printable(self.text), LONGEST_LINE)}"


@dataclass(frozen=True)
class NearCopies:
    """Near-copies across what was learned and what was judged.

    A near-copy is a document with a similarity of at least 0.8: the number of words and pairs of neighbouring words
    that two documents have in common, divided by the number of those that either has (Jaccard). An exact copy is
    equal but for case, spaces and punctuation.

    Attributes
    ----------
    judged : int
        The number of judged documents that were looked at.
    documents, of : int
        The number of judged and learned documents that were looked at, and of all of them. If that is larger, the
        data was too large to look at all.
    near : int
        The number of judged documents of which the model has learned a near-copy or an exact copy.
    exact : int
        The number of judged documents of which it has learned an exact copy.
    differing : int
        The number of judged documents whose closest learned document has another label.
    accuracy, accuracy_of_copies, accuracy_without : float or None
        The accuracy of all documents that were looked at, of those with near-copies, and of the others; None if there
        are none.
    examples : list of CopyExample
        Some of them: those that are not exact first.
    """

    judged: int
    documents: int
    of: int
    near: int
    exact: int
    differing: int
    accuracy: float | None
    accuracy_of_copies: float | None
    accuracy_without: float | None
    examples: list[CopyExample] = field(default_factory=list)

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        looked = (
            "" if self.documents == self.of else f" (among the first {self.documents:,} of {self.of:,} documents)"
        )
        if not self.near:
            return f"No judged document is a near-copy of one that was learned{looked}."
        kinds = f"{self.exact:,} exact, {self.near - self.exact:,} near"
        differing = f", {self.differing:,} with another label" if self.differing else ""
        judged = f"{counted(self.near, 'judged document')} of {self.judged:,}{looked}"
        return (
            f"{judged} {'is a copy' if self.near == 1 else 'are copies'} of documents that were learned ({kinds}"
            f"{differing}): accuracy {number(self.accuracy_of_copies)} on them, {number(self.accuracy_without)} "
            f"without them, {number(self.accuracy)} in all."
        )


@dataclass(frozen=True)
class ShownDocuments:
    """Documents for people: the text, the label and the row of each, by the places of `Closest`."""

    texts: Sequence[str]
    labels: Sequence[Label]
    rows: Sequence[int]


def near_copies(
    closest: Closest, right: Mask, judged: Places, told: ShownDocuments, prints: Fingerprints
) -> NearCopies:
    """The record of judged documents.

    ``closest`` has the closest document on another side of each document, ``judged`` the places of the documents that
    were judged, and ``right`` whether each of these got its gold label.

    Examples
    --------
    >>> from likely.evaluation.near_copies import FingerprintMaker
    >>> from likely.evaluation.near_copies import closest_copies
    >>> texts, labels = ["so good", "bad", "So good!"], ["+", "-", "+"]
    >>> told = ShownDocuments(texts, labels, [0, 1, 0])
    >>> prints = FingerprintMaker().add(told.texts).made()
    >>> closest = closest_copies(prints, np.array([0, 0, 1]))
    >>> print(near_copies(closest, np.array([True, False]), np.array([0, 1]), told, prints))
    1 judged document of 2 is a copy of documents that were learned (1 exact, 0 near): accuracy 1 on them, 0 without
    them, 0.5 in all.
    """
    found = closest.found[judged]
    with_copy = judged[found]
    exact = closest.similarity[with_copy] == 1
    labels = told.labels
    differing = [labels[at] != labels[closest.place[at]] for at in with_copy.tolist()]
    order = with_copy[np.lexsort((with_copy, -closest.similarity[with_copy], exact))]
    return NearCopies(
        len(judged),
        len(prints),
        prints.of,
        len(with_copy),
        int(exact.sum()),
        sum(differing),
        share(int(right.sum()), len(right)),
        share(int(right[found].sum()), len(with_copy)),
        share(int(right[~found].sum()), len(right) - len(with_copy)),
        [_example(at, closest, told) for at in _distinct(order, closest)],
    )


def _distinct(order: Places, closest: Closest) -> list[int]:
    """The first documents, without those that are only the other half of a pair."""
    found: dict[frozenset[int], int] = {}
    for at in order.tolist():
        found.setdefault(frozenset((at, int(closest.place[at]))), at)
        if len(found) == SHOWN:
            break
    return list(found.values())


def _example(at: int, closest: Closest, told: ShownDocuments) -> CopyExample:
    other = int(closest.place[at])
    texts = (" ".join(told.texts[place][: 4 * LONGEST].split())[:LONGEST] for place in (at, other))
    rows, labels = (told.rows[at], told.rows[other]), (told.labels[at], told.labels[other])
    return CopyExample(*rows, float(closest.similarity[at]), *labels, *texts)


HASHES = 80
"""The number of values of a signature."""
BITS = 24
"""Words and pairs of words are numbered from 0 to 2**BITS - 1. Two of them seldom have the same number."""
MOST_FEATURES = 1 << 27
"""At most this many numbers are kept, which take half a gigabyte; later documents are not looked at."""
AT_ONCE = 1 << 14
"""The number of documents that are analyzed at a time."""
_SEED = 20_051
_SIGNED_AT_ONCE = 256

Signatures: TypeAlias = npt.NDArray[np.uint16]
"""One row per document, one column per random ordering. Of each smallest value, the low 16 bits are enough."""
Numbers: TypeAlias = npt.NDArray[np.uint64]
"""Equal for documents that are copies of each other."""


@dataclass(frozen=True, eq=False)
class Fingerprints(Ragged):
    """The words and pairs of words of documents: one row per document, ascending numbers without repetition.

    Examples
    --------
    >>> prints = FingerprintMaker().add(["a good film", "Good film, good film", ""]).made()
    >>> prints.lengths, prints.of
    (array([5, 4, 0]), 3)
    >>> bool(np.isin(prints.features[:5], prints.features[5:]).sum() == 3)
    True
    """

    features: Ids
    """The numbers."""
    signatures: Signatures
    copy_numbers: Numbers
    """Equal for texts that are equal but for case, spaces and punctuation."""
    of: int
    """The number of all documents. If it is larger than the number of rows, the last documents were not looked at."""


class FingerprintMaker:
    """Makes `Fingerprints` of texts that come in batches.

    Parameters
    ----------
    threads : int, optional
        The number of threads. Default: one per processor.
    most : int
        At most this many numbers are kept.
    """

    def __init__(self, threads: int | None = None, most: int = MOST_FEATURES) -> None:
        self._threads, self._most = thread_count(threads), most
        self._analyzer = Analyzer.of(with_defaults({"ngrams": (1, 2), "hash_bits": BITS}))
        self._parts: list[Fingerprints] = []
        self._kept = self._of = 0

    def add(self, texts: list[str] | _native.Strings) -> FingerprintMaker:
        """Look at more documents, unless the memory is used up; returns itself."""
        self._of += len(texts)
        for some in _slices(texts):
            if self._kept >= self._most:
                break
            self._parts.append(self._made_of(some))
            self._kept += len(self._parts[-1].features)
        return self

    def _made_of(self, texts: list[str]) -> Fingerprints:
        (_, columns, starts), names = _native.vectorize(self._analyzer.native, texts, self._threads)
        # The names of buckets are their numbers, in hexadecimal digits, and sorted: so the numbers ascend too.
        raw = np.frombuffer(bytes.fromhex("".join(names)), np.uint8).reshape(-1, BITS // 8).astype(np.uint32)
        numbers: Ids = (raw * np.array([1 << 16, 1 << 8, 1], np.uint32)).sum(axis=1, dtype=np.uint32)
        features, rows = numbers[columns], starts.astype(np.int64)
        signatures = _signatures(features, rows, self._threads)
        return Fingerprints(rows, features, signatures, _native.copy_numbers(texts), len(texts))

    def made(self) -> Fingerprints:
        """The fingerprints of all documents so far."""
        parts = self._parts
        lengths = [part.lengths for part in parts]
        return Fingerprints(
            starts_of(np.concatenate([*lengths, np.zeros(0, np.int64)])),
            np.concatenate([*(part.features for part in parts), np.zeros(0, np.uint32)]),
            np.concatenate([*(part.signatures for part in parts), np.zeros((0, HASHES), np.uint16)]),
            np.concatenate([*(part.copy_numbers for part in parts), np.zeros(0, np.uint64)]),
            self._of,
        )


def _slices(texts: list[str] | _native.Strings) -> Iterator[list[str]]:
    held = texts if isinstance(texts, list) else texts.to_pylist()
    return (held[start : start + AT_ONCE] for start in range(0, len(held), AT_ONCE))


def _signatures(features: Ids, starts: Starts, threads: int) -> Signatures:
    """The signature of each row; that of an empty row is 0."""
    lengths = np.diff(starts)
    filled = np.flatnonzero(lengths)
    found = np.zeros((len(lengths), HASHES), np.uint16)
    mixed = _mixed(features)
    first = starts[:-1][filled]  # empty rows have no entries, so the others still lie side by side

    def sign(at: int) -> None:
        some = slice(at, at + _SIGNED_AT_ONCE)
        begun = first[some]
        end = first[some.stop] if some.stop < len(first) else len(features)
        found[filled[some]] = _smallest(mixed[begun[0] : end], begun - begun[0])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(sign, range(0, len(filled), _SIGNED_AT_ONCE)))
    return found


def _smallest(mixed: Ids, starts: Starts) -> Signatures:
    """The low bits of the smallest value of each row, for each random ordering."""
    found = np.empty((len(starts), HASHES), np.uint16)
    values = np.empty_like(mixed)
    for at, (factor, mask) in enumerate(_ORDERINGS):
        # Multiplying by an odd number and flipping bits are one-to-one, so this is an ordering of all numbers.
        np.multiply(np.bitwise_xor(mixed, mask, out=values), factor, out=values)
        found[:, at] = np.minimum.reduceat(values, starts)
    return found


def _mixed(numbers: Ids) -> Ids:
    """The numbers with their bits mixed, so that near numbers are far apart (the finalizer of MurmurHash3)."""
    mixed = numbers ^ numbers >> np.uint32(16)
    for factor, shift in ((0x85EBCA6B, 13), (0xC2B2AE35, 16)):
        mixed *= np.uint32(factor)
        mixed ^= mixed >> np.uint32(shift)
    return mixed


_DRAWN = np.random.default_rng(_SEED).integers(0, 1 << 32, (HASHES, 2), np.uint64).astype(np.uint32)
_ORDERINGS = [(factor | np.uint32(1), mask) for factor, mask in _DRAWN]


LEAST = 0.8
"""Documents of at least this similarity are near-copies."""
ROWS = 5
"""The number of values of a band. With 16 bands of 5 values, a pair of similarity 0.8 shares a bucket with the
probability 1 - (1 - 0.8**5)**16 = 0.998, one of similarity 0.3 with 0.04."""
NEIGHBOURS = 4
"""Within a bucket, a document is compared with this many that follow it, and with the first one."""
ENOUGH = 8
"""Documents that both are in this many pairs of candidates are not compared with each other."""
_ESTIMATE = 0.15
"""Candidates whose signatures agree in a share of places that is this much below the least similarity are not
compared: that is more than three standard deviations."""
_LOW = np.uint64((1 << 24) - 1)
_AT_ONCE = 1 << 16


class NearPairs(NamedTuple):
    """NearPairs of documents, by place, and the similarity of each pair."""

    first: Places
    second: Places
    similarity: Array


@dataclass(frozen=True, eq=False)
class Closest:
    """For each document the most similar one that is a near-copy of it: its place, or -1; and the similarity, or 0.

    Examples
    --------
    >>> from likely.evaluation.near_copies import FingerprintMaker
    >>> prints = FingerprintMaker().add(["so good", "bad", "So good!", "so, good", "fine"]).made()
    >>> closest_copies(prints).place
    array([ 2, -1,  0,  0, -1])
    >>> closest_copies(prints, np.array([0, 0, 1, 1, 1])).place
    array([ 2, -1,  0,  0, -1])
    >>> closest_copies(prints, np.array([0, 0, 0, 1, 1])).place
    array([ 3, -1,  3,  0, -1])
    """

    place: Places
    similarity: Array

    @property
    def found(self) -> Mask:
        """True for each document that has a near-copy."""
        return self.place >= 0


def closest_copies(
    prints: Fingerprints, sides: npt.NDArray[np.integer] | None = None, least: float = LEAST, *, exact: bool = True
) -> Closest:
    """The closest near-copy of each document, if it has one.

    ``sides`` has a number per document, such as that of its fold: then only near-copies on another side count. If not
    ``exact``, copies do not count. Documents without any word have none.
    """
    sides = np.arange(len(prints)) if sides is None else sides
    units = _Units.of(prints, sides)
    place = np.full(len(prints), -1)
    if exact:
        place = np.where(prints.lengths > 0, units.partners(units.of_document, np.arange(len(prints))), -1)
    similarity = np.where(place >= 0, 1.0, 0.0)
    pairs = near_pairs(prints, units.first, least)
    for one, other in ((pairs.first, pairs.second), (pairs.second, pairs.first)):
        at, documents = units.members.entries_of(one)
        documents = units.order[documents]
        lengths = np.diff(at)
        partners = units.partners(np.repeat(other, lengths), documents)
        values = np.repeat(pairs.similarity, lengths)
        better = (partners >= 0) & (values > similarity[documents])
        documents, partners, values = documents[better], partners[better], values[better]
        best = np.lexsort((partners, -values, documents))
        documents, kept = np.unique(documents[best], return_index=True)
        place[documents], similarity[documents] = partners[best][kept], values[best][kept]
    return Closest(place, similarity)


def copy_groups(prints: Fingerprints, least: float = LEAST) -> tuple[Places, NearPairs]:
    """The number of the group of each document, and the near-copies among distinct texts.

    Copies have the same number, and so have documents that are near-copies of each other, also through others.

    Examples
    --------
    >>> from likely.evaluation.near_copies import FingerprintMaker
    >>> prints = FingerprintMaker().add(["so good", "bad", "So good!"]).made()
    >>> copy_groups(prints)[0]
    array([0, 1, 0])
    """
    units = _Units.of(prints, np.arange(len(prints)))
    pairs = near_pairs(prints, units.first, least)
    groups = _components(len(units.first), pairs.first, pairs.second)[units.of_document]
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    names = np.where(prints.lengths > 0, first[inverse], np.arange(len(prints)))
    return names, NearPairs(units.first[pairs.first], units.first[pairs.second], pairs.similarity)


@dataclass(frozen=True, eq=False)
class _Units:
    """Distinct texts, each with its copies."""

    of_document: Places
    """The unit of each document."""
    order: Places
    """The documents, unit by unit."""
    members: Ragged
    """Which entries of ``order`` are those of each unit."""
    sides: npt.NDArray[np.integer]
    first: Places
    """The first document of each unit."""
    other: Places
    """The first document of each unit that is on another side than ``first``, or -1."""

    @classmethod
    def of(cls, prints: Fingerprints, sides: npt.NDArray[np.integer]) -> _Units:
        _, first, of_document = np.unique(prints.copy_numbers, return_index=True, return_inverse=True)
        order = np.argsort(of_document, kind="stable")
        elsewhere = np.flatnonzero(sides != sides[first[of_document]])
        other = np.full(len(first), -1)
        units, places = np.unique(of_document[elsewhere], return_index=True)
        other[units] = elsewhere[places]
        members = Ragged.of_lengths(np.bincount(of_document, minlength=len(first)))
        return cls(of_document, order, members, sides, first, other)

    def partners(self, units: Places, documents: Places) -> Places:
        """For each document, one of a unit that is on another side, or -1."""
        first = self.first[units]
        found: Places = np.where(self.sides[first] != self.sides[documents], first, self.other[units])
        return found


def near_pairs(prints: Fingerprints, among: Places, least: float = LEAST) -> NearPairs:
    """The pairs of documents ``among`` which are near-copies, as places in ``among``."""
    filled = np.flatnonzero(prints.lengths[among] > 0)
    documents = among[filled]
    found = list(_candidates(prints, documents, least))
    codes = np.unique(np.concatenate([*found, np.zeros(0, np.int64)]))
    first, second = codes // max(len(documents), 1), codes % max(len(documents), 1)
    similarity = _similarities(prints, documents[first], documents[second])
    near = similarity >= least
    return NearPairs(filled[first[near]], filled[second[near]], similarity[near])


def _candidates(prints: Fingerprints, documents: Places, least: float) -> Iterator[npt.NDArray[np.int64]]:
    """For each band, pairs of documents that may be near-copies: first * number of documents + second."""
    signatures, lengths, size = prints.signatures[documents], prints.lengths[documents], len(documents)
    degrees = np.zeros(size, np.int64)
    bands = HASHES // ROWS
    for band in range(bands):
        keys = _keys(signatures, band)
        further = _keys(signatures, (band + 1) % bands)
        keys = keys & ~_LOW | further >> np.uint64(40)  # those that agree in two bands become neighbours
        order = np.argsort(keys)
        for one, other in _neighbours(keys[order] & ~_LOW):
            first, second = np.minimum(order[one], order[other]), np.maximum(order[one], order[other])
            may = np.minimum(degrees[first], degrees[second]) < ENOUGH
            first, second = first[may], second[may]
            may = _may_be_near(lengths[first], lengths[second], least)
            first, second = first[may], second[may]
            may = _agreement(signatures, first, second) >= least - _ESTIMATE
            codes = np.unique(first[may] * size + second[may])
            degrees += np.bincount(codes // size, minlength=size) + np.bincount(codes % size, minlength=size)
            yield codes


def _may_be_near(first: Starts, second: Starts, least: float) -> Mask:
    """Whether the similarity of documents with these numbers of features can reach the least one."""
    may: Mask = np.minimum(first, second) >= least * np.maximum(first, second)
    return may


def _keys(signatures: Signatures, band: int) -> Numbers:
    """A number per document that is equal for those whose signatures are equal in a band."""
    keys = np.zeros(len(signatures), np.uint64)
    for values in signatures[:, band * ROWS : (band + 1) * ROWS].T:
        keys = (keys ^ values) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    return keys


def _neighbours(keys: Numbers) -> Iterator[tuple[Places, Places]]:
    """Pairs of places within the buckets of sorted keys: near neighbours, and each with the first of its bucket."""
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, np.intp)
    begun = np.repeat(starts, np.diff(np.append(starts, len(keys))))
    for distance in range(1, NEIGHBOURS + 1):
        second = np.flatnonzero(np.arange(len(keys)) - begun >= distance)
        yield second - distance, second
    far = np.flatnonzero(np.arange(len(keys)) - begun > NEIGHBOURS)
    yield begun[far], far


def _agreement(signatures: Signatures, first: Places, second: Places) -> Array:
    """The share of places where the signatures of each pair are equal: an estimate of the similarity."""
    found = np.empty(len(first))
    for at in range(0, len(first), _AT_ONCE):
        some = slice(at, at + _AT_ONCE)
        found[some] = (signatures[first[some]] == signatures[second[some]]).mean(axis=1)
    return found


def _similarities(prints: Fingerprints, first: Places, second: Places) -> Array:
    """The Jaccard similarity of each pair: the number of common features, divided by that of all."""
    found, lengths = np.zeros(len(first)), prints.lengths
    at_once = max(_AT_ONCE // 16, 1)
    for at in range(0, len(first), at_once):
        some = slice(at, at + at_once)
        (starts, keys), (_, others) = _keyed(prints, first[some]), _keyed(prints, second[some])
        places = np.minimum(np.searchsorted(others, keys), len(others) - 1)
        common = np.add.reduceat((others[places] == keys).astype(np.int64), starts[:-1])
        found[some] = common / (lengths[first[some]] + lengths[second[some]] - common)
    return found


def _keyed(prints: Fingerprints, documents: Places) -> tuple[Starts, npt.NDArray[np.int64]]:
    """The features of documents one after another, each with the place of its document before it, so they ascend."""
    starts, at = prints.entries_of(documents)
    places = np.repeat(np.arange(len(documents), dtype=np.int64), np.diff(starts))
    keys: npt.NDArray[np.int64] = (places << 32) + prints.features[at]
    return starts, keys


def _components(size: int, first: Places, second: Places) -> Places:
    """The connected components of a graph: the smallest place of those that each place is connected with."""
    labels = np.arange(size)
    while True:
        low = np.minimum(labels[first], labels[second])
        joined = labels.copy()
        for ends in (labels[first], labels[second]):
            np.minimum.at(joined, ends, low)
        while not np.array_equal(joined, joined[joined]):
            joined = joined[joined]
        if np.array_equal(joined, labels):
            return labels
        labels = joined


def straddling_folds(whole: Whole, fold: Starts, rows: Places, right: Mask, *, exact: bool = True) -> NearCopies:
    """The near-copies of judged rows in other folds.

    ``fold`` has the fold of each row, or -1 if it is neither learned nor judged; ``rows`` are the judged rows, and
    ``right`` says whether each of them got its gold label. If not ``exact``, copies do not count.

    Examples
    --------
    >>> from likely.reading.rows import Whole
    >>> whole = Whole(["so good", "bad", "So good!", "fine"], ["+", "-", "+", "+"])
    >>> found = straddling_folds(whole, np.array([0, 0, 1, 1]), np.arange(4), np.array([True, False, True, True]))
    >>> found.near, found.exact, found.accuracy_without
    (2, 2, 0.5)
    """
    taken = np.flatnonzero(fold >= 0)
    some = whole.chosen(fold >= 0)
    prints = FingerprintMaker().add(some.texts).made()
    closest = closest_copies(prints, fold[taken][: len(prints)], exact=exact)
    places = np.searchsorted(taken, rows)
    seen = places < len(prints)
    told = ShownDocuments(some.texts, some.labels, taken.tolist())
    return near_copies(closest, right[seen], places[seen], told, prints)


def straddling_sets(test: Evaluation, train: Whole) -> NearCopies:
    """The near-copies of the documents of an evaluation, which has kept its answers, in the data of its model.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.reading.rows import Whole
    >>> train = Whole(["so good", "bad plot"], ["+", "-"])
    >>> model = NaiveBayes().fit(train.texts, train.labels)
    >>> found = straddling_sets(model.evaluate(["So good!", "bad"], ["+", "-"], keep=True), train)
    >>> found.near, found.examples[0].other_row
    (1, 0)
    """
    if test.answers is None or test.answers.texts is None:
        raise ValueError("the evaluation must keep its answers")
    texts, gold = test.answers.texts, test.answers.gold
    prints = FingerprintMaker().add(texts).add(train.texts).made()
    sides = (np.arange(len(prints)) >= len(texts)).astype(np.int64)
    labels: list[Label] = [test.labels[at] for at in gold.tolist()]
    told = ShownDocuments([*texts, *train.texts], [*labels, *train.labels], [*range(len(texts)), *range(len(train))])
    places = np.arange(min(len(texts), len(prints)))
    right = (test.answers.predicted == gold)[places]
    return near_copies(closest_copies(prints, sides), right, places, told, prints)
