"""What is taken out of the counts with units of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from likely import NaiveBayes
from likely.core.rows import rows_of
from likely.scoring.leave_one_out import removals
from likely.scoring.leave_one_out.kinds import Kinds
from likely.scoring.leave_one_out.removals import Batch, Removals
from likely.scoring.leave_one_out.units import units_of

if TYPE_CHECKING:
    import pytest

TEXTS = ["a b b", "b a b", "c a", "d", "c d"]
GOLD = np.array([0, 1, 1, 0, 1], np.uint32)
TIMES = np.array([1.0, 2.0, 1.0, 1.0, 0.5])
COUNTS = NaiveBayes().fit(TEXTS, GOLD.tolist(), TIMES)._snapshot().counts


def made(groups: list[int] | None, judged: int = 5) -> Removals:
    rows = rows_of(COUNTS, TEXTS)
    units = units_of(rows, GOLD, TIMES, None if groups is None else np.array(groups), 2)
    return Removals(Kinds(COUNTS, None, rows), rows, units, GOLD, TIMES, "count", judged)


def content(batch: Batch, removal: int) -> dict[tuple[str, int], tuple[float, float]]:
    """By term and class: what is taken out of the count and of the documents."""
    terms = COUNTS.native.spell(batch.ids.astype(np.uint32))
    table, (counts, documents) = batch.cells[0], batch.taken_cells
    cells = zip(table.rows.tolist(), batch.owners.tolist(), batch.classes.tolist(), strict=True)
    found = {
        (terms[entry], label): (float(counts[at]), float(documents[at]))
        for at, (entry, owner, label) in enumerate(cells)
        if owner == removal
    }
    return {key: value for key, value in found.items() if value != (0.0, 0.0)}


def test_copies_take_out_what_they_added() -> None:
    found = made(None)
    (batch,) = found.batches()
    place = int(batch.of_units[batch.units.tolist().index(int(found.units.of[0]))])
    assert content(batch, place) == {("a", 0): (1, 1), ("b", 0): (2, 1), ("a", 1): (2, 2), ("b", 1): (4, 2)}
    assert batch.taken[place].tolist() == [1.0, 2.0]


def test_the_units_of_a_group_share_a_removal_unless_a_copy_is_outside() -> None:
    (batch,) = made([7, 8, 7, 9, 9]).batches()
    assert len(batch) == 4  # group 8 has one text; the copies of "a b b" differ between the two units of group 7
    owners = batch.of_units[np.argsort(batch.units)]
    first, second = (int(owners[int(made([7, 8, 7, 9, 9]).units.of[at])]) for at in (0, 2))
    assert content(batch, second) == {("a", 0): (1, 1), ("b", 0): (2, 1), ("a", 1): (1, 1), ("c", 1): (1, 1)}
    assert content(batch, first)["a", 1] == (3, 3)
    assert batch.taken[first].tolist() == [1.0, 3.0]
    assert batch.taken[second].tolist() == [1.0, 1.0]


def test_only_what_is_judged_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removals, "AT_ONCE", 1)
    assert len(list(made([7, 8, 7, 9, 9]).batches())) == 4
    assert len(list(made([7, 8, 7, 9, 9], judged=1).batches())) == 1
