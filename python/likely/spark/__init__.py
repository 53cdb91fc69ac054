"""`likely` on Spark: a model is trained, applied, evaluated and changed where the data lies.

| module | contents |
| --- | --- |
| `spark.session` | `start_session`: a session of Spark, whose local workers run the Python of the driver |
| `spark.mapping` | `mapped`: the one place where ``mapInArrow`` is called |
| `spark.frame` | `Frame`: what workers make of a DataFrame: counts and samples |
| `spark.transfer` | record batches from workers to the driver |
| `spark.training` | `train`: a DataFrame of labelled texts becomes a model |
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.spark.session import start_session
    from likely.spark.training import train

__all__ = [
    "start_session",
    "train",
]

_HOMES = {
    "start_session": "session",
    "train": "training",
}
"""Where each public name is defined. It is loaded on first use, and pyspark with it."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"likely.spark.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
