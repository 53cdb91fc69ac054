"""Zip archives: the files in them are read as if they lay in a folder (`zipfile.Path`), without unpacking."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.formats import ZIP, is_table
from likely.reading.stream import ERRORS, entry, name_of

if TYPE_CHECKING:
    from pathlib import Path

    from likely.reading.stream import FilePath


_BEGINNINGS = (ZIP, b"PK\x05\x06")
LARGEST = 256 << 20
"""The maximum number of bytes of a workbook."""
_MUCH = 1 << 30
_MOST_PACKED = 200
"""The files of an archive that have more than `_MUCH` bytes have at most this many times its bytes."""
_DEEPEST = 100
_OF_MAC_OS = "__MACOSX"
_DOCUMENTS = {
    "xl/workbook.xml": "excel",
    "xl/workbook.bin": "a binary workbook",
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a presentation",
    "META-INF/manifest.xml": "an OpenDocument file",
}
"""Files in archives that are documents of Office programs."""


def kind_of_zip(path: FilePath) -> str | None:
    """The kind of a file, by its content: "zip" for an archive, "excel" for a workbook, None if it is not a zip.

    Other documents of Office programs, which are zip archives too, are refused.
    """
    if not _is_zip(path):
        return None
    with _opened(path) as archive:
        kind = next((_DOCUMENTS[name] for name in archive.namelist() if name in _DOCUMENTS), "zip")
    if kind not in ("zip", "excel"):
        raise SourceError(f"{name_of(path)} is {kind}: save its rows as .xlsx or .csv")
    return kind


def contents(path: FilePath) -> FilePath:
    """The archive as a folder. If it contains only one file, or only one folder with folders or tables, that one."""
    if isinstance(path, zipfile.Path):
        raise SourceError(f"{name_of(path)} is an archive inside an archive: unpack the outer one first")
    found = zipfile.Path(_cleaned(path))
    while found.is_dir():
        inside = list(found.iterdir())
        if len(inside) != 1 or not (inside[0].is_file() or _is_wrapper(inside[0])):
            break
        found = inside[0]
    return found


def _cleaned(path: Path) -> zipfile.ZipFile:
    """The archive with names of plain files only: neither hidden ones nor those that macOS adds."""
    archive = _opened(path)
    files: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        parts = [part for part in info.filename.replace("\\", "/").split("/") if part not in ("", ".")]
        if info.is_dir() or not parts or any(part.startswith(".") or part == _OF_MAC_OS for part in parts):
            continue
        if len(parts) > _DEEPEST:
            raise SourceError(f"{name_of(path)}: its folders are nested more than {_DEEPEST} levels deep")
        info.filename = "/".join(parts)
        files[info.filename] = info
    if not files:
        raise SourceError(f"{name_of(path)} is an archive without files: there is nothing to read")
    size = sum(info.file_size for info in files.values())
    if size > _MUCH and size > _MOST_PACKED * path.stat().st_size:
        raise SourceError(
            f"{name_of(path)}: its files would have {size >> 20:,} MB, far more than the archive: "
            "if you trust it, unpack it and read the files"
        )
    archive.filelist, archive.NameToInfo = list(files.values()), files
    return archive


def _is_wrapper(folder: FilePath) -> bool:
    """Whether a folder is not a class itself, but contains the classes or tables."""
    return any(each.is_dir() or is_table(each) for each in folder.iterdir())


def _is_zip(path: FilePath) -> bool:
    try:
        if not path.is_file():
            return False
        with entry(path) if isinstance(path, zipfile.Path) else path.open("rb") as file:
            return file.read(4) in _BEGINNINGS
    except ERRORS:
        return False  # the error is raised, with its reason, when the file is read


def _opened(path: FilePath) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(_whole(path) if isinstance(path, zipfile.Path) else path)
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise SourceError(f"{name_of(path)}: cannot be read as a zip archive: {error}") from error


def _whole(path: zipfile.Path) -> io.BytesIO:
    """The bytes of a zip inside an archive: it can only be a workbook."""
    with entry(path) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise SourceError(f"{name_of(path)} is larger than {LARGEST >> 20} MB: unpack the archive first")
    return io.BytesIO(data)
