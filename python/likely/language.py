"""Each class as a language model: how likely it finds a text, and what it would write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from likely import formulas
from likely.analyze import thread_count
from likely.counts import UNKNOWN, Counts
from likely.errors import LengthError, OptionError
from likely.words import column_of

if TYPE_CHECKING:
    from likely.formulas import Array
    from likely.weigh import Classes, Rules


def log_likelihood(counts: Counts, classes: Classes, rules: Rules, texts: Any, label: Any) -> tuple[float, float]:
    """Log P(texts given class) over the known terms, and how many those are."""
    column = column_of(classes, label)
    texts = texts if isinstance(texts, str) else list(texts)
    found = Counts.count(counts.analyzer, texts, [0] * len(texts), None, thread_count(None)).native
    theirs = found.sorted_ids()
    ids = counts.find(found.spell(theirs))
    known = ids != UNKNOWN
    values = found.cells(theirs, rules.presence)[known]
    rows = counts.rows(ids[known], documents=rules.presence)[:, classes.columns[column]]
    logs = classes.base[column] + formulas.log_delta(rows, rules.alpha)
    return float((values * logs).sum()), float(values.sum())


def perplexity(counts: Counts, classes: Classes, rules: Rules, texts: Any, label: Any) -> float:
    """The perplexity of texts under a class."""
    log, tokens = log_likelihood(counts, classes, rules, texts, label)
    if tokens == 0:
        raise LengthError("perplexity is not defined without known words: the texts have none")
    return formulas.perplexity(log, tokens)


def generate(counts: Counts, classes: Classes, rules: Rules, label: Any, words: int, seed: int) -> str:
    """So many random terms of a class, of the shortest kind that is counted."""
    if words < 0:
        raise OptionError(f"words={words} is not allowed: words must be a whole number >= 0")
    column = column_of(classes, label)
    ids = counts.native.sorted_ids()
    terms = np.array([*counts.native.spell(ids), ""], dtype=object)[:-1]
    shortest = _sizes(counts, ids, terms) == counts.analyzer.shortest
    rows = counts.rows(ids[shortest], documents=rules.presence)[:, classes.columns[column]]
    weights: Array = np.exp(classes.base[column] + formulas.log_delta(rows, rules.alpha))
    if not weights.sum() > 0:
        raise LengthError(f"class {label!r} has no words to write with")
    draws = np.random.default_rng(seed).random(words)
    chosen = np.searchsorted(np.cumsum(weights / weights.sum())[:-1], draws, side="right")
    return counts.analyzer.joint.join(terms[shortest][chosen])


def _sizes(counts: Counts, ids: Any, terms: Any) -> Any:
    """How many words or characters each term has."""
    if counts.analyzer.unit == "word":
        return counts.native.words_in(ids)
    return np.array([len(term) for term in terms], dtype=np.int64)
