"""Zip archives as folders: the files in them are read as if they lay in a folder, without unpacking the archive."""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from pathlib import Path, PosixPath
from typing import IO, TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.formats import ZIP, is_table
from likely.reading.stream import name_of

if TYPE_CHECKING:
    from collections.abc import Generator


_BEGINNINGS = (ZIP, b"PK\x05\x06")
LARGEST = 256 << 20
"""The maximum number of bytes of a workbook."""
_MUCH = 1 << 30
_MOST_PACKED = 200
"""The files of an archive that have more than `_MUCH` bytes have at most this many times its bytes."""
_DEEPEST = 100
_ENCRYPTED = 1
"""The bit of the flags of a file that says that it is encrypted."""
_OF_MAC_OS = "__MACOSX"
_DOCUMENTS = {
    "xl/workbook.xml": "excel",
    "xl/workbook.bin": "a binary workbook",
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a presentation",
    "META-INF/manifest.xml": "an OpenDocument file",
}
"""Files in archives that are documents of Office programs."""


def kind_of_zip(path: Path) -> str | None:
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


def contents(path: Path) -> Path:
    """The archive as a folder. If it contains only one file, or only one folder with folders or tables, that one."""
    if isinstance(path, Entry):
        raise SourceError(f"{name_of(path)} is an archive inside an archive: unpack the outer one first")
    found: Path = Entry.of(_Tree(path), "")
    while found.is_dir():
        inside = list(found.iterdir())
        if len(inside) != 1 or not (inside[0].is_file() or _is_wrapper(inside[0])):
            break
        found = inside[0]
    return found


def _is_wrapper(folder: Path) -> bool:
    """Whether a folder is not a class itself, but contains the classes or tables."""
    return any(each.is_dir() or is_table(each) for each in folder.iterdir())


def _is_zip(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(4) in _BEGINNINGS
    except OSError:
        return False  # the error is raised, with its reason, when the file is read


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(_whole(path) if isinstance(path, Entry) else path)
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise SourceError(f"{name_of(path)}: cannot be read as a zip archive: {error}") from error


def _whole(path: Entry) -> io.BytesIO:
    """The bytes of a zip inside an archive: it can only be a workbook."""
    with path.open() as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise SourceError(f"{name_of(path)} is larger than {LARGEST >> 20} MB: unpack the archive first")
    return io.BytesIO(data)


class _Tree:
    """The files of an archive by their names, and the names in each folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.archive = _opened(path)
        self.files: dict[str, zipfile.ZipInfo] = {}
        self.folders: dict[str, dict[str, None]] = {"": {}}
        for info in self.archive.infolist():
            parts = [part for part in info.filename.replace("\\", "/").split("/") if part not in ("", ".")]
            if info.is_dir() or not parts or any(part.startswith(".") or part == _OF_MAC_OS for part in parts):
                continue
            if len(parts) > _DEEPEST:
                raise SourceError(f"{name_of(path)}: its folders are nested more than {_DEEPEST} levels deep")
            self.files["/".join(parts)] = info
            for at in range(len(parts)):
                self.folders.setdefault("/".join(parts[:at]), {})[parts[at]] = None
        self._check()

    def _check(self) -> None:
        if not self.files:
            raise SourceError(f"{name_of(self.path)} is an archive without files: there is nothing to read")
        size = sum(info.file_size for info in self.files.values())
        if size > _MUCH and size > _MOST_PACKED * self.path.stat().st_size:
            raise SourceError(
                f"{name_of(self.path)}: its files would have {size >> 20:,} MB, far more than the archive: "
                "if you trust it, unpack it and read the files"
            )


class Entry(PosixPath):
    """A file or folder in an archive, as a path such as ``archive.zip/folder/file.csv``."""

    _tree: _Tree
    _inner: str

    @classmethod
    def of(cls, tree: _Tree, inner: str) -> Entry:
        """The entry of this name in an archive; the name of the archive itself is empty."""
        entry = cls(tree.path, inner)
        entry._tree, entry._inner = tree, inner
        return entry

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a folder."""
        del follow_symlinks  # an archive has no links
        return self._inner in self._tree.folders

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a file."""
        del follow_symlinks
        return self._inner in self._tree.files and not self.is_dir()

    def iterdir(self) -> Generator[Entry, None, None]:
        """The files and folders in a folder."""
        yield from (self / name for name in self._tree.folders[self._inner])

    def __truediv__(self, name: object) -> Entry:
        return Entry.of(self._tree, f"{self._inner}/{name}".lstrip("/"))

    def open(self, *_: object, **__: object) -> IO[bytes]:  # type: ignore[override]
        """The bytes of a file."""
        info = self._tree.files[self._inner]
        if info.flag_bits & _ENCRYPTED:
            raise SourceError(f"{name_of(self)} is encrypted: unpack it with its password first")
        try:
            return _EntryFile(self._tree.archive.open(info))
        except (zipfile.BadZipFile, NotImplementedError) as error:
            raise SourceError(f"{name_of(self)}: cannot be unpacked: {error}") from error


class _EntryFile(io.BufferedIOBase, IO[bytes]):
    """The bytes of a file in an archive. Whatever is wrong with them is an ``OSError``, as with other files."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes; empty at the end."""
        try:
            return self._file.read(-1 if size is None else size)
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError) as error:
            raise OSError(f"the archive is damaged ({error})") from error

    def tell(self) -> int:
        """The number of bytes that have been read."""
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()
