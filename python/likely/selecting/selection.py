"""`Selection`: the documents that were chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from likely.terminal import counted, printable, wrapped

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.reading.batch import Skipped
    from likely.reading.options import Reading
    from likely.selecting.parts import Part
    from likely.selecting.settings import Settings
    from likely.selecting.targets import Target
    from likely.types import Array, Path


@dataclass(frozen=True, eq=False)
class Raw:
    """The raw documents.

    Attributes
    ----------
    parts : list of Part
        The files.
    starts : list of int
        The number of rows before each file.
    formats : list of list of str
        The formats of each file.
    rows : int
        The number of rows in all, with those that cannot be read.
    short : int
        The number of documents with fewer words than asked for.
    skipped : Skipped
        The rows that could not be read.
    reading : Reading
        How the files are read.
    """

    parts: list[Part]
    starts: list[int]
    formats: list[list[str]]
    rows: int
    short: int
    skipped: Skipped
    reading: Reading

    @property
    def ends(self) -> list[int]:
        """The number of rows before the end of each file."""
        return [*self.starts[1:], self.rows]


@dataclass(frozen=True, eq=False)
class Selection:
    """The documents that were chosen from raw documents.

    Attributes
    ----------
    rows : array of int64
        The numbers of the chosen rows, counted from 0 through all files, in order.
    log_weights : array
        The log importance weight of each chosen row, for the target that it was chosen for.
    targets : array of int64
        The index of the target that each row was chosen for.
    raw : Raw
        What they were chosen from.
    """

    rows: npt.NDArray[np.int64]
    log_weights: Array
    targets: npt.NDArray[np.int64]
    raw: Raw = field(repr=False)
    settings: Settings = field(repr=False)
    wanted: list[tuple[Target, int]] = field(repr=False)
    """The targets, and how many documents should be chosen for each."""
    written: list[str] = field(default_factory=list, repr=False)
    """The names of the files that were written."""

    def __len__(self) -> int:
        """The number of chosen documents."""
        return len(self.rows)

    @property
    def candidates(self) -> int:
        """The number of documents that could be chosen: they could be read, and are not too short."""
        return self.raw.rows - self.raw.skipped.count - self.raw.short

    @property
    def files(self) -> dict[str, npt.NDArray[np.int64]]:
        """The chosen rows of each file, counted from 0 in the file."""
        parts = zip(self.raw.parts, self.raw.starts, self.raw.ends, strict=True)
        return {part.name: self._between(start, end) for part, start, end in parts}

    def _between(self, start: int, end: int) -> npt.NDArray[np.int64]:
        first, last = np.searchsorted(self.rows, [start, end])
        return self.rows[first:last] - start

    def write(self, output: Path) -> list[str]:
        """Write the chosen rows as they are in their files, and return the names of the new files.

        If ``output`` is a folder, it gets one file per raw file, with the same name, format and compression. If it is
        the name of a file, all rows go there. A file has its name only when it is complete.
        """
        from likely.selecting.writing import write

        return write(self, output)

    def to_dict(self) -> dict[str, object]:
        """The selection as plain data (`docs/json.md`)."""
        return {
            "number": self.settings.number,
            "chosen": len(self),
            "rows": self.raw.rows,
            "candidates": self.candidates,
            "short": self.raw.short,
            "skipped": self.raw.skipped.count,
            "skipped_first": self.raw.skipped.first,
            "best": self.settings.best,
            "seed": None if self.settings.best else self.settings.seed,
            "min_words": self.settings.min_words,
            "buckets": self.settings.buckets,
            "alpha": self.settings.alpha,
            "text": self.raw.reading.text,
            "targets": [
                {"target": target.name, "share": target.share, "chosen": int((self.targets == at).sum())}
                for at, (target, _) in enumerate(self.wanted)
            ],
            "files": [{"file": name, "chosen": len(rows)} for name, rows in self.files.items()],
            "written": self.written,
        }

    def __str__(self) -> str:
        how = "the best" if self.settings.best else f"a sample (seed {self.settings.seed})"
        lines = [f"Selected {counted(len(self), 'document')} of {self.candidates:,}: {how}."]
        if len(self.wanted) > 1:
            pairs = [
                f"{printable(target.name)} {int((self.targets == at).sum()):,}"
                for at, (target, _) in enumerate(self.wanted)
            ]
            lines.append(f"Per target: {', '.join(pairs)}.")
        if self.raw.short:
            least = counted(self.settings.min_words, "word")
            lines.append(f"{counted(self.raw.short, 'document')} with fewer than {least} left out.")
        if len(self) < self.settings.number:
            lines.append(f"There are fewer than the {self.settings.number:,} that were asked for.")
        return "\n".join(map(wrapped, lines))
