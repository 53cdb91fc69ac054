"""`Journal`: which batch of a stream a model file has learned, so that a batch that comes again is not learned twice.

A model file and its journal cannot be replaced in one step, so the journal is written first. It says what the model
file was before a batch and what it will be after it, by their digests. If the process ends at any moment, the digest
of the model file tells whether the batch of the journal has been learned.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import SparkError
from likely.reading.atomic import write_whole
from likely.terminal import printable

if TYPE_CHECKING:
    from likely.types import Path as AnyPath


@dataclass(frozen=True)
class Entry:
    """What a journal says.

    Attributes
    ----------
    query : str or None
        The id of the streaming query, which lives in its checkpoint; None if it is not known.
    batch : int
        The number of the last batch.
    before, after : str or None
        The digests of the model file before and after the batch; None if there was no file.
    """

    query: str | None
    batch: int
    before: str | None
    after: str | None


class Journal:
    """The journal of a model file, which lies beside it, with the ending ``.stream``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Journal(f"{folder}/a.likely")
    ...     journal.write("query", 0, b"the bytes of a model")
    ...     journal.has_learned("query", 0), journal.has_learned("query", 1)
    (True, False)
    """

    def __init__(self, model: AnyPath) -> None:
        self._model = Path(model)
        self._path = self._model.with_name(f"{self._model.name}.stream")

    def has_learned(self, query: str | None, batch: int) -> bool:
        """Whether the model file has learned a batch. ``SparkError`` if something else has changed the file."""
        entry, now = self._entry(), self._digest()
        if entry is None:
            return False
        if now not in (entry.before, entry.after):
            raise SparkError(
                f"{printable(self._model)} has changed since it learned batch {entry.batch} of a stream, so that it "
                f"cannot be told what it has learned. To go on with the file as it is, delete {printable(self._path)}"
            )
        return now == entry.after and query == entry.query and batch <= entry.batch

    def write(self, query: str | None, batch: int, data: bytes) -> None:
        """Replace the model file by one with these bytes, which has learned a batch."""
        entry = Entry(query, batch, self._digest(), hashlib.sha256(data).hexdigest())
        write_whole(str(self._path), json.dumps(asdict(entry)).encode())
        write_whole(str(self._model), data)

    def _entry(self) -> Entry | None:
        try:
            return Entry(**json.loads(self._path.read_bytes()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError) as error:
            raise SparkError(f"{printable(self._path)} is damaged: delete it to begin again") from error

    def _digest(self) -> str | None:
        try:
            return hashlib.sha256(self._model.read_bytes()).hexdigest()
        except FileNotFoundError:
            return None
