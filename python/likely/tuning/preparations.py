"""Options that change the terms of a text, so that each trial needs new counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.core.counts import UNKNOWN
from likely.core.stop_words import languages, stop_word_list
from likely.options.kinds import STEM_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from likely.core.counts import Counts

ENOUGH = 0.1
"""Texts are in a language if at least this share of their words are stop words of it."""


def preparations(counts: Counts, best: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Changes of options to try, each with new counts, starting from the best setting so far."""
    language = language_of(counts)
    if language in STEM_LANGUAGES:
        yield {"stem": STEM_LANGUAGES[language]}
    yield {"punctuation": "keep"}
    yield {"document_weight": "equal"}
    if best.get("ngrams") == (1, 2):
        yield {"ngrams": (1, 3)}


def language_of(counts: Counts) -> str | None:
    """The language whose stop words are most frequent in the counts; None if those of no language are frequent.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> language_of(NaiveBayes().fit(["the cat and the dog", "it is not of this world"], [1, 2])._snapshot().counts)
    'en'
    """
    total = float(counts.totals().tokens.sum())
    shares = {code: _occurrences(counts, stop_word_list(code)) / total for code in languages()} if total else {}
    best = max(shares, key=lambda code: shares[code], default=None)
    return best if best is not None and shares[best] >= ENOUGH else None


def _occurrences(counts: Counts, words: tuple[str, ...]) -> float:
    ids = counts.find([counts.analyzer.native.normalized(word) for word in words])
    ids = np.unique(ids[ids != UNKNOWN]).astype(np.uint32)
    return float(counts.native.cells(ids, False).sum())
