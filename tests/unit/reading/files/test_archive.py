"""Zip archives: with one file, with many, with class folders; and what is refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from likely.errors import SourceError
from likely.reading import records
from likely.reading.corpus import Corpus
from likely.reading.opening import kind_of_zip

from tests.unit.reading.conftest import ROWS, as_csv, as_jsonl, as_parquet, as_xlsx, rows_of


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return path


@pytest.mark.parametrize("name", ["a.csv", "deep/er/a.csv", "a", "a.dat"])
def test_an_archive_of_one_file(tmp_path: Path, name: str) -> None:
    extra = {"__MACOSX/._a.csv": b"\0", ".DS_Store": b"\0", "__MACOSX/deep/x": b"\0"}
    path = zipped(tmp_path / "a.zip", {name: as_csv(ROWS), **extra})
    assert rows_of(path) == ROWS
    assert rows_of(path.rename(tmp_path / "no_suffix")) == ROWS


def test_an_archive_of_many_tables(tmp_path: Path) -> None:
    files = {
        "d/1.csv": as_csv(ROWS[:1]),
        "d/2.jsonl": as_jsonl(ROWS[1:3]),
        "d/3.parquet": as_parquet(ROWS[3:]),
        "d/4.xlsx": as_xlsx({"Data": [["text", "label"], ["a", "x"]]}),
        "d/README": b"not a table",
    }
    path = zipped(tmp_path / "a.zip", files)
    assert rows_of(path) == [*ROWS, ("a", "x")]
    (tmp_path / "b.csv").write_bytes(as_csv(ROWS[:2]))
    assert rows_of(tmp_path) == [*ROWS, ("a", "x"), *ROWS[:2]]


@pytest.mark.parametrize("root", ["", "corpus/"])
def test_an_archive_of_class_folders_is_read_like_a_folder(tmp_path: Path, root: str) -> None:
    names = ["ham/1.txt", "ham/deep/2.txt", "spam/1.txt", "box/cur/1", "box/new/2"]
    path = zipped(tmp_path / "a.zip", {f"{root}{name}": name.encode() for name in names} | {f"{root}.x": b""})
    with zipfile.ZipFile(path) as made:
        made.extractall(tmp_path / "folder")
    assert rows_of(path) == rows_of(tmp_path / "folder" / root)
    assert len(rows_of(path)) == 5
    assert rows_of(path, labelled=False) == [(text, None) for text, _ in rows_of(path)]


def test_one_class_folder_stays_a_class(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"spam/1.txt": b"a", "spam/2.txt": b"b"})
    assert rows_of(path) == [("a", "spam"), ("b", "spam")]


def test_parts_to_train_and_test_on(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {f"{part}/pos/1.txt": part.encode() for part in ("train", "test")})
    corpus = Corpus(path)
    assert sum(len(batch.texts) for batch in corpus) == 1
    assert corpus.remarks.notes == [f"{path} contains train and test: train is read, test is not"]


def test_rows_are_named_with_the_archive(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"b.csv": b"text,label\na,x\nb,\n"})
    corpus = Corpus(path)
    list(corpus)
    assert corpus.skipped.first == [f"{path}/b.csv row 2 (line 3): no label"]


def test_an_archive_is_told_from_a_workbook_by_its_content(tmp_path: Path) -> None:
    assert kind_of_zip(zipped(tmp_path / "a.xlsx", {"a.csv": b"x"})) == "zip"
    (tmp_path / "b.zip").write_bytes(as_xlsx({"Data": [["text"]]}))
    assert kind_of_zip(tmp_path / "b.zip") == "excel"
    (tmp_path / "c").write_bytes(b"PK\x03")
    assert kind_of_zip(tmp_path / "c") is None
    assert kind_of_zip(tmp_path / "none") is None
    with pytest.raises(SourceError, match=r"d\.docx is a Word document: save its rows as \.xlsx or \.csv"):
        kind_of_zip(zipped(tmp_path / "d.docx", {"word/document.xml": b""}))


def test_what_is_refused(tmp_path: Path) -> None:
    plain = zipped(tmp_path / "a.zip", {"a.csv": as_csv(ROWS)}).read_bytes()
    with pytest.raises(SourceError, match=r"b\.zip/a\.zip is an archive inside an archive: unpack the outer one"):
        rows_of(zipped(tmp_path / "b.zip", {"a.zip": plain}))
    with pytest.raises(SourceError, match="an archive without files"):
        rows_of(zipped(tmp_path / "c.zip", {"__MACOSX/a": b"", ".hidden": b""}))
    # Bit 0 of the flags says that a file is encrypted, in its header and in the directory.
    secret = bytearray(plain)
    secret[6] |= 1
    secret[plain.rindex(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "d.zip").write_bytes(secret)
    with pytest.raises(SourceError, match=r"d\.zip/a\.csv is encrypted: unpack it with its password first"):
        rows_of(tmp_path / "d.zip")
    damaged = bytearray(plain)
    damaged[60] ^= 255
    (tmp_path / "e.zip").write_bytes(damaged)
    with pytest.raises(SourceError, match=r"e\.zip/a\.csv: cannot be read to the end: Bad CRC-32"):
        rows_of(tmp_path / "e.zip")
    (tmp_path / "f.zip").write_bytes(plain[:-10])
    with pytest.raises(SourceError, match=r"f\.zip: cannot be read as a zip archive"):
        rows_of(tmp_path / "f.zip")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damage_is_a_named_error_however_files_are_compressed(tmp_path: Path, method: int) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("a.csv", "text,label\n" + "".join(f"{n * n} {n},x\n" for n in range(20_000)))
    damaged = bytearray(path.read_bytes())
    damaged[2000] ^= 255
    path.write_bytes(damaged)
    with pytest.raises(SourceError, match=r"a\.zip/a\.csv: cannot be read to the end"):
        rows_of(path)


def test_folders_that_are_nested_without_end_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("d/" * 30_000 + "a.csv", "text,label\na,x\nb,y\n")
    with pytest.raises(SourceError, match=r"a\.zip: its folders are nested more than 100 levels deep"):
        rows_of(tmp_path / "a.zip")


def test_a_large_archive_in_an_archive_is_not_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "LARGEST_WORKBOOK", 1 << 10)
    path = zipped(tmp_path / "a.zip", {"b.zip": b"PK\x03\x04" + bytes(2 << 10)})
    with pytest.raises(SourceError, match=r"a\.zip/b\.zip is larger than 0 MB: unpack the archive"):
        rows_of(path)


def test_names_that_lead_elsewhere_stay_in_the_archive(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_bytes(as_csv(ROWS))
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as made:
        made.writestr("../secret.csv", b"text,label\na,x\n")
        made.writestr("/etc/passwd.csv", b"text,label\nb,y\n")
    (tmp_path / "a.zip").write_bytes(sink.getvalue())
    assert rows_of(tmp_path / "a.zip") == [("b", "y")]
