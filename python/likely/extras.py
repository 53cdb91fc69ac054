"""Libraries that the base install leaves out. They are imported when needed, or the error names the extra."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from likely.errors import MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType

EXTRAS = {
    "pyarrow": "likely[arrow]",
    "pyarrow.compute": "likely[arrow]",
    "pyarrow.parquet": "likely[arrow]",
    "duckdb": "likely[sql]",
    "python_calamine": "likely[excel]",
}
"""The package with the extra that installs each library."""


def extra(module: str, purpose: str) -> ModuleType:
    """The module of a library that may be missing; ``purpose`` is what it is needed for, as the start of a sentence.

    Examples
    --------
    >>> extra("pyarrow", "Reading Parquet").__name__
    'pyarrow'
    """
    try:
        return import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        raise MissingExtraError(
            f"{purpose} needs {library}, which is not installed: `pip install '{EXTRAS[module]}'`"
        ) from error
