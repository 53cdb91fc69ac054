"""Each class as a language model: how likely it finds a text, and what it would write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from likely import _native, formulas
from likely.counting.counts import UNKNOWN, Counts
from likely.errors import LengthError, OptionError
from likely.explanation.words import column_of
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.types import Array
    from likely.weighing.terms import Rules
    from likely.weighing.weights import Classes

MOST_WORDS = 10_000_000
CHAR_MARK = "char:"
"""What n-grams of characters begin with where there are words too."""


def log_likelihood(
    counts: Counts,
    classes: Classes,
    rules: Rules,
    found: _native.Counts,
    label: Any,
    read: Callable[[list[str]], list[str]],
) -> tuple[float, float]:
    """Log P(texts given class) over the known terms of texts that were counted, and how many those are."""
    column = column_of(classes, label)
    terms = classes.terms
    if counts.analyzer.is_scaled:
        raise OptionError(
            "with norm='l2' or document_weight='equal' a class is no language model: documents are weights, not words"
        )
    theirs = found.sorted_ids()
    ids = terms.find(read(found.spell(theirs))) if rules.spelling else terms.native.locate(found, theirs)
    ids = np.where(terms.are_counted(ids), ids, UNKNOWN).astype(np.uint32)
    known = ids != UNKNOWN
    values = found.cells(theirs, rules.presence)[known]
    scales = terms.scales_of(ids[known])
    values = values if scales is None else values * scales
    rows = terms.rows(ids[known], classes.columns[[column]])[:, 0]
    logs = _base(classes, rules)[column] + formulas.log_delta(rows, rules.alpha)
    return float((values * logs).sum()), float(values.sum())


def _base(classes: Classes, rules: Rules) -> Array:
    """As a language model a class is multinomial, whatever the variant."""
    return formulas.log_base(classes.tokens, classes.terms.size, rules.alpha)


def perplexity(
    counts: Counts,
    classes: Classes,
    rules: Rules,
    found: _native.Counts,
    label: Any,
    read: Callable[[list[str]], list[str]],
) -> float:
    """The perplexity under a class of texts that were counted."""
    log, tokens = log_likelihood(counts, classes, rules, found, label, read)
    if tokens == 0:
        raise LengthError("perplexity is not defined without known words: the texts have none")
    return formulas.perplexity(log, tokens)


def generate(counts: Counts, classes: Classes, rules: Rules, label: Any, words: int, seed: int) -> str:
    """So many random terms of a class, of the shortest kind that is counted."""
    if not is_whole(words) or not 0 <= words <= MOST_WORDS:
        raise OptionError(f"words={words!r} is not allowed: words must be a whole number from 0 to {MOST_WORDS:,}")
    if not is_whole(seed) or seed < 0:
        raise OptionError(f"seed={seed!r} is not allowed: seed must be a whole number >= 0")
    column = column_of(classes, label)
    if counts.analyzer.hash_bits:
        raise OptionError("a model with hash_bits cannot write: its terms have no names")
    ids = classes.terms.sorted_ids()
    terms = np.array([*counts.native.spell(ids), ""], dtype=object)[:-1]
    shortest = _sizes(counts, ids, terms) == counts.analyzer.shortest
    if counts.analyzer.analyzer == "both":
        shortest &= np.array([not term.startswith(CHAR_MARK) for term in terms], np.bool_)
    rows = classes.terms.rows(ids[shortest], classes.columns[[column]])[:, 0]
    weights: Array = np.exp(_base(classes, rules)[column] + formulas.log_delta(rows, rules.alpha))
    if not weights.sum() > 0:
        raise LengthError(f"class {label!r} has no words to write with")
    draws = np.random.default_rng(seed).random(words)
    chosen = np.searchsorted(np.cumsum(weights / weights.sum())[:-1], draws, side="right")
    return counts.analyzer.joint.join(terms[shortest][chosen])


def _sizes(counts: Counts, ids: Any, terms: Any) -> Any:
    """How many words or characters each term has."""
    if counts.analyzer.has_words:
        return counts.native.words_in(ids)
    return np.array([len(term) for term in terms], dtype=np.int64)
