"""Whether what was read of a source is enough to learn from, or a model of it would be quietly wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reading.skipped import NAMED
from likely.terminal import named

if TYPE_CHECKING:
    from likely.reading.labels.check import LabelCheck
    from likely.reading.skipped import Skipped

MOST_UNREADABLE = 0.05
"""The largest share of rows that may be left out without a word from the user."""


def lost_rows(rows: int, skipped: Skipped, labels: LabelCheck) -> str | None:
    """What was lost with the rows that could not be read, if it is a whole class or too many rows.

    Examples
    --------
    >>> from likely.reading import Reading, Skipped
    >>> from likely.reading.labels.check import LabelCheck
    >>> skipped = Skipped()
    >>> skipped.add("a.csv", 3, "no label", line=4)
    >>> lost_rows(9, skipped, LabelCheck(Reading()))
    '10% of the rows could not be read. 1 row skipped: a.csv row 3 (line 4): no label'
    """
    # A row that was skipped is known by the text of its label, which may stand for a number or a truth value.
    read = {str(label).lower() for label in labels.classes()}
    wanted = {label: labels.settled(label) for label in skipped.labels}
    gone = sorted(label for label, settled in wanted.items() if settled and str(settled).lower() not in read)
    if gone:
        classes = "class" if len(gone) == 1 else "classes"
        return f"no row of the {classes} {named(gone, NAMED, repr)} could be read. {skipped}"
    if skipped.count > MOST_UNREADABLE * (rows + skipped.count):
        return f"{skipped.count / (rows + skipped.count):.0%} of the rows could not be read. {skipped}"
    return None


def only_class(skipped: Skipped, labels: LabelCheck) -> str | None:
    """What is said if all rows have the same label; otherwise None."""
    classes = labels.classes()
    if len(classes) != 1:
        return None
    why = f". {skipped}" if skipped.count else ""
    return f"all rows have the same label, {classes.pop()!r}, so there is nothing to tell apart{why}"
