"""Near-copies among documents: candidates from equal parts of signatures, verified by their exact similarity.

Documents whose signatures are equal in a whole band share a bucket (locality-sensitive hashing). If many documents
share a bucket, as with boilerplate, each is compared only with its next neighbours and with the first of the bucket,
so the number of comparisons grows with the number of documents, not with its square.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.core.counts import Ragged
from likely.evaluation.fingerprints import HASHES

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from likely.evaluation.fingerprints import Fingerprints, Numbers, Signatures
    from likely.types import Array, Mask, Places, Starts

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


class Pairs(NamedTuple):
    """Pairs of documents, by place, and the similarity of each pair."""

    first: Places
    second: Places
    similarity: Array


@dataclass(frozen=True, eq=False)
class Closest:
    """For each document the most similar one that is a near-copy of it: its place, or -1; and the similarity, or 0.

    Examples
    --------
    >>> from likely.evaluation.fingerprints import FingerprintMaker
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


def copy_groups(prints: Fingerprints, least: float = LEAST) -> tuple[Places, Pairs]:
    """The number of the group of each document, and the near-copies among distinct texts.

    Copies have the same number, and so have documents that are near-copies of each other, also through others.

    Examples
    --------
    >>> from likely.evaluation.fingerprints import FingerprintMaker
    >>> prints = FingerprintMaker().add(["so good", "bad", "So good!"]).made()
    >>> copy_groups(prints)[0]
    array([0, 1, 0])
    """
    units = _Units.of(prints, np.arange(len(prints)))
    pairs = near_pairs(prints, units.first, least)
    groups = _components(len(units.first), pairs.first, pairs.second)[units.of_document]
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    names = np.where(prints.lengths > 0, first[inverse], np.arange(len(prints)))
    return names, Pairs(units.first[pairs.first], units.first[pairs.second], pairs.similarity)


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


def near_pairs(prints: Fingerprints, among: Places, least: float = LEAST) -> Pairs:
    """The pairs of documents ``among`` which are near-copies, as places in ``among``."""
    filled = np.flatnonzero(prints.lengths[among] > 0)
    documents = among[filled]
    found = list(_candidates(prints, documents, least))
    codes = np.unique(np.concatenate([*found, np.zeros(0, np.int64)]))
    first, second = codes // max(len(documents), 1), codes % max(len(documents), 1)
    similarity = _similarities(prints, documents[first], documents[second])
    near = similarity >= least
    return Pairs(filled[first[near]], filled[second[near]], similarity[near])


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
