"""`Skipped`: the rows that could not be read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from likely.errors import BadRowsError
from likely.terminal import counted

NAMED = 5
"""At most this many rows are described, the first ones."""


@dataclass
class Skipped:
    """The rows that could not be read: their number, a description of the first ones, and the labels of all.

    ``what`` says what became of them: rows with labels are skipped, rows that wait for an answer stay unanswered.

    Examples
    --------
    >>> skipped = Skipped()
    >>> skipped.add("a.csv", 6, "no label", line=7)
    >>> print(skipped)
    1 row skipped: a.csv row 6 (line 7): no label
    """

    strict: bool = False
    what: str = "skipped"
    count: int = 0
    first: list[str] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)

    def add(
        self, where: str, row: int | None, problem: str, *, line: int | None = None, label: str | None = None
    ) -> None:
        """Record a row, counted from 1, and its line in the file; a file that is one document has neither.

        Raise ``BadRowsError`` if reading is strict.
        """
        self.count += 1
        if label is not None:
            self.labels[label] += 1
        place = "" if row is None else f" row {row:,}"
        named = f"{where}{place}{'' if line is None else f' (line {line:,})'}: {problem}"
        if self.strict:
            raise BadRowsError(f"{named}. Correct it, or read without strict to continue after such rows")
        if len(self.first) < NAMED:
            self.first.append(named)

    def __str__(self) -> str:
        more = f"; and {self.count - len(self.first):,} more" if self.count > len(self.first) else ""
        return f"{counted(self.count, 'row')} {self.what}: {'; '.join(self.first)}{more}"
