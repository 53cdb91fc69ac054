"""Counts to fewer counts: terms that are too rare to keep, and as many as fit a size."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import OptionError
from likely.formulas import Array, log_likelihood_ratio, share
from likely.options import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.counts import Counts, Ids

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


def prune(counts: Counts, min_documents: float) -> Counts:
    """The counts without the terms that occur in fewer documents than that.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> pruned = prune(NaiveBayes().fit(["a b", "a"], ["x", "y"])._counts, 2)
    >>> pruned.table()["term"].to_pylist()
    ['a', 'a']
    """
    terms = weigh_terms(counts)
    return counts.select(terms.ids[terms.documents >= min_documents])


def fit_size(counts: Counts, max_size: int, write: Callable[[Counts], bytes]) -> tuple[Counts, bytes]:
    """The most informative terms whose file, as ``write`` makes it, is not larger than that; and the file.

    Of equally informative terms the more frequent one stays, then the first in the alphabet.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.store import to_bytes
    >>> model = NaiveBayes().fit(["good the", "bad the"], ["+", "-"])
    >>> size = len(to_bytes(model)) - 1
    >>> smaller, data = fit_size(model._counts, size, lambda counts: to_bytes(model, counts))
    >>> smaller.table()["term"].to_pylist(), len(data) <= size
    (['bad', 'good'], True)
    """
    data = write(counts)
    if len(data) <= max_size:
        return counts, data
    terms = weigh_terms(counts)
    order = terms.ids[np.lexsort((np.arange(len(terms.ids)), -terms.count, -terms.information))]
    best = counts.select(order[:0])
    # The best so far fits and the least that is known not to fit does not; the next try is where a line would meet.
    fits, too_many, most = (0, write(best)), len(order), len(data)
    if len(fits[1]) > max_size:
        raise OptionError(
            f"max_size={max_size} is too small: without any term the model file needs {len(fits[1])} bytes"
        )
    for _ in range(_TRIES):
        if too_many - fits[0] <= 1 or len(fits[1]) >= _CLOSE * max_size:
            break
        at = (_AIM * max_size - len(fits[1])) / max(most - len(fits[1]), 1)
        step = int(at * (too_many - fits[0]))
        number = fits[0] + min(max(step, 1), too_many - fits[0] - 1)
        some = counts.select(order[:number])
        data = write(some)
        if len(data) <= max_size:
            fits, best = (number, data), some
        else:
            too_many, most = number, len(data)
    return best, fits[1]


def kept_shares(counts: Counts, kept: Counts) -> tuple[float, float]:
    """The shares of the occurrences and of the information of all terms that the kept terms have.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> counts = NaiveBayes().fit(["good the", "bad the"], ["+", "-"])._counts
    >>> kept_shares(counts, prune(counts, 2))
    (0.5, 0.0)
    """
    if kept.native.terms == counts.native.terms:
        return 1.0, 1.0
    terms = weigh_terms(counts)
    ids = counts.find(kept.native.spell(kept.native.ids()))
    is_kept = np.isin(terms.ids, ids)
    shares = (float(share(each[is_kept].sum(), each.sum()) or 0.0) for each in (terms.count, terms.information))
    occurrences, information = shares
    return occurrences, information


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
