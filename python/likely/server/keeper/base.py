"""`Base`: the model file that corrections are added to. A store belongs to one base."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from likely.core import file as model_file
from likely.errors import LikelyError, ModelFileError, StoreError
from likely.model.naive_bayes import NaiveBayes
from likely.reading.atomic import read_whole

if TYPE_CHECKING:
    from pathlib import Path

    from likely.server.store.store import Store

NO_BASE = "none"
"""What a store says of its base if it began with a model that had learned nothing."""


class Base:
    """The model file that corrections are added to; without a file, a model that has learned nothing.

    Attributes
    ----------
    digest : str
        The SHA-256 of the file.

    Examples
    --------
    >>> Base(None).load()._state.is_fitted
    False
    """

    def __init__(self, path: Path | None) -> None:
        self._path, self.digest = path, NO_BASE

    def load(self) -> NaiveBayes:
        """The model of the file; ``ModelFileError`` if it was changed since it was first loaded."""
        if self._path is None:
            return NaiveBayes()
        try:
            data = read_whole(self._path, model_file.MAGIC, model_file.KEY)
            digest = hashlib.sha256(data).hexdigest()
            if self.digest not in (NO_BASE, digest):
                raise ModelFileError("it was changed while it was in use: put the file back")
            self.digest = digest
            return NaiveBayes._from_snapshot(model_file.from_bytes(data))
        except LikelyError as error:
            raise ModelFileError(f"cannot load {str(self._path)!r}: {error}") from error.__cause__

    def adopt(self, store: Store) -> None:
        """Write into a new store which base it belongs to; ``StoreError`` if it belongs to another one."""
        with store.reading() as ledger:
            found = ledger.about("base")
        if found is None and store.why_read_only is None:
            with store.writing() as ledger:
                found = ledger.about("base")
                if found is None:
                    ledger.note("base", self.digest)
                    ledger.note("base_path", "" if self._path is None else str(self._path.absolute()))
                    return
        if found not in (None, self.digest):
            raise StoreError(
                f"the store {store.name!r} belongs to another model (the SHA-256 of its base begins with "
                f"{str(found)[:12]}, that of this one with {self.digest[:12]}): give the model that the store was "
                "begun with, or a new store"
            )
