"""Files that are compressed while they are written."""

from __future__ import annotations

import bz2
import gzip
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from likely import _native

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.reports.rows.output import Sink

_LEVEL = 6
_ZSTD_LEVEL = 3


class _ZstdSink:
    """A place where bytes arrive compressed with Zstandard."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._native = _native.ZstdWriter(_ZSTD_LEVEL)
        self.flush = sink.flush

    def write(self, data: bytes, /) -> int:
        self._sink.write(self._native.feed(data))
        return len(data)

    def isatty(self) -> bool:
        return False

    def close(self) -> None:
        self._sink.write(self._native.finish())


@contextmanager
def compressing(sink: Sink, suffix: str) -> Iterator[Sink]:
    """A place to write to, from which compressed bytes go to ``sink``. The same rows give the same bytes.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> with compressing(file, ".gz") as inner:
    ...     _ = inner.write(b"text")
    >>> gzip.decompress(file.getvalue())
    b'text'
    """
    place = cast("BinaryIO", sink)
    if suffix == ".zst":
        zstd = _ZstdSink(sink)
        yield zstd
        zstd.close()
        return
    # Without a fixed time, the same rows would give other bytes a second later.
    file = gzip.GzipFile("", "wb", _LEVEL, place, mtime=0) if suffix == ".gz" else bz2.BZ2File(place, "wb")
    with file:
        yield cast("Sink", file)
