"""Models that are loaded once per process, however many batches or tasks it works on."""

from __future__ import annotations

import os
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from likely.errors import OptionError
from likely.naive_bayes import NaiveBayes, load

if TYPE_CHECKING:
    from likely.types import Path

MOST_MODELS = 4
"""At most this many models stay loaded: those that were used last."""

_LOADED: OrderedDict[tuple[str, int, int], NaiveBayes] = OrderedDict()
_LOCK = Lock()


def loaded(model: NaiveBayes | Path) -> NaiveBayes:
    """The model of a file, which is loaded when it is first asked for or has changed; a model is returned as it is.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = NaiveBayes().fit(["good", "bad"], ["+", "-"]).save(f"{folder}/a.likely")
    ...     loaded(f"{folder}/a.likely") is loaded(f"{folder}/a.likely")
    True
    """
    if isinstance(model, NaiveBayes):
        return model
    if not isinstance(model, str | os.PathLike):
        raise OptionError(f"the model is of type {type(model).__name__}: give a NaiveBayes, or the path of its file")
    path = os.path.realpath(model)
    with _LOCK:
        key = _key(path)
        found = _LOADED.pop(key, None) or load(path)
        _LOADED[key] = found
        while len(_LOADED) > MOST_MODELS:
            _LOADED.popitem(last=False)
        return found


def _key(path: str) -> tuple[str, int, int]:
    """What another file at the same path would change."""
    try:
        status = os.stat(path)
    except OSError:  # `load` says what is wrong
        return path, 0, 0
    return path, status.st_size, status.st_mtime_ns
