"""Reports: the seconds for 25,000 documents, and the size of the page of a model with 52 classes."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import likely

from benchmarks import tasks
from benchmarks.measure import Claim, in_fresh_process, show

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 10
DOCUMENTS = 25_000
"""A report of this many documents takes at most `SECONDS`."""
MEGABYTES = 2


def claims() -> Iterator[Claim]:
    """The model is trained by `likely.train`, saved, and loaded again, as a user would do."""
    if not os.environ.get("LIKELY_DATA"):
        return
    for name in ("imdb", "reuters_r52"):
        figures = in_fresh_process("benchmarks.report", name)
        documents, classes, seconds = (figures[key] for key in ("documents", "classes", "seconds"))
        detail = f"{documents:,.0f} documents, {classes:.0f} classes, {seconds:.1f} s"
        yield Claim(f"report: {name}, MB", figures["bytes"] / 1e6, MEGABYTES, detail, at_most=True)
        if documents >= DOCUMENTS:
            yield Claim(f"report: {name}, s", seconds, SECONDS, detail, at_most=True)


def measured(name: str) -> dict[str, float]:
    """The seconds of one report, with loading the model, and its size."""
    texts, labels = tasks.read(name, "test")
    with tempfile.TemporaryDirectory() as folder:
        likely.train(*tasks.training(name)).save(f"{folder}/model.likely")
        begun = time.perf_counter()
        model = likely.load(f"{folder}/model.likely")
        model.report(f"{folder}/report.html", texts, labels, date="2026-11-16")
        seconds = time.perf_counter() - begun
        size = Path(folder, "report.html").stat().st_size
    return {"seconds": seconds, "bytes": size, "documents": len(texts), "classes": len(model.classes_)}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measured(sys.argv[1])))
    else:
        show(claims())
