"""The tables of `docs/guide/reading.md` are true: each source is read as its row says, with this message."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from likely.errors import LikelyError
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus

from tests.unit.reading.conftest import as_xlsx

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "reading.md"
CSV = "text,label\nso good,pos\nso dull,neg\n"
OBJECTS = [{"text": "so good", "label": "pos"}, {"text": "so dull", "label": "neg"}]
JSONL = "".join(json.dumps(row) + "\n" for row in OBJECTS)
TABLE = pa.table({"text": ["so good", "so dull"], "label": ["pos", "neg"]})
SHEET = [["text", "label"], ["so good", "pos"], ["so dull", "neg"]]
CLASSES = {"films/pos/1.txt": "so good", "films/neg/1.txt": "so dull"}


def said(source: object, *, labelled: bool = True, **reading: object) -> str:
    """What is said when a source is read: the summary, the notes and the skipped rows, or the error."""
    corpus = Corpus(source, ReadingOptions(**reading), labelled=labelled)  # type: ignore[arg-type]
    try:
        list(corpus)
    except LikelyError as error:
        return str(error)
    return "\n".join([corpus.summary(), *corpus.remarks.notes, str(corpus.skipped)])


def written(name: str, data: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def of_file(name: str, data: str | bytes, **reading: object) -> Callable[[], str]:
    """A case with one file."""
    return lambda: said(written(name, data), **reading)  # type: ignore[arg-type]


def of_folder(files: dict[str, str]) -> Callable[[], str]:
    """A case with a folder of files."""

    def case() -> str:
        Path("films").mkdir()
        for name, text in files.items():
            written(name, text)
        return said("films")

    return case


def zipped(files: dict[str, str | bytes]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return sink.getvalue()


def table_as(write: Callable[..., object]) -> bytes:
    sink = io.BytesIO()
    write(TABLE, sink)
    return sink.getvalue()


def from_standard_input() -> str:
    command = [sys.executable, "-m", "likely.cli", "train", "-", "-o", "m.likely"]
    return subprocess.run(command, input=CSV, capture_output=True, text=True, check=True).stderr


def encrypted() -> bytes:
    """An archive whose only file is marked as encrypted, in its header and in the directory."""
    data = bytearray(zipped({"a.csv": CSV}))
    data[6] |= 1
    data[bytes(data).rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


CASES: dict[str, Callable[[], str]] = {
    "a CSV file": of_file("a.csv", CSV.replace("text,label", "review,sentiment")),
    "a CSV file that starts with `sep=;`": of_file("a.csv", "sep=;\r\n" + CSV.replace(",", ";")),
    "a compressed file, `.csv.gz`": of_file("a.csv.gz", gzip.compress(CSV.encode())),
    "a file without a suffix, or with an unknown one": of_file("a", CSV.replace(",", "\t")),
    "JSON Lines": of_file("a.jsonl", JSONL),
    "a JSON array": of_file("a.json", json.dumps(OBJECTS)),
    'a JSON object such as `{"data": [...]}`': of_file("a.json", json.dumps({"data": OBJECTS})),
    "Parquet": of_file("a.parquet", table_as(pq.write_table)),
    "Arrow, Feather": of_file("a.feather", table_as(pyarrow.feather.write_feather)),
    "an Excel workbook (`.xlsx`, `.xls`; `pip install 'likely[excel]'`)": of_file("a.xlsx", as_xlsx({"Data": SHEET})),
    "a workbook with several sheets": of_file("a.xlsx", as_xlsx({"Data": SHEET, "More": SHEET})),
    "a zip archive of tables": of_file("a.zip", zipped({"a.csv": CSV, "b.jsonl": JSONL})),
    "a zip archive of class folders": of_file("a.zip", zipped(dict(CLASSES))),
    "a folder of tables, a glob, several files": of_folder({"films/a.csv": CSV, "films/b.jsonl": JSONL}),
    "other files next to the tables of a folder or archive": of_folder({"films/a.csv": CSV, "films/README": "x"}),
    "a folder with one sub-folder per class": of_folder(CLASSES),
    "files next to the class folders": of_folder(CLASSES | {"films/README": "about them"}),
    "a folder that contains `train` and `test`": of_folder(
        {f"films/{part}/{label}/1.txt": "so so" for part in ("train", "test") for label in ("pos", "neg")}
    ),
    "a folder with training and test tables, such as `train.csv` and `test.csv`": of_folder(
        {"films/train.csv": CSV, "films/test.csv": CSV}
    ),
    "an mbox": of_file("spam.mbox", "From a@b Mon Jan  1 00:00:00 2026\nFrom: a@b\nSubject: x\n\nso good\n"),
    "fastText lines": of_file("a.txt", "__label__pos so good\n__label__neg so dull\n"),
    "plain text, to predict": lambda: said(written("a.txt", "so good\nso dull\n"), labelled=False),
    "standard input (`-`)": from_standard_input,
    "a query (`--sql`)": lambda: said(None, sql=f"select * from '{written('a.csv', CSV)}'"),
    "a DataFrame, in Python": lambda: said(pd.DataFrame(OBJECTS)),
    "a column of weights (`--weight`), one of groups (`--group`)": of_file(
        "a.csv", "text,label,stars,author\nso good,pos,5,ann\nso dull,neg,0.5,bob\n", weight="stars", group="author"
    ),
    "a file that is not UTF-8": of_file(
        "a.csv", ("text,label\n" + "café crème,pos\nà côté,neg\n" * 20).encode("cp1252")
    ),
    "some rows cannot be read": of_file("a.csv", "text,label\na,x\nb,\nc,y\n"),
    "a weight that cannot be read": of_file("a.csv", "text,label,w\na,x,1\nb,y,-1\nc,y,1\n", weight="w"),
    "no such file": lambda: said("none.csv"),
    "an empty file": of_file("a.csv", ""),
    "the column is not clear": of_file("a.csv", "text,a,b\nso good,1,2\n"),
    "no such column": of_file("a.csv", CSV, text="body"),
    "weights or groups for data without columns": of_file(
        "a.txt", "__label__pos so good\n__label__neg so dull\n", weight="stars"
    ),
    "a first row that may be data": of_file("a.csv", "so fun,pos\nso dull,neg\nso good,pos\n"),
    "two columns with the same name": of_file("a.csv", "text,text\na,b\n"),
    "plain text without labels, to train on": of_file("a.txt", "so good\nso dull\n"),
    "a JSON array that is cut off": of_file("a.json", json.dumps(OBJECTS)[:-1]),
    "a compressed file that is cut off": of_file("a.csv.gz", gzip.compress(CSV.encode())[:-9]),
    "a compression that is not read": of_file("a.csv.xz", lzma.compress(CSV.encode())),
    "a file that is not text": of_file("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(100)),
    "an encrypted zip archive": of_file("a.zip", encrypted()),
    "an archive in an archive": of_file("a.zip", zipped({"b.zip": zipped({"a.csv": CSV})})),
    "no such sheet": of_file("a.xlsx", as_xlsx({"Data": SHEET}), sheet="Dta"),
    "a Word document": of_file("a.docx", zipped({"word/document.xml": "<document/>"})),
    "a database without a query": of_file("a.db", b"SQLite format 3\0" + bytes(100)),
    "an empty folder": of_folder({}),
    "a folder without classes": of_folder({"films/1.txt": "so good"}),
    "a folder with tables and folders": of_folder(CLASSES | {"films/a.csv": CSV}),
}
"""A source for each row of the tables."""


def rows() -> dict[str, str]:
    """The first cell of each row of the tables, and the message, which is the code in its last cell."""
    cells = [
        re.split(r" \| ", line.strip("| "))
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line[:2] == "| "
    ]
    return {row[0]: row[-1].strip("`") for row in cells if not row[0].startswith("---") and row[-1] != "message"}


def test_every_row_has_a_case() -> None:
    assert list(rows()) == list(CASES), f"not both in {PAGE.name} and CASES: {set(rows()) ^ set(CASES)}"


@pytest.mark.parametrize("row", CASES)
def test_what_is_said_is_said(row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert rows()[row] in CASES[row]()
