"""The list of rows that were skipped."""

from __future__ import annotations

import pytest
from likely.errors import SourceError
from likely.reading.batch import NAMED, Skipped


def test_all_skipped_rows_are_counted_and_the_first_are_named() -> None:
    skipped = Skipped()
    for line in range(1, NAMED + 3):
        skipped.add("a.csv", line * 1000, "no label")
    assert skipped.count == NAMED + 2
    assert str(skipped).startswith("7 rows skipped: a.csv row 1,000: no label; a.csv row 2,000: no label")
    assert str(skipped).endswith("row 5,000: no label; and 2 more")
    one = Skipped()
    one.add("a.csv", 3, "no text", line=4, label="x")
    assert str(one) == "1 row skipped: a.csv row 3 (line 4): no text"
    assert one.labels == {"x": 1}
    whole = Skipped(what="unanswered")
    whole.add("box/1.txt", None, "not valid UTF-8")
    assert str(whole) == "1 row unanswered: box/1.txt: not valid UTF-8"


def test_a_strict_reading_ends_at_the_first() -> None:
    with pytest.raises(SourceError, match=r"a\.csv row 6 \(line 7\): no label\. Correct it"):
        Skipped(strict=True).add("a.csv", 6, "no label", line=7)
