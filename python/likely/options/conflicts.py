"""Options that contradict each other: what is wrong only together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely.errors import OptionError
from likely.options.kinds import is_whole
from likely.options.table import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PIECES = ("punctuation", "numbers", "urls", "emails", "mentions", "hashtags")
"""What happens when a text is cut into words, so not where somebody else cuts it."""
OF_WORDS = (*PIECES, "stop_words", "stem", "negation", "spelling", "tokenizer")
"""What happens to words, so not where only characters are terms."""
OF_TFIDF = ("tf", "idf", "norm")
OF_NBSVM = ("loss", "cost", "interpolation")


def check_together(values: Mapping[str, Any]) -> None:
    """Raise ``OptionError`` for options that have no effect beside the others, or contradict them.

    Examples
    --------
    >>> from likely.options.table import with_defaults
    >>> check_together(with_defaults({"stem": "english"}))
    >>> check_together(with_defaults({"stem": "english", "analyzer": "char"}))
    Traceback (most recent call last):
    likely.errors.OptionError: stem='english' has no effect with analyzer='char': analyzer must be 'word' or 'both'
    """
    if values["analyzer"] in ("char", "char_wb"):
        words = [name for name in OF_WORDS if not (name == "stop_words" and values[name] == "auto")]
        _check_unused(values, words, "analyzer", "analyzer must be 'word' or 'both'")
    if values["analyzer"] != "both":
        _check_unused(values, ["char_ngrams"], "analyzer", "analyzer must be 'both'; ngrams is for one kind of term")
    if values["weighting"] != "tfidf":
        names = [name for name in OF_TFIDF if not (name == "norm" and values["variant"] == "nbsvm")]
        _check_unused(values, names, "weighting", "weighting must be 'tfidf'")
    if values["tokenizer"] is not None:
        _check_unused(values, PIECES, "tokenizer", "a tokenizer decides what the tokens are")
    if values["norm"] == "l2":
        _check_unused(
            values, ["spelling"], "norm", "lengths would have to be worked out anew for words that are read as others"
        )
    if values["tokenizer"] is not None and values["analyzer"] == "both":
        raise OptionError("tokenizer contradicts analyzer='both': analyzer must be 'word'")
    if values["hash_bits"]:
        _check_unused(values, ["spelling"], "hash_bits", "buckets have no names to compare with")
    if values["spelling"] == "on" and values["ngrams"][0] > 1:
        raise OptionError(f"spelling='on' contradicts ngrams={values['ngrams']}: words must be terms, so from 1 on")
    _check_variant(values)
    _check_bounds(values["min_documents"], values["max_documents"])


def _check_variant(values: Mapping[str, Any]) -> None:
    if values["variant"] not in ("multinomial", "binary") and values["alpha"] == 0:
        raise OptionError(f"alpha=0 contradicts variant={values['variant']!r}: it has no zero probabilities")
    if values["variant"] != "nbsvm":
        _check_unused(values, OF_NBSVM, "variant", "variant must be 'nbsvm'")
    else:
        _check_unused(
            values, ["document_weight"], "variant", "what a document counts in learning is its sample_weight"
        )
        _check_unused(values, ["prior"], "variant", "how probable the classes are is learned with the weights")
        _check_unused(
            values, ["spelling"], "variant", "weights would have to be learned anew for words read as others"
        )
    if values["norm"] == "l2":
        _check_unused(values, ["document_weight"], "norm", "all documents have the same length already")
    if values["variant"] == "bernoulli":
        _check_unused(
            values, ["weighting", "document_weight"], "variant", "it is about presence, which has no weight"
        )
    if values["variant"] == "complement_normalized":
        _check_unused(values, ["document_weight"], "variant", "it has a weight normalisation of its own")
    if values["variant"] == "complement_normalized" and values["prior"] != "uniform":
        _check_unused(values, ["prior"], "variant", "its weights are not weighed against a prior")


def check_cut(values: Mapping[str, Any]) -> None:
    """As `check_together`, where texts are cut and nothing is weighed.

    Examples
    --------
    >>> from likely.options.table import with_defaults
    >>> check_cut(with_defaults({"stop_words": "auto"}))
    Traceback (most recent call last):
    likely.errors.OptionError: stop_words='auto' has no effect here: it follows from the counts of a model
    """
    check_together(values)
    if isinstance(values["stop_words"], str) and values["stop_words"] == "auto":
        raise OptionError("stop_words='auto' has no effect here: it follows from the counts of a model")


def _check_unused(values: Mapping[str, Any], names: Iterable[str], because: str, instead: str) -> None:
    for name in names:
        value = values[name]
        default = OPTIONS[name].default
        if not (tuple(value) == default if isinstance(value, list) else value == default):
            raise OptionError(f"{name}={value!r} has no effect with {because}={values[because]!r}: {instead}")


def _check_bounds(least: float, most: float) -> None:
    if is_whole(least) == is_whole(most) and least > most:
        raise OptionError(f"min_documents={least!r} is above max_documents={most!r}: no term would be left")
