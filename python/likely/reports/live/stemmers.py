"""The languages whose stems JavaScript can make as the kernel does, and their stemmers."""

from __future__ import annotations

from importlib import resources

LANGUAGES = (
    "arabic",
    "armenian",
    "basque",
    "catalan",
    "dutch",
    "english",
    "esperanto",
    "french",
    "hindi",
    "hungarian",
    "indonesian",
    "irish",
    "nepali",
    "portuguese",
    "romanian",
    "russian",
    "serbian",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
    "yiddish",
)
"""The languages in which Snowball's stemmers in JavaScript (3.0.1) give the stems of the kernel (3.1.1).

The others have changed between the two, or are new: Czech, Danish, Estonian, Finnish, German, Greek, Italian,
Lithuanian, Norwegian, Persian, Polish and Sesotho.
"""


def stemmer(language: str) -> str | None:
    """The module of JavaScript that makes the stems of a language; None if there is none.

    Examples
    --------
    >>> stemmer("german") is None
    True
    """
    file = resources.files("likely") / "data" / "live" / "stemmers" / f"{language}.js"
    return file.read_text(encoding="utf-8") if language in LANGUAGES and file.is_file() else None
