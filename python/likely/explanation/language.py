"""A class as a language model: the likelihood and the perplexity of texts, and random text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely import _native, formulas
from likely.core.counts import UNKNOWN
from likely.errors import ArgumentError, OptionError
from likely.explanation.words import CHAR_MARK, read_terms
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from likely.core.weights import ModelView
    from likely.types import Array, Label

MOST_WORDS = 10_000_000
"""The largest number of words that `generate` writes."""


def log_likelihood(moment: ModelView, found: _native.Counts, label: Label) -> tuple[float, float]:
    """Log P(texts|class) of counted texts, summed over their known terms, and the number of these terms."""
    classes, rules, terms = moment.classes, moment.rules, moment.terms
    place = classes.live.places.of(label)
    if moment.counts.analyzer.is_scaled:
        raise OptionError(
            "with norm='l2' or document_weight='equal' a class is not a language model: its counts are not numbers "
            "of words"
        )
    theirs = found.sorted_ids()
    spelled = terms.find(read_terms(moment, found.spell(theirs))) if rules.spelling else None
    ids = terms.native.locate(found, theirs) if spelled is None else spelled
    ids = np.where(terms.are_kept(ids), ids, UNKNOWN).astype(np.uint32)
    known = ids != UNKNOWN
    values = found.cells(theirs, rules.presence)[known]
    scales = terms.scales_of(ids[known])
    values = values if scales is None else values * scales
    rows = terms.rows(ids[known], classes.live.numbers[[place]])[:, 0]
    logs = _base(moment)[place] + formulas.log_delta(rows, rules.alpha)
    return float((values * logs).sum()), float(values.sum())


def _base(moment: ModelView) -> Array:
    """The base of the multinomial variant, per class: as a language model, every class is multinomial."""
    return formulas.log_base(moment.classes.totals.tokens, moment.terms.size, moment.rules.alpha)


def perplexity(moment: ModelView, found: _native.Counts, label: Label) -> float:
    """The perplexity of counted texts under a class."""
    log, tokens = log_likelihood(moment, found, label)
    if tokens == 0:
        raise ArgumentError("perplexity is not defined without known words: none of the words in the texts is known")
    return formulas.perplexity(log, tokens)


def generate(moment: ModelView, label: Label, words: int, seed: int) -> str:
    """A text of ``words`` random terms of a class; each is an n-gram of the shortest length of the model."""
    if not is_whole(words) or not 0 <= words <= MOST_WORDS:
        raise OptionError(f"words={words!r} is not allowed: words must be a whole number from 0 to {MOST_WORDS:,}")
    if not is_whole(seed) or seed < 0:
        raise OptionError(f"seed={seed!r} is not allowed: seed must be a whole number >= 0")
    classes, counts = moment.classes, moment.counts
    place = classes.live.places.of(label)
    if counts.analyzer.hash_bits:
        raise OptionError("a model with hash_bits cannot generate text: its terms have no names")
    ids = moment.terms.sorted_ids()
    terms = np.array([*counts.native.spell(ids), ""], dtype=object)[:-1]
    sizes = counts.native.words_in(ids) if counts.analyzer.has_words else np.array([*map(len, terms)], np.int64)
    shortest = sizes == counts.analyzer.ngrams[0]
    if counts.analyzer.analyzer == "both":
        shortest &= np.array([not term.startswith(CHAR_MARK) for term in terms], np.bool_)
    rows = moment.terms.rows(ids[shortest], classes.live.numbers[[place]])[:, 0]
    weights: Array = np.exp(_base(moment)[place] + formulas.log_delta(rows, moment.rules.alpha))
    if not weights.sum() > 0:
        raise ArgumentError(f"class {label!r} has no words to generate text from")
    draws = np.random.default_rng(seed).random(words)
    chosen = np.searchsorted(np.cumsum(weights / weights.sum())[:-1], draws, side="right")
    return counts.analyzer.joint.join(terms[shortest][chosen])
