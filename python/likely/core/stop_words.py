"""Short lists of stop words and of negators for some languages.

The lists were written for this project from the closed word classes of each language: articles, pronouns,
prepositions, conjunctions, auxiliaries and a few particles. They do not copy any other list. They are in
``data/stopwords.toml``. Negators are never stop words: a text without its "not" has another meaning.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from likely.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable


_READ: dict[str, tuple[str, ...]] = {}
"""The lists of files as they were last read. A model still needs its list if the file is deleted."""

LARGEST_LIST = 16 << 20
"""The size of the largest file of stop words that is read, in bytes."""


def languages() -> tuple[str, ...]:
    """The codes (ISO 639-1) of the languages that have lists, sorted.

    Examples
    --------
    >>> languages()[:4]
    ('ar', 'bn', 'cs', 'da')
    """
    return tuple(_sections())


def stop_words(code: str) -> tuple[str, ...]:
    """The stop words of a language, sorted, in lower case and without negators.

    Examples
    --------
    >>> stop_words("en")[:4], "not" in stop_words("en")
    (('a', 'about', 'above', 'after'), False)
    >>> stop_words("german")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    likely.errors.OptionError: stop_words='german' is not allowed: did you mean 'de'? There are lists for ar...
    """
    return _words("stop_words", code, "words")


@cache
def kept_negators() -> tuple[str, ...]:
    """Negators that are kept even if they are frequent: the English ones, and those that are not stop words anywhere.

    A negator of one language can be a stop word of another: "et" is a negator in Finnish and a stop word in French.

    Examples
    --------
    >>> "no" in kept_negators(), "pas" in kept_negators(), "et" in kept_negators()
    (True, True, False)
    """
    listed = {word for code in languages() for word in stop_words(code)}
    others = {word for code in languages() for word in negators(code)} - listed
    return tuple(sorted(others | set(negators("en"))))


def negators(code: str) -> tuple[str, ...]:
    """The words of a language that negate the words after them, sorted, in lower case, with the apostrophe ``'``.

    In Hindi, Bengali, Tamil and Turkish the negator follows the word that it negates. The lists of these languages
    serve to keep the negators, not to mark the words after them.

    Examples
    --------
    >>> [word for word in negators("en") if word.startswith("do")]
    ["doesn't", 'doesnt', "don't", 'dont']
    """
    return _words("negation", code, "negators")


def stop_word_list(value: str | Collection[str] | None) -> tuple[str, ...]:
    """The words that a value of the option ``stop_words`` stands for, sorted; an empty tuple for None and 'auto'.

    Examples
    --------
    >>> stop_word_list(["the", "a"]), stop_word_list("auto"), len(stop_word_list("en")) > 50
    (('a', 'the'), (), True)
    """
    if value is None or (isinstance(value, str) and value == "auto"):
        return ()
    if not isinstance(value, str):
        return tuple(sorted(set(value)))
    if value in languages() or not _names_file(value):
        return stop_words(value)
    return _read_words(value)


def _names_file(value: str) -> bool:
    return os.path.sep in value or "." in value or "\0" in value or os.path.exists(value)


def _read_words(path: str) -> tuple[str, ...]:
    """The words of a file, which has one word per line and comments after #. A deleted file is remembered."""
    if path in _READ and not os.path.exists(path):
        return _READ[path]
    try:
        if os.path.getsize(path) > LARGEST_LIST:
            raise OptionError(f"stop_words={path!r} is not allowed: the file has more than {LARGEST_LIST:,} bytes")
        with open(path, encoding="utf-8-sig") as file:
            lines = [line.partition("#")[0].strip() for line in file]
    except (OSError, ValueError) as error:
        raise OptionError(f"stop_words={path!r} cannot be read: {error}") from error
    _READ[path] = tuple(sorted({line for line in lines if line}))
    return _READ[path]


def check_single(option: str, words: Iterable[str], pieces: Callable[[str], int]) -> None:
    """Raise ``OptionError`` if an entry of a list is not a single word, so that no word of a text could match it.

    Examples
    --------
    >>> check_single("stop_words", ["e-mail"], lambda word: len(word.split("-")))
    Traceback (most recent call last):
    likely.errors.OptionError: stop_words has 'e-mail', which is 2 words in a text: give single words
    """
    for word in words:
        if (number := pieces(word)) != 1:
            raise OptionError(f"{option} has {word!r}, which is {number} words in a text: give single words")


def negator_list(value: str | Collection[str]) -> tuple[str, ...]:
    """The words that a value of the option ``negation`` stands for, sorted; the English negators for 'on'.

    Examples
    --------
    >>> negator_list("off"), negator_list(["pas", "jamais"]), "not" in negator_list("on")
    ((), ('jamais', 'pas'), True)
    """
    if isinstance(value, str):
        return negators("en") if value == "on" else ()
    return tuple(sorted(set(value)))


@cache
def _sections() -> dict[str, dict[str, str]]:
    import tomllib  # few models need the lists, and the modules take longer than all others of this package
    from importlib import resources

    text = resources.files("likely").joinpath("data/stopwords.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _words(option: str, code: str, kind: str) -> tuple[str, ...]:
    section = _sections().get(code) if isinstance(code, str) else None
    if section is None:
        others = "; or give 'auto', a file or a list of words" if option == "stop_words" else ""
        raise OptionError(f"{option}={code!r} is not allowed: {_hint(code)}There are lists for {_choices()}{others}")
    return tuple(section[kind].split())


def _hint(code: object) -> str:
    """A hint at the code that was probably meant, if the value looks like a code or the name of a language."""
    names = {section["name"].lower(): code for code, section in _sections().items()}
    import difflib

    close = difflib.get_close_matches(str(code).lower(), [*names, *_sections()], n=1)
    return f"did you mean {names.get(close[0], close[0])!r}? " if close else ""


def _choices() -> str:
    return ", ".join(f"{code} ({section['name']})" for code, section in _sections().items())
