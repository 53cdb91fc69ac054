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
LEAST_BITS, MOST_BITS = 10, 30


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


def _is_words(value: Any) -> bool:
    """Whether a value is a list of words: strings without white space, none of them empty."""
    if not isinstance(value, list | tuple | set | frozenset):
        return False
    return all(isinstance(word, str) and word and not any(map(str.isspace, word)) for word in value)


def _is_stop_words(value: Any) -> bool:
    return value is None or _is_words(value) or (isinstance(value, str) and bool(value))


def _parse_stop_words(text: str) -> Any:
    return None if text.lower() == "none" else text


def _is_negation(value: Any) -> bool:
    return (isinstance(value, str) and value in ("off", "on")) or (_is_words(value) and len(value) > 0)


def _parse_negation(text: str) -> Any:
    return text if text in ("off", "on") else [word for word in text.split(",") if word]


def _is_stem(value: Any) -> bool:
    return isinstance(value, str) and value in STEMS


def _is_hash_bits(value: Any) -> bool:
    return is_whole(value) and (value == 0 or LEAST_BITS <= value <= MOST_BITS)


def _is_documents(value: Any) -> bool:
    """A number of documents, or a share of them: 1 is one document, 1.0 all of them."""
    return bool(value >= 1) if is_whole(value) else bool(is_finite(value) and 0 < value <= 1)


def _parse_number(text: str) -> float:
    return float(text) if "." in text or "e" in text.lower() else int(text)


def _parse_optional(text: str) -> int | None:
    return None if text.lower() == "none" else int(text)


def _is_tokenizer(value: Any) -> bool:
    return value is None or callable(value)


def _parse_tokenizer(text: str) -> Any:
    raise ValueError("a tokenizer is a function, which can only be given in Python")


def _treatment(name: str, what: str) -> Option:
    help_ = f"{what}: 'split' into words, 'keep' as one term, or 'mask' as one term for all of them."
    return _choice(name, ("split", "keep", "mask"), help_)


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
        _choice(
            "analyzer",
            ("word", "char", "char_wb", "both"),
            "What a text is cut into: words of any script, characters, characters within words, or words and those.",
        ),
        Option(
            "ngrams",
            (1, 1),
            f"a pair of whole numbers such as (1, 2), the shortest and the longest, from 1 to {LONGEST_NGRAM}",
            "How many words or characters in a row make a term: the shortest and the longest.",
            _is_ngrams,
            _parse_ngrams,
        ),
        Option(
            "char_ngrams",
            (2, 4),
            f"a pair of whole numbers such as (2, 4), the shortest and the longest, from 1 to {LONGEST_NGRAM}",
            "How many characters in a row make a term beside the words, where analyzer is 'both'.",
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
        _choice("accents", ("keep", "strip"), "Whether 'café' and 'cafe' are two terms, or one."),
        _choice(
            "normalize",
            ("none", "nfc", "nfkc"),
            "Unicode's normal form that texts are brought to: 'nfc' composes accents, 'nfkc' also makes "
            "full-width letters, ligatures and the like plain.",
        ),
        _choice(
            "punctuation",
            ("drop", "keep"),
            "Whether punctuation marks and symbols are terms, each one, and emoticons such as :-) as a whole.",
        ),
        _choice(
            "numbers",
            ("keep", "mask"),
            "Whether a number is a term as it is, or as its shape: 3.14 as <number:9.99>.",
        ),
        _treatment("urls", "Addresses of the web (https://..., www....)"),
        _treatment("emails", "Addresses of mail"),
        _treatment("mentions", "@names"),
        _treatment("hashtags", "#names"),
        Option(
            "stop_words",
            None,
            "None, the code of a language (such as 'en'), 'auto', a list of words, or a file with one a line",
            "Words that are left out: those of a list, of a language (negators are not among them), or 'auto' for terms "
            "in more than half of all documents.",
            _is_stop_words,
            _parse_stop_words,
        ),
        Option(
            "stem",
            "none",
            "'none' or a language of Snowball's: " + ", ".join(STEM_LANGUAGES.values()),
            "The language whose endings are cut off words (Snowball's stemmers), so that 'loves' and 'loved' are one "
            "term.",
            _is_stem,
        ),
        Option(
            "negation",
            "off",
            "'off', 'on' for English, or a list of words that negate",
            "Whether words after a negator, up to the next punctuation, are terms of their own: 'not good' as "
            "not, NOT_good.",
            _is_negation,
            _parse_negation,
        ),
        _choice(
            "spelling",
            ("off", "on"),
            "Whether an unknown word is read as the known one that it misspells.",
        ),
        Option(
            "min_documents",
            1,
            "a whole number of documents from 1 on, or a share of them between 0 and 1",
            "Terms in fewer documents do not count (a share if below 1); they are learned all the same.",
            _is_documents,
            _parse_number,
        ),
        Option(
            "max_documents",
            1.0,
            "a whole number of documents from 1 on, or a share of them up to 1.0",
            "Terms in more documents do not count (1.0 is a share: all of them); they are learned all the same.",
            _is_documents,
            _parse_number,
        ),
        Option(
            "max_terms",
            None,
            "a whole number from 1 on, or None",
            "Only so many terms count, the most frequent ones, and of equally frequent ones the first in the alphabet.",
            lambda value: value is None or (is_whole(value) and value >= 1),
            _parse_optional,
        ),
        Option(
            "hash_bits",
            0,
            f"0 or a whole number from {LEAST_BITS} to {MOST_BITS}",
            "0 to keep the names of terms; else they are counted in so many powers of two of buckets, without names.",
            _is_hash_bits,
            int,
        ),
        Option(
            "tokenizer",
            None,
            "a function from a text to a list of its tokens, or None",
            "A function that cuts texts into tokens, for languages or rules of your own; a model file names it.",
            _is_tokenizer,
            _parse_tokenizer,
        ),
        _choice(
            "weighting",
            ("counts", "tfidf"),
            "What a term counts in a document: its occurrences, or tf-idf, (1 + log tf) * log(N / df).",
        ),
        _choice("tf", ("sublinear", "raw"), "For tf-idf: whether tf is 1 + log of the occurrences, or their number."),
        _choice(
            "idf",
            ("plain", "smooth"),
            "For tf-idf: whether idf is log(N / df), or log((1 + N) / (1 + df)) + 1.",
        ),
        _choice(
            "norm",
            ("none", "l2"),
            "For tf-idf: whether all documents have the same length. That reads the texts twice, and cannot be learned "
            "on or forgotten.",
        ),
        Option(
            "threads",
            None,
            f"a whole number from 1 to {MOST_THREADS}, or None for one a processor",
            "How many threads work at once, None for one a processor; the results are the same for any number.",
            lambda value: value is None or (is_whole(value) and 1 <= value <= MOST_THREADS),
            _parse_optional,
        ),
    )
}


ANALYZE_OPTIONS = (
    "analyzer",
    "ngrams",
    "char_ngrams",
    "lowercase",
    "accents",
    "normalize",
    "punctuation",
    "numbers",
    "urls",
    "emails",
    "mentions",
    "hashtags",
    "stop_words",
    "stem",
    "negation",
    "hash_bits",
    "tokenizer",
)
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
    "strip_accents": "accents",
    "min_df": "min_documents",
    "max_df": "max_documents",
    "max_features": "max_terms",
    "n_features": "hash_bits",
    "sublinear_tf": "tf",
    "smooth_idf": "idf",
    "use_idf": "weighting",
    "stemmer": "stem",
    "language": "stem",
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
