"""What a selection tells, and the file with the weight of every document."""

from __future__ import annotations

import json
from pathlib import Path

from likely.batch.select import select


def test_it_is_told_in_words_and_as_data(target: Path, raw: list[Path]) -> None:
    selection = select(target, raw, 8, min_words=13, seed=5)
    text = str(selection)
    assert f"Selected 8 documents of {selection.candidates}: a sample (seed 5)." in text
    assert f"{selection.short} documents with fewer than 13 words left out." in text
    document = json.loads(json.dumps(selection.to_dict()))
    assert sum(each["chosen"] for each in document["files"]) == document["chosen"] == len(selection) == 8
    assert document["rows"] == document["candidates"] + document["short"] + document["skipped"] == 60
    assert all(len(line) <= 80 for line in text.splitlines())


def test_fewer_than_asked_for(target: Path, raw: list[Path]) -> None:
    selection = select(target, raw, 1000, min_words=5, best=True)
    assert len(selection) == 60
    assert "There are fewer than the 1,000 that were asked for." in str(selection)
    assert selection.to_dict()["seed"] is None
