"""Whether n-grams of characters suit some texts better than words, found out on a few of them.

They do where words are rare or unknown: to tell the language of a text, or in a language that writes without spaces.
Characters have many more terms than words, so only a small sample decides; other texts hardly pay for the question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from likely.core.analyzer import thread_count
from likely.core.variants import LEARNED
from likely.errors import OptionError
from likely.options.conflicts import check_together
from likely.options.table import with_defaults
from likely.tuning.judge import Counted, surplus
from likely.tuning.recount import count_sample

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.reading.sampling import Sample
    from likely.types import Mask

CHARACTERS: dict[str, object] = {"analyzer": "both"}
"""The options that are tried against words: words and n-grams of characters within them."""
FEW_CHARACTERS, FEW_DOCUMENTS, MOST_SCORES = 200_000, 2_000, 1 << 18
"""The largest numbers of characters, documents and scores of the sample that decides."""
LEAST_DOCUMENTS = 30
CLEARLY = 4.0
"""Characters are chosen if they are right more often than words by this many standard errors: with few documents they
are slightly ahead of words on many texts, but not with all documents."""
_RULES: tuple[Mapping[str, object], ...] = ({"alpha": 0.03}, {"variant": "binary", "alpha": 0.3})


def suit_characters(sample: Sample, given: Mapping[str, object]) -> bool:
    """Whether `CHARACTERS` are clearly better than words, beside the options that are given.

    Examples
    --------
    >>> from likely.reading.sampling import Sample
    >>> few = Sample(["good fun", "dull"], ["+", "-"], [1.0, 1.0], [7, 8], [1, 1], judged=2, of=2)
    >>> suit_characters(few, {})  # too few to tell
    False
    """
    few = _few(sample)
    if len(few) < LEAST_DOCUMENTS or {"analyzer", "ngrams", "tokenizer"} & set(given) or not _is_allowed(given):
        return False
    threads = thread_count(cast("int | None", given.get("threads")))
    words = _right(few, [{"ngrams": (1, 1)}, {"ngrams": (1, 2)}], given, threads)
    return surplus(_right(few, [CHARACTERS], given, threads), words, np.array(few.worth[: len(few)])) > CLEARLY


def _few(sample: Sample) -> Sample:
    """The first documents of a sample, whose work is small whatever their length and the number of classes."""
    lengths = np.cumsum([len(text) for text in sample.texts[:FEW_DOCUMENTS]])
    classes = len(set(sample.labels))
    return sample.first(min(int(np.searchsorted(lengths, FEW_CHARACTERS)), MOST_SCORES // max(classes, 1)))


def _is_allowed(given: Mapping[str, object]) -> bool:
    """Whether the options given allow characters, and a judgement by leave-one-out."""
    values = with_defaults({**CHARACTERS, **given})
    try:
        check_together(values)
    except OptionError:
        return False
    without = values["variant"] == LEARNED or values["norm"] == "l2" or values["spelling"] == "on"
    return not without and values["max_terms"] is None


def _right(sample: Sample, kinds: list[dict[str, object]], given: Mapping[str, object], threads: int) -> Mask:
    """Whether each document is predicted right by the best setting with one of these kinds of terms."""
    found: list[Mask] = []
    for kind in kinds:
        counted = Counted(count_sample({**kind, **given}, sample), sample, threads)
        for rules in _RULES:
            joint = counted.left_out(with_defaults({**kind, **rules, **given})).joint
            found.append(joint.argmax(axis=1) == counted.gold)
    return max(found, key=lambda right: int(right.sum()))
