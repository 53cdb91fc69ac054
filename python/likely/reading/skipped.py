"""`Skipped`: the rows that could not be read."""

from __future__ import annotations

from dataclasses import dataclass, field

from likely.errors import BadRowsError

NAMED = 5
"""At most this many skipped rows are described, the first ones."""


@dataclass
class Skipped:
    """The rows that could not be read: their number, and a description of the first ones.

    Examples
    --------
    >>> skipped = Skipped()
    >>> skipped.add("a.csv", 7, "no label")
    >>> print(skipped)
    1 row skipped: a.csv line 7: no label
    """

    strict: bool = False
    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, where: str, line: int, problem: str, unit: str = "line") -> None:
        """Record a row. Raise ``BadRowsError`` if reading is strict."""
        self.count += 1
        named = f"{where} {unit} {line:,}: {problem}"
        if self.strict:
            raise BadRowsError(f"{named}. Correct it, or read without strict to skip such rows")
        if len(self.first) < NAMED:
            self.first.append(named)

    def __str__(self) -> str:
        rows = "row" if self.count == 1 else "rows"
        more = f"; and {self.count - len(self.first):,} more" if self.count > len(self.first) else ""
        return f"{self.count:,} {rows} skipped: {'; '.join(self.first)}{more}"
