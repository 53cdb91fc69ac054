"""Counting and scoring in parts, for any engine that moves Arrow record batches: Spark, Ray, DuckDB, processes.

| module | contents |
| --- | --- |
| `distributed.counting` | `count`: record batches of labelled texts become rows of counts |
| `distributed.building` | `build`: the summed rows become a model |
| `distributed.scoring` | `score`: record batches of texts get columns with predictions |
| `distributed.judging`, `distributed.evaluating` | `judge`, `evaluation`: gold labels and predictions become sums, and these an `Evaluation` |
| `distributed.models` | models that are loaded once per process |
| `distributed.texts`, `distributed.gold` | which texts and labels of a record batch cannot be read, and why |
"""

from __future__ import annotations

from importlib import import_module

__all__: list[str] = ["evaluation", "judge", "score"]

_HOMES: dict[str, str] = {"evaluation": "evaluating", "judge": "judging", "score": "scoring"}
"""Where each public name is defined. It is loaded on first use: a worker that only scores need not load the rest."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'likely.distributed' has no attribute {name!r}")
    value: object = getattr(import_module(f"likely.distributed.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
