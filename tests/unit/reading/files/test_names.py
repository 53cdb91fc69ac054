"""Names of files that are not UTF-8."""

from __future__ import annotations

import os
from pathlib import Path

from likely.reading.stream import name_of

from tests.unit.reading.conftest import rows_of


def test_names_are_text() -> None:
    assert name_of(Path("a/ü.txt")) == "a/ü.txt"
    assert name_of(os.fsdecode(b"a/\xff.txt")) == "a/\\xff.txt"


def test_files_and_classes_of_any_name_are_read(tmp_path: Path) -> None:
    for name in (b"caf\xe9/\xff.txt", b"ham/b.txt"):
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        path.parent.mkdir()
        path.write_text("text")
    assert rows_of(tmp_path) == [("text", "caf\\xe9"), ("text", "ham")]
