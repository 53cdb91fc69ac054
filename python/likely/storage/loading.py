"""`Loading`: a model file is read in a thread, while its caller does something else, such as importing modules."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from likely.storage.model_file import Opened, open_file

if TYPE_CHECKING:
    from likely.storage.snapshot import Snapshot
    from likely.types import Path


class Loading:
    """A model file that is being read. The kernel reads it without the lock of the interpreter.

    Examples
    --------
    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = NaiveBayes(alpha=0.5).fit(["a b", "c"], [1, 2]).save(f"{folder}/abc.likely").path
    ...     loading = Loading(path)
    ...     print("meanwhile")
    ...     loading._snapshot().options["alpha"]
    meanwhile
    0.5
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found: Snapshot | BaseException | None = None
        opened = open_file(path)
        self._thread = threading.Thread(target=self._read, args=(opened,), name="likely-loader", daemon=True)
        self._thread.start()

    def _read(self, opened: Opened) -> None:
        try:
            self._found = opened.snapshot()
        except BaseException as error:  # any error is raised where the snapshot is asked for
            self._found = error

    def snapshot(self) -> Snapshot:
        """The snapshot of the file, as soon as it is read; ``ModelFileError`` if it cannot be read."""
        self._thread.join()
        if isinstance(self._found, BaseException) or self._found is None:
            raise self._found or RuntimeError("the thread that reads the file has ended")
        return self._found
