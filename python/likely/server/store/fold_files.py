"""Folded models in files beside a store, written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
from typing import TYPE_CHECKING

from likely.errors import ModelFileError, StoreError, StoreFullError
from likely.reading.atomic import write_whole
from likely.server.store.store import Fold

if TYPE_CHECKING:
    from pathlib import Path

    from likely.server.store.store import Position


class FoldFiles:
    """The files of the folds of a store: its name, the number of the last folded entry, and ``.likely``."""

    def __init__(self, store: Path) -> None:
        self._store = store

    def path(self, seq: int) -> Path:
        """The file into which the entries up to this one are folded.

        Examples
        --------
        >>> from pathlib import Path
        >>> FoldFiles(Path("mail.store")).path(12).name
        'mail.store-12.likely'
        """
        return self._store.with_name(f"{self._store.name}-{seq}.likely")

    def load(self, fold: Fold) -> bytes | None:
        """The bytes of a fold; None if they are missing or damaged."""
        with contextlib.suppress(OSError):
            data = self.path(fold.seq).read_bytes()
            if hashlib.sha256(data).hexdigest() == fold.digest:
                return data
        return None

    def save(self, at: Position, data: bytes) -> Fold:
        """Write a fold of the entries up to a position."""
        path = self.path(at.seq)
        try:
            write_whole(path, data)
        except ModelFileError as error:
            full = getattr(error.__cause__, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            raise (StoreFullError if full else StoreError)(f"cannot fold into {str(path)!r}: {error}") from error
        return Fold(at.seq, hashlib.sha256(data).hexdigest(), at.generation)

    def drop(self, fold: Fold) -> None:
        """Delete the file of a fold."""
        with contextlib.suppress(OSError):
            os.unlink(self.path(fold.seq))

    def delete_older(self, fold: Fold) -> None:
        """Delete the files of older folds, also of those that a kill has left without their row."""
        pattern = re.compile(re.escape(self._store.name) + r"-(\d+)\.likely")
        for path in self._store.parent.iterdir():
            found = pattern.fullmatch(path.name)
            if found and int(found[1]) < fold.seq:
                with contextlib.suppress(OSError):
                    os.unlink(path)
