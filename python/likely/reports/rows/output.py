"""Where rows are written: standard output, or a file that appears when it is complete."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Protocol, runtime_checkable

from likely.errors import SourceError
from likely.reading.encodings import encoder
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from likely.reading.batch import Lines, Reader


class Sink(Protocol):
    """A place that bytes are written to."""

    def write(self, data: bytes, /) -> int:
        """Write some bytes, and return their number."""

    def flush(self) -> None:
        """Write everything that is still in a buffer."""

    def isatty(self) -> bool:
        """Whether the bytes go to a terminal."""


@runtime_checkable
class LineSink(Sink, Protocol):
    """A place that rows of a file are written to without joining them first."""

    def write_lines(self, lines: Lines, line_end: bytes) -> None:
        """Write some rows, each with this line end."""


@contextmanager
def open_output(path: str | None) -> Iterator[Sink]:
    """Standard output (for None or "-"), or a file that appears when it is complete."""
    from likely.reading.atomic import is_standard_output, replacing

    if path is not None and path != "-" and not is_standard_output(path):
        with replacing(path) as file:
            yield file
        return
    # With PYTHONUNBUFFERED, sys.stdout would write only a part of what a pipe does not take at once.
    sys.stdout.flush()
    with open(sys.stdout.fileno(), "wb", closefd=False) as standard_output:
        yield _Terminal(standard_output) if standard_output.isatty() else standard_output


class EncodedSink:
    """A place where text that is written as UTF-8 arrives in the encoding of the input.

    The encoding of a file may be recognised after megabytes of ASCII, which is the same in all encodings that have
    no mark at their start. So it is settled when the first character that is not ASCII is written.

    Parameters
    ----------
    sink : Sink
        The place.
    encoding : str or None
        The encoding; None if it is that of the input.
    """

    def __init__(self, sink: Sink, encoding: str | None) -> None:
        self.bytes = sink
        """The place itself, for bytes that are not text."""
        self._given = encoding
        self._reader: Reader | None = None
        self._encoding: str | None = None
        self._is_settled = sink.isatty()  # a terminal shows UTF-8
        self._encode: Callable[[str], bytes] | None = None
        self.flush = sink.flush
        self.isatty = sink.isatty

    def follow(self, reader: Reader) -> None:
        """Write what comes from this reader from now on."""
        self._reader = reader

    def other_encoding(self) -> str | None:
        """The encoding of the file that is being read, if it is known and what was written is in another one."""
        found = self._reader.encoding if self._reader else None
        is_bound = self._is_settled and self._given is None and not self.isatty()
        return found if is_bound and found != self._encoding else None

    def write(self, data: bytes, /) -> int:
        """Write some bytes of whole characters."""
        if not self._is_settled:
            self._settle(is_ascii=data.isascii())
        if self._encode is None:
            return self.bytes.write(data)
        try:
            self.bytes.write(self._encode(data.decode("utf-8", "surrogateescape")))
        except UnicodeEncodeError as error:
            wrong = printable(error.object[error.start : error.end][:20])
            whose = "" if self._given else ", the encoding of the input"
            raise SourceError(
                f"{wrong!r} cannot be written in {self._encoding}{whose}: give --output-encoding utf-8"
            ) from error
        return len(data)

    def write_lines(self, lines: Lines, line_end: bytes) -> None:
        """Write some rows, each with this line end."""
        is_ascii = not self._is_settled and not lines.instead and lines.chunk.isascii()
        if is_ascii:
            self._settle(is_ascii=True)
        if (is_ascii or self._is_settled) and self._encode is None and isinstance(self.bytes, LineSink):
            self.bytes.write_lines(lines, line_end)
        else:
            self.write(lines.joined(line_end))

    def _settle(self, *, is_ascii: bool) -> None:
        self._encoding = self._given or (self._reader.encoding if self._reader else None)
        self._is_settled = not is_ascii or self._encoding is not None
        if self._encoding is not None:
            self._encode = encoder(self._encoding)


class _Terminal:
    """A terminal. Control characters of the texts are escaped, so that they cannot control it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.flush = file.flush
        self.isatty = file.isatty

    def write(self, data: bytes, /) -> int:
        lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        self._file.write("\n".join("\t".join(map(printable, line.split("\t"))) for line in lines).encode())
        return len(data)
