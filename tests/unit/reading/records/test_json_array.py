"""JSON arrays: whole files, and arrays within an object; the same rows as in JSON Lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from likely.errors import SourceError
from likely.reading import stream
from likely.reading.corpus import Corpus
from likely.reading.records import has_array

from tests.unit.reading.conftest import ROWS, rows_of

OBJECTS = [{"text": text, "label": label, "more": [{"a": "]}"}]} for text, label in ROWS]


@pytest.mark.parametrize("name", ["a.json", "a", "a.json.gz"])
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("wrapped", [False, True])
def test_the_same_rows_as_in_json_lines(tmp_path: Path, name: str, indent: int | None, wrapped: bool) -> None:
    value = {"n": 5, "ids": [1, 2], "data": OBJECTS, "others": [{"text": "no"}]} if wrapped else OBJECTS
    data = json.dumps(value, indent=indent).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert rows_of(tmp_path / name) == ROWS
    corpus = Corpus(tmp_path / name)
    assert sum(len(batch.texts) for batch in corpus) == len(ROWS)
    assert corpus.summary() == "read as a JSON array, text=text, label=label, 5 rows"


@pytest.mark.parametrize("size", [1, 7, 64])
def test_chunks_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for module in ("stream", "records"):
        monkeypatch.setattr(f"likely.reading.{module}.CHUNK", size)
    monkeypatch.setattr("likely.reading.stream.HEAD", size)
    monkeypatch.setattr(stream, "HEAD", 100)
    (tmp_path / "a.json").write_text(json.dumps(OBJECTS, ensure_ascii=False, indent=2))
    assert rows_of(tmp_path / "a.json") == ROWS


def test_bad_elements_are_rows_with_a_problem(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"text": "a"},\n 5, {"text": 1}, , {"text": "b"}, {"text" "c"}]')
    (batch,) = corpus = Corpus(tmp_path / "a.json", labelled=False)
    assert batch.texts.to_pylist() == ["a", "", "", "", "b", ""]
    assert batch.problems == {
        1: "not a JSON object",
        2: "text or label of the wrong type",
        3: "not a JSON object",
        5: "not a JSON object",
    }
    assert corpus.skipped.first[0] == f"{tmp_path}/a.json row 2: not a JSON object"


@pytest.mark.slow
@pytest.mark.parametrize(
    "data", ['[{"text": "a", "label": "x"}', '[{"text": "a", "label": "x"},', '{"d": [{"text": "a"}']
)
def test_an_array_that_is_cut_off_is_an_error(tmp_path: Path, data: str) -> None:
    (tmp_path / "a.json").write_text(data)
    with pytest.raises(SourceError, match=r"a\.json: cannot be read to the end: its JSON array is not closed"):
        rows_of(tmp_path / "a.json", labelled=False)


def test_an_element_without_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "a.json.gz", "wb", compresslevel=1) as file:
        file.write(b'[{"text": "')
        for _ in range(200):
            file.write(b"a" * (1 << 20))
    with pytest.raises(SourceError, match=r"a\.json\.gz: its first element is longer than 128 MB"):
        rows_of(tmp_path / "a.json.gz", labelled=False)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("[]", "is empty"),
        ("", "is empty"),
        ("[1, 2]", "first elements"),
        ('["a", "b"]', "elements are not JSON objects"),
    ],
)
def test_an_array_without_objects_is_refused(tmp_path: Path, data: str, message: str) -> None:
    (tmp_path / "a.json").write_text(data)
    with pytest.raises(SourceError, match=message):
        rows_of(tmp_path / "a.json")


def test_the_name_may_say_that_an_object_is_a_row(tmp_path: Path) -> None:
    row = '{"id": 1, "spans": [{"a": 1}], "comment": "so good"}'
    assert has_array(row.encode())
    assert not has_array(row.encode(), is_lines=True)
    assert has_array(b'{\n"data": [{"a": 1}]}', is_lines=True)
    assert has_array(b'[{"a": 1}]', is_lines=True)
    (tmp_path / "a.jsonl").write_text(row)
    assert rows_of(tmp_path / "a.jsonl", labelled=False, text="comment") == [("so good", None)]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('[{"a": 1}]', True),
        ('\ufeff\n [\n{"a": 1}', True),
        ('{"data": [{"a": 1}]}', True),
        ('{\n"meta": {"x": [{}]},\n"rows": [\n{"text": "a"}', True),
        ('{"text": "a", "spans": [{"a": 1}]}', False),
        ('{"id": 1, "spans": [{"a": 1}]}\n{"id": 2, "spans": []}\n', False),
        ('{"body": "' + "x" * 1000 + '", "spans": [{"a": 1}', False),
        ('{"text": "a"}\n', False),
        ('{"data": [1, 2]}', False),
        ("", False),
    ],
)
def test_arrays_are_told_from_lines(head: str, found: bool) -> None:
    assert has_array(head.encode()) == found
