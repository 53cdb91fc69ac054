"""Excel workbooks: which sheet, which columns, which values."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from likely.errors import SourceError
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus

from tests.unit.reading.conftest import as_xlsx, rows_of

HEADER: list[Any] = ["text", "label"]
LONG: list[list[Any]] = [["so good", "pos"], ["so \n“dull” <&>", "neg"], ["可愛い 映画 👍", "pos"]]


def workbook(folder: Path, name: str = "a.xlsx", **sheets: list[list[Any]]) -> Path:
    path = folder / name
    path.write_bytes(as_xlsx(sheets))
    return path


def test_rows_of_a_sheet(tmp_path: Path) -> None:
    rows = [(text, label) for text, label in LONG]
    assert rows_of(workbook(tmp_path, Data=[HEADER, *LONG])) == rows
    assert rows_of(workbook(tmp_path, "no_suffix", Data=[HEADER, *LONG])) == rows
    assert rows_of(workbook(tmp_path, Data=LONG), header=False, text="1", label="2") == rows
    corpus = Corpus(workbook(tmp_path, Data=[HEADER, *LONG]))
    assert sum(len(batch.texts) for batch in corpus) == 3
    assert corpus.summary() == "read as Excel, text=text, label=label, 3 rows"


def test_labels_that_are_whole_numbers_are_numbers_and_texts_are_texts(tmp_path: Path) -> None:
    rows: list[list[Any]] = [[10, 5], [dt.date(2026, 1, 2), 1], [True, 5], [2.5, 1]]
    assert rows_of(workbook(tmp_path, Data=[HEADER, *rows])) == [
        ("10", 5),
        ("2026-01-02", 1),
        ("TRUE", 5),
        ("2.5", 1),
    ]
    labels: list[list[Any]] = [["a", dt.date(2026, 1, 2)], ["b", True]]
    assert rows_of(workbook(tmp_path, Data=[HEADER, *labels])) == [("a", "2026-01-02"), ("b", "TRUE")]


def test_empty_cells_are_missing_and_empty_rows_are_not_rows(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        [],
        [],
        ["text", "label"],
        ["a", "x"],
        [],
        ["b", None],
        [None, "y"],
        ["c", 1.5],
        ["d", "x"],
    ]
    corpus = Corpus(workbook(tmp_path, Data=rows))
    assert sum(len(batch.texts) for batch in corpus) >= 2
    assert [told.split(" ", 1)[1] for told in corpus.skipped.first] == [
        "row 2 (line 6): no label",
        "row 3 (line 7): no text",
        "row 4 (line 8): text or label of the wrong type",
    ]


def test_the_first_sheet_that_has_rows_is_read_and_the_others_are_named(tmp_path: Path) -> None:
    path = workbook(tmp_path, Empty=[], Data=[HEADER, *LONG], More=[HEADER, ["x", "y"]])
    corpus = Corpus(path)
    assert sum(len(batch.texts) for batch in corpus) == 3
    assert corpus.remarks.notes == [
        f"{path}: the sheet Data is read, others are not (More): name one with sheet=... (--sheet)"
    ]
    corpus = Corpus(path, ReadingOptions(sheet="More"))
    assert [label for batch in corpus for label in batch.labels or []] == ["y"]
    assert corpus.remarks.notes == []
    with pytest.raises(SourceError, match=r"no sheet 'Mroe'\. The sheets are Empty, Data, More"):
        rows_of(path, sheet="Mroe")
    with pytest.raises(SourceError, match="no visible sheet has rows"):
        rows_of(workbook(tmp_path, Empty=[], Other=[]))


def test_columns_without_a_name_have_the_letters_of_the_workbook(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["text", None, 7], ["a", "x", "y"], ["b", "z", "w"]]
    assert rows_of(workbook(tmp_path, Data=rows), label="B") == [("a", "x"), ("b", "z")]
    assert rows_of(workbook(tmp_path, Data=rows), label="7") == [("a", "y"), ("b", "w")]
    with pytest.raises(SourceError, match="two columns are called 'text'"):
        rows_of(workbook(tmp_path, Data=[["text", "text"], ["a", "x"]]))
    with pytest.raises(SourceError, match="first row looks like data, because 'pos' occurs again"):
        rows_of(workbook(tmp_path, Data=LONG))


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = workbook(tmp_path, Data=[HEADER, *LONG])
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(SourceError, match=r"a\.xlsx"):
        rows_of(path)
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4000))
    with pytest.raises(SourceError, match=r"a\.xlsx: cannot be read as a workbook"):
        rows_of(path)


def test_a_table_of_a_workbook_has_one_type_per_column(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["text", "n", "m"], ["a", 1, 1], ["b", "x", 2], ["c", None, 3.5]]
    (batch,) = Corpus(workbook(tmp_path, Data=rows), labelled=False, whole=True)
    assert batch.table() == {"text": ["a", "b", "c"], "n": ["1", "x", None], "m": [1, 2, 3.5]}
