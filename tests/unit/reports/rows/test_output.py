"""Where rows are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.reports.rows.output import open_output


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
