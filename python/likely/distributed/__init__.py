"""Counting and scoring in parts, for any engine that moves Arrow record batches: Spark, Ray, DuckDB, processes.

| module | contents |
| --- | --- |
| `distributed.counting` | `count`: record batches of labelled texts become rows of counts |
| `distributed.building` | `build`: the rows of all parts become a model |
| `distributed.pruning` | rows of counts without rare terms |
| `distributed.sampling` | the sample of a corpus, drawn in parts |
| `distributed.rows` | the columns of rows of counts |
| `distributed.documents` | the documents of record batches, without bad rows |
| `distributed.scoring` | `score`: record batches of texts get columns with predictions |
| `distributed.judging` | `judge`: texts and gold labels become sums |
| `distributed.evaluating` | `evaluation`: the sums become an `Evaluation` |
| `distributed.models` | models that are loaded once per process |
| `distributed.texts`, `distributed.gold` | which texts and labels of a record batch cannot be read, and why |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.lazy_names import loaded_on_use

if TYPE_CHECKING:
    from likely.distributed.building import build
    from likely.distributed.counting import count
    from likely.distributed.evaluating import evaluation
    from likely.distributed.judging import judge
    from likely.distributed.scoring import score

__all__ = ["build", "count", "evaluation", "judge", "score"]

_HOMES = {
    "build": "building",
    "count": "counting",
    "evaluation": "evaluating",
    "judge": "judging",
    "score": "scoring",
}
"""Where each public name is defined. It is loaded on first use: a worker that only scores need not load the rest."""

__getattr__, __dir__ = loaded_on_use(__name__, _HOMES)
