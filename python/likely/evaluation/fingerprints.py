"""`Fingerprints`: the words and pairs of words of documents as numbers, and short signatures that tell near-copies.

Two documents are compared by the Jaccard similarity of their sets of words and pairs of neighbouring words. In a
script without spaces, such as Han, a word is a character. A signature is the smallest value of each of `HASHES`
random orderings of all numbers (MinHash: Broder, *On the resemblance and containment of documents*, 1997): two
signatures are equal at a place with the probability that is the similarity of the documents.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.core.analyzer import Analyzer, thread_count
from likely.core.counts import Ragged, starts_of
from likely.options.table import with_defaults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.types import Ids, Starts

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
