"""The record of what was found in labelled texts."""

from __future__ import annotations

import json

from likely.evaluation.check import LONGEST, DataCheck, Finding, examples_of
from likely.reading.rows import Whole

WHOLE = Whole(["a  text\nof two lines", "x" * 1000], ["+", "-"])


def test_examples_are_short_and_on_one_line() -> None:
    first, second = examples_of(WHOLE, [0, 1], 2)
    assert first.text == "a text of two lines"
    assert len(second.text) == LONGEST


def test_it_is_ready_for_json() -> None:
    finding = Finding(
        "copies",
        True,
        2,
        "Two rows are copies.",
        "remove them",
        examples_of(WHOLE, [0], 1, {0: "a note"}.__getitem__),
    )
    other = Finding("empty", False, 1, "One row is empty.", "remove it")
    found = DataCheck(2, {"+": 1, "-": 1}, [finding, other], ["A note."])
    document = json.loads(json.dumps(found.to_dict()))
    assert list(document) == ["rows", "classes", "serious", "findings", "notes"]
    assert document["serious"] == 1
    assert document["classes"][0] == {"class": "+", "rows": 1}
    assert document["findings"][0]["examples"][0]["row"] == 0
    assert found.serious == [finding]
    assert "Two rows are copies." in str(found)
