"""The JavaScript of live models: small modules in ``data/live``, which pages hold as one script; and their style."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_IMPORT = re.compile(r'^(?:import|export)\s[^;]*?from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const |class |function |async )", re.MULTILINE)


@cache
def source(name: str) -> str:
    """The text of a module.

    Examples
    --------
    >>> source("sums").splitlines()[3]
    'export class Sum {'
    """
    return _read(f"{name}.js")


def stylesheet() -> str:
    """The style of the live part of a page."""
    return _read("page.css")


def _read(name: str) -> str:
    return (resources.files("likely") / "data" / "live" / name).read_text(encoding="utf-8")


def needed(name: str) -> list[str]:
    """A module and all modules that it needs, each after those that it needs itself.

    Examples
    --------
    >>> needed("probabilities")
    ['sums', 'weights', 'probabilities']
    """
    found: list[str] = []

    def visit(each: str) -> None:
        for other in _IMPORT.findall(source(each)):
            if other not in found:
                visit(other)
        if each not in found:
            found.append(each)

    visit(name)
    return found


@cache
def bundled(name: str) -> str:
    """A module and all that it needs as one module without imports and exports.

    The names at the top of all modules differ, as `tests/unit/reports/live/test_scripts.py` checks.

    Examples
    --------
    >>> "import" in bundled("sums") or "export" in bundled("sums")
    False
    """
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", source(each))).strip() + "\n" for each in needed(name))
