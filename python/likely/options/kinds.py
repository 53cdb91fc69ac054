"""What an option is, and the checks that the values of the table's options pass."""

from __future__ import annotations

import difflib
import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from likely.errors import OptionError

LONGEST_NGRAM = 100
MOST_THREADS = 1024
LEAST_BITS, MOST_BITS = 10, 30
VARIANTS = ("multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized", "nbsvm")
TASKS = ("sentiment", "spam", "topics", "language", "authorship")

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
"""The languages that the kernel stems: code (ISO 639-1) and Snowball's name."""
STEMS = ("none", *STEM_LANGUAGES, *STEM_LANGUAGES.values())


@dataclass(frozen=True)
class Option:
    """One option: its name, default, meaning, and the check that its values pass.

    Examples
    --------
    >>> from likely.options.table import OPTIONS
    >>> OPTIONS["alpha"].default
    1.0
    """

    name: str
    default: Any
    allowed: str
    help: str
    is_allowed: Callable[[Any], bool]
    parse: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()

    def check(self, value: Any) -> None:
        """Raise ``OptionError`` unless the value is allowed."""
        if not self.is_allowed(value):
            hint = _hint(value, STEMS if self.name == "stem" else self.choices)
            raise OptionError(f"{self.name}={value!r} is not allowed: {self.name} must be {self.allowed}{hint}")

    def read(self, text: str) -> Any:
        """The value that a text, as typed on a command line, stands for.

        Examples
        --------
        >>> from likely.options.table import OPTIONS
        >>> OPTIONS["ngrams"].read("1,2"), OPTIONS["prior"].read("spam=0.2,ham=0.8")
        ((1, 2), {'spam': 0.2, 'ham': 0.8})
        """
        try:
            value = self.parse(text)
        except ValueError:
            value = text
        self.check(value)
        return value


def _hint(value: Any, choices: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(value, choices, n=1) if isinstance(value, str) else []
    return f" (did you mean {close[0]!r}?)" if close else ""


def choice(name: str, choices: tuple[str, ...], help_: str) -> Option:
    """An option with a few values, of which the first is the default."""
    allowed = " or ".join(map(repr, choices))
    is_allowed = lambda value: isinstance(value, str) and value in choices  # noqa: E731
    return Option(name, choices[0], allowed, help_, is_allowed, str, choices)


def is_number(value: Any) -> bool:
    """Whether a value is a real number and no bool."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number and no bool.

    Examples
    --------
    >>> is_whole(3), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_finite(value: Any) -> bool:
    """Whether a value is a number that a double can hold.

    Examples
    --------
    >>> is_finite(1), is_finite(10**400), is_finite("1")
    (True, False, False)
    """
    try:
        return is_number(value) and math.isfinite(float(value))
    except OverflowError:
        return False


def is_alpha(value: Any) -> bool:
    """Whether a value is a finite number >= 0."""
    return is_finite(value) and value >= 0


def is_cost(value: Any) -> bool:
    """Whether a value is a finite number > 0."""
    return is_finite(value) and value > 0


def is_share(value: Any) -> bool:
    """Whether a value is a number from 0 to 1."""
    return is_finite(value) and 0 <= value <= 1


def is_prior(value: Any) -> bool:
    """Whether a value names a prior or gives the shares of classes, which sum to 1."""
    if not isinstance(value, Mapping):
        return isinstance(value, str) and value in ("fitted", "uniform")
    shares = list(value.values())
    sound = all(is_finite(share) and share >= 0 for share in shares)
    return sound and math.isclose(math.fsum(shares), 1, abs_tol=1e-6)


def is_ngrams(value: Any) -> bool:
    """Whether a value is a pair of a shortest and a longest length."""
    if not isinstance(value, tuple | list) or len(value) != 2 or not all(map(is_whole, value)):
        return False
    return bool(1 <= value[0] <= value[1] <= LONGEST_NGRAM)


def parse_prior(text: str) -> Any:
    """'spam=0.2,ham=0.8' to a mapping; a class may contain a '=' itself."""
    if "=" not in text:
        return text
    pairs = [pair.rpartition("=") for pair in text.split(",")]
    return {label: float(share) for label, _, share in pairs}


def parse_ngrams(text: str) -> tuple[int, ...]:
    """'1,2' or '1-2' to a pair."""
    return tuple(int(part) for part in text.replace("-", ",").split(","))


def parse_truth(text: str) -> bool:
    """'true' or 'false'."""
    return {"true": True, "false": False}[text.lower()]


def is_words(value: Any) -> bool:
    """Whether a value is a list of words: strings without white space, none of them empty."""
    if not isinstance(value, list | tuple | set | frozenset):
        return False
    return all(
        isinstance(word, str) and word and not any(map(str.isspace, word)) and _is_text(word) for word in value
    )


def _is_text(word: str) -> bool:
    """Whether a word has no white space, and no half of a surrogate pair, which cannot be written."""
    return not any(each.isspace() or "\ud800" <= each <= "\udfff" for each in word)


def is_stop_words(value: Any) -> bool:
    """Whether a value is None, a name or a list of words."""
    return value is None or is_words(value) or (isinstance(value, str) and bool(value))


def parse_stop_words(text: str) -> Any:
    """A name; None for 'none'."""
    return None if text.lower() == "none" else text


def is_negation(value: Any) -> bool:
    """Whether a value is 'off', 'on' or a list of words that is not empty."""
    return (isinstance(value, str) and value in ("off", "on")) or (is_words(value) and len(value) > 0)


def parse_negation(text: str) -> Any:
    """'off', 'on', or words with commas between them."""
    return text if text in ("off", "on") else [word for word in text.split(",") if word]


def is_stem(value: Any) -> bool:
    """Whether a value names a language that is stemmed, or 'none'."""
    return isinstance(value, str) and value in STEMS


def is_hash_bits(value: Any) -> bool:
    """Whether a value is 0 or a number of bits that buckets can have."""
    return is_whole(value) and (value == 0 or LEAST_BITS <= value <= MOST_BITS)


def is_documents(value: Any) -> bool:
    """A number of documents, or a share of them: 1 is one document, 1.0 all of them."""
    return bool(value >= 1) if is_whole(value) else bool(is_finite(value) and 0 < value <= 1)


def parse_number(text: str) -> float:
    """A whole number, or a share if it has a point."""
    return float(text) if "." in text or "e" in text.lower() else int(text)


def parse_optional(text: str) -> int | None:
    """A whole number, or None for 'none'."""
    return None if text.lower() == "none" else int(text)


def is_tokenizer(value: Any) -> bool:
    """Whether a value can be called, or is None."""
    return value is None or callable(value)


ABSTAIN_BY = ("probability", "margin", "precision")
"""What can decide that a model does not answer."""


def is_abstain(value: Any) -> bool:
    """Whether a value is None, a probability, or a mapping with one bound by its name."""
    if not isinstance(value, Mapping):
        return value is None or (is_finite(value) and 0 <= value <= 1)
    (name, bound), *more = value.items() or [("", 0)]
    return not more and name in ABSTAIN_BY and is_finite(bound) and bool(0 <= bound <= 1)


def parse_abstain(text: str) -> Any:
    """'0.9', or 'margin=0.2' to a mapping; 0, for an answer always, for 'none'."""
    if text.lower() == "none":
        return 0.0
    name, given, bound = text.rpartition("=")
    return {name: float(bound)} if given else float(text)


def is_truth(value: Any) -> bool:
    """Whether a value is True or False, numpy's too."""
    return isinstance(value, bool) or type(value).__name__ == "bool"


def parse_tokenizer(text: str) -> Any:
    """Nothing that can be typed is a function."""
    raise ValueError("a tokenizer is a function, which can only be given in Python")


def treatment(name: str, what: str) -> Option:
    """An option that says what becomes of things that are one although they have several words."""
    help_ = f"{what}: 'split' into words, 'keep' as one term, or 'mask' as one term for all of them."
    return choice(name, ("split", "keep", "mask"), help_)
