"""Where rows are written."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from likely.batch.writers import EncodedSink, open_output
from likely.reading.batch import Lines

if TYPE_CHECKING:
    from likely.reading.batch import Reader


def test_an_output_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")

    def fail() -> None:
        with open_output(str(path)) as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_text() == "old"
    with open_output(str(path)) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert [each.name for each in tmp_path.iterdir()] == ["out.csv"]


class Late:
    """A reader that recognises its encoding while it is read."""

    encoding: str | None = None


def test_an_encoding_that_is_recognised_late_is_that_of_the_output() -> None:
    file, reader = io.BytesIO(), Late()
    sink = EncodedSink(file)
    sink.follow(cast("Reader", reader))
    sink.write(b"plain\n")
    reader.encoding = "cp1252"
    sink.write("schön\n".encode())
    assert file.getvalue() == "plain\nschön\n".encode("cp1252")


def test_text_after_other_text_stays_in_its_encoding() -> None:
    file, reader = io.BytesIO(), Late()
    sink = EncodedSink(file)
    sink.follow(cast("Reader", reader))
    sink.write("a label: 映\n".encode())
    reader.encoding = "cp1252"
    sink.write("schön\n".encode())
    assert file.getvalue().decode() == "a label: 映\nschön\n"


class LinesAsTheyAre(io.BytesIO):
    """A place that takes lines, and knows how often it did."""

    times = 0

    def write_lines(self, lines: Lines, line_end: bytes) -> None:
        self.times += 1
        self.write(lines.joined(line_end))


def lines_of(text: str) -> Lines:
    """One line."""
    chunk = text.encode()
    return Lines(chunk, np.array([0]), np.array([len(chunk)]))


def test_lines_are_passed_on_as_they_are_unless_they_must_be_encoded() -> None:
    file, reader = LinesAsTheyAre(), Late()
    sink = EncodedSink(file)
    sink.follow(cast("Reader", reader))
    sink.write_lines(lines_of("plain"), b"\n")
    assert file.times == 1
    reader.encoding = "cp1252"
    sink.write_lines(lines_of("schön"), b"\r\n")
    assert (file.getvalue(), file.times) == ("plain\nschön\r\n".encode("cp1252"), 1)


def test_lines_of_utf_8_are_passed_on_once_that_is_settled() -> None:
    file = LinesAsTheyAre()
    sink = EncodedSink(file)
    sink.follow(cast("Reader", Late()))
    for text in ("schön", "映", "plain"):
        sink.write_lines(lines_of(text), b"\n")
    assert (file.getvalue().decode(), file.times) == ("schön\n映\nplain\n", 2)


def test_lines_for_a_place_that_takes_only_bytes_are_joined() -> None:
    file = io.BytesIO()
    sink, reader = EncodedSink(file), Late()
    reader.encoding = "utf-16-le"
    sink.follow(cast("Reader", reader))
    sink.write_lines(lines_of("é"), b"\n")
    assert file.getvalue().decode("utf-16-le") == "é\n"
