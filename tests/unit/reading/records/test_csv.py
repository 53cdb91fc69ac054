"""Separated values: delimiters, headers and line ends as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from likely.errors import SourceError
from likely.reading.batch import Chosen, Skipped, values_of
from likely.reading.records import CsvReader
from likely.reading.stream import Stream

Open = Callable[..., CsvReader]


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Open]:
    with ExitStack() as opened:

        def reader(data: bytes, *, header: bool | None = None, tabs: bool = False) -> CsvReader:
            path = tmp_path / "a.csv"
            path.write_bytes(data)
            stream = opened.enter_context(closing(Stream(path)))
            return CsvReader(stream, Skipped(), header=header, tabs=tabs)

        yield reader


@pytest.mark.parametrize(
    ("data", "delimiter"),
    [
        (b"a,b,c\n", ","),
        (b"a;b;c\n", ";"),
        (b"a\tb\tc\n", "\t"),
        (b"a|b|c\n", "|"),
        (b'"a;b;c;d";"e,f"\n', ";"),  # what is within quotes does not count
        (b"text\n", ","),
        (b"a,b;c\n", ","),
    ],
)
def test_the_delimiter_is_the_most_frequent_outside_of_quotes(reader: Open, data: bytes, delimiter: str) -> None:
    assert reader(data).delimiter == delimiter


def test_tabs_are_not_a_matter_of_guessing(reader: Open) -> None:
    found = reader(b"a,b\tc\n", tabs=True)
    assert (found.format, found.columns) == ("tsv", ["a,b", "c"])


def test_a_header_may_have_lines_and_quotes_of_its_own(reader: Open) -> None:
    found = reader(b'\xef\xbb\xbf"the\ntext","a ""label"""\r\nx,y\r\n')
    assert found.columns == ["the\ntext", 'a "label"']
    assert (found.header, found.line_end) == (b'"the\ntext","a ""label"""', b"\r\n")
    batches = list(found.batches(Chosen("the\ntext", 'a "label"')))
    assert [batch.texts.to_pylist() for batch in batches] == [["x"]]


def test_without_a_header_columns_are_numbered_and_no_row_is_lost(reader: Open) -> None:
    found = reader(b"good fun,pos\ndull,neg\n", header=False)
    assert (found.columns, found.header) == (["1", "2"], None)
    (batch,) = found.batches(Chosen("1", "2"))
    assert (batch.texts.to_pylist(), list(batch.labels or [])) == (["good fun", "dull"], ["pos", "neg"])


def test_a_header_that_occurs_again_below_is_asked_about_unless_it_is_sure(reader: Open) -> None:
    data = b"so good,pos\nso bad,neg\nwell,pos\n"
    with pytest.raises(SourceError, match=r"its first row looks like data.*--no-header"):
        reader(data).sample()
    assert reader(data, header=True).sample() == {"so good": ["so bad", "well"], "pos": ["neg", "pos"]}
    with pytest.raises(SourceError, match="'so good' occurs again"):
        reader(b"so good\nso bad\nso good\n").sample()
    # A column of labels may well have its own name among the values.
    assert reader(b"text,label\na,label\n").sample()["label"] == ["label"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b'text,"label\na,b\n', "a quote in it is not closed"),
        (b"text,label\ra,b\r", "end with CR alone"),
        (b"text,text\n", "two columns are called 'text'"),
    ],
)
def test_files_that_are_not_such_a_table(reader: Open, data: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        reader(data)


def test_the_last_row_needs_no_line_end_and_other_columns_may_be_broken(reader: Open) -> None:
    found = reader(b"id,text\n\xff,good\n2,bad")
    (batch,) = found.batches(Chosen("text", None))
    assert batch.texts.to_pylist() == ["good", "bad"]
    assert values_of(batch.table()["id"]) == ["\ufffd", "2"]
