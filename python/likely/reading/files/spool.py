"""Files that must be read at any place, and come compressed or from a pipe: they are unpacked to a temporary file."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, BinaryIO, cast

from likely.errors import SourceError

if TYPE_CHECKING:
    from likely.reading.files.stream import Stream

LARGEST = 8 << 30
"""The largest number of bytes that are unpacked."""


def spooled(stream: Stream, largest: int = LARGEST) -> BinaryIO:
    """The rest of a stream as an open temporary file, which disappears when it is closed."""
    file = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115  (the reader closes it)
    try:
        while part := stream.read():
            if file.tell() + len(part) > largest:
                raise SourceError(
                    f"{stream.where}: unpacked, it has more than {largest >> 20:,} MB: unpack it yourself, and give "
                    "the unpacked file"
                )
            file.write(part)
        file.seek(0)
    except OSError as error:
        file.close()
        raise SourceError(f"{stream.where}: cannot be unpacked to a temporary file: {error.strerror}") from error
    except BaseException:
        file.close()
        raise
    return file
