"""`DataCheck`: what was found in labelled texts that deserves a look, with examples and the commands that fix it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.reading.rows import Whole
    from likely.types import Label

LONGEST = 80
"""At most this many characters of a text are shown."""


@dataclass(frozen=True)
class Example:
    """A row that shows a finding. ``row`` is an index, from 0; printed, rows are counted from 1.

    ``note`` says what there is to see in this row, if the text does not show it.
    """

    row: int
    label: Label
    text: str
    note: str = ""

    @classmethod
    def of(cls, whole: Whole, row: int, note: str = "") -> Example:
        """The row of some data, with the beginning of its text."""
        text = " ".join(whole.texts[row][: 4 * LONGEST].split())
        return cls(row, whole.labels[row], text[:LONGEST], note)


@dataclass(frozen=True)
class Finding:
    """Something in the data that deserves a look.

    Attributes
    ----------
    kind : str
        What it is about, such as "copies" or "encoding".
    serious : bool
        Whether a model of this data, or its evaluation, would be misleading.
    rows : int
        The number of rows that it concerns.
    says : str
        What was found, in one sentence.
    fix : str
        What to do: a command, or what to correct.
    examples : list of Example
        Some of the rows.
    """

    kind: str
    serious: bool
    rows: int
    says: str
    fix: str
    examples: list[Example] = field(default_factory=list)

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class DataCheck:
    """What was found in labelled texts.

    Attributes
    ----------
    rows : int
        The number of rows that were read.
    classes : dict
        The number of rows of each class, the largest first.
    findings : list of Finding
        What deserves a look, the serious ones first.
    notes : list of str
        What was not looked at, one sentence each.
    """

    rows: int
    classes: dict[Label, int]
    findings: list[Finding]
    notes: list[str]

    @property
    def serious(self) -> list[Finding]:
        """The findings with which a model, or its evaluation, would be misleading."""
        return [each for each in self.findings if each.serious]

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data, ready for JSON."""
        return {
            "rows": self.rows,
            "classes": [{"class": label, "rows": rows} for label, rows in self.classes.items()],
            "serious": len(self.serious),
            "findings": [each.to_dict() for each in self.findings],
            "notes": self.notes,
        }

    def __str__(self) -> str:
        from likely.reports import check_text

        return check_text(self)
