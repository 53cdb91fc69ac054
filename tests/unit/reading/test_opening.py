"""Which reader reads a file or a folder."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely.errors import SourceError
from likely.options.reading import ReadingOptions
from likely.reading.batch import Chosen, Skipped
from likely.reading.corpus import Corpus
from likely.reading.opening import Opening

from .conftest import as_xlsx


def opened(path: Path, reading: ReadingOptions | None = None, *, labelled: bool = True) -> list[tuple[str, int]]:
    """The format of each reader, and its number of rows."""
    found = []
    for reader in Opening(reading or ReadingOptions(), Skipped(), labelled, prompt=False).readers(path):
        chosen = Chosen(reader.columns[0], reader.columns[-1] if labelled else None)
        found.append((reader.format, sum(len(batch.texts) for batch in reader.batches(chosen, whole=False))))
        reader.close()
    return found


@pytest.mark.parametrize("name", ["a.csv", "a", "a.data"])
def test_the_name_or_the_content_tells_the_format(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("text,label\na,x\nb,y\n")
    assert opened(tmp_path / name) == [("csv", 2)]


def test_a_format_that_is_given_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\na,x\n")
    assert opened(tmp_path / "a.csv", ReadingOptions(format="lines"), labelled=False) == [("lines", 2)]


@pytest.mark.parametrize("packed", [False, True])
def test_binary_files_may_be_compressed(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["a", "b"], "label": ["x", "y"]}), path)
    if packed:
        data, path = path.read_bytes(), tmp_path / "b.parquet.gz"
        path.write_bytes(gzip.compress(data))
    assert opened(path) == [("parquet", 2)]


def test_a_folder_of_tables_is_read_file_by_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\na,x\n")
    (tmp_path / "b.jsonl").write_text('{"text": "b", "label": "y"}\n' * 3)
    assert opened(tmp_path) == [("csv", 1), ("jsonl", 3)]


def test_a_folder_of_classes_is_one_source(tmp_path: Path) -> None:
    for name in ("spam", "ham"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.txt").write_text("text")
    assert opened(tmp_path) == [("folder", 2)]


def test_what_is_not_read_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("[1, 2]")
    with pytest.raises(SourceError, match="its first elements are not JSON objects"):
        opened(tmp_path / "a.jsonl")
    (tmp_path / "a.db").write_bytes(b"SQLite format 3\0" + bytes(100))
    with pytest.raises(SourceError, match="is a database: give a query with sql"):
        opened(tmp_path / "a.db")


def test_what_is_not_text_is_not_read_as_text(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)))
    with pytest.raises(SourceError, match=r"photo\.png is not text, and its format is not known"):
        opened(tmp_path / "photo.png", labelled=False)
    (tmp_path / "a.zip.gz").write_bytes(gzip.compress(b"PK\x03\x04" + bytes(100)))
    with pytest.raises(SourceError, match=r"a\.zip\.gz is compressed as zip: unpack it"):
        opened(tmp_path / "a.zip.gz", labelled=False)


def test_options_that_do_not_fit_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\na,x\n")
    (tmp_path / "a.xlsx").write_bytes(as_xlsx({"reviews": [["text", "label"], ["a", "x"]]}))
    with pytest.raises(SourceError, match=r"a\.csv is not an Excel workbook: leave out sheet"):
        opened(tmp_path / "a.csv", ReadingOptions(sheet="reviews"))
    with pytest.raises(SourceError, match=r"a\.xlsx is an Excel workbook, not CSV: leave out format"):
        opened(tmp_path / "a.xlsx", ReadingOptions(format="csv"))
    assert opened(tmp_path / "a.xlsx", ReadingOptions(format="excel")) == [("excel", 1)]


def test_an_encoding_that_has_no_effect_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_text("From a@b Mon Jan 1 00:00:00 2024\nSubject: hello\n\nworld\n")
    corpus = Corpus(tmp_path / "a.mbox", ReadingOptions(encoding="cp1252"), labelled=False)
    assert [text for batch in corpus for text in batch.texts.to_pylist()] == ["hello\nworld"]
    assert corpus.notes() == [f"{tmp_path / 'a.mbox'} is not plain text: encoding (--encoding) has no effect on it"]
