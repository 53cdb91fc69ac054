"""The kinds of values of options: which values are allowed, and which a text on the command line stands for."""

from __future__ import annotations

import codecs
import math
import numbers
import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, TypeGuard, TypeVar

from likely import _native

T = TypeVar("T")

LONGEST_NGRAM = 100
MOST_THREADS = 1024
LEAST_BITS, MOST_BITS = 10, 30
GOALS = ("auto", "log-loss", "accuracy", "macro-f1")
"""The measures by which options can be chosen, besides the F1 of one class."""
THRESHOLD_GOAL = r"macro-f1|f1:.+|precision:.+=(?:1|1\.0*|0?\.[0-9]*[1-9][0-9]*)"
"""What thresholds can be chosen for, besides costs: a regular expression."""

CLASS_WEIGHTS = ("balanced", "sqrt_balanced")
LARGEST_WEIGHT = 1e6
"""The largest weight of a class; the smallest one is 1 divided by it."""
LARGEST_ALPHA = 1e290
"""The largest alpha: its product with the number of terms, which is below 2^32, is finite."""

STEM_LANGUAGES = dict(_native.stem_languages())
"""The languages that the kernel stems: ISO 639-1 code and name of the Snowball stemmer."""
STEMS = ("none", *STEM_LANGUAGES, *STEM_LANGUAGES.values())


class Kind(NamedTuple):
    """A kind of values: those allowed in words, the check, the value that a text stands for, and a placeholder."""

    allowed: str
    check: Callable[[object], bool]
    parse: Callable[[str], object] = str
    metavar: str = "N"
    choices: tuple[str, ...] = ()
    """All allowed values, if they are a few strings."""
    known: tuple[str, ...] = ()
    """Values that may be meant by a misspelled one."""


def one_of(choices: Collection[str]) -> str:
    """The choices in words.

    Examples
    --------
    >>> print(one_of(("split", "keep", "mask")))
    'split', 'keep' or 'mask'
    """
    *first, last = map(repr, choices)
    return f"{', '.join(first)} or {last}"


def choice(choices: tuple[str, ...], *, or_none: bool = False) -> Kind:
    """A few values, and None if that is one."""

    def is_allowed(value: object) -> bool:
        return (or_none and value is None) or (isinstance(value, str) and value in choices)

    return Kind(("None, " if or_none else "") + one_of(choices), is_allowed, choices=choices)


def whole(least: int, most: int | None = None, *, none: str = "") -> Kind:
    """Whole numbers from one bound to another; and None, which stands for what ``none`` says.

    Examples
    --------
    >>> whole(1, 1024, none="one per processor").allowed, whole(0).check(-1)
    ('a whole number from 1 to 1024, or None for one per processor', False)
    """

    def is_allowed(value: object) -> bool:
        return (bool(none) and value is None) or (
            is_whole(value) and least <= value and (most is None or value <= most)
        )

    upper = "on" if most is None else f"to {most}"
    words = f"a whole number from {least} {upper}".replace(" from 0 on", " >= 0")
    return Kind(words + (f", or None for {none}" if none else ""), is_allowed, or_none(int) if none else int)


def text_or_none(what: str, metavar: str) -> Kind:
    """Texts, and None."""
    return Kind(f"{what}, or None", lambda value: value is None or isinstance(value, str), metavar=metavar)


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


def is_hash_bits(value: object) -> bool:
    """Whether a value is 0 or a number of bits that buckets can have."""
    return is_whole(value) and (value == 0 or LEAST_BITS <= value <= MOST_BITS)


# True and False --------------------------------------------------------------------------------------------------


def is_truth(value: object) -> bool:
    """Whether a value is True or False, of Python or of numpy."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


# Names and words -------------------------------------------------------------------------------------------------


def is_words(value: object) -> TypeGuard[Collection[str]]:
    """Whether a value is a list of words: strings without white space, and none of them empty."""
    if not isinstance(value, list | tuple | set | frozenset):
        return False
    return all(isinstance(word, str) and bool(word) and _is_text(word) for word in value)


def _is_text(word: str) -> bool:
    """Whether a word has no white space and no half of a surrogate pair, which cannot be encoded."""
    return not any(each.isspace() or "\ud800" <= each <= "\udfff" for each in word)


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


# Texts on the command line --------------------------------------------------


def parse_number(text: str) -> float:
    """The number in a text: whole, or a share if it has a decimal point."""
    return float(text) if "." in text or "e" in text.lower() else int(text)


def or_none(parse: Callable[[str], T]) -> Callable[[str], T | None]:
    """How to read a text as ``parse`` does, but 'none' as None.

    Examples
    --------
    >>> or_none(int)("3"), or_none(int)("None")
    (3, None)
    """
    return lambda text: None if text.lower() == "none" else parse(text)


def parse_truth(text: str) -> bool:
    """True for 'true', False for 'false'."""
    if text.lower() not in ("true", "false"):
        raise ValueError(f"{text!r} is neither 'true' nor 'false'")
    return text.lower() == "true"


def parse_prior(text: str) -> str | dict[str, float]:
    """The mapping in a text such as 'spam=0.2,ham=0.8', or a name. A class may contain a '='."""
    if "=" not in text:
        return text
    pairs = [pair.rpartition("=") for pair in text.split(",")]
    return {label: float(share) for label, _, share in pairs}


def parse_thresholds(text: str) -> str | dict[str, float] | dict[tuple[str, str], float]:
    """What thresholds are chosen for, the mapping in 'spam=0.3', costs, or no thresholds at all for 'none'.

    Examples
    --------
    >>> parse_thresholds("spam=0.3,junk=0.2"), parse_thresholds("f1:spam"), parse_thresholds("none")
    ({'spam': 0.3, 'junk': 0.2}, 'f1:spam', {})
    >>> parse_thresholds("cost:ham>spam=5,spam>ham=1")
    {('ham', 'spam'): 5.0, ('spam', 'ham'): 1.0}
    """
    if text.lower() == "none":
        return {}
    if is_threshold_goal(text):
        return text
    costs = text.removeprefix("cost:")
    pairs = [pair.rpartition("=") for pair in costs.split(",")]
    if costs is text:
        return {label: float(bound) for label, _, bound in pairs}
    split = [(*between.partition(">"), cost) for between, _, cost in pairs]
    return {(gold, predicted): float(cost) for gold, _, predicted, cost in split}
