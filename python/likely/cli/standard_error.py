"""Standard error that cannot fail: a message that cannot be written never loses the work of a command."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Unfailing(io.FileIO):
    """A file that takes everything that is written, and remembers whether something could not be written."""

    has_failed = False

    def write(self, data: ReadableBuffer, /) -> int:
        """Write the data, or drop it if that is not possible."""
        try:
            return super().write(data)
        except OSError:
            self.has_failed = True
            return memoryview(data).nbytes


class StandardError:
    """Replaces ``sys.stderr`` by a stream that drops what cannot be written.

    If the disk is full, or the reader of a pipe is gone, a note about what was read would otherwise end the command
    before the model is saved.
    """

    def __init__(self) -> None:
        self._file: _Unfailing | None = None
        if sys.stderr is None:  # the caller has closed it
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115
            return
        try:
            number = sys.stderr.fileno()
        except (OSError, ValueError, AttributeError):  # not a file, such as the one of a test
            return
        self._file = _Unfailing(number, "w", closefd=False)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(self._file),
            sys.stderr.encoding,
            errors=sys.stderr.errors,
            line_buffering=True,
        )

    @property
    def has_failed(self) -> bool:
        """Whether something could not be written."""
        sys.stderr.flush()
        return self._file is not None and self._file.has_failed
