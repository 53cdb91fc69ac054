"""`Board`: the figures of all processes of one server. Each writes its own, and whoever is asked adds them up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.msgpack import Decoder, encode

from likely.server.http.drift import DriftWatch, Recent
from likely.server.http.metrics import Metrics, resident_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.server.shared_file import SharedFile


class Figures(Struct):
    """The figures of one process.

    Attributes
    ----------
    metrics : Metrics
        What was counted.
    recent : Recent
        What was seen of the last texts.
    memory : int
        The memory of the process, in bytes.
    """

    metrics: Metrics
    recent: Recent
    memory: int


_DECODER = Decoder(Figures)


class Board:
    """What this process has counted, and what the others have written last.

    Attributes
    ----------
    metrics : Metrics
        What this process counts; it goes on where a process that was in its place has ended.
    drift : DriftWatch
        What this process sees of texts.

    Examples
    --------
    >>> from likely.server.shared_file import SharedFile
    >>> files = [SharedFile.create(), SharedFile.create()]
    >>> one, other = Board(files, 0), Board(files, 1)
    >>> one.metrics.corrected("learned"), other.metrics.corrected("learned")
    (None, None)
    >>> other.write()
    >>> [found.metrics.corrections for found in one.figures()]
    [{'learned': 1}, {'learned': 1}]
    >>> for file in files:
    ...     file.close()
    """

    def __init__(self, files: Sequence[SharedFile] = (), number: int = 0) -> None:
        self._files, self._number = list(files), number
        before = _read(self._files[number]) if self._files else None
        self.metrics = Metrics() if before is None else before.metrics
        self.metrics.in_flight = 0
        self.drift = DriftWatch(self.metrics)

    @property
    def is_shared(self) -> bool:
        """Whether there are other processes."""
        return bool(self._files)

    def write(self) -> None:
        """Let the other processes know."""
        if self._files:
            self._files[self._number].write(encode(self._own()))

    def figures(self) -> list[Figures | None]:
        """The figures of all processes; None of one that has written nothing yet."""
        if not self._files:
            return [self._own()]
        return [self._own() if at == self._number else _read(file) for at, file in enumerate(self._files)]

    def _own(self) -> Figures:
        recent = self.drift.recent()
        return Figures(self.metrics.copied(), recent, resident_bytes())


def _read(file: SharedFile) -> Figures | None:
    data = file.read()
    return _DECODER.decode(data) if data else None
