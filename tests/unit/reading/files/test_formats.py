"""Which format a file has: by its name, else by its first bytes."""

from __future__ import annotations

from pathlib import PurePath
from typing import get_args

import pytest
from likely.options.reading import Format
from likely.reading.formats import NAMES, bare_suffix, format_by_content, format_by_name


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("reviews.csv", "csv"),
        ("reviews.CSV.GZ", "csv"),
        ("a.b.tab.zst", "tsv"),
        ("x.ndjson", "jsonl"),
        ("x.json.bz2", "jsonl"),
        ("x.pq", "parquet"),
        ("x.feather", "arrow"),
        ("box.mbox", "mbox"),
        ("1.eml", "eml"),
        ("x.sqlite3", "database"),
        ("README", None),
        ("notes.txt", None),
        ("archive.gz", None),
        (".csv", None),
        ("csv", None),
    ],
)
def test_the_name_tells(name: str, found: str | None) -> None:
    assert format_by_name(PurePath("folder.csv") / name) == found


def test_the_suffix_of_the_compression_is_left_out() -> None:
    assert [bare_suffix(PurePath(name)) for name in ("a.csv.gz", "a.gz", "a.zst.csv", "a")] == [
        ".csv",
        "",
        ".csv",
        "",
    ]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"PAR1\x15\x04", "parquet"),
        (b"ARROW1\0\0", "arrow"),
        (b"\xff\xff\xff\xff\x10\0", "arrow"),
        (b"SQLite format 3\0", "database"),
        (b"\x01" * 8 + b"DUCK", "database"),
        (b'\xef\xbb\xbf \n{"text": "a"}', "jsonl"),
        (b' [ {"text": "a"}]', "json"),
        (b"[]", "json"),
        (b"[deleted]\n[1] a note\n", "lines"),
        (b"__label__a so good\n", "fasttext"),
        (b"From a@b Thu Jan  1 00:00:00 1970\nSubject: x\nFrom: y\n", "mbox"),
        (b"Subject: x\nFrom: y@z\n\ntext", "eml"),
        (b"text,label\n", "csv"),
        (b"\xef\xbb\xbfid;review;stars\r\n", "csv"),
        (b'"text"\t"label"\n', "tsv"),
        (b"Text\nso good\n", "csv"),
        (b"body", "csv"),
        (b"good fun, and a plot\n", "lines"),
        (b"one,\n", "lines"),
        (b"a,b c\n", "lines"),
        (b"x" * 31 + b",y\n", "lines"),
        (b"word\n", "lines"),
        (b"", "lines"),
    ],
)
def test_the_content_tells(head: bytes, found: str) -> None:
    assert format_by_content(head) == found


def test_every_format_that_can_be_asked_for_has_a_name_for_people() -> None:
    assert set(get_args(Format)) <= set(NAMES)
