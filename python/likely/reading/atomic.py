"""Reading and writing of whole files. A crash never leaves half a file, and a device or pipe is never read."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import TYPE_CHECKING, BinaryIO

from likely.errors import ModelFileError

if TYPE_CHECKING:
    from collections.abc import Iterator


_HINTS = {
    errno.ENOSPC: "make room, or choose another place",
    errno.EDQUOT: "make room, or choose another place",
    errno.EFBIG: "raise the limit on the size of files, or choose another place",
    errno.EACCES: "choose a place where you may write, or change its permissions",
    errno.EPERM: "choose a place where you may write, or change its permissions",
    errno.EROFS: "choose a place where you may write",
    errno.ENOENT: "create the folder first",
    errno.ENOTDIR: "name a file in a folder",
    errno.ENAMETOOLONG: "choose a shorter name",
}


_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""How files are opened; Windows lacks some of the flags and needs another."""

FOLDERS_OPEN = os.open in os.supports_dir_fd
"""Whether folders can be opened; on Windows they cannot."""

_TAIL = 64 << 20
"""The number of bytes at the end of a file that are searched for the mark before the whole file is read."""


def read_whole(path: str | os.PathLike[str], beginning: bytes, mark: bytes) -> bytes:
    """The content of a regular file; ``ModelFileError`` if the path is anything else.

    If the file does not start with ``beginning``, or does not have the mark near its end, it was not written by
    `likely` and may be large: then only its first bytes are returned.

    Examples
    --------
    >>> read_whole("/dev/zero", b"PAR1", b"likely")
    Traceback (most recent call last):
    likely.errors.ModelFileError: it is a device, not a file
    """
    try:
        _check_regular(os.stat(path))
        # Without O_NONBLOCK, opening would block if a pipe has replaced the file since the check.
        descriptor = os.open(path, _READ)
        with open(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            _check_regular(found)
            begins = file.read(len(beginning))
            start = max(0, found.st_size - _TAIL)
            file.seek(start)
            tail = file.read(_TAIL) if begins == beginning else b""
            if tail.rfind(mark) < 0:  # from the end, where it is
                if tail.endswith(beginning):
                    raise ModelFileError("it is a Parquet file, but not a model of `likely`")
                return begins
            if start == 0:
                return tail
            file.seek(0)
            return file.read(found.st_size)
    except FileNotFoundError:
        raise ModelFileError("there is no such file") from None
    except (OSError, ValueError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(getattr(error, "strerror", None) or str(error)) from error
    except MemoryError:
        raise ModelFileError("it is larger than the memory") from None


def _check_regular(found: os.stat_result) -> None:
    if stat.S_ISREG(found.st_mode):
        return
    if stat.S_ISDIR(found.st_mode):
        raise ModelFileError("it is a folder: name a file in it")
    raise ModelFileError(f"it is a {'pipe' if stat.S_ISFIFO(found.st_mode) else 'device'}, not a file")


def write_whole(path: str | os.PathLike[str], data: bytes, mode: int = 0o666) -> None:
    """Write a file so that at any moment either the old or the new one is on the disk, complete.

    The new file gets the permissions of the old one, or those of ``mode``. A link is followed. A path that is not a
    regular file, such as ``/dev/stdout``, is written to directly.
    """
    try:
        old = _stat(path)
        if old is not None and stat.S_ISDIR(old.st_mode):
            raise ModelFileError("it is a folder: name a file in it")
        with replacing(path, mode) as file:
            file.write(data)
    except (OSError, ValueError) as error:
        if isinstance(error, ModelFileError):
            raise
        number = error.errno if isinstance(error, OSError) else None
        hint = _HINTS.get(number or 0, "what was there before is unchanged")
        raise ModelFileError(f"{getattr(error, 'strerror', None) or error}: {hint}") from error


def is_standard_output(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a name of standard output, which must not be replaced: other programs may write to it too.

    Examples
    --------
    >>> is_standard_output("/dev/stdout"), is_standard_output("out.csv")
    (True, False)
    """
    return os.fspath(path) in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def _stat(path: str | os.PathLike[str]) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def _replacement(target: str, old: os.stat_result | None, mode: int) -> Iterator[int]:
    """A new file to write to, which replaces the target when everything is written and on the disk."""
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    folder = os.path.dirname(target)
    temporary = os.path.join(folder, f".likely-{os.urandom(8).hex()}.tmp")
    nameless = _open_nameless(folder, mode)
    descriptor = os.open(temporary, _CREATE, mode) if nameless is None else nameless
    try:
        try:
            if old is not None and FOLDERS_OPEN:
                with contextlib.suppress(OSError):  # only root can give files away
                    os.fchown(descriptor, old.st_uid, old.st_gid)
                os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
            yield descriptor
            os.fsync(descriptor)
            if nameless is not None:
                # A descriptor of a folder makes Python follow the link; with an absolute path it is not used.
                os.link(f"/proc/self/fd/{descriptor}", temporary, src_dir_fd=descriptor)
        finally:
            os.close(descriptor)  # Windows cannot rename an open file
        os.replace(temporary, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
    _sync_folder(folder)


def _sync_folder(folder: str) -> None:
    """Make the new name durable, where folders can be opened."""
    if not FOLDERS_OPEN:
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # the file system cannot sync folders
            raise ModelFileError(f"it is saved, but a power failure may undo that: {error.strerror}") from error


def _open_nameless(folder: str, mode: int) -> int | None:
    """A file without a name, which disappears if the process is killed; None if the system does not support it."""
    if not FOLDERS_OPEN or not hasattr(os, "O_TMPFILE") or not os.path.exists("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_WRONLY | os.O_TMPFILE | os.O_CLOEXEC, mode)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT):
            return None
        raise


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file to write to in pieces. It replaces the file at ``path`` at the end, but not if there is an error.

    A path that is not a regular file, such as ``/dev/stdout``, is written to directly.
    """
    try:
        old = _stat(path)
        if old is not None and (not stat.S_ISREG(old.st_mode) or is_standard_output(path)):
            with open(1, "wb", closefd=False) if is_standard_output(path) else open(path, "wb") as file:
                yield file
            return
        whole = _replacement(os.path.realpath(path), old, mode)
        with whole as descriptor, open(descriptor, "wb", closefd=False) as file:
            yield file
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        # The failed step may have been on a temporary file: the message names the file that the user gave.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


@contextlib.contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """Lock a file while it is read, changed and replaced, so that two processes that do so take turns.

    The lock (``flock``) is on the file itself: it ends with the process and leaves no file behind. Windows has no
    such lock: there, two processes that change a file at the same time each replace it whole, and the last one wins.
    """
    try:
        import fcntl
    except ModuleNotFoundError:
        yield
        return
    while True:
        try:
            descriptor = os.open(path, _READ)
        except OSError:
            yield  # reading the file, which follows, raises the error
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            found = _stat(path)
            # If the file was replaced during the wait, the new file must be locked instead.
            if found is not None and os.path.samestat(os.fstat(descriptor), found):
                yield
                return
        finally:
            os.close(descriptor)
