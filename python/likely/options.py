"""The one table of options: every constructor argument, flag and schema comes from here."""

from __future__ import annotations

import difflib
import math
import numbers
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from likely.errors import OptionError, UnknownOptionError

LONGEST_NGRAM = 100
MOST_THREADS = 1024


@dataclass(frozen=True)
class Option:
    """One option: its name, default, meaning, and the check that its values pass.

    Examples
    --------
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
            raise OptionError(f"{self.name}={value!r} is not allowed: {self.name} must be {self.allowed}")

    def read(self, text: str) -> Any:
        """The value that a text, as typed on a command line, stands for.

        Examples
        --------
        >>> OPTIONS["ngrams"].read("1,2"), OPTIONS["prior"].read("spam=0.2,ham=0.8")
        ((1, 2), {'spam': 0.2, 'ham': 0.8})
        """
        try:
            value = self.parse(text)
        except ValueError:
            value = text
        self.check(value)
        return value


def _choice(name: str, choices: tuple[str, ...], help_: str) -> Option:
    """An option with a few values, of which the first is the default."""
    allowed = " or ".join(map(repr, choices))
    is_allowed = lambda value: isinstance(value, str) and value in choices  # noqa: E731
    return Option(name, choices[0], allowed, help_, is_allowed, str, choices)


def _is_number(value: Any) -> bool:
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
        return _is_number(value) and math.isfinite(float(value))
    except OverflowError:
        return False


def _is_alpha(value: Any) -> bool:
    return is_finite(value) and value >= 0


def _is_prior(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return isinstance(value, str) and value in ("fitted", "uniform")
    shares = list(value.values())
    sound = all(is_finite(share) and share >= 0 for share in shares)
    return sound and math.isclose(math.fsum(shares), 1, abs_tol=1e-6)


def _is_ngrams(value: Any) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2 or not all(map(is_whole, value)):
        return False
    return bool(1 <= value[0] <= value[1] <= LONGEST_NGRAM)


def _parse_prior(text: str) -> Any:
    """'spam=0.2,ham=0.8' to a mapping; a class may contain a '=' itself."""
    if "=" not in text:
        return text
    pairs = [pair.rpartition("=") for pair in text.split(",")]
    return {label: float(share) for label, _, share in pairs}


def _parse_ngrams(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.replace("-", ",").split(","))


def _parse_truth(text: str) -> bool:
    return {"true": True, "false": False}[text.lower()]


OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        _choice(
            "variant",
            ("multinomial", "binary"),
            "How a term counts: 'multinomial' each time it occurs, 'binary' once a document.",
        ),
        Option(
            "alpha",
            1.0,
            "a finite number >= 0",
            "Added to every count (Laplace's smoothing is 1); with 0 an unseen term has probability 0.",
            _is_alpha,
            float,
        ),
        Option(
            "prior",
            "fitted",
            "'fitted', 'uniform' or a mapping from each class to its share, which sum to 1",
            "P(class) before the text is seen: as in the training data, equal for all, or given.",
            _is_prior,
            _parse_prior,
        ),
        _choice("analyzer", ("word", "char"), "What a text is cut into: words of any script, or characters."),
        Option(
            "ngrams",
            (1, 1),
            f"a pair of whole numbers such as (1, 2), the shortest and the longest, from 1 to {LONGEST_NGRAM}",
            "How many words or characters in a row make a term: the shortest and the longest.",
            _is_ngrams,
            _parse_ngrams,
        ),
        Option(
            "lowercase",
            True,
            "True or False",
            "Whether words that differ only in case are one term.",
            lambda value: isinstance(value, bool) or type(value).__name__ == "bool",  # numpy's too
            _parse_truth,
        ),
        Option(
            "threads",
            None,
            f"a whole number from 1 to {MOST_THREADS}, or None for one a processor",
            "How many threads work at once, None for one a processor; the results are the same for any number.",
            lambda value: value is None or (is_whole(value) and 1 <= value <= MOST_THREADS),
            lambda text: None if text.lower() == "none" else int(text),
        ),
    )
}


ANALYZE_OPTIONS = ("analyzer", "ngrams", "lowercase")
"""The options that decide which terms a text has."""

FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "fasttext", "lines", "mbox", "eml")
"""The formats of files that can be asked for by name."""

ELSEWHERE = {
    "ngram_range": "ngrams",
    "binary": "variant",
    "fit_prior": "prior",
    "class_prior": "prior",
    "smoothing": "alpha",
    "n_jobs": "threads",
}
"""What other libraries call our options, for those who come from there."""


def check_options(values: Mapping[str, Any], others: Collection[str] = ()) -> None:
    """Raise unless every name is an option and every value allowed; ``others`` are names that might be meant.

    Examples
    --------
    >>> check_options({"alpha": 0.5})
    >>> check_options({"alhpa": 0.5})
    Traceback (most recent call last):
    likely.errors.UnknownOptionError: there is no option 'alhpa': did you mean 'alpha'?
    """
    for name, value in values.items():
        if name not in OPTIONS:
            names = [*OPTIONS, *others]
            close = [ELSEWHERE[name]] if name in ELSEWHERE else difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"the options are {', '.join(names)}"
            raise UnknownOptionError(f"there is no option {name!r}: {hint}")
        OPTIONS[name].check(value)


def with_defaults(values: Mapping[str, Any], allowed: Collection[str] = OPTIONS) -> dict[str, Any]:
    """All options, those given checked and the others at their defaults.

    Examples
    --------
    >>> with_defaults({"alpha": 0.5})["ngrams"]
    (1, 1)
    >>> with_defaults({"alpha": 0.5}, allowed=["ngrams"])
    Traceback (most recent call last):
    likely.errors.UnknownOptionError: the option 'alpha' has no effect here: these do: ngrams
    """
    check_options(values)
    for name in values:
        if name not in allowed:
            raise UnknownOptionError(f"the option {name!r} has no effect here: these do: {', '.join(allowed)}")
    return {name: values.get(name, option.default) for name, option in OPTIONS.items()}
