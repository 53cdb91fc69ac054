"""Libraries that the base install leaves out. They are imported when needed, or the error names the extra."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from likely.errors import MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType

EXTRAS = {
    "pyarrow": "likely[arrow]",
    "duckdb": "likely[sql]",
    "python_calamine": "likely[excel]",
    "matplotlib": "likely[plot]",
    "psycopg": "likely[postgres]",
    "msgspec": "likely[server]",
    "prometheus_client": "likely[server]",
    "starlette": "likely[server]",
    "uvicorn": "likely[server]",
    "httpx": "likely[client]",
    "pyspark": "likely[spark]",
}
"""The package with the extra that installs each library."""


_UNWANTED: set[str] = set()


def extra(module: str, purpose: str) -> ModuleType:
    """The module of a library that may be missing; ``purpose`` is what it is needed for, as the start of a sentence.

    Examples
    --------
    >>> extra("pyarrow", "Reading Parquet").__name__
    'pyarrow'
    """
    library = module.partition(".")[0]
    try:
        if library == "pyarrow" and _UNWANTED:
            _start_pyarrow()
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{purpose} needs {library}, which is not installed: `pip install '{EXTRAS[library]}'`"
        ) from error


def spare_pandas() -> None:
    """Keep pyarrow from importing pandas, in a process that has no pandas objects.

    If pandas is installed, pyarrow imports it when it makes its first array, to find out whether the data is a pandas
    object. The import takes longer than everything else. pyarrow tries only once.
    """
    _UNWANTED.add("pandas")


def _start_pyarrow() -> None:
    """Make the first array, while modules that are not wanted cannot be imported."""
    sys.meta_path.insert(0, _Unwanted)
    try:
        import_module("pyarrow").array([])
    finally:
        sys.meta_path.remove(_Unwanted)
        _UNWANTED.clear()


class _Unwanted:
    """A finder of modules that fails for those that are not wanted, and leaves all others to the finders after it."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        del path, target
        if name in _UNWANTED:
            raise ImportError(name)
