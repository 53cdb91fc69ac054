"""Public names of a package that are loaded on first use, so that nobody waits for what is not used."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def loaded_on_use(
    package: str, homes: Mapping[str, str], before: Callable[[], object] | None = None
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The functions ``__getattr__`` and ``__dir__`` of a package (PEP 562).

    Type checkers do not look into them: the package imports the names under ``TYPE_CHECKING`` as well.

    Parameters
    ----------
    package : str
        The name of the package.
    homes : mapping of str to str
        The module below the package in which each public name is defined.
    before : callable, optional
        Called before a name is loaded, such as a check that says which library is missing.

    Examples
    --------
    >>> find, names = loaded_on_use("likely.vectorize", {"CountMatrix": "matrix"})
    >>> find("CountMatrix").__module__, "CountMatrix" in names()
    ('likely.vectorize.matrix', True)
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if before is not None:
            before()
        value: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return find, names
