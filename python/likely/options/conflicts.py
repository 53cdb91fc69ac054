"""Conflicts: options that contradict each other, or that have no effect beside the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from likely.errors import OptionError
from likely.options.kinds import is_whole
from likely.options.table import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from likely.options.typed import ModelOptions

PIECES = ("punctuation", "numbers", "urls", "emails", "mentions", "hashtags")
"""Options for splitting a text into tokens. They have no effect if a tokenizer does that."""
OF_WORDS = (*PIECES, "stop_words", "stem", "negation", "spelling", "tokenizer")
"""Options for words. They have no effect if all terms are characters."""
OF_TFIDF = ("tf", "idf", "norm")
OF_NBSVM = ("loss", "cost", "interpolation")
OF_TUNING = ("budget", "prefer", "strongest")


def check_together(values: Mapping[str, object]) -> None:
    """Raise ``OptionError`` for options that contradict each other, or that have no effect beside the others.

    Examples
    --------
    >>> from likely.options.table import with_defaults
    >>> check_together(with_defaults({"stem": "english"}))
    >>> check_together(with_defaults({"stem": "english", "analyzer": "char"}))
    Traceback (most recent call last):
    likely.errors.OptionError: stem='english' has no effect with analyzer='char': analyzer must be 'word' or 'both'
    """
    options = cast("ModelOptions", values)
    _check_analyzer(options)
    _check_tokenizer(options)
    _check_weighting(options)
    _check_spelling(options)
    _check_variant(options)
    _check_class_weight(options)
    _check_bounds(options["min_documents"], options["max_documents"])
    if options["tune"] is None:
        _check_unused(options, OF_TUNING, "tune", "tune must be 'auto' or a measure")


def _check_analyzer(options: ModelOptions) -> None:
    if options["analyzer"] in ("char", "char_wb"):
        words = [name for name in OF_WORDS if not (name == "stop_words" and options["stop_words"] == "auto")]
        _check_unused(options, words, "analyzer", "analyzer must be 'word' or 'both'")
    if options["analyzer"] != "both":
        _check_unused(
            options,
            ["char_ngrams"],
            "analyzer",
            "analyzer must be 'both'; ngrams sets the lengths of the other terms",
        )


def _check_tokenizer(options: ModelOptions) -> None:
    if options["tokenizer"] is None:
        return
    _check_unused(options, PIECES, "tokenizer", "the tokenizer decides which tokens there are")
    if options["analyzer"] == "both":
        raise OptionError("tokenizer contradicts analyzer='both': analyzer must be 'word'")


def _check_weighting(options: ModelOptions) -> None:
    if options["weighting"] != "tfidf":
        names = [name for name in OF_TFIDF if not (name == "norm" and options["variant"] == "nbsvm")]
        _check_unused(options, names, "weighting", "weighting must be 'tfidf'")
    if options["norm"] == "l2":
        _check_unused(options, ["document_weight"], "norm", "all documents have unit length already")


def _check_spelling(options: ModelOptions) -> None:
    if options["norm"] == "l2":
        _check_unused(
            options, ["spelling"], "norm", "the length of a document would change with the words that are corrected"
        )
    if options["hash_bits"]:
        _check_unused(options, ["spelling"], "hash_bits", "buckets have no names to compare words with")
    if options["spelling"] == "on" and options["ngrams"][0] > 1:
        raise OptionError(f"spelling='on' contradicts ngrams={options['ngrams']}: single words must be terms")


def _check_variant(options: ModelOptions) -> None:
    variant = options["variant"]
    if variant not in ("multinomial", "binary") and options["alpha"] == 0:
        raise OptionError(f"alpha=0 contradicts variant={variant!r}: this variant allows no zero probabilities")
    if variant != "nbsvm":
        _check_unused(options, OF_NBSVM, "variant", "variant must be 'nbsvm'")
    else:
        _check_unused(options, ["document_weight"], "variant", "use sample_weight to weight documents")
        _check_unused(options, ["prior"], "variant", "the classifier learns how probable the classes are")
        _check_unused(options, ["spelling"], "variant", "the weights are learned from the words as they are written")
    if variant == "bernoulli":
        _check_unused(
            options,
            ["weighting", "document_weight"],
            "variant",
            "it uses only whether a term occurs, without weights",
        )
    if variant == "complement_normalized":
        _check_unused(options, ["document_weight"], "variant", "this variant normalizes the weights itself")
        if options["prior"] != "uniform":
            _check_unused(options, ["prior"], "variant", "this variant does not use the prior")


def _check_class_weight(options: ModelOptions) -> None:
    # Without smoothing, P(t|c) is a share of the counts of one class, and its weight cancels out.
    if options["alpha"] == 0 and options["prior"] != "fitted":
        _check_unused(options, ["class_weight"], "alpha", "alpha must be above 0, or prior must be 'fitted'")


def check_cut(values: Mapping[str, object]) -> None:
    """Raise as `check_together` does, where texts are split into terms without a model.

    Examples
    --------
    >>> from likely.options.table import with_defaults
    >>> check_cut(with_defaults({"stop_words": "auto"}))
    Traceback (most recent call last):
    likely.errors.OptionError: stop_words='auto' has no effect here: it needs the counts of a model
    """
    check_together(values)
    if isinstance(values["stop_words"], str) and values["stop_words"] == "auto":
        raise OptionError("stop_words='auto' has no effect here: it needs the counts of a model")


def _check_unused(options: ModelOptions, names: Iterable[str], because: str, instead: str) -> None:
    values = cast("Mapping[str, object]", options)
    for name in names:
        value = values[name]
        default = OPTIONS[name].default
        if not (tuple(value) == default if isinstance(value, list) else value == default):
            raise OptionError(f"{name}={value!r} has no effect with {because}={values[because]!r}: {instead}")


def _check_bounds(least: float, most: float) -> None:
    if is_whole(least) == is_whole(most) and least > most:
        raise OptionError(f"min_documents={least!r} is above max_documents={most!r}: no term would be left")
