"""What `likely export` writes, and what it refuses to overwrite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from likely import NaiveBayes
from likely.errors import OutputError
from likely.report.live.export import export

if TYPE_CHECKING:
    from likely.core.file import Snapshot


@pytest.fixture
def snapshot() -> Snapshot:
    return NaiveBayes().fit(["good fun", "dull"], ["+", "-"])._snapshot()


def test_a_page(snapshot: Snapshot, tmp_path: Path) -> None:
    page = tmp_path / "demo.HTML"
    found = export(snapshot, str(page))
    assert (found.kind, found.terms, found.all_terms, found.size) == ("page", 3, 3, page.stat().st_size)
    assert "<title>demo</title>" in page.read_text(encoding="utf-8")


def test_a_folder_may_be_written_again(snapshot: Snapshot, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    first = export(snapshot, f"{folder}/", title="first")
    again = export(snapshot, str(folder), title="again")
    assert first.size > 0 < again.size
    assert '"name": "again"' in (folder / "package.json").read_text(encoding="utf-8")


def test_files_of_others_are_safe(snapshot: Snapshot, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "mine"}', encoding="utf-8")
    with pytest.raises(OutputError, match="has not written"):
        export(snapshot, str(tmp_path))
    with pytest.raises(OutputError, match="is a file"):
        export(snapshot, str(tmp_path / "package.json"))
    with pytest.raises(OutputError, match="neither a page"):
        export(snapshot, str(tmp_path / "model.json"))
    assert [each.name for each in tmp_path.iterdir()] == ["package.json"]


def test_a_package_file_that_is_not_an_object_belongs_to_others(snapshot: Snapshot, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("5")
    with pytest.raises(OutputError, match="has not written"):
        export(snapshot, str(tmp_path))


def test_a_place_that_cannot_be_written_is_named(snapshot: Snapshot, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"cannot write '.*missing.demo\.html': .*create the folder first"):
        export(snapshot, str(tmp_path / "missing" / "demo.html"))


def test_nothing_is_written_for_a_model_that_cannot_live(tmp_path: Path) -> None:
    model = NaiveBayes(spelling="on").fit(["good fun", "dull"], ["+", "-"])
    for name in ("demo.html", "folder"):
        with pytest.raises(OutputError, match="spelling"):
            export(model._snapshot(), str(tmp_path / name))
    assert list(tmp_path.iterdir()) == []
