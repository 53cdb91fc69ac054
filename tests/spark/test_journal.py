"""The journal of a stream: a batch is learned exactly once, whenever the process ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.errors import SparkError
from likely.spark import journal as journal_module
from likely.spark.journal import Journal


def test_a_batch_that_was_learned_is_known(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.likely")
    assert not journal.has_learned("q", 0)
    journal.write("q", 3, b"one")
    assert (tmp_path / "a.likely").read_bytes() == b"one"
    assert [journal.has_learned("q", batch) for batch in (2, 3, 4)] == [True, True, False]
    assert not journal.has_learned("another", 3)


def test_a_process_that_ends_between_the_two_files_has_not_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "a.likely")
    journal.write("q", 0, b"one")
    from likely.reading.atomic import write_whole as written

    def ends_before_the_model(path: str, data: bytes) -> None:
        if path.endswith(".likely"):
            raise KeyboardInterrupt
        written(path, data)

    monkeypatch.setattr(journal_module, "write_whole", ends_before_the_model)
    with pytest.raises(KeyboardInterrupt):
        journal.write("q", 1, b"two")
    monkeypatch.undo()
    assert (tmp_path / "a.likely").read_bytes() == b"one"
    assert not journal.has_learned("q", 1)
    journal.write("q", 1, b"two")
    assert journal.has_learned("q", 1)


def test_a_batch_that_changes_nothing_is_known_too(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.likely")
    journal.write("q", 0, b"one")
    journal.write("q", 1, b"one")
    assert journal.has_learned("q", 1)


def test_a_file_that_was_changed_by_something_else_is_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.likely")
    journal.write("q", 0, b"one")
    (tmp_path / "a.likely").write_bytes(b"other")
    with pytest.raises(SparkError, match=r"changed since it learned batch 0.*delete .*a\.likely\.stream"):
        journal.has_learned("q", 0)
    (tmp_path / "a.likely.stream").unlink()
    assert not journal.has_learned("q", 0)


def test_a_damaged_journal_is_refused(tmp_path: Path) -> None:
    for data in (b"", b"[]", b'{"batch": 1}', b"\xff"):
        (tmp_path / "a.likely.stream").write_bytes(data)
        with pytest.raises(SparkError, match="damaged"):
            Journal(tmp_path / "a.likely").has_learned("q", 0)
