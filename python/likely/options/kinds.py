"""The kinds of values of options: the checks that they must pass."""

from __future__ import annotations

import codecs
import math
import numbers
import os
import re
from collections.abc import Collection, Mapping
from typing import TypeGuard

LONGEST_NGRAM = 100
MOST_THREADS = 1024
LEAST_BITS, MOST_BITS = 10, 30
PREFERENCES = ("balanced", "small", "accurate")
VARIANTS = ("multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized", "nbsvm")
TASKS = ("sentiment", "spam", "topics", "language", "authorship")
GOALS = ("auto", "log-loss", "accuracy", "macro-f1")
"""The measures by which options can be chosen, besides the F1 of one class."""
THRESHOLD_GOAL = r"macro-f1|f1:.+|precision:.+=(?:1|1\.0*|0?\.[0-9]*[1-9][0-9]*)"
"""What thresholds can be chosen for, besides costs: a regular expression."""
ABSTAIN_BY = ("probability", "margin", "precision")
"""The criteria by which a model can abstain."""

CLASS_WEIGHTS = ("balanced", "sqrt_balanced")
LARGEST_WEIGHT = 1e6
"""The largest weight of a class; the smallest one is 1 divided by it."""
LARGEST_ALPHA = 1e290
"""The largest alpha: its product with the number of terms, which is below 2^32, is finite."""

STEM_LANGUAGES = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""The languages that the kernel stems: ISO 639-1 code and name of the Snowball stemmer."""
STEMS = ("none", *STEM_LANGUAGES, *STEM_LANGUAGES.values())


# Numbers ---------------------------------------------------------------------------------------------------------


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a real number and not a bool."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number and not a bool.

    Examples
    --------
    >>> is_whole(3), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_finite(value: object) -> TypeGuard[float]:
    """Whether a value is a finite number that fits into a double.

    Examples
    --------
    >>> is_finite(1), is_finite(10**400), is_finite("1")
    (True, False, False)
    """
    try:
        return is_number(value) and math.isfinite(float(value))
    except OverflowError:
        return False


def is_alpha(value: object) -> bool:
    """Whether a value is a number from 0 to `LARGEST_ALPHA`."""
    return is_finite(value) and 0 <= float(value) <= LARGEST_ALPHA


def is_cost(value: object) -> bool:
    """Whether a value is a finite number > 0."""
    return is_finite(value) and value > 0


def is_share(value: object) -> bool:
    """Whether a value is a number from 0 to 1."""
    return is_finite(value) and 0 <= value <= 1


def is_documents(value: object) -> bool:
    """Whether a value is a number of documents or a share of them: 1 is one document, 1.0 is all documents."""
    return is_finite(value) and (value >= 1 if is_whole(value) else 0 < value <= 1)


def is_terms(value: object) -> bool:
    """Whether a value is a whole number from 1 on, or None."""
    return value is None or (is_whole(value) and value >= 1)


def is_hash_bits(value: object) -> bool:
    """Whether a value is 0 or a number of bits that buckets can have."""
    return is_whole(value) and (value == 0 or LEAST_BITS <= value <= MOST_BITS)


def is_threads(value: object) -> bool:
    """Whether a value is a number of threads, or None."""
    return value is None or (is_whole(value) and 1 <= value <= MOST_THREADS)


def is_ngrams(value: object) -> bool:
    """Whether a value is a pair of lengths, the shortest and the longest."""
    if not isinstance(value, tuple | list) or len(value) != 2 or not all(map(is_whole, value)):
        return False
    return bool(1 <= value[0] <= value[1] <= LONGEST_NGRAM)


# True and False --------------------------------------------------------------------------------------------------


def is_truth(value: object) -> bool:
    """Whether a value is True or False, of Python or of numpy."""
    return isinstance(value, bool) or type(value).__name__ == "bool"


def is_truth_or_none(value: object) -> bool:
    """Whether a value is True, False or None."""
    return value is None or is_truth(value)


# Names and words -------------------------------------------------------------------------------------------------


def is_text_or_none(value: object) -> bool:
    """Whether a value is a string or None."""
    return value is None or isinstance(value, str)


def is_path_or_none(value: object) -> bool:
    """Whether a value is the path of a file, or None."""
    return value is None or isinstance(value, str | os.PathLike)


def is_task(value: object) -> bool:
    """Whether a value is the name of a task, or None."""
    return value is None or (isinstance(value, str) and value in TASKS)


def is_stem(value: object) -> bool:
    """Whether a value is a language that can be stemmed, or 'none'."""
    return isinstance(value, str) and value in STEMS


def is_words(value: object) -> TypeGuard[Collection[str]]:
    """Whether a value is a list of words: strings without white space, and none of them empty."""
    if not isinstance(value, list | tuple | set | frozenset):
        return False
    return all(isinstance(word, str) and bool(word) and _is_text(word) for word in value)


def _is_text(word: str) -> bool:
    """Whether a word has no white space and no half of a surrogate pair, which cannot be encoded."""
    return not any(each.isspace() or "\ud800" <= each <= "\udfff" for each in word)


def is_stop_words(value: object) -> bool:
    """Whether a value is None, a name or a list of words."""
    return value is None or is_words(value) or (isinstance(value, str) and bool(value))


def is_negation(value: object) -> bool:
    """Whether a value is 'off', 'on' or a list of at least one word."""
    return (isinstance(value, str) and value in ("off", "on")) or (is_words(value) and len(value) > 0)


_NAMES_OF_HOSTS = ("idna", "punycode")
"""Encodings that only encode the names of hosts."""


def is_encoding(value: object) -> bool:
    """Whether a value is the name of an encoding of text, or None.

    Examples
    --------
    >>> is_encoding("latin-1"), is_encoding("hex"), is_encoding(None)
    (True, False, True)
    """
    if not isinstance(value, str):
        return value is None
    try:
        "".encode(value)
    except (LookupError, ValueError):
        return False
    return codecs.lookup(value).name not in _NAMES_OF_HOSTS


def is_separator(value: object) -> bool:
    """Whether a value is a text that can separate labels, 'none' or None.

    Examples
    --------
    >>> is_separator(";"), is_separator("none"), is_separator(""), is_separator(None)
    (True, True, False, True)
    """
    return value is None or (isinstance(value, str) and bool(value))


# What models and training decide by ------------------------------------------------------------------------------


def is_prior(value: object) -> bool:
    """Whether a value is the name of a prior, or a mapping to probabilities that sum to 1."""
    if not isinstance(value, Mapping):
        return isinstance(value, str) and value in ("fitted", "uniform")
    shares = list(value.values())
    return all(map(is_alpha, shares)) and math.isclose(math.fsum(shares), 1, abs_tol=1e-6)


def is_class_weight(value: object) -> bool:
    """Whether a value is None, a name of weights, or a mapping to weights that are above 0 and not too extreme.

    Examples
    --------
    >>> is_class_weight("balanced"), is_class_weight({"spam": 5}), is_class_weight({"spam": 0})
    (True, True, False)
    """
    if not isinstance(value, Mapping):
        return value is None or (isinstance(value, str) and value in CLASS_WEIGHTS)
    return all(is_finite(each) and 1 / LARGEST_WEIGHT <= each <= LARGEST_WEIGHT for each in value.values())


def is_thresholds(value: object) -> bool:
    """Whether a value is None, what to choose thresholds for, a mapping to probabilities, or a matrix of costs.

    Examples
    --------
    >>> is_thresholds({"spam": 0.3}), is_thresholds("f1:spam"), is_thresholds({("ham", "spam"): 5})
    (True, True, True)
    >>> is_thresholds({"spam": 0}), is_thresholds("recall:spam"), is_thresholds({("ham", "ham"): 5})
    (False, False, False)
    """
    if not isinstance(value, Mapping):
        return value is None or is_threshold_goal(value)
    if is_costs(value):
        return all(gold != predicted and is_alpha(cost) for (gold, predicted), cost in value.items())
    return all(is_label(label) and is_finite(bound) and 0 < bound < 1 for label, bound in value.items())


def is_threshold_goal(value: object) -> TypeGuard[str]:
    """Whether a value is a text that says what thresholds are chosen for.

    Examples
    --------
    >>> is_threshold_goal("precision:spam=0.95"), is_threshold_goal("precision:spam"), is_threshold_goal("f1:")
    (True, False, False)
    """
    return isinstance(value, str) and re.fullmatch(THRESHOLD_GOAL, value, re.DOTALL) is not None


def is_costs(value: object) -> TypeGuard[Mapping[tuple[object, object], float]]:
    """Whether a value is a mapping from pairs of a gold label and a predicted label."""
    return isinstance(value, Mapping) and bool(value) and all(map(_is_pair, value))


def _is_pair(key: object) -> bool:
    return isinstance(key, tuple) and len(key) == 2 and all(map(is_label, key))


def is_abstain(value: object) -> bool:
    """Whether a value is None, a probability, or a mapping from one criterion to its bound."""
    if not isinstance(value, Mapping):
        return value is None or is_share(value)
    (name, bound), *more = value.items() or [("", 0)]
    return not more and name in ABSTAIN_BY and is_share(bound)


def is_label(value: object) -> bool:
    """Whether a value can be a label: a str, int or bool that can be stored.

    Examples
    --------
    >>> is_label("unsure"), is_label(-1), is_label(2.5)
    (True, True, False)
    """
    if isinstance(value, str):
        return not any("\ud800" <= each <= "\udfff" for each in value)
    return is_truth(value) or (is_whole(value) and -(2**63) <= value < 2**63)


def is_reject_label(value: object) -> bool:
    """Whether a value can be a label, or is None."""
    return value is None or is_label(value)


def is_goal(value: object) -> bool:
    """Whether a value is a measure by which options can be chosen, or None."""
    return value is None or (isinstance(value, str) and (value in GOALS or value.startswith("f1:")))


def is_budget(value: object) -> bool:
    """Whether a value is a time above 0 or None.

    Examples
    --------
    >>> is_budget("30s"), is_budget(2.5), is_budget("0"), is_budget("soon")
    (True, True, False, False)
    """
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?(?:s|m|h|)", str(value).strip())
    return value is None or (found is not None and float(found[1]) > 0)


def is_tokenizer(value: object) -> bool:
    """Whether a value can be called, or is None."""
    return value is None or callable(value)
