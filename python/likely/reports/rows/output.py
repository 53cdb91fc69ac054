"""Where rows are written: standard output, or a file that appears when it is complete."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Protocol

from likely.errors import SourceError
from likely.reading.files.decoding import encoder
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator


class Sink(Protocol):
    """A place that bytes are written to."""

    def write(self, data: bytes, /) -> int:
        """Write some bytes, and return their number."""

    def flush(self) -> None:
        """Write everything that is still in a buffer."""

    def isatty(self) -> bool:
        """Whether the bytes go to a terminal."""


@contextmanager
def open_output(path: str | None) -> Iterator[Sink]:
    """Standard output (for None or "-"), or a file that appears when it is complete."""
    from likely.storage.atomic import is_standard_output, replacing

    if path is not None and path != "-" and not is_standard_output(path):
        with replacing(path) as file:
            yield file
        return
    # With PYTHONUNBUFFERED, sys.stdout would write only a part of what a pipe does not take at once.
    sys.stdout.flush()
    with open(sys.stdout.fileno(), "wb", closefd=False) as standard_output:
        yield _Terminal(standard_output) if standard_output.isatty() else standard_output


class EncodedSink:
    """A place where text that is written as UTF-8 arrives in another encoding."""

    def __init__(self, sink: Sink, encoding: str) -> None:
        self._sink = sink
        self._encoding = encoding
        self._encode = encoder(encoding)
        self.flush = sink.flush
        self.isatty = sink.isatty

    def write(self, data: bytes, /) -> int:
        """Write some bytes of whole characters."""
        try:
            self._sink.write(self._encode(data.decode("utf-8", "surrogateescape")))
        except UnicodeEncodeError as error:
            wrong = printable(error.object[error.start : error.end][:20])
            raise SourceError(
                f"{wrong!r} cannot be written in {self._encoding}, the encoding of the input: give "
                "--output-encoding utf-8"
            ) from error
        return len(data)


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
