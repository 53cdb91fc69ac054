"""The list of rows that were skipped."""

from __future__ import annotations

import pytest
from likely.errors import BadRowsError
from likely.reading.skipped import NAMED, Skipped


def test_all_skipped_rows_are_counted_and_the_first_are_named() -> None:
    skipped = Skipped()
    for line in range(1, NAMED + 3):
        skipped.add("a.csv", line * 1000, "no label")
    assert skipped.count == NAMED + 2
    assert str(skipped).startswith("7 rows skipped: a.csv line 1,000: no label; a.csv line 2,000: no label")
    assert str(skipped).endswith("line 5,000: no label; and 2 more")
    one = Skipped()
    one.add("the frame", 3, "no text", unit="row")
    assert str(one) == "1 row skipped: the frame row 3: no text"


def test_a_strict_reading_ends_at_the_first() -> None:
    with pytest.raises(BadRowsError, match=r"a\.csv line 7: no label\. Correct it"):
        Skipped(strict=True).add("a.csv", 7, "no label")
