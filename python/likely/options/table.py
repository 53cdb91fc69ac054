"""The tables of options, and the checks of values by name.

| table | arguments of | flags of |
| --- | --- | --- |
| `MODEL` (also `OPTIONS`) | `likely.NaiveBayes`, `likely.train` | `likely train` |
| `READING` | `likely.train`, `learn`, `forget`, `evaluate` of a source | every command that reads data |
| `TUNING` | `likely.train` | `likely train` |
| `SELECTING` | `likely.select` | `likely select` |
"""

from __future__ import annotations

import difflib
import textwrap
from typing import TYPE_CHECKING, Any

from likely.errors import OptionError
from likely.options.model_table import MODEL
from likely.options.reading_table import FORMATS, OF_LABELS, OF_LEARNING, OF_TRAINING, READING
from likely.options.selecting_table import SELECTING
from likely.options.tuning_table import TUNING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from likely.options.option import Option

__all__ = [
    "ANALYZE_OPTIONS",
    "ELSEWHERE",
    "FORMATS",
    "MODEL",
    "OF_LABELS",
    "OF_LEARNING",
    "OF_TRAINING",
    "OPTIONS",
    "READING",
    "SELECTING",
    "TUNING",
    "check_options",
    "described",
    "with_defaults",
]

OPTIONS = MODEL
"""The options of a model, which are meant where nothing else is said."""

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
    "C": "cost",
    "beta": "interpolation",
    "language": "stem",
    "tune_for": "tune",
}
"""The names of these options in other libraries or in earlier versions, and here."""


def check_options(
    values: Mapping[str, object], others: Collection[str] = (), *, table: Mapping[str, Option] = MODEL
) -> None:
    """Raise unless every name is an option of the table and every value is allowed.

    Parameters
    ----------
    values : mapping
        The options that were given.
    others : collection of str
        Further names that can be meant by a misspelled one.
    table : mapping
        The table of options.

    Examples
    --------
    >>> check_options({"alpha": 0.5})
    >>> check_options({"alhpa": 0.5})
    Traceback (most recent call last):
    likely.errors.OptionError: there is no option 'alhpa': did you mean 'alpha'?
    """
    for name, value in values.items():
        if name not in table:
            raise OptionError(f"there is no option {name!r}: {_suggestion(name, [*table, *others])}")
        table[name].check(value)


def _suggestion(name: str, names: list[str]) -> str:
    close = [ELSEWHERE[name]] if ELSEWHERE.get(name) in names else difflib.get_close_matches(name, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"the options are {', '.join(names)}"


def with_defaults(values: Mapping[str, object], allowed: Collection[str] = OPTIONS) -> dict[str, Any]:
    """All options of a model by name: the given values, which are checked, and the defaults of all others.

    Examples
    --------
    >>> with_defaults({"alpha": 0.5})["ngrams"]
    (1, 1)
    >>> with_defaults({"alpha": 0.5}, allowed=["ngrams"])
    Traceback (most recent call last):
    likely.errors.OptionError: the option 'alpha' has no effect here: these do: ngrams
    """
    check_options(values)
    for name in values:
        if name not in allowed:
            raise OptionError(f"the option {name!r} has no effect here: these do: {', '.join(allowed)}")
    return {name: values.get(name, option.default) for name, option in OPTIONS.items()}


def described(table: Mapping[str, Option], indent: str = "    ") -> str:
    """The options of a table as the section of parameters of a docstring.

    Examples
    --------
    >>> described({"spelling": MODEL["spelling"]}).splitlines()[2]
    "    spelling : 'off' or 'on'"
    """
    lines = ["Parameters", "----------"]
    for option in table.values():
        lines += [
            f"{option.name} : {option.allowed}",
            *textwrap.wrap(option.help, 100, initial_indent="    ", subsequent_indent="    "),
        ]
    return f"\n{indent}".join(lines)
