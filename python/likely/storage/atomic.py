"""Whole files, read and written so that neither a crash nor a strange file does harm."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from typing import TYPE_CHECKING, BinaryIO

from likely.errors import ModelFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


_TAIL = 64 << 20
"""So much of a file's end is looked at before all of it is read."""


def read_whole(path: str | os.PathLike[str], beginning: bytes, mark: bytes) -> bytes:
    """The content of a regular file; ``ModelFileError`` for anything else.

    Of a file that begins in another way, or without the mark near its end, no more than the beginning: it is none of
    ours, and may be large.

    Examples
    --------
    >>> read_whole("/dev/zero", b"PAR1", b"likely")
    Traceback (most recent call last):
    likely.errors.ModelFileError: it is a device, not a file
    """
    try:
        _check_regular(os.stat(path))
        # Should a pipe take its place now, it must not keep us waiting.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            _check_regular(found)
            begins = file.read(len(beginning))
            file.seek(max(len(begins), found.st_size - _TAIL))
            tail = file.read(_TAIL) if begins == beginning else b""
            if mark not in tail:
                if tail.endswith(beginning):
                    raise ModelFileError("it is a Parquet file, but no model of likely's")
                return begins
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


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that at any moment the old one or the new one is there, whole and on the disk.

    It keeps the permissions of the old one. A link is followed. What is no file, such as ``/dev/stdout``, is just
    written to.
    """
    try:
        old = _stat(path)
        if old is not None and stat.S_ISDIR(old.st_mode):
            raise ModelFileError("it is a folder: name a file in it")
        if old is not None and (not stat.S_ISREG(old.st_mode) or is_standard_output(path)):
            with _opened(path) as file:
                file.write(data)
        else:
            _replace(os.path.realpath(path), data, old)
    except (OSError, ValueError) as error:
        if isinstance(error, ModelFileError):
            raise
        number = error.errno if isinstance(error, OSError) else None
        hint = _HINTS.get(number or 0, "what was there before is unchanged")
        raise ModelFileError(f"{getattr(error, 'strerror', None) or error}: {hint}") from error


def is_standard_output(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a name of standard output, which may be a file that is written further by others.

    Examples
    --------
    >>> is_standard_output("/dev/stdout"), is_standard_output("out.csv")
    (True, False)
    """
    return os.fspath(path) in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def _opened(path: str | os.PathLike[str]) -> BinaryIO:
    """Something that is no file of ours to replace, to be written to."""
    return open(1, "wb", closefd=False) if is_standard_output(path) else open(path, "wb")


def _stat(path: str | os.PathLike[str]) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _replace(target: str, data: bytes, old: os.stat_result | None) -> None:
    with _replacement(target, old) as descriptor:
        _write_all(descriptor, data)


@contextlib.contextmanager
def _replacement(target: str, old: os.stat_result | None) -> Iterator[int]:
    """A file to write to that takes the place of another when all is written and on the disk."""
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    folder = os.open(os.path.dirname(target), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with _fresh_file(folder) as (descriptor, put_at):
            if old is not None:
                with contextlib.suppress(OSError):  # only root can give files away
                    os.fchown(descriptor, old.st_uid, old.st_gid)
                os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
            yield descriptor
            os.fsync(descriptor)
            put_at(os.path.basename(target))
        _sync_folder(folder)
    finally:
        os.close(folder)


def _sync_folder(folder: int) -> None:
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno != errno.EINVAL:  # else the file system has no such thing
            raise ModelFileError(f"it is saved, but a power failure may undo that: {error.strerror}") from error


@contextlib.contextmanager
def _fresh_file(folder: int) -> Iterator[tuple[int, Callable[[str], None]]]:
    """A file to write to, and what gives it its name; gone without a trace if that is not called."""
    temporary = f".likely-{secrets.token_hex(8)}.tmp"
    descriptor = _open_nameless(folder)
    nameless = descriptor is not None
    if descriptor is None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(temporary, flags, 0o666, dir_fd=folder)

    def put_at(name: str) -> None:
        if nameless:
            os.link(f"/proc/self/fd/{descriptor}", temporary, src_dir_fd=folder, dst_dir_fd=folder)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)

    try:
        yield descriptor, put_at
    finally:
        os.close(descriptor)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)


def _open_nameless(folder: int) -> int | None:
    """A file without a name, of which a killed process leaves nothing; None where there is no such thing."""
    if not hasattr(os, "O_TMPFILE") or not os.path.exists("/proc/self/fd"):
        return None
    try:
        return os.open(".", os.O_WRONLY | os.O_TMPFILE | os.O_CLOEXEC, 0o666, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT):
            return None
        raise


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to piece by piece, which takes its place when all is written; on an error it never does.

    What is no file, such as ``/dev/stdout``, is just written to.
    """
    try:
        old = _stat(path)
        if old is not None and (not stat.S_ISREG(old.st_mode) or is_standard_output(path)):
            with _opened(path) as file:
                yield file
            return
        with _replacement(os.path.realpath(path), old) as descriptor, open(descriptor, "wb", closefd=False) as file:
            yield file
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        # Whichever step failed, the file that is meant is this one.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


@contextlib.contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[None]:
    """Hold a file while it is read, changed and replaced, so that two who do so take turns.

    The lock is the kernel's, on the file itself: it dies with the process, and leaves nothing behind.
    """
    import fcntl

    while True:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            yield  # whoever reads it now will say what is wrong
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            found = _stat(path)
            # While we waited another file may have taken its place: then it is that one we need.
            if found is not None and os.path.samestat(os.fstat(descriptor), found):
                yield
                return
        finally:
            os.close(descriptor)
