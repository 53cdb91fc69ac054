"""Counting and scoring in parts, for any engine that moves Arrow record batches: Spark, Ray, DuckDB, processes.

| module | contents |
| --- | --- |
| `distributed.counting` | `count`: record batches of labelled texts become rows of counts |
| `distributed.building` | `build`: the summed rows become a model |
| `distributed.scoring` | `score`: record batches of texts get columns with predictions |
| `distributed.models` | models that are loaded once per process |
| `distributed.texts` | which texts of a record batch cannot be read, and why |
"""

from __future__ import annotations

from importlib import import_module

__all__: list[str] = ["score"]

_HOMES: dict[str, str] = {"score": "scoring"}
"""Where each public name is defined. It is loaded on first use: a worker that only scores need not load the rest."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'likely.distributed' has no attribute {name!r}")
    value: object = getattr(import_module(f"likely.distributed.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
