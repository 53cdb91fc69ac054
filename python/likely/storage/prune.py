"""Counts to fewer counts: terms that are too rare to keep, and as many as fit a size."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely.errors import OptionError
from likely.formulas import log_likelihood_ratio
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.counting.counts import Counts
    from likely.types import Array, Ids

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
_SIZE = re.compile(r"\s*([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*([kmg]i?|)b?\s*", re.IGNORECASE)

_TRIES = 12
_CLOSE, _AIM = 0.98, 0.99
"""A file that fills so much of the size it may have is good enough, and so much is aimed at."""


@dataclass(frozen=True)
class Terms:
    """All terms of some counts, sorted: occurrences, documents and information (G2) in all classes together."""

    ids: Ids
    count: Array
    documents: Array
    information: Array


@dataclass(frozen=True)
class Kept:
    """The counts of some terms and their file; which share of all occurrences and of all information they have."""

    counts: Counts
    data: bytes
    occurrences: float
    information: float


def weigh_terms(counts: Counts) -> Terms:
    """What each term is worth.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> terms = weigh_terms(NaiveBayes().fit(["a b", "a b b"], ["x", "y"])._counts)
    >>> terms.count, terms.documents
    (array([2., 3.]), array([2., 2.]))
    """
    native, live = counts.native, counts.live()
    ids = native.sorted_ids()
    # By rank, so that the sums do not depend on the order in which the classes came.
    ranks = np.zeros(len(counts.index.labels), np.uint32)
    ranks[live] = np.arange(len(live))
    _, of_class, *amounts = native.columns(ids, ranks)
    count, documents = (whole + fraction * 2.0**-64 for whole, fraction in amounts)
    starts = np.cumsum(native.row_lengths(ids)) - native.row_lengths(ids)

    def summed(values: Array) -> Array:
        return np.add.reduceat(values, starts) if len(starts) else np.zeros(0)

    tokens = counts.totals().tokens[live]
    of_term = np.repeat(summed(count), native.row_lengths(ids))
    information = summed(log_likelihood_ratio(count, of_term, tokens[of_class], tokens.sum()))
    return Terms(ids, summed(count), summed(documents), np.maximum(information, 0.0))


def keep_some(counts: Counts, min_documents: int, max_size: int | None, write: Callable[[Counts], bytes]) -> Kept:
    """The counts of the terms that occur in so many documents, and of these the most informative that fit a size.

    Of equally informative terms the more frequent one stays, then the first in the alphabet.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.storage import to_bytes
    >>> model = NaiveBayes().fit(["good the", "bad the"], ["+", "-"])
    >>> size = len(to_bytes(model)) - 1
    >>> kept = keep_some(model._counts, 1, size, lambda counts: to_bytes(model, counts))
    >>> kept.counts.table()["term"].to_pylist(), len(kept.data) <= size, kept.occurrences, kept.information
    (['bad', 'good'], True, 0.5, 1.0)
    """
    if min_documents <= 1 and max_size is None:
        return Kept(counts, write(counts), 1.0, 1.0)
    terms = weigh_terms(counts)
    order = np.lexsort((-terms.count, -terms.information))  # which is stable, and the terms are sorted
    order = order[terms.documents[order] >= min_documents]
    kept, data = fit_size(counts, terms.ids[order], max_size, write)
    stay = order[: kept.native.terms]
    occurrences, information = (_kept_share(each, stay) for each in (terms.count, terms.information))
    return Kept(kept, data, occurrences, information)


def _kept_share(of_terms: Array, stay: npt.NDArray[np.intp]) -> float:
    """The share of some terms in a sum; all of it if it is 0, because then nothing of it was lost."""
    whole = float(of_terms.sum())
    return min(float(of_terms[stay].sum()) / whole, 1.0) if whole else 1.0


def fit_size(
    counts: Counts, ids: Ids, max_size: int | None, write: Callable[[Counts], bytes]
) -> tuple[Counts, bytes]:
    """As many of the terms, from the first on, as give a file that is not larger than that; and the file."""
    kept = counts if len(ids) == counts.native.terms else counts.select(ids)
    data = write(kept)
    if max_size is None or len(data) <= max_size:
        return kept, data
    too_many, too_large = len(ids), len(data)
    fits, kept = 0, counts.select(ids[:0])
    data = write(kept)
    if len(data) > max_size:
        raise OptionError(
            f"max_size={max_size} is too small: without any term the model file needs {len(data)} bytes"
        )
    for _ in range(_TRIES):
        if too_many - fits <= 1 or len(data) >= _CLOSE * max_size:
            break
        # Between what fits and what does not, where the size would be right if it grew evenly.
        at = (_AIM * max_size - len(data)) / (too_large - len(data))
        number = fits + min(max(int(at * (too_many - fits)), 1), too_many - fits - 1)
        some = counts.select(ids[:number])
        tried = write(some)
        if len(tried) <= max_size:
            fits, kept, data = number, some, tried
        else:
            too_many, too_large = number, len(tried)
    return kept, data


def parse_size(size: Any) -> int:
    """A size in bytes, of a whole number or a text such as '2MB', '500 kB' or '1.5 MiB'.

    Examples
    --------
    >>> parse_size("1.5 MiB"), parse_size("500kB"), parse_size(1000)
    (1572864, 500000, 1000)
    """
    if is_whole(size) and size > 0:
        return int(size)
    found = _SIZE.fullmatch(size) if isinstance(size, str) else None
    if found is None or not (number := int(Fraction(found[1]) * _UNITS[found[2].lower()])):
        raise OptionError(
            f"max_size={size!r} is not allowed: max_size must be a number of bytes or a text such as '2MB', '1.5 MiB'"
        )
    return number


def parse_min_documents(least: Any) -> int:
    """How many documents a term must occur in at least.

    Examples
    --------
    >>> parse_min_documents(2)
    2
    """
    if not is_whole(least) or least < 1:
        raise OptionError(f"min_documents={least!r} is not allowed: min_documents must be a whole number from 1 on")
    return int(least)
