"""How a model cuts texts into terms, as JavaScript reads it, or why JavaScript cannot do it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from likely import _native
from likely.options.table import ANALYZE_OPTIONS
from likely.reports.live.stemmers import stemmer

if TYPE_CHECKING:
    from likely.core.analyzer import Analyzer
    from likely.core.rules import Rules

_WRITTEN_APART = ("stop_words", "stem", "negation", "tokenizer")
_AS_THEY_ARE = tuple(name for name in ANALYZE_OPTIONS if name not in _WRITTEN_APART)


def obstacle(analyzer: Analyzer, rules: Rules) -> str | None:
    """Why a browser cannot prepare texts for this model, as the end of a sentence; None if it can.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> snapshot = NaiveBayes(tokenizer=str.split).fit(["a", "b"], [1, 2])._snapshot()
    >>> obstacle(snapshot.counts.analyzer, snapshot.rules)
    'its texts are cut by a tokenizer of your own, which is written in Python'
    """
    if analyzer.tokenizer is not None:
        return "its texts are cut by a tokenizer of your own, which is written in Python"
    if rules.spelling:
        return "it corrects the spelling of unknown words (spelling='on'), which takes all of its words"
    if analyzer.stem != "none" and stemmer(stem_language(analyzer)) is None:
        return (
            f"it reduces words to their stems (stem={analyzer.stem!r}), which JavaScript cannot do in this language"
        )
    return None


def stem_language(analyzer: Analyzer) -> str:
    """The name of the language of the stems, or "none"."""
    return dict(_native.stem_languages()).get(analyzer.stem, analyzer.stem)


def preparation(analyzer: Analyzer) -> dict[str, object]:
    """The settings of ``terms.js``. The lists of words are prepared like the words that they are compared with.

    Examples
    --------
    >>> from likely.core.analyzer import Analyzer
    >>> from likely.options.table import with_defaults
    >>> found = preparation(Analyzer.of(with_defaults({"stop_words": ["THE"], "negation": "on"})))
    >>> found["analyzer"], found["stop_words"], "don't" in found["negators"]
    ('word', ['the'], True)
    """
    settings = {name: getattr(analyzer, name) for name in _AS_THEY_ARE}
    lower = replace(analyzer, lowercase=True, stem="none", stop_words=(), negation=(), hash_bits=0)
    words = sorted({_straight(analyzer.native.normalized(word)) for word in analyzer.stop_words})
    negators = sorted({_straight(lower.native.normalized(word)) for word in analyzer.negation})
    return {**settings, "stop_words": words, "negators": negators, "stem": stem_language(analyzer)}


def _straight(word: str) -> str:
    """A word with the straight apostrophe, by which the kernel compares words of lists."""
    return word.replace("\u2019", "'")
