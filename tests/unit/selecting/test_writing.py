"""Chosen rows are written byte for byte, in the format and the compression of their files, or not at all."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from likely.batch.select import select
from likely.errors import SourceError

from .conftest import FILM, MARKET

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}
DECOMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}
MODEL: dict[str, Any] = {"min_words": 3, "best": True}


@pytest.mark.parametrize("suffix", COMPRESS)
def test_rows_are_as_they_were(suffix: str, target: Path, tmp_path: Path) -> None:
    lines = [
        f'{{"text":   "{FILM}", "n": 1.50, "o": "\\u00e9"}}'.encode(),
        f'{{"text": "{MARKET}"}}\r'.encode(),
        f'  {{"o": [NaN], "text": "{FILM}"}} '.encode(),
        b"not json",
        f'{{"text": "{FILM} ü"}}'.encode(),
    ]
    raw = tmp_path / f"raw.jsonl{suffix}"
    raw.write_bytes(COMPRESS[suffix](b"\n".join(lines)))
    written = select(target, raw, 3, output=tmp_path / "out", **MODEL).written
    assert written == [str(tmp_path / "out" / raw.name)]
    found = DECOMPRESS[suffix](Path(written[0]).read_bytes())
    assert found == b"\n".join([lines[0], lines[2], lines[4], b""])


def test_line_ends_of_windows_stay(target: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw.csv"
    raw.write_bytes(f'id,text\r\n1,"{FILM}\n""so"""\r\n2,{MARKET}\r\n3,{FILM}\r\n'.encode())
    select(target, raw, 2, output=tmp_path / "out.csv", **MODEL)
    assert (tmp_path / "out.csv").read_bytes() == f'id,text\r\n1,"{FILM}\n""so"""\r\n3,{FILM}\r\n'.encode()


def test_another_encoding_stays(target: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw.csv"
    raw.write_bytes(f"id;text\n1;{FILM} é\n2;{MARKET} é\n".encode("cp1252"))
    select(target, raw, 1, output=tmp_path / "out", encoding="cp1252", best=True, min_words=3)
    assert (tmp_path / "out" / "raw.csv").read_bytes() == f"id;text\n1;{FILM} é\n".encode("cp1252")


def test_parquet_keeps_its_schema(target: Path, tmp_path: Path) -> None:
    table = pa.table(
        {
            "text": pa.array([FILM, MARKET, None, FILM], pa.large_string()),
            "n": pa.array([1, 2, 3, 4], pa.int16()),
            "more": [{"a": [1]}, None, None, {"a": []}],
        }
    )
    table = table.replace_schema_metadata({"made by": "somebody"})
    pq.write_table(table, tmp_path / "raw.parquet", row_group_size=2)
    select(target, tmp_path / "raw.parquet", 2, output=tmp_path / "out", **MODEL)
    found = pq.read_table(tmp_path / "out" / "raw.parquet")
    assert found.equals(table.take([0, 3]))
    assert found.schema.metadata == table.schema.metadata


def test_several_files_keep_their_names_below_their_folder(target: Path, tmp_path: Path) -> None:
    paths = []
    for name in ("x/1.jsonl", "y/1.jsonl", "y/2.jsonl"):
        paths.append(tmp_path / "web" / name)
        paths[-1].parent.mkdir(parents=True, exist_ok=True)
        paths[-1].write_text(f'{{"text": "{MARKET if "2" in name else FILM}"}}\n')
    selection = select(target, paths, 2, output=tmp_path / "out", **MODEL)
    found = sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.jsonl"))
    assert found == ["x/1.jsonl", "y/1.jsonl"]
    one = tmp_path / "one.jsonl.gz"
    assert selection.write(one) == [str(one)]
    assert gzip.decompress(one.read_bytes()) == paths[0].read_bytes() + paths[1].read_bytes()


def test_a_file_of_an_earlier_run_does_not_stay(target: Path, raw: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    select(target, raw, 60, min_words=3, output=out)
    with pytest.raises(SourceError, match="already exists, and this run selected no row of that raw file"):
        select(target, raw, 1, min_words=3, best=True, output=out)


def test_what_cannot_be_written_is_refused_before_anything_is_read(
    target: Path, raw: list[Path], tmp_path: Path
) -> None:
    with pytest.raises(SourceError, match="is also an input"):
        select(target, raw, 1, output=raw[0].parent)
    with pytest.raises(SourceError, match="a frame has no file to write to"):
        select(target, [{"text": FILM}], 1, output=tmp_path / "out")
    with pytest.raises(SourceError, match="is a folder: give its files"):
        select(target, raw[0].parent, 1, output=tmp_path / "out")
    (tmp_path / "array.json").write_text(f'[{{"text": "{FILM}"}}]')
    with pytest.raises(SourceError, match="is a JSON array, whose rows cannot be written as they are"):
        select(target, tmp_path / "array.json", 1, output=tmp_path / "out")
    (tmp_path / "taken").write_text("")
    with pytest.raises(SourceError, match="is a file: name a folder"):
        select(target, raw, 1, output=tmp_path / "taken")


def test_files_with_the_same_columns_may_become_one(target: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"text\n{FILM}\n")
    (tmp_path / "b.csv").write_text(f"text\n{FILM}\n")
    (tmp_path / "c.csv").write_text(f"text,id\n{FILM},1\n")
    one = tmp_path / "one.csv"
    select(target, [tmp_path / "a.csv", tmp_path / "b.csv"], 2, output=one, **MODEL)
    assert one.read_text() == f"text\n{FILM}\n{FILM}\n"
    with pytest.raises(SourceError, match=r"c\.csv has different columns from the first file"):
        select(target, [tmp_path / "a.csv", tmp_path / "c.csv"], 2, output=one, **MODEL)


def test_a_file_that_has_changed_is_not_written(target: Path, raw: list[Path], tmp_path: Path) -> None:
    selection = select(target, raw, 60, min_words=3)
    raw[1].write_bytes(b"".join(raw[1].read_bytes().splitlines(keepends=True)[:5]))
    with pytest.raises(SourceError, match=r"b\.jsonl changed while documents were being selected"):
        selection.write(tmp_path / "out")
    assert not (tmp_path / "out" / "b.jsonl").exists()


@pytest.mark.parametrize("name", ["target", "raw"])
def test_nothing_that_is_read_is_replaced(target: Path, raw: list[Path], tmp_path: Path, name: str) -> None:
    place = {"target": target, "raw": raw[0]}[name]
    before = place.read_bytes()
    with pytest.raises(SourceError, match="is also an input"):
        select(target, raw, 2, min_words=5, output=place)
    assert place.read_bytes() == before
