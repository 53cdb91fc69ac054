"""Where rows are written."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from likely.batch.writers import EncodedSink, open_output

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
