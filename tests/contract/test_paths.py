"""Every path that ARCHITECTURE.md and CONTRIBUTING.md name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "likely"
KERNEL = ROOT / "crates" / "likely-core" / "src"
FOLDERS = [ROOT, PACKAGE, KERNEL, ROOT / "crates" / "likely-python" / "src"]
"""The folders that a path may start in: the root, the package, the kernel and the binding."""

PATH = r"(?<![\w./<>*-])[\w.-]+(?:/[\w.-]+)*(?:/|\.(?:py|pyi|rs|md|toml|json))(?![\w/<*(])"
"""A folder, which ends with a slash, or a file of a known kind. A path with a placeholder (<room>) is left out."""


def wrong_paths(page: str, text: str) -> list[str]:
    """The paths in a page that do not exist: one string per path, with the page and the line."""
    return [
        f"{page}:{number}: {path}"
        for number, line in enumerate(text.splitlines(), 1)
        for path in re.findall(PATH, line)
        if not any((folder / path).exists() for folder in FOLDERS)
    ]


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_paths_exist(page: str) -> None:
    wrong = wrong_paths(page, (ROOT / page).read_text(encoding="utf-8"))
    where = "relative to the root, python/likely, crates/likely-core/src or crates/likely-python/src"
    assert not wrong, "\n".join([f"these paths do not exist (write them {where}):", *wrong])


def test_wrong_paths_are_found() -> None:
    text = (
        "`reading/corpus.py` and `read/csv.rs`\nin `Makefile`, `tests/unit/<room>/`, `read/csb.rs`, `no_room/` or a/b"
    )
    assert wrong_paths("a.md", text) == ["a.md:2: read/csb.rs", "a.md:2: no_room/"]


def test_the_picture_of_the_rooms_names_folders_of_the_kernel() -> None:
    named = re.findall(r"kernel: (.*)$", picture(), re.MULTILINE)
    stems = {stem for line in named for stem in line.split(", ")}
    missing = sorted(stem for stem in stems if not {KERNEL / stem, KERNEL / f"{stem}.rs"} & set(KERNEL.iterdir()))
    assert not missing, f"the kernel has no {missing}: correct the picture in ARCHITECTURE.md"
    unnamed = sorted({path.name for path in KERNEL.iterdir() if path.is_dir()} - stems)
    assert not unnamed, f"name these folders of the kernel in the picture in ARCHITECTURE.md: {unnamed}"


def test_the_picture_of_the_rooms_is_that_of_the_layers() -> None:
    rooms = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())
    drawn = sorted(set(re.findall(r"^  (\w+) ", picture(), re.MULTILINE)) - {"base"})
    assert drawn == rooms, f"draw these rooms in ARCHITECTURE.md: {rooms}"


def picture() -> str:
    """The picture of the rooms: the first block in ARCHITECTURE.md."""
    return (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("```")[1]


ROOMS = [path for path in sorted(PACKAGE.rglob("__init__.py")) if "| module | contents |" in path.read_text("utf-8")]
"""The rooms that say in a table what their modules contain."""


@pytest.mark.parametrize("room", ROOMS, ids=[path.parent.name for path in ROOMS])
def test_the_table_of_a_room_names_all_its_modules(room: Path) -> None:
    rows = re.findall(r"^\| (`.*?`) \|", room.read_text("utf-8"), re.MULTILINE)
    named = {name.rpartition(".")[2] for row in rows for name in re.findall(r"`([\w.]+)`", row)}
    inside = {path.stem for path in room.parent.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    there = {name for name in inside if not name.startswith("_")}
    where = room.relative_to(PACKAGE)
    assert not there - named, f"add to the table in {where}: {sorted(there - named)}"
    assert not named - there, f"these are not in the room, delete them from the table in {where}: {named - there}"
