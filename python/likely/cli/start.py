"""Starting fast: what the command line need not wait for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.model.naive_bayes import NaiveBayes


def load_model(path: str) -> NaiveBayes:
    """The model of a file."""
    spare_pandas()
    from likely.model.naive_bayes import load

    return load(path)


def spare_pandas() -> None:
    """Let pyarrow believe that there is no pandas.

    If pandas is installed pyarrow imports it when it makes its first array, to see whether it was given an object of
    it. That takes longer than all the rest, and a command has no such object. pyarrow looks only once.
    """
    import pyarrow as pa

    sys.meta_path.insert(0, _NoPandas)
    try:
        pa.array([])
    finally:
        sys.meta_path.remove(_NoPandas)


class _NoPandas:
    """Finds every module but pandas where it was found before."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        del path, target
        if name == "pandas":
            raise ImportError(name)
