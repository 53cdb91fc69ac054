"""Documents without any word, or with only one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.data_check import Finding
from likely.training.check.finding import examples_of, rows_are

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.evaluation.fingerprints import Fingerprints
    from likely.reading.rows import Whole
    from likely.training.check.finding import Place

MANY = 0.05
"""From this share of the rows on, empty documents are serious."""


def wordless_findings(whole: Whole, prints: Fingerprints, place: Place, most: int) -> Iterator[Finding]:
    """The documents that have no word, and those that have only one."""
    empty, single = np.flatnonzero(prints.lengths == 0).tolist(), np.flatnonzero(prints.lengths == 1).tolist()
    total = len(prints)
    if empty:
        says = rows_are(len(empty), total, "has no word", "have no word") + ": the prior alone decides their class."
        fix = "leave them out: " + place.query("SELECT * FROM {data} WHERE regexp_matches({text}, '[\\pL\\pN\\pS]')")
        yield Finding("empty", len(empty) >= MANY * total, len(empty), says, fix, examples_of(whole, empty, most))
    if single:
        says = rows_are(len(single), total, "has only one word", "have only one word") + "."
        fix = f"look whether these texts are complete: likely check {place.quoted} --top {len(single)}"
        yield Finding("one word", False, len(single), says, fix, examples_of(whole, single, most))
