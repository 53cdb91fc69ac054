"""The names of files as text, also of those that are not UTF-8."""

from __future__ import annotations

import os


def name_of(path: str | os.PathLike[str]) -> str:
    r"""The path as text. Bytes of a name that are not UTF-8 are written as escapes.

    Examples
    --------
    >>> print(name_of("caf\udce9/Märchen.txt"))
    caf\xe9/Märchen.txt
    """
    return os.fspath(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
