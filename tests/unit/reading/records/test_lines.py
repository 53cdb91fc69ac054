"""Plain lines, and lines with the marks of fastText."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.errors import SourceError

from tests.unit.reading.conftest import rows_of


def test_fasttext_and_plain_lines(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("__label__pos good fun\n__label__neg dull\n")
    assert rows_of(path) == [("good fun", "pos"), ("dull", "neg")]
    assert rows_of(path, labelled=False) == [("good fun", None), ("dull", None)]
    path.write_text("good fun\n\ndull")
    assert rows_of(path, labelled=False) == [("good fun", None), ("", None), ("dull", None)]
    with pytest.raises(SourceError, match="plain text without labels"):
        rows_of(path)
