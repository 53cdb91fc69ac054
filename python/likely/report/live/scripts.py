"""The JavaScript of pages: small modules in ``data``, which a page holds as one script, and stemmers."""

from __future__ import annotations

import re
from importlib import resources

FOLDERS = ("live", "page", "shared", "textbook")
"""The folders of modules; a module is found by its name in any of them."""
_IMPORT = re.compile(r'^(?:import|export)\s(?:[^;]*?from )?"\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |class |function |async )", re.MULTILINE)


def stemmer(language: str) -> str | None:
    """The module of JavaScript that makes the stems of a language; None if there is none.

    `tools/fetch_stemmers.py` has the list of the languages.

    Examples
    --------
    >>> stemmer("german") is None
    True
    """
    file = resources.files("likely") / "data" / "live" / "stemmers" / f"{language}.js"
    return file.read_text(encoding="utf-8") if file.is_file() else None


def source(name: str, language: str = "none") -> str:
    """The text of a module; ``snowball`` is the stemmer of a language.

    Examples
    --------
    >>> source("sums").splitlines()[3]
    'export class Sum {'
    """
    if name == "snowball" and (text := stemmer(language)):
        return text
    files = (resources.files("likely").joinpath("data", folder, f"{name}.js") for folder in FOLDERS)
    return next(each for each in files if each.is_file()).read_text(encoding="utf-8")


def needed(name: str) -> list[str]:
    """A module and all modules that it needs, each after those that it needs itself.

    Examples
    --------
    >>> needed("probabilities")
    ['sums', 'weights', 'probabilities']
    """
    before = (each for other in _IMPORT.findall(source(name)) for each in needed(other))
    return [*dict.fromkeys(before), name]


def bundled(name: str, language: str = "none") -> str:
    """A module and all that it needs as one module without imports and exports; ``language`` is that of the stems.

    The names at the top of all modules differ, as `tests/unit/report/live/test_scripts.py` checks.

    Examples
    --------
    >>> "import" in bundled("sums") or "export" in bundled("sums")
    False
    """
    texts = (source(each, language) for each in needed(name))
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)).strip() + "\n" for text in texts)
