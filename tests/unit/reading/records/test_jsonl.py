"""JSON Lines: names, kinds of values, and lines that are not objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from likely.errors import SourceError
from likely.reading.batch import Chosen, Skipped
from likely.reading.records import JsonReader
from likely.reading.stream import Stream

from tests.unit.reading.conftest import rows_of

Open = Callable[..., JsonReader]


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Open]:
    with ExitStack() as opened:

        def reader(data: str, skipped: Skipped | None = None) -> JsonReader:
            path = tmp_path / "a.jsonl"
            path.write_text(data, encoding="utf-8")
            return JsonReader(opened.enter_context(closing(Stream(path))), skipped or Skipped())

        yield reader


def test_the_columns_are_all_names_of_the_first_rows_in_order(reader: Open) -> None:
    found = reader('\n{"b": 1, "text": "x"}\nnot JSON\n[1]\n{"text": "y", "a": null, "c": {"d": [1, 2]}}\n')
    assert found.columns == ["b", "text", "a", "c"]
    assert found.sample() == {"b": ["1"], "text": ["x", "y"], "a": [], "c": ['{"d": [1, 2]}']}


def test_labels_keep_their_kind_and_rows_are_kept_as_they_are(reader: Open) -> None:
    lines = ['{"text": "a", "label": true}', '{"label": false, "text": "\\u00e9"}']
    (batch,) = reader("\n".join(lines)).batches(Chosen("text", "label"))
    assert batch.texts.to_pylist() == ["a", "é"]
    assert list(batch.labels or []) == [True, False]
    assert [line.decode() for line in batch.lines or []] == lines
    assert batch.table() == {"text": ["a", "é"], "label": [True, False]}


def test_rows_that_cannot_be_used_are_named_by_their_line(reader: Open) -> None:
    skipped = Skipped()
    data = '{"text": "a", "label": "x"}\nbroken\n{"text": "b"}\n{"label": "x"}\n{"text": 3, "label": "x"}\n'
    batches = list(reader(data, skipped).batches(Chosen("text", "label")))
    assert [text for batch in batches for text in batch.texts.to_pylist()] == ["a"]
    assert skipped.count == 4
    assert [first.split("a.jsonl ")[1].split(":")[0] for first in skipped.first] == [
        "row 2 (line 2)",
        "row 3 (line 3)",
        "row 4 (line 4)",
        "row 5 (line 5)",
    ]


def test_what_is_not_json_lines_is_refused(reader: Open) -> None:
    with pytest.raises(SourceError, match="is empty: it has no JSON object"):
        reader("\n")
    for data in ("text\nmore\n", "[]\n", "1\n2\n"):
        with pytest.raises(SourceError, match="its first lines are not JSON objects"):
            reader(data)


def test_rows_that_make_no_table_say_what_to_write_instead(reader: Open) -> None:
    first = '{"text": "a", "x": 1}\n'
    (late,) = reader(first * 300 + '{"text": "b", "new": 1}\n').batches(Chosen("text", None))
    with pytest.raises(SourceError, match=r"a later row has a new field, 'new'.*jsonl"):
        late.table()


def test_a_row_without_a_prediction_stays_in_its_place(reader: Open) -> None:
    (batch,) = reader('{"text": "a"}\nbroken \n{"text": 3, "n": 1}\n{"text": "b"}\n').batches(Chosen("text", None))
    assert batch.texts.to_pylist() == ["a", "", "", "b"]
    assert batch.problems == {1: "not a JSON object", 2: "text or label of the wrong type"}
    assert list(batch.lines or [])[1:3] == [b'{"line": "broken "}', b'{"text": 3, "n": 1}']
    assert batch.table() == {"text": ["a", None, 3, "b"], "n": [None, None, 1, None]}


def test_labels_are_any_whole_number_of_64_bits(tmp_path: Path) -> None:
    least, most = -(2**63), 2**63 - 1
    (tmp_path / "a.jsonl").write_text(f'{{"text": "a", "label": {most}}}\n{{"text": "b", "label": {least}}}\n')
    assert rows_of(tmp_path / "a.jsonl") == [("a", most), ("b", least)]


def test_a_row_may_have_other_fields_that_are_not_json(tmp_path: Path) -> None:
    rows = [
        '{"text": "NaN", "label": "x", "score": NaN}',
        '{"text": "b", "label": "y", "score": [-Infinity, {"deep": Infinity}], "other": "\\ud800"}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(rows))
    assert rows_of(tmp_path / "a.jsonl") == [("NaN", "x"), ("b", "y")]
